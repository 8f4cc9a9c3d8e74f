//! The user interface: panel, status bar, keys, messages, and the mouse in the picture.
//!
//! Parameters are found through the type registry, so that a new one shows up here without a line. What the
//! user asks for by key or button becomes an [`Action`]; one system carries them all out.

mod actions;
mod camera;
mod help;
mod keys;
mod lab;
mod preferences;
mod presets;
mod screenshot;
mod side_panel;
mod status;
mod sun_pad;
pub(crate) mod theme;
mod timings;
mod toast;

use std::time::Duration;

use bevy::camera::CameraUpdateSystems;
use bevy::diagnostic::FrameTimeDiagnosticsPlugin;
use bevy::prelude::*;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::time::common_conditions::on_real_timer;
use bevy::window::PrimaryWindow;
use bevy_egui::{
    EguiContext, EguiGlobalSettings, EguiPlugin, EguiPostUpdateSet, EguiPrimaryContextPass,
    PrimaryEguiContext, egui,
};
use bevy_panorbit_camera::{PanOrbitCameraPlugin, PanOrbitCameraSystemSet};

use crate::library::PresetLibrary;
use crate::param::ParamSets;
use crate::volume::VolumeSystems;

pub use actions::{Action, Actions};
pub use camera::controls;
pub use presets::apply as apply_preset;
pub use toast::Toasts;

/// What is shown, and where.
#[derive(Resource)]
pub struct UiState {
    visible: bool,
    panel_open: bool,
    /// Width that the user wants the panel to have, in points.
    panel_width: f32,
    help: bool,
    /// Draws no user interface in this frame, because it is captured.
    leave_out: bool,
    /// Part of the window that no panel covers, in points; `None` is all of it.
    picture: Option<egui::Rect>,
    /// Size of that part.
    picture_pixels: UVec2,
    pixels_per_point: f32,
    /// Whether a widget took the keyboard in the last frame.
    typing: bool,
    /// End of the slider that scrubs the time, in seconds.
    scrub_end: f64,
    sections: Vec<side_panel::Section>,
    is_dressed: bool,
}

impl Default for UiState {
    fn default() -> Self {
        Self {
            visible: true,
            panel_open: true,
            panel_width: side_panel::WIDTH,
            help: false,
            leave_out: false,
            picture: None,
            picture_pixels: UVec2::ZERO,
            pixels_per_point: 1.0,
            typing: false,
            scrub_end: 60.0,
            sections: Vec::new(),
            is_dressed: false,
        }
    }
}

impl UiState {
    /// Whether the pointer is over, or busy with, the user interface.
    fn covers_pointer(&self, ctx: &egui::Context) -> bool {
        if ctx.egui_is_using_pointer() {
            return true;
        }
        let Some(pointer) = ctx.input(|input| input.pointer.latest_pos()) else {
            return false;
        };
        let beside = self
            .picture
            .is_some_and(|picture| !picture.contains(pointer));
        let above = ctx
            .layer_id_at(pointer)
            .is_some_and(|layer| layer.order != egui::Order::Background);
        beside || above
    }
}

/// The viewer's user interface. Needs a camera with [`controls`] and one with [`PrimaryEguiContext`].
pub struct UiPlugin;

impl Plugin for UiPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            EguiPlugin::default(),
            PanOrbitCameraPlugin,
            FrameTimeDiagnosticsPlugin::default(),
            RenderDiagnosticsPlugin,
        ))
        .init_resource::<UiState>()
        .init_resource::<Actions>()
        .init_resource::<Toasts>()
        .init_resource::<presets::PresetList>()
        .init_resource::<screenshot::Screenshots>()
        .init_resource::<status::CpuTime>()
        .init_resource::<timings::Timings>()
        .init_resource::<camera::Pointer>()
        .init_resource::<lab::LabView>()
        .init_non_send::<lab::Clipboard>()
        .add_systems(Startup, (open_library, preferences::load))
        .add_systems(EguiPrimaryContextPass, draw)
        .add_systems(First, status::CpuTime::begin)
        .add_systems(
            Last,
            (
                (status::CpuTime::end, timings::Timings::record).chain(),
                preferences::keep_last.run_if(on_message::<AppExit>),
            ),
        )
        .add_systems(
            Update,
            (
                // The list changes only when no action holds a place in it.
                (
                    actions::drop_files,
                    actions::perform,
                    presets::notice_files.run_if(on_real_timer(Duration::from_secs(2))),
                )
                    .chain(),
                (screenshot::report, lab::report),
                preferences::keep_rested.run_if(on_real_timer(Duration::from_secs(1))),
                presets::notice_edits.run_if(on_real_timer(Duration::from_millis(500))),
                actions::pace,
            ),
        )
        .configure_sets(
            PostUpdate,
            EguiPostUpdateSet::EndPass
                .before(VolumeSystems::Spawn)
                .before(CameraUpdateSystems),
        )
        .add_systems(
            PostUpdate,
            (
                actions::read_keys,
                (
                    camera::gate,
                    camera::double_click,
                    camera::drag_sun,
                    camera::follow_params,
                    camera::place_picture,
                    lab::rest_camera,
                )
                    .chain()
                    .before(PanOrbitCameraSystemSet),
            )
                .after(EguiPostUpdateSet::EndPass),
        )
        .add_systems(
            PostUpdate,
            camera::follow_orbit.after(PanOrbitCameraSystemSet),
        );
        // The context belongs to the camera that covers the whole window.
        app.world_mut()
            .resource_mut::<EguiGlobalSettings>()
            .auto_create_primary_context = false;
    }
}

fn open_library(world: &mut World) {
    let library = PresetLibrary::open(ParamSets::in_world(world).kept());
    world.insert_resource(library);
}

/// Draws everything.
fn draw(world: &mut World) -> Result {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    world.resource_scope(|world, mut state: Mut<UiState>| {
        if !state.is_dressed {
            theme::apply(&ctx);
            state.sections = side_panel::sections(world);
            state.is_dressed = true;
        }
        if std::mem::take(&mut state.leave_out) {
            state.picture = None;
            return;
        }
        draw_panels(&ctx, world, &mut state);
        let area = state.picture.unwrap_or(ctx.content_rect());
        if state.visible {
            timings::show(&ctx, world, area);
        }
        help::show(&ctx, &mut state);
        presets::show_dialog(&ctx, world);
        world.resource_mut::<Toasts>().show(&ctx, area);
    });
    Ok(())
}

/// The panels, and the rectangle that they leave for the picture.
fn draw_panels(ctx: &egui::Context, world: &mut World, state: &mut UiState) {
    state.pixels_per_point = ctx.pixels_per_point();
    if state.visible {
        let mut ui = whole_window(ctx);
        status::show(&mut ui, world, state);
        // In a very small window the picture is worth more than half a panel.
        let fits = ui.available_width() >= side_panel::LEAST_WINDOW;
        match state.panel_open {
            true if fits => side_panel::show(&mut ui, world, state),
            false if fits => side_panel::show_folded(ctx, state),
            _ => {}
        }
        state.picture = Some(ui.available_rect_before_wrap());
        show_lab(&mut ui, world);
    } else {
        state.picture = None;
        show_lab(&mut whole_window(ctx), world);
    }
    let mut windows = world.query_filtered::<&Window, With<PrimaryWindow>>();
    let window = windows
        .single(world)
        .map_or(UVec2::ZERO, Window::physical_size);
    state.picture_pixels = state.picture.map_or(window, |picture| {
        let size = picture.size() * state.pixels_per_point;
        UVec2::new(size.x.max(0.0) as u32, size.y.max(0.0) as u32).min(window)
    });
}

fn whole_window(ctx: &egui::Context) -> egui::Ui {
    egui::Ui::new(
        ctx.clone(),
        egui::Id::new("window"),
        egui::UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(ctx.content_rect()),
    )
}

/// The lab in place of the picture, if it is open.
fn show_lab(ui: &mut egui::Ui, world: &mut World) {
    let mut view = world.resource_mut::<lab::LabView>();
    if view.is_open() {
        view.show(ui);
    }
}
