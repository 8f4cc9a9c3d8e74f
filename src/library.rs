//! The presets there are: those that ship with the program, and the user's own.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bevy::ecs::resource::Resource;

use crate::files;
use crate::param::ParamSets;
use crate::param::preset::{Preset, PresetError};
use crate::scene::Scene;
use crate::suggest;

/// A preset that is part of the program.
struct Shipped {
    /// File name without `.ron`; it stands for the preset on the command line.
    stem: &'static str,
    source: &'static str,
}

macro_rules! shipped {
    ($($folder:literal: [$($stem:literal),* $(,)?]),* $(,)?) => {
        &[$($(Shipped {
            stem: $stem,
            source: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/assets/presets/", $folder, "/", $stem, ".ron"
            )),
        }),*),*]
    };
}

/// The shipped presets, in the order of the list. The first is what a new user sees. To add one, put
/// the file into its folder and its name here.
const SHIPPED: &[Shipped] = shipped![
    "cloud": [
        "fair-weather-cumulus",
        "towering-congestus",
        "cirrus-tuft",
        "overcast-slab",
        "storm",
        "sunset-rim",
        "stylised-puff",
        "thin-haze",
    ],
    "fire": [
        "campfire",
        "candle",
        "torch",
        "fireball",
        "wall-of-flame",
        "plasma",
        "smoke-column",
        "lava",
        "blue-gas",
    ],
];

/// Largest file that is taken for a preset.
const MAX_BYTES: u64 = 1 << 20;

/// Ending of preset files.
const EXTENSION: &str = "ron";

/// One line of the list of presets.
#[derive(Clone, Debug)]
pub struct PresetEntry {
    /// What the preset is called.
    pub name: String,
    /// What it shows; `None` if its file is broken.
    pub scene: Option<Scene>,
    /// Whether it is part of the program, and not the user's.
    pub shipped: bool,
    /// The user's file.
    pub path: Option<PathBuf>,
    /// What is wrong with the file, in one sentence.
    pub problem: Option<String>,
    /// File name without ending.
    pub stem: String,
    source: Option<&'static str>,
}

impl PresetEntry {
    fn is_called(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.name.to_lowercase() == name || self.stem.to_lowercase() == name
    }
}

/// The presets there are, and the folder where the user's are kept.
#[derive(Resource, Clone)]
pub struct PresetLibrary {
    sets: ParamSets,
    folder: Option<PathBuf>,
    entries: Vec<PresetEntry>,
    /// The user's files as they were when `entries` were read.
    files: Vec<UserFile>,
}

/// A file, and what tells that it has changed.
#[derive(Clone, Debug, PartialEq)]
struct UserFile {
    path: PathBuf,
    modified: Option<SystemTime>,
    bytes: u64,
}

impl PresetLibrary {
    /// The library with the user's presets in the platform's configuration folder.
    pub fn open(sets: ParamSets) -> Self {
        let folder = files::config_folder().map(|folder| folder.join("presets"));
        Self::in_folder(sets, folder)
    }

    /// The library with the user's presets in `folder`, which need not exist.
    pub fn in_folder(sets: ParamSets, folder: Option<PathBuf>) -> Self {
        let mut library = Self {
            sets,
            folder,
            entries: Vec::new(),
            files: Vec::new(),
        };
        library.refresh();
        library
    }

    /// Looks into the folder again.
    pub fn refresh(&mut self) {
        let shipped = SHIPPED.iter().map(|shipped| {
            let parsed = Preset::parse(
                shipped.source,
                &format!("{}.{EXTENSION}", shipped.stem),
                &self.sets,
            );
            PresetEntry {
                source: Some(shipped.source),
                ..entry(shipped.stem, parsed, None)
            }
        });
        self.files = files_in(self.folder.as_deref());
        let users = self.files.iter().map(|UserFile { path, .. }| {
            let stem = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            entry(&stem, self.load_file(path), Some(path.clone()))
        });
        self.entries = shipped.chain(users).collect();
    }

    /// Looks into the folder again if a file in it has come, gone or changed since.
    pub fn refresh_if_changed(&mut self) {
        if files_in(self.folder.as_deref()) != self.files {
            self.refresh();
        }
    }

    /// The presets: shipped ones, then the user's by name of file.
    pub fn entries(&self) -> &[PresetEntry] {
        &self.entries
    }

    /// Where the user's presets are kept. It need not exist yet.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Loads the preset of an entry, with the file as it is now.
    ///
    /// # Errors
    /// If the file cannot be read or is wrong.
    pub fn load_entry(&self, entry: &PresetEntry) -> Result<Preset, PresetError> {
        match (&entry.path, entry.source) {
            (Some(path), _) => self.load_file(path),
            (None, Some(source)) => {
                Preset::parse(source, &format!("{}.{EXTENSION}", entry.stem), &self.sets)
            }
            (None, None) => Err(self.unknown(&entry.name)),
        }
    }

    /// Loads a file, or a preset by its name or its file's, whatever the case of the letters. The
    /// user's presets come before shipped ones of the same name.
    ///
    /// # Errors
    /// If there is no such preset, or its file cannot be read or is wrong.
    pub fn load(&self, wanted: &str) -> Result<Preset, PresetError> {
        let path = Path::new(wanted);
        let is_preset_file = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case(EXTENSION));
        if is_preset_file || path.is_file() {
            return self.load_file(path);
        }
        let (users, shipped): (Vec<_>, Vec<_>) =
            self.entries.iter().partition(|entry| !entry.shipped);
        match users
            .into_iter()
            .chain(shipped)
            .find(|entry| entry.is_called(wanted))
        {
            Some(entry) => self.load_entry(entry),
            None => Err(self.unknown(wanted)),
        }
    }

    fn unknown(&self, name: &str) -> PresetError {
        let names = self
            .entries
            .iter()
            .flat_map(|entry| [&entry.name, &entry.stem]);
        PresetError::Unknown {
            name: name.to_owned(),
            hint: suggest::hint(name, names),
        }
    }

    /// Saves a preset into the user's folder, in a file called like it.
    ///
    /// # Errors
    /// If the name is none for a file, if a preset of the user's has it and `overwrite` is not set, or if the
    /// folder cannot be written to. Nothing is then changed.
    pub fn save(&mut self, preset: &Preset, overwrite: bool) -> Result<PathBuf, PresetError> {
        let stem = file_stem(&preset.name)?;
        let folder = self.folder.clone().ok_or(PresetError::NoFolder)?;
        self.refresh();
        let own = self
            .entries
            .iter()
            .find(|entry| !entry.shipped && entry.is_called(&preset.name));
        let path = own
            .and_then(|entry| entry.path.clone())
            .unwrap_or_else(|| folder.join(format!("{stem}.{EXTENSION}")));
        if !overwrite && path.exists() {
            return Err(PresetError::Exists {
                name: preset.name.clone(),
            });
        }
        std::fs::create_dir_all(&folder).map_err(|source| PresetError::Write {
            path: folder.clone(),
            source,
        })?;
        files::replace(&path, preset.to_ron().as_bytes()).map_err(|source| PresetError::Write {
            path: path.clone(),
            source,
        })?;
        self.refresh();
        Ok(path)
    }

    /// Loads a file.
    ///
    /// # Errors
    /// If it cannot be read or is wrong.
    pub fn load_file(&self, path: &Path) -> Result<Preset, PresetError> {
        Preset::parse(&read_text(path)?, &path.display().to_string(), &self.sets)
    }
}

/// The text of a preset or of other settings.
pub(crate) fn read_text(path: &Path) -> Result<String, PresetError> {
    let failed = |source| PresetError::Read {
        path: path.to_owned(),
        source,
    };
    // Opening a pipe would wait for somebody to write into it.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("it is not a file")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let refused = |problem: &str| PresetError::Contents {
        file: path.display().to_string(),
        line: None,
        key: String::new(),
        problem: problem.to_owned(),
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused("expected a preset, found more than a megabyte"));
    }
    String::from_utf8(bytes).map_err(|_| refused("expected text in UTF-8, found other bytes"))
}

fn entry(stem: &str, parsed: Result<Preset, PresetError>, path: Option<PathBuf>) -> PresetEntry {
    let shipped = path.is_none();
    let (name, scene, problem) = match parsed {
        Ok(preset) => (preset.name, Some(preset.scene), None),
        Err(error) => (stem.to_owned(), None, Some(error.to_string())),
    };
    PresetEntry {
        name,
        scene,
        shipped,
        path,
        problem,
        stem: stem.to_owned(),
        source: None,
    }
}

/// The preset files in a folder, by name; none if the folder cannot be read.
fn files_in(folder: Option<&Path>) -> Vec<UserFile> {
    let Some(Ok(files)) = folder.map(std::fs::read_dir) else {
        return Vec::new();
    };
    let mut files: Vec<UserFile> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case(EXTENSION))
        })
        .filter_map(|path| {
            let about = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some(UserFile {
                modified: about.modified().ok(),
                bytes: about.len(),
                path,
            })
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The file name for a preset's name: the same, if every system can have such a file.
fn file_stem(name: &str) -> Result<&str, PresetError> {
    const MAX_LENGTH: usize = 120;
    let stem = name.trim();
    let problem = if stem.is_empty() {
        "it is empty"
    } else if stem.len() > MAX_LENGTH {
        "it is too long"
    } else if stem.starts_with('.') || stem.ends_with('.') {
        "it starts or ends with a dot"
    } else if stem.contains(|c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c)) {
        r#"it contains a line break or one of / \ : * ? " < > |"#
    } else if is_device(&stem.to_lowercase()) {
        "some systems keep that name for a device"
    } else {
        return Ok(stem);
    };
    Err(PresetError::Name {
        name: name.to_owned(),
        problem,
    })
}

/// Whether Windows keeps this name, in lower case, for a device.
fn is_device(name: &str) -> bool {
    let numbered = name
        .strip_prefix("com")
        .or_else(|| name.strip_prefix("lpt"));
    ["con", "prn", "aux", "nul"].contains(&name)
        || numbered.is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']))
}

#[cfg(test)]
#[path = "library_tests.rs"]
mod tests;
