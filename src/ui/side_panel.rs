//! The panel beside the picture: scene, presets, and a section for each parameter set.

use bevy::prelude::*;
use bevy::reflect::structs::Struct;
use bevy_egui::egui::collapsing_header::CollapsingState;
use bevy_egui::egui::containers::panel::PanelState;
use bevy_egui::egui::{self, Align, Button, Layout, Panel, RichText, ScrollArea, TextEdit, Ui};

use super::lab::{self, LabView};
use super::screenshot::Screenshots;
use super::{Action, Actions, UiState, presets, sun_pad};
use crate::param::panel::{self, label_with_unit, labelled};
use crate::param::{Declaration, ParamSets, ReflectParamSet, Scale};
use crate::scene::{CameraParams, Scene, SunParams};
use crate::volume::VolumeClock;

/// Width of a window, in points, below which there is no room for the panel.
pub const LEAST_WINDOW: f32 = 300.0;

/// Width of the panel, in points, until the user drags its edge.
pub const WIDTH: f32 = 330.0;

/// One parameter set, ready to be shown.
pub struct Section {
    set: ReflectParamSet,
    declarations: Vec<Declaration>,
    defaults: Box<dyn Struct>,
}

/// Every registered parameter set, the volumes first: they are what one came for.
pub fn sections(world: &World) -> Vec<Section> {
    let mut sections: Vec<_> = ParamSets::in_world(world)
        .iter()
        .map(|set| Section {
            declarations: set.declarations(),
            defaults: set.default_set(),
            set: set.clone(),
        })
        .collect();
    sections.sort_by_key(|section| Scene::from_name(section.set.section.key).is_none());
    sections
}

/// Shows the panel at the right of `ui`.
pub fn show(ui: &mut Ui, world: &mut World, state: &mut UiState) {
    let range = widths(ui.ctx().content_rect().width());
    let id = egui::Id::new("controls");
    // egui keeps the width that a small window allowed; the user's is kept here, for when there is room again.
    let width = state.panel_width.clamp(*range.start(), *range.end());
    let outer_rect = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, 0.0));
    ui.ctx()
        .data_mut(|data| data.insert_persisted(id, PanelState { outer_rect }));
    let right = ui.available_rect_before_wrap().right();
    Panel::right(id)
        .size_range(range)
        .resizable(true)
        .show(ui, |ui| {
            header(ui, world, state);
            scene_switch(ui, world);
            ui.add_space(2.0);
            if world.resource::<LabView>().is_open() {
                return lab::show_panel(ui, world);
            }
            presets::show(ui, world);
            ui.separator();
            ScrollArea::vertical()
                .id_salt("sections")
                .auto_shrink(false)
                .show(ui, |ui| {
                    for section in &state.sections {
                        if crate::param::preset::belongs(
                            *world.resource::<Scene>(),
                            section.set.section.key,
                        ) {
                            parameter_section(ui, world, section);
                        }
                    }
                    collapsing(
                        ui,
                        "Time",
                        true,
                        |_| false,
                        |ui| time(ui, world, &mut state.scrub_end),
                    );
                    collapsing(ui, "Pictures", false, |_| false, |ui| pictures(ui, world));
                });
        });
    let dragged = ui
        .ctx()
        .read_response(id.with("__resize"))
        .is_some_and(|edge| edge.dragged() || edge.drag_stopped());
    if dragged {
        state.panel_width = right - ui.available_rect_before_wrap().right();
    }
}

/// How narrow and how wide the panel may be, beside a picture in a window of this width.
fn widths(window: f32) -> std::ops::RangeInclusive<f32> {
    let widest = (0.62 * window).clamp(80.0, 560.0);
    220.0_f32.min(widest)..=widest
}

fn header(ui: &mut Ui, world: &mut World, state: &mut UiState) {
    ui.horizontal(|ui| {
        ui.add(egui::Label::new(RichText::new("Pyrocumulus").heading().strong()).truncate());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut button = |text: &str, tooltip: &str| {
                ui.add(Button::new(text)).on_hover_text(tooltip).clicked()
            };
            if button("»", "Fold the panel away") {
                state.panel_open = false;
            }
            if button("?", "Keys (F1)") {
                state.help = true;
            }
            if button("📷", "Save a picture (F12)") {
                world.resource_mut::<Actions>().push(Action::Screenshot);
            }
        });
    });
}

fn scene_switch(ui: &mut Ui, world: &mut World) {
    let current = *world.resource::<Scene>();
    let in_lab = world.resource::<LabView>().is_open();
    let scenes = Scene::ALL.map(|scene| {
        let shown = !in_lab && scene == current;
        (panel::capitalized(scene.name()), shown, Action::Show(scene))
    });
    let all: Vec<_> = scenes
        .into_iter()
        .chain([("Lab".to_owned(), in_lab, Action::ShowLab)])
        .collect();
    ui.columns(all.len(), |columns| {
        for (ui, (name, shown, action)) in columns.iter_mut().zip(all) {
            let button = Button::selectable(shown, name).frame_when_inactive(true);
            let button = ui.add_sized([ui.available_width(), 22.0], button);
            if button.clicked() && !shown {
                world.resource_mut::<Actions>().push(action);
            }
        }
    });
}

/// A section that folds. `reset` shows a reset button at the end of its title if it wants and says whether
/// that was clicked.
fn collapsing(
    ui: &mut Ui,
    title: &str,
    open: bool,
    reset: impl FnOnce(&mut Ui) -> bool,
    body: impl FnOnce(&mut Ui),
) -> bool {
    let id = ui.make_persistent_id(("section", title));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, open);
    let header = ui.horizontal(|ui| {
        let height = ui.spacing().interact_size.y;
        let icon = if state.is_open() { "⏷" } else { "⏵" };
        let title = RichText::new(format!("{icon}  {title}")).strong();
        let width = (ui.available_width() - 26.0).max(20.0);
        let title = Button::new(title).frame(false);
        let layout = Layout::top_down_justified(Align::LEFT);
        let title = ui
            .allocate_ui_with_layout(egui::vec2(width, height), layout, |ui| ui.add(title))
            .inner;
        if title.clicked() {
            state.set_open(!state.is_open());
        }
        reset(ui)
    });
    state.store(ui.ctx());
    state.show_body_unindented(ui, |ui| {
        body(ui);
        ui.add_space(4.0);
    });
    header.inner
}

fn parameter_section(ui: &mut Ui, world: &mut World, section: &Section) {
    let Section {
        set,
        declarations,
        defaults,
    } = section;
    let Some(mut values) = set.read(world) else {
        return;
    };
    let is_edited = panel::is_edited(declarations, &*values, &**defaults);
    // A volume's own parameters are what one came for; the rest can be opened.
    let open = Scene::from_name(set.section.key).is_some() || set.section.key == "sun";
    let mut changed = false;
    let reset = collapsing(
        ui,
        set.section.title,
        open,
        |ui| is_edited && panel::reset_button(ui, "Reset the whole section"),
        |ui| {
            ui.push_id(set.section.key, |ui| {
                if set.section.key == "sun" {
                    sun(ui, world);
                }
                changed = panel::rows(ui, declarations, &mut *values, &**defaults);
            });
        },
    );
    if reset {
        set.edit(world, |target| target.apply(defaults.as_partial_reflect()));
    } else if changed {
        set.edit(world, |target| target.apply(values.as_partial_reflect()));
    }
}

/// The pad above the sun's sliders.
fn sun(ui: &mut Ui, world: &mut World) {
    let yaw = world.resource::<CameraParams>().yaw;
    let sun = *world.resource::<SunParams>();
    let moved = ui
        .vertical_centered(|ui| sun_pad::show(ui, sun.azimuth, sun.elevation, yaw))
        .inner;
    if let Some((azimuth, elevation)) = moved {
        world.resource_mut::<SunParams>().set_if_neq(SunParams {
            azimuth,
            elevation,
            ..sun
        });
    }
}

fn time(ui: &mut Ui, world: &mut World, scrub_end: &mut f64) {
    let mut clock = world.resource_mut::<VolumeClock>();
    // The slider's end moves on when the time comes near it.
    while clock.seconds > *scrub_end {
        *scrub_end *= 2.0;
    }
    labelled(
        ui,
        label_with_unit(ui, "Run", ""),
        "Space stops and runs the time.",
        |ui| {
            let text = if clock.paused { "▶ Run" } else { "⏸ Stop" };
            if ui.button(text).clicked() {
                clock.paused = !clock.paused;
            }
            if ui
                .button("⏮")
                .on_hover_text("Back to the beginning")
                .clicked()
            {
                clock.seconds = 0.0;
            }
        },
    );
    let now = label_with_unit(ui, "Now", "s");
    labelled(
        ui,
        now,
        "Seconds since the beginning. Drag to scrub.",
        |ui| {
            let width = ui.available_width() - 22.0;
            if let Some(seconds) = panel::number(
                ui,
                clock.seconds,
                0.0..=*scrub_end,
                Scale::Linear,
                false,
                width,
            ) {
                clock.seconds = seconds;
            }
        },
    );
    let speed = label_with_unit(ui, "Speed", "×");
    labelled(
        ui,
        speed,
        "Seconds of cloud and fire in a real second.",
        |ui| {
            let width = ui.available_width() - 22.0;
            if let Some(speed) =
                panel::number(ui, clock.speed, 0.0..=10.0, Scale::Log, false, width)
            {
                clock.speed = speed;
            }
            if clock.speed != 1.0 && panel::reset_button(ui, "Reset to 1") {
                clock.speed = 1.0;
            }
        },
    );
}

fn pictures(ui: &mut Ui, world: &mut World) {
    let tooltip = "Where F12 saves pictures. A folder that is missing is made.";
    labelled(ui, label_with_unit(ui, "Folder", ""), tooltip, |ui| {
        let mut screenshots = world.resource_mut::<Screenshots>();
        let mut folder = screenshots.folder.clone();
        if ui
            .add(TextEdit::singleline(&mut folder).desired_width(f32::INFINITY))
            .changed()
        {
            screenshots.folder = folder;
        }
    });
    if ui.button("📷 Save a picture").clicked() {
        world.resource_mut::<Actions>().push(Action::Screenshot);
    }
}

/// Where the folded panel is opened again.
pub fn show_folded(ctx: &egui::Context, state: &mut UiState) {
    egui::Area::new(egui::Id::new("unfold"))
        .anchor(egui::Align2::RIGHT_TOP, egui::vec2(-6.0, 6.0))
        .show(ctx, |ui| {
            if ui.button("«").on_hover_text("Open the panel").clicked() {
                state.panel_open = true;
            }
        });
}
