//! The list of presets, and the dialog that saves one.

mod dialog;

use std::path::Path;

use bevy::prelude::*;
use bevy_egui::egui::{self, Align, Button, Layout, RichText, ScrollArea, Ui};
use bevy_panorbit_camera::PanOrbitCamera;

use self::dialog::SaveDialog;
pub use self::dialog::show as show_dialog;
use super::toast::Toasts;
use super::{Action, Actions, theme};
use crate::library::{PresetEntry, PresetLibrary};
use crate::param::preset::{Preset, PresetError};
use crate::scene::Scene;

/// Height of the list, in points.
const LIST_HEIGHT: f32 = 150.0;

/// What the list and the dialog remember.
#[derive(Resource, Default)]
pub struct PresetList {
    /// The preset that was loaded or saved last, as it was then.
    current: Option<Preset>,
    /// Whether `current` is the user's own.
    is_own: bool,
    /// Whether the scene no longer looks like `current`.
    is_edited: bool,
    /// Scrolls the list to the current preset once.
    reveal: bool,
    dialog: Option<SaveDialog>,
}

impl PresetList {
    /// Name of the preset that was loaded last.
    pub fn current_name(&self) -> &str {
        self.current.as_ref().map_or("", |preset| &preset.name)
    }

    /// Whether the dialog is open.
    pub fn is_asking(&self) -> bool {
        self.dialog.is_some()
    }

    /// Closes the dialog; false if it was not open.
    pub fn close(&mut self) -> bool {
        self.dialog.take().is_some()
    }

    fn is_current(&self, entry: &PresetEntry) -> bool {
        self.is_own != entry.shipped
            && self
                .current
                .as_ref()
                .is_some_and(|preset| preset.name == entry.name)
    }
}

/// Name of the preset that was loaded last.
pub fn current_name(world: &World) -> String {
    world.resource::<PresetList>().current_name().to_owned()
}

/// Puts `preset` on stage.
pub fn apply(world: &mut World, preset: Preset, is_own: bool) {
    preset.apply(world);
    let (focus, _) = preset.scene.frame();
    let mut cameras = world.query::<&mut PanOrbitCamera>();
    for mut camera in cameras.iter_mut(world) {
        camera.target_focus = focus;
    }
    let mut list = world.resource_mut::<PresetList>();
    list.current = Some(preset);
    list.is_own = is_own;
    list.is_edited = false;
    list.reveal = true;
}

/// Loads an entry of the library; if it is broken, says so and leaves the picture as it is.
pub fn load(world: &mut World, index: usize) {
    if let Some((preset, is_own)) = read(world, index) {
        apply(world, preset, is_own);
    }
}

/// The preset of an entry, and whether it is the user's own; if it is broken, says so.
fn read(world: &mut World, index: usize) -> Option<(Preset, bool)> {
    let library = world.resource::<PresetLibrary>();
    let entry = library.entries().get(index)?;
    match library.load_entry(entry) {
        Ok(preset) => Some((preset, !entry.shipped)),
        Err(error) => {
            world.resource_mut::<Toasts>().error(error.to_string());
            None
        }
    }
}

/// Loads a file, as when it is dropped on the window.
pub fn load_file(world: &mut World, path: &Path) {
    match world.resource::<PresetLibrary>().load_file(path) {
        Ok(preset) => apply(world, preset, false),
        Err(error) => world.resource_mut::<Toasts>().error(error.to_string()),
    }
}

/// Loads the next preset of the list (or the one before), round the end. Where both volumes are on stage, it joins
/// them.
pub fn step(world: &mut World, by: isize) {
    let scene = *world.resource::<Scene>();
    let list = world.resource::<PresetList>();
    let library = world.resource::<PresetLibrary>();
    let shown: Vec<(usize, &PresetEntry)> = shown(library, scene)
        .filter(|(_, e)| e.problem.is_none())
        .collect();
    let Some(count) = isize::try_from(shown.len()).ok().filter(|count| *count > 0) else {
        return;
    };
    let next = match shown.iter().position(|(_, entry)| list.is_current(entry)) {
        Some(at) => (at as isize + by).rem_euclid(count),
        None if by > 0 => 0,
        None => count - 1,
    };
    let index = shown[next as usize].0;
    match scene {
        Scene::Both => join(world, index),
        Scene::Cloud | Scene::Fire => load(world, index),
    }
}

/// Loads an entry into a scene of both volumes: the other one stays.
fn join(world: &mut World, index: usize) {
    let Some((preset, is_own)) = read(world, index) else {
        return;
    };
    let mut joined = preset.clone();
    joined.scene = Scene::Both;
    apply(world, joined, is_own);
    world.resource_mut::<PresetList>().current = Some(preset);
    world.resource_mut::<Actions>().push(Action::FrameScene);
}

/// The entries listed while `scene` is on stage: its own, and every broken file.
fn shown(library: &PresetLibrary, scene: Scene) -> impl Iterator<Item = (usize, &PresetEntry)> {
    library
        .entries()
        .iter()
        .enumerate()
        .filter(move |(_, entry)| {
            entry
                .scene
                .is_none_or(|its| scene == Scene::Both || its == scene)
        })
}

/// Saves under the current name if that preset is the user's own, and else asks for one.
pub fn save(world: &mut World) {
    let scene = *world.resource::<Scene>();
    let list = world.resource::<PresetList>();
    // A preset of one volume is not replaced by one of two unasked.
    let same_scene = list
        .current
        .as_ref()
        .is_some_and(|preset| preset.scene == scene);
    if !(list.is_own && same_scene) {
        return ask_for_name(world);
    }
    let name = list.current_name().to_owned();
    if let Err(error) = save_as(world, &name, true) {
        world.resource_mut::<Toasts>().error(error.to_string());
    }
}

/// Opens the dialog.
pub fn ask_for_name(world: &mut World) {
    let mut list = world.resource_mut::<PresetList>();
    let name = match list.current_name() {
        "" => "My preset".to_owned(),
        name if list.is_own => name.to_owned(),
        name => format!("My {}", name.to_lowercase()),
    };
    list.dialog = Some(SaveDialog::new(name));
}

fn save_as(world: &mut World, name: &str, overwrite: bool) -> Result<(), PresetError> {
    let preset = Preset::capture(world, name.trim());
    let path = world
        .resource_mut::<PresetLibrary>()
        .save(&preset, overwrite)?;
    world
        .resource_mut::<Toasts>()
        .info(format!("Preset saved: {}", path.display()));
    let mut list = world.resource_mut::<PresetList>();
    list.current = Some(preset);
    list.is_own = true;
    list.is_edited = false;
    list.reveal = true;
    Ok(())
}

/// Opens the folder of the user's presets in the system's file manager, and shows its path.
pub fn open_folder(world: &mut World) {
    let folder = world
        .resource::<PresetLibrary>()
        .folder()
        .map(Path::to_path_buf);
    let mut toasts = world.resource_mut::<Toasts>();
    let Some(folder) = folder else {
        return toasts.error(PresetError::NoFolder.to_string());
    };
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return toasts.error(format!("{} could not be made: {error}", folder.display()));
    }
    let opener = if cfg!(target_os = "windows") {
        "explorer"
    } else if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    match std::process::Command::new(opener).arg(&folder).spawn() {
        Ok(mut child) => {
            toasts.info(format!("Presets are in {}", folder.display()));
            // Reaped where waiting holds up nothing.
            std::thread::spawn(move || child.wait());
        }
        Err(error) => {
            toasts.error(format!(
                "Presets are in {} ({opener} cannot be started: {error})",
                folder.display()
            ));
        }
    }
}

/// Compares the scene with the preset it came from. Runs now and then: nobody sees a mark that is half a
/// second late.
pub fn notice_edits(world: &mut World) {
    let Some(current) = world.resource::<PresetList>().current.clone() else {
        return;
    };
    let is_edited = !Preset::capture(world, &current.name).looks_like(&current);
    let mut list = world.resource_mut::<PresetList>();
    if list.is_edited != is_edited {
        list.is_edited = is_edited;
    }
}

/// Notices files that come, go or change in the user's folder while the window is open.
pub fn notice_files(mut library: ResMut<PresetLibrary>) {
    library.refresh_if_changed();
}

/// The list, and the buttons under it.
pub fn show(ui: &mut Ui, world: &mut World) {
    let mut actions = Vec::new();
    let scene = *world.resource::<Scene>();
    let list = world.resource::<PresetList>();
    let library = world.resource::<PresetLibrary>();
    // A few rows always remain for the sliders, also in a low window.
    let height = LIST_HEIGHT
        .min(0.28 * ui.ctx().content_rect().height())
        .max(40.0);
    egui::Frame::new()
        .fill(ui.visuals().extreme_bg_color)
        .corner_radius(3)
        .inner_margin(3)
        .show(ui, |ui| {
            ScrollArea::vertical()
                .id_salt("presets")
                .max_height(height)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    let mut shipped = true;
                    for (index, entry) in shown(library, scene) {
                        if shipped && !entry.shipped {
                            crate::param::panel::heading(ui, "Your presets");
                        }
                        shipped = entry.shipped;
                        if show_entry(ui, entry, list) {
                            actions.push(Action::LoadPreset(index));
                        }
                    }
                });
        });
    ui.horizontal_wrapped(|ui| {
        if ui
            .button("Save")
            .on_hover_text("Save the preset (Ctrl+S)")
            .clicked()
        {
            actions.push(Action::Save);
        }
        if ui.button("Save as…").clicked() {
            actions.push(Action::SaveAs);
        }
        if ui
            .button("Open folder")
            .on_hover_text("Where your presets are kept")
            .clicked()
        {
            actions.push(Action::OpenFolder);
        }
    });
    world.resource_mut::<Actions>().extend(actions);
    world.resource_mut::<PresetList>().reveal = false;
}

/// One line of the list; true if it was clicked.
fn show_entry(ui: &mut Ui, entry: &PresetEntry, list: &PresetList) -> bool {
    let is_current = list.is_current(entry);
    let mark = if is_current && list.is_edited {
        " •"
    } else {
        ""
    };
    let mut text = RichText::new(format!("{}{mark}", entry.name));
    if entry.problem.is_some() {
        text = text.color(theme::ERROR);
    }
    let line = Button::selectable(is_current, text).truncate();
    let response = ui
        .with_layout(Layout::top_down_justified(Align::LEFT), |ui| ui.add(line))
        .inner;
    if is_current && list.reveal {
        response.scroll_to_me(None);
    }
    match &entry.problem {
        Some(problem) => response.on_hover_text(problem).clicked(),
        None if !mark.is_empty() => response
            .on_hover_text("Edited; click to go back to it")
            .clicked(),
        None => response.clicked(),
    }
}
