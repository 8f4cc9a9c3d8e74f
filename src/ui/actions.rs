//! What a user can ask for by key or button, and how it is done.

use std::path::PathBuf;
use std::time::Duration;

use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use bevy::window::{FileDragAndDrop, MonitorSelection, PrimaryWindow, WindowMode, WindowOccluded};
use bevy::winit::{UpdateMode, WinitSettings};
use bevy_egui::EguiContexts;
use bevy_panorbit_camera::PanOrbitCamera;

use super::lab::{self, LabView};
use super::presets::{self, PresetList};
use super::timings::Timings;
use super::toast::Toasts;
use super::{UiState, keys, screenshot};
use crate::lab::Carry;
use crate::library::PresetLibrary;
use crate::noise::NoiseBake;
use crate::scene::{CameraParams, Scene};
use crate::volume::{QualityParams, Setting, VolumeClock};

/// Something the user asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Puts these volumes on stage.
    Show(Scene),
    /// Shows the noise lab.
    ShowLab,
    /// Sets in a cloud or a fire what a page of the lab carries over.
    CarryOver(Carry),
    /// Loads an entry of the library.
    LoadPreset(usize),
    /// Loads the entry so many lines further down.
    StepPreset(isize),
    /// Loads a file.
    LoadFile(PathBuf),
    /// Saves the preset.
    Save,
    /// Asks for a name and saves.
    SaveAs,
    /// Shows the folder of the user's presets.
    OpenFolder,
    /// Stops or runs the time.
    TogglePause,
    /// Looks again from where one looked at first.
    ResetCamera,
    /// Centres the scene and steps back to see all of it.
    FrameScene,
    /// Saves a picture.
    Screenshot,
    /// Hides or shows the user interface.
    ToggleUi,
    /// Fills the screen, or not.
    ToggleFullscreen,
    /// Goes so many quality settings further.
    StepQuality(isize),
    /// Opens or closes the overlay of frame times.
    ToggleTimings,
    /// Opens or closes the page of keys.
    ToggleHelp,
    /// Closes the page of keys, the dialog or the messages.
    Close,
}

/// What has been asked for and not yet done.
#[derive(Resource, Default)]
pub struct Actions(Vec<Action>);

impl Actions {
    /// Asks for one.
    pub fn push(&mut self, action: Action) {
        self.0.push(action);
    }

    /// Asks for several.
    pub fn extend(&mut self, actions: impl IntoIterator<Item = Action>) {
        self.0.extend(actions);
    }
}

/// Ctrl, and Command on a Mac.
const CTRL: [KeyCode; 4] = [
    KeyCode::ControlLeft,
    KeyCode::ControlRight,
    KeyCode::SuperLeft,
    KeyCode::SuperRight,
];

/// Keys that type nothing and move no cursor.
const NEVER_TYPED: [KeyCode; 5] = [
    KeyCode::F1,
    KeyCode::F3,
    KeyCode::F10,
    KeyCode::F11,
    KeyCode::F12,
];

/// Turns keys into actions, unless a widget takes the keyboard or did when the key went down.
pub fn read_keys(
    mut events: MessageReader<KeyboardInput>,
    held: Res<ButtonInput<KeyCode>>,
    mut ctrl: Local<bool>,
    mut contexts: EguiContexts,
    presets: Res<PresetList>,
    mut state: ResMut<UiState>,
    mut actions: ResMut<Actions>,
) -> Result {
    let typing = contexts.ctx_mut()?.egui_wants_keyboard_input();
    let typed = typing || state.typing;
    state.typing = typing;
    let held = held.any_pressed(CTRL);
    // Events are read in any case: what was typed into a field must not act later. Ctrl is followed from event to
    // event, or a chord pressed and let go within one slow frame would be lost.
    let mut asked = Vec::new();
    for event in events.read() {
        if CTRL.contains(&event.key_code) {
            *ctrl = event.state.is_pressed();
        }
        if !typed || NEVER_TYPED.contains(&event.key_code) {
            asked.extend(keys::action_of(event, *ctrl));
        }
    }
    *ctrl = held;
    if !presets.is_asking() {
        actions.extend(asked);
    }
    Ok(())
}

/// Loads files that are dropped on the window.
pub fn drop_files(mut drops: MessageReader<FileDragAndDrop>, mut actions: ResMut<Actions>) {
    for drop in drops.read() {
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = drop {
            actions.push(Action::LoadFile(path_buf.clone()));
        }
    }
}

/// Does what was asked for.
pub fn perform(world: &mut World) {
    for action in std::mem::take(&mut world.resource_mut::<Actions>().0) {
        perform_one(world, action);
    }
}

fn perform_one(world: &mut World, action: Action) {
    match action {
        Action::Show(scene) => {
            world.resource_mut::<LabView>().set_open(false);
            show_scene(world, scene);
        }
        Action::ShowLab => world.resource_mut::<LabView>().set_open(true),
        Action::CarryOver(carry) => lab::carry(world, &carry),
        Action::StepPreset(by) if is_lab_open(world) => {
            world.resource_mut::<LabView>().step_page(by);
        }
        Action::TogglePause if is_lab_open(world) => {
            world.resource_mut::<LabView>().toggle_running();
        }
        Action::Screenshot if is_lab_open(world) => lab::take_picture(world),
        Action::LoadPreset(index) => presets::load(world, index),
        Action::StepPreset(by) => presets::step(world, by),
        Action::LoadFile(path) => presets::load_file(world, &path),
        Action::Save => presets::save(world),
        Action::SaveAs => presets::ask_for_name(world),
        Action::OpenFolder => presets::open_folder(world),
        Action::TogglePause => {
            let mut clock = world.resource_mut::<VolumeClock>();
            clock.paused = !clock.paused;
        }
        Action::ResetCamera => {
            let distance = center_camera(world);
            let params = CameraParams {
                distance,
                ..default()
            };
            world.resource_mut::<CameraParams>().set_if_neq(params);
        }
        Action::FrameScene => {
            let distance = center_camera(world);
            let mut params = world.resource_mut::<CameraParams>();
            let framed = CameraParams {
                distance,
                ..*params
            };
            params.set_if_neq(framed);
        }
        Action::Screenshot => screenshot::take(world),
        Action::ToggleUi => {
            let mut state = world.resource_mut::<UiState>();
            state.visible = !state.visible;
        }
        Action::ToggleFullscreen => toggle_fullscreen(world),
        Action::StepQuality(by) => step_quality(world, by),
        Action::ToggleTimings => world.resource_mut::<Timings>().toggle(),
        Action::ToggleHelp => {
            let mut state = world.resource_mut::<UiState>();
            state.help = !state.help;
        }
        Action::Close => close(world),
    }
}

fn is_lab_open(world: &World) -> bool {
    world.resource::<LabView>().is_open()
}

/// Turns the camera to the scene's centre; returns the distance from which everything is seen.
fn center_camera(world: &mut World) -> f32 {
    let (focus, distance) = world.resource::<Scene>().frame();
    let mut cameras = world.query::<&mut PanOrbitCamera>();
    for mut camera in cameras.iter_mut(world) {
        camera.target_focus = focus;
    }
    distance
}

/// Switches the scene: shows the first of its presets, as one who has just started sees the first of all.
pub fn show_scene(world: &mut World, scene: Scene) {
    if *world.resource::<Scene>() == scene {
        return;
    }
    let library = world.resource::<PresetLibrary>();
    let first = library
        .entries()
        .iter()
        .position(|entry| entry.scene == Some(scene));
    match first {
        Some(first) => presets::load(world, first),
        None => {
            *world.resource_mut::<Scene>() = scene;
            let distance = center_camera(world);
            world.resource_mut::<CameraParams>().distance = distance;
        }
    }
}

/// Takes the next quality setting, round the end, and says which.
fn step_quality(world: &mut World, by: isize) {
    let mut params = world.resource_mut::<QualityParams>();
    let count = Setting::ALL.len() as isize;
    let next = (params.setting() as isize + by).rem_euclid(count);
    let setting = Setting::ALL[next as usize];
    params.setting = setting as u32;
    world
        .resource_mut::<Toasts>()
        .state("Quality", setting.name());
}

fn toggle_fullscreen(world: &mut World) {
    let mut windows = world.query_filtered::<&mut Window, With<PrimaryWindow>>();
    for mut window in windows.iter_mut(world) {
        window.mode = match window.mode {
            WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
            _ => WindowMode::Windowed,
        };
    }
}

/// Closes what is on top.
fn close(world: &mut World) {
    if world.resource_mut::<PresetList>().close() {
        return;
    }
    let mut state = world.resource_mut::<UiState>();
    if std::mem::take(&mut state.help) {
        return;
    }
    world.resource_mut::<Toasts>().clear();
}

/// Draws as fast as the screen shows while something moves, and rests otherwise.
pub fn pace(
    mut occlusion: MessageReader<WindowOccluded>,
    mut hidden: Local<bool>,
    clock: Res<VolumeClock>,
    bake: Res<NoiseBake>,
    lab: Res<LabView>,
    cameras: Query<&PanOrbitCamera>,
    mut winit: ResMut<WinitSettings>,
) {
    if let Some(last) = occlusion.read().last() {
        *hidden = last.occluded;
    }
    let gliding = cameras.iter().any(|camera| {
        let off =
            |now: Option<f32>, target: f32| now.is_some_and(|now| (now - target).abs() > 1e-3);
        off(camera.yaw, camera.target_yaw)
            || off(camera.pitch, camera.target_pitch)
            || off(camera.radius, camera.target_radius)
            || camera.focus.distance(camera.target_focus) > 2e-3
    });
    let scene_moves = !clock.paused || gliding;
    let moves = if lab.is_open() {
        lab.is_busy()
    } else {
        scene_moves || lab.is_busy()
    } || !bake.is_complete();
    let (focused, unfocused) = if *hidden {
        let seldom = UpdateMode::reactive_low_power(Duration::from_millis(500));
        (seldom, seldom)
    } else if moves {
        (
            UpdateMode::Continuous,
            UpdateMode::reactive_low_power(Duration::from_millis(16)),
        )
    } else {
        // Now and then, for messages that fade and files that arrive.
        let calm = UpdateMode::reactive(Duration::from_millis(250));
        (
            calm,
            UpdateMode::reactive_low_power(Duration::from_millis(250)),
        )
    };
    if winit.focused_mode != focused || winit.unfocused_mode != unfocused {
        *winit = WinitSettings {
            focused_mode: focused,
            unfocused_mode: unfocused,
        };
    }
}
