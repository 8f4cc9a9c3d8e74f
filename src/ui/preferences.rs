//! Keeps the preferences from one run to the next.

use std::io;
use std::path::{Path, PathBuf};

use bevy::prelude::*;

use super::toast::Toasts;
use crate::files;
use crate::library::read_text;
use crate::param::ParamSets;
use crate::param::preset::{Preferences, PresetError};

/// Name of the file in the configuration folder.
const FILE: &str = "preferences.ron";

/// The preferences as the file has them, and where that is.
#[derive(Resource, Default)]
pub struct PreferencesFile {
    /// `None` if there is nowhere to keep them, or if the file there is not understood, which is then left alone.
    path: Option<PathBuf>,
    kept: Option<Preferences>,
    /// As they were when last looked at: they are kept once they rest.
    seen: Option<Preferences>,
}

/// Takes the preferences of the last run.
pub fn load(world: &mut World) {
    let path = files::config_folder().map(|folder| folder.join(FILE));
    load_from(world, path);
}

fn load_from(world: &mut World, path: Option<PathBuf>) {
    let mut file = PreferencesFile { path, ..default() };
    if let Some(path) = &file.path {
        match read(world, path) {
            Ok(Some(preferences)) => preferences.apply(world),
            Ok(None) => {}
            Err(error) => {
                world.resource_mut::<Toasts>().error(format!(
                    "{error}. The defaults apply, and nothing is kept until the file is mended or removed"
                ));
                file.path = None;
            }
        }
    }
    file.kept = Some(Preferences::capture(world));
    world.insert_resource(file);
}

/// The preferences in a file; `None` if there is no file.
fn read(world: &World, path: &Path) -> Result<Option<Preferences>, PresetError> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(PresetError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let sets = ParamSets::in_world(world).preferences();
    Preferences::parse(&text, &path.display().to_string(), &sets).map(Some)
}

/// Keeps preferences that were changed and have rested since the last call.
pub fn keep_rested(world: &mut World) {
    let now = Preferences::capture(world);
    let mut file = world.resource_mut::<PreferencesFile>();
    if file.seen.as_ref() == Some(&now) {
        keep(world, now);
    } else {
        file.seen = Some(now);
    }
}

/// Keeps preferences that were changed just before the window closes.
pub fn keep_last(world: &mut World) {
    let now = Preferences::capture(world);
    keep(world, now);
}

fn keep(world: &mut World, now: Preferences) {
    let mut file = world.resource_mut::<PreferencesFile>();
    let Some(path) = file
        .path
        .clone()
        .filter(|_| file.kept.as_ref() != Some(&now))
    else {
        return;
    };
    let text = now.to_ron();
    // Where keeping fails, it is said once for each change.
    file.kept = Some(now);
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    if let Err(source) = made.and_then(|()| files::replace(&path, text.as_bytes())) {
        let error = PresetError::Write { path, source };
        world.resource_mut::<Toasts>().error(error.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::ParamApp;
    use crate::volume::{QualityParams, Setting};

    fn app(path: &Path) -> App {
        let mut app = App::new();
        app.register_params::<QualityParams>()
            .init_resource::<QualityParams>()
            .init_resource::<Toasts>();
        load_from(app.world_mut(), Some(path.to_owned()));
        app
    }

    fn quality(app: &App) -> QualityParams {
        *app.world().resource()
    }

    #[test]
    fn a_setting_is_there_in_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new folder").join(FILE);
        let mut first = app(&path);
        keep_rested(first.world_mut());
        keep_rested(first.world_mut());
        assert!(!path.exists(), "nothing was changed");
        let changed = QualityParams {
            frame_time: 33.0,
            ..QualityParams::of(Setting::Low)
        };
        first.insert_resource(changed);
        keep_rested(first.world_mut());
        assert!(!path.exists(), "it may still be dragged");
        keep_rested(first.world_mut());
        assert_eq!(quality(&app(&path)), changed);
    }

    #[test]
    fn a_change_just_before_the_end_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let mut first = app(&path);
        first.insert_resource(QualityParams::of(Setting::High));
        keep_last(first.world_mut());
        assert_eq!(quality(&app(&path)), QualityParams::of(Setting::High));
    }

    #[test]
    fn a_file_that_is_not_understood_is_told_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let newer = "(format: 1, quality: (setting: \"godlike\"))";
        std::fs::write(&path, newer).unwrap();
        let mut first = app(&path);
        assert_eq!(quality(&first), QualityParams::default());
        let said = first.world().resource::<Toasts>().texts();
        assert!(
            said.len() == 1 && said[0].contains("quality.setting"),
            "{said:?}"
        );
        first.insert_resource(QualityParams::of(Setting::Low));
        keep_last(first.world_mut());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), newer);
    }
}
