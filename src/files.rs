//! Writing files so that nothing is ever lost.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where the program keeps what the user sets; `None` for a user without a home.
pub fn config_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "pyrocumulus")
        .map(|project| project.config_dir().to_owned())
}

/// Replaces the contents of `path` in one step: the file is either as it was or whole, also when the
/// disk is full or the program is killed. A link stays, and what it points to is replaced.
///
/// # Errors
/// If the folder does not exist or cannot be written to, or if `path` is a pipe, a device or a folder.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    check_replaceable(path)?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    make_readable(file.as_file())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Finds out whether something else than a file is at `path`, which replacing would destroy.
///
/// # Errors
/// If it is.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(found) if !found.is_file() => Err(io::Error::other("it exists and is not a file")),
        _ => Ok(()),
    }
}

/// A temporary file is private; a picture or a preset is not.
#[cfg(unix)]
fn make_readable(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &std::fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        replace(&path, b"old").unwrap();
        let missing = folder.path().join("missing").join("a.txt");
        assert!(replace(&missing, b"new").is_err());
        replace(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file is left"
        );
    }
}
