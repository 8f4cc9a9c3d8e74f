//! Pictures of the window without the user interface.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};

use super::toast::Toasts;
use super::{UiState, presets::PresetList};
use crate::capture::{CaptureError, Picture};
use crate::scene::{Background, StageParams};

/// Where pictures go, and those that are being written.
#[derive(Resource)]
pub struct Screenshots {
    /// The folder, as the user typed it.
    pub folder: String,
    writing: Vec<Task<Result<PathBuf, CaptureError>>>,
}

impl Default for Screenshots {
    fn default() -> Self {
        Self {
            folder: pictures_folder().display().to_string(),
            writing: Vec::new(),
        }
    }
}

/// The user's folder of pictures; the home folder if there is none, or else the current one.
fn pictures_folder() -> PathBuf {
    let user = directories::UserDirs::new();
    user.as_ref()
        .and_then(|user| user.picture_dir().filter(|folder| folder.is_dir()))
        .or_else(|| user.as_ref().map(directories::UserDirs::home_dir))
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The folder that somebody typed: `~` is the home folder, nothing the usual folder, and a message can name it
/// in full.
fn folder_of(typed: &str) -> PathBuf {
    let typed = Path::new(typed.trim());
    let user = directories::UserDirs::new();
    let folder = match (typed.strip_prefix("~"), user) {
        (Ok(rest), Some(user)) => user.home_dir().join(rest),
        _ if typed.as_os_str().is_empty() => pictures_folder(),
        _ => typed.to_owned(),
    };
    std::path::absolute(&folder).unwrap_or(folder)
}

/// Asks the renderer for this frame's picture. The user interface is left out of the frame.
pub fn take(world: &mut World) {
    world.resource_mut::<UiState>().leave_out = true;
    world.spawn(Screenshot::primary_window()).observe(develop);
}

/// Writes the picture that has come, without holding up the window.
fn develop(
    captured: On<ScreenshotCaptured>,
    mut screenshots: ResMut<Screenshots>,
    presets: Res<PresetList>,
    stage: Res<StageParams>,
) {
    let frame = captured.image.clone();
    let folder = folder_of(&screenshots.folder);
    let name = file_name(presets.current_name(), SystemTime::now());
    let transparent = stage.background() == Background::Nothing;
    screenshots
        .writing
        .push(AsyncComputeTaskPool::get().spawn(async move {
            let size = frame.size();
            let mut picture = Picture::new(size.x, size.y);
            picture.add(frame)?;
            std::fs::create_dir_all(&folder).map_err(|source| CaptureError::Write {
                path: folder.clone(),
                source,
            })?;
            let path = free_path(&folder, &name, "png");
            picture.save_png(&path, transparent)?;
            Ok(path)
        }));
}

/// Says where a picture has been written, or why it has not.
pub fn report(mut screenshots: ResMut<Screenshots>, mut toasts: ResMut<Toasts>) {
    if screenshots.writing.is_empty() {
        return;
    }
    screenshots
        .writing
        .retain_mut(|task| match block_on(poll_once(task)) {
            None => true,
            Some(Ok(path)) => {
                toasts.info(format!("Picture saved: {}", path.display()));
                false
            }
            Some(Err(error)) => {
                toasts.error(error.to_string());
                false
            }
        });
}

/// `pyrocumulus-<preset>-<yyyy-mm-dd-hhmmss>`, in universal time, of letters that every file system takes.
fn file_name(preset: &str, now: SystemTime) -> String {
    let slug: String = preset
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    let slug = if slug.is_empty() {
        "untitled".to_owned()
    } else {
        slug
    };
    let slug: String = slug.chars().take(60).collect();
    format!("pyrocumulus-{slug}-{}", timestamp(now))
}

fn timestamp(now: SystemTime) -> String {
    let seconds = now
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}-{hour:02}{minute:02}{second:02}")
}

/// Year, month and day of a number of days since 1970 (Hinnant 2013, "chrono-compatible low-level date
/// algorithms", `civil_from_days`, for days that are not negative).
fn date(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let era = z / 146_097;
    let day_of_era = z % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

/// A path that does not exist yet, in the folder that somebody typed, which is made if it is missing.
///
/// # Errors
/// If the folder cannot be made.
pub fn new_path(typed: &str, what: &str, ending: &str, now: SystemTime) -> Result<PathBuf, String> {
    let folder = folder_of(typed);
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("{} cannot be written to: {error}", folder.display()))?;
    Ok(free_path(&folder, &file_name(what, now), ending))
}

/// A path in `folder` that does not exist yet.
fn free_path(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let numbered = (2..).map(|n| folder.join(format!("{name}-{n}.{ending}")));
    let plain = folder.join(format!("{name}.{ending}"));
    std::iter::once(plain.clone())
        .chain(numbered)
        .find(|path| !path.exists())
        .unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_name_tells_preset_and_time() {
        let leap_day = UNIX_EPOCH + Duration::from_secs(951_827_696);
        assert_eq!(
            file_name("Storm", leap_day),
            "pyrocumulus-storm-2000-02-29-123456"
        );
        let new_year = UNIX_EPOCH + Duration::from_secs(1_798_761_599);
        assert_eq!(
            file_name("Storm", new_year),
            "pyrocumulus-storm-2026-12-31-235959"
        );
    }

    #[test]
    fn the_name_never_leaves_the_folder() {
        let name = file_name("../../Été: a/b\\c", UNIX_EPOCH);
        assert_eq!(name, "pyrocumulus-été-a-b-c-1970-01-01-000000");
        assert_eq!(
            file_name("//", UNIX_EPOCH),
            "pyrocumulus-untitled-1970-01-01-000000"
        );
    }

    #[test]
    fn the_folder_is_the_one_that_was_meant() {
        let home = directories::UserDirs::new().unwrap();
        let home = home.home_dir();
        assert_eq!(folder_of("~/clouds"), home.join("clouds"));
        assert_eq!(folder_of(" ~ "), home);
        assert_eq!(
            folder_of("  "),
            folder_of(&pictures_folder().display().to_string())
        );
        assert!(folder_of("clouds").is_absolute());
        assert!(folder_of("~clouds").ends_with("~clouds"));
    }

    #[test]
    fn a_picture_never_replaces_another() {
        let folder = tempfile::tempdir().unwrap();
        for expected in ["a.png", "a-2.png", "a-3.png"] {
            let path = free_path(folder.path(), "a", "png");
            assert_eq!(path, folder.path().join(expected));
            std::fs::write(path, b"").unwrap();
        }
    }
}
