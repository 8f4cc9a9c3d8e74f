//! The desktop window.

use std::panic::AssertUnwindSafe;

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, Hdr};
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy::window::{WindowResizeConstraints, WindowResolution};
use bevy_egui::PrimaryEguiContext;

use crate::capture::CaptureError;
use crate::library::PresetLibrary;
use crate::param::preset::Preset;
use crate::scene::{CameraParams, Scene, ScenePlugin, orbit_transform};
use crate::ui::{UiPlugin, apply_preset, controls};
use crate::volume::VolumePlugins;

/// Why the window could not be opened, or had to close.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// There is no display server to open a window on.
    #[error(
        "no display was found: neither DISPLAY nor WAYLAND_DISPLAY is set; start the program on a desktop, or \
         use `pyrocumulus shot` to make pictures without a window"
    )]
    NoDisplay,
    /// There is no graphics adapter.
    #[error(transparent)]
    Adapter(#[from] CaptureError),
    /// The display server does not answer.
    #[error(
        "no window could be opened: the display server that DISPLAY or WAYLAND_DISPLAY names does not answer"
    )]
    Display,
    /// Bevy could not start.
    #[error("no window could be opened: {0}")]
    Start(String),
    /// The window closed because of an error, which the log has.
    #[error("the viewer stopped because of an error")]
    Failed,
}

/// Opens the window with `preset`, or the first of the library, and returns when it is closed.
///
/// # Errors
/// If there is no display, no graphics adapter, or the window system fails.
pub fn run(preset: Option<Preset>) -> Result<(), ViewError> {
    if cfg!(all(unix, not(target_os = "macos"))) && !has_display() {
        return Err(ViewError::NoDisplay);
    }
    crate::capture::require_adapter()?;
    let mut app = build()?;
    app.insert_resource(FirstPreset(preset))
        .add_plugins((VolumePlugins, ScenePlugin, UiPlugin))
        .add_systems(PostStartup, (load_first_preset, spawn_cameras).chain());
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => Err(ViewError::Failed),
    }
}

fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// The app with its window, which the display server may refuse. Bevy panics then; the panic becomes an error.
fn build() -> Result<App, ViewError> {
    let window = Window {
        title: "Pyrocumulus".into(),
        name: Some("pyrocumulus".into()),
        resolution: WindowResolution::new(1280, 800),
        resize_constraints: WindowResizeConstraints {
            min_width: 200.0,
            min_height: 150.0,
            ..default()
        },
        ..default()
    };
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let mut app = App::new();
        app.add_plugins(
            DefaultPlugins
                .set(WindowPlugin {
                    primary_window: Some(window),
                    ..default()
                })
                .set(LogPlugin {
                    filter: "warn".into(),
                    ..default()
                }),
        );
        app
    }));
    std::panic::set_hook(hook);
    built.map_err(|panic| match reason(&*panic) {
        reason if reason.contains("event loop") => ViewError::Display,
        reason => ViewError::Start(reason),
    })
}

/// The words of a panic.
fn reason(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("the window system gave no reason")
        .to_owned()
}

/// The preset asked for on the command line.
#[derive(Resource)]
struct FirstPreset(Option<Preset>);

fn load_first_preset(world: &mut World) {
    let asked = world.resource_mut::<FirstPreset>().0.take();
    if let Some(preset) = asked {
        let entries = world.resource::<PresetLibrary>().entries();
        let is_own = entries
            .iter()
            .any(|entry| !entry.shipped && entry.name == preset.name);
        return apply_preset(world, preset, is_own);
    }
    let library = world.resource::<PresetLibrary>();
    let first = library
        .entries()
        .first()
        .and_then(|entry| library.load_entry(entry).ok());
    if let Some(preset) = first {
        apply_preset(world, preset, false);
    }
}

/// One camera for the scene, in the part of the window that no panel covers, and one for the panels over it.
fn spawn_cameras(mut commands: Commands, params: Res<CameraParams>, scene: Res<Scene>) {
    let (focus, _) = scene.frame();
    commands.spawn((
        Name::new("Camera"),
        Camera3d::default(),
        Msaa::Off,
        Hdr,
        orbit_transform(&params, focus),
        Projection::Perspective(PerspectiveProjection {
            fov: params.field_of_view.to_radians(),
            near: 0.01,
            ..default()
        }),
        controls(&params, focus),
    ));
    commands.spawn((
        Name::new("Interface"),
        Camera2d,
        Msaa::Off,
        RenderLayers::none(),
        PrimaryEguiContext,
        Camera {
            order: 1,
            output_mode: CameraOutputMode::Write {
                // What egui draws is premultiplied.
                blend_state: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                clear_color: ClearColorConfig::None,
            },
            clear_color: ClearColorConfig::Custom(Color::NONE),
            ..default()
        },
    ));
}
