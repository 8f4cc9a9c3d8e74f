//! The lab's part of the panel.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align, Button, ComboBox, DragValue, Layout, RichText, ScrollArea, Ui};

use super::hand_over::copy;
use super::{LabView, Screenshots};
use crate::lab::export::{Format, MOST, Shape};
use crate::lab::{Carry, Code, LabParams, declarations_of, pages};
use crate::param::panel::{self, label_with_unit, labelled};
use crate::ui::{Action, Actions};

/// What is asked for below the sliders.
enum Wish {
    Carry(Carry),
    Copy(&'static str, String),
    Save,
}

/// Shows list of pages, settings, and what can be done with them.
pub fn show(ui: &mut Ui, world: &mut World) {
    let wish = world.resource_scope(|_, mut view: Mut<LabView>| {
        list(ui, &mut view);
        ui.separator();
        let scrolled = ScrollArea::vertical()
            .id_salt("lab")
            .auto_shrink(false)
            .show(ui, |ui| {
                settings(ui, &mut view);
                ui.add_space(6.0);
                uses(ui, &mut view)
            });
        scrolled.inner
    });
    match wish {
        None => {}
        Some(Wish::Carry(carry)) => world
            .resource_mut::<Actions>()
            .push(Action::CarryOver(carry)),
        Some(Wish::Copy(what, text)) => copy(world, what, text),
        Some(Wish::Save) => {
            let folder = world.resource::<Screenshots>().folder.clone();
            world.resource_mut::<LabView>().save_field(&folder);
        }
    }
}

fn list(ui: &mut Ui, view: &mut LabView) {
    ui.with_layout(Layout::top_down_justified(Align::LEFT), |ui| {
        for page in pages::all() {
            let about = page.about();
            let current = view.lab.page.about().name == about.name;
            if ui.add(Button::selectable(current, about.title)).clicked() {
                view.open_page(about.name);
            }
        }
    });
}

fn settings(ui: &mut Ui, view: &mut LabView) {
    let defaults = view.lab.page.default_page();
    let declarations = declarations_of(&*defaults);
    let mut changed = ui
        .push_id(view.lab.page.about().name, |ui| {
            panel::rows(ui, &declarations, &mut *view.lab.page, &*defaults)
        })
        .inner;
    panel::heading(ui, "Every page");
    let defaults = LabParams::default();
    let declarations = declarations_of(&defaults);
    changed |= panel::rows(ui, &declarations, &mut view.lab.params, &defaults);
    if changed {
        view.worker.renew();
    }
    let tooltip = "Space stops and runs the lab's time.";
    labelled(ui, label_with_unit(ui, "Run", ""), tooltip, |ui| {
        let text = if view.running { "⏸ Stop" } else { "▶ Run" };
        if ui.button(text).clicked() {
            view.toggle_running();
        }
    });
}

/// Buttons that take something out of the lab.
fn uses(ui: &mut Ui, view: &mut LabView) -> Option<Wish> {
    let mut wish = None;
    panel::heading(ui, "Use it");
    for carry in view.lab.page.carry(&view.lab.params) {
        if ui.button(carry.label).clicked() {
            wish = Some(Wish::Carry(carry));
        }
    }
    ui.horizontal(|ui| {
        let tooltip = "A program that makes the same values over lattice cells";
        let mut copied = |what: &'static str, text: fn(Code) -> String| {
            let button = ui.button(format!("Copy as {what}")).on_hover_text(tooltip);
            if button.clicked() {
                let code = view.lab.page.code(&view.lab.params);
                wish = Some(Wish::Copy(what, text(code)));
            }
        };
        copied("Rust", |code| code.rust);
        copied("WGSL", |code| code.wgsl);
    });
    panel::heading(ui, "Save");
    let names = view.field_names();
    let what = &mut view.export;
    choice(ui, "Field", "", &names, &mut what.field);
    let mut format = what.format as usize;
    let tooltip = "8-bit colours, 16-bit gray, or the values themselves as EXR or 32-bit little-endian floats";
    choice(ui, "Format", tooltip, &Format::NAMES, &mut format);
    what.format = Format::ALL[format];
    let mut shape = what.shape as usize;
    let tooltip =
        "The plane as it is, a tile whose edges meet, or a stack of slices along the lab's time";
    choice(ui, "Shape", tooltip, &Shape::NAMES, &mut shape);
    what.shape = Shape::ALL[shape];
    let most = MOST[usize::from(what.shape == Shape::Stack)];
    what.samples = what.samples.min(most);
    let tooltip = "Samples along an edge";
    labelled(ui, label_with_unit(ui, "Samples", ""), tooltip, |ui| {
        ui.add(DragValue::new(&mut what.samples).range(1..=most));
    });
    if ui
        .add_enabled(
            !names.is_empty(),
            Button::new(RichText::new("Save the field")),
        )
        .clicked()
    {
        wish = Some(Wish::Save);
    }
    wish
}

/// One of several names.
fn choice(ui: &mut Ui, label: &str, tooltip: &str, names: &[impl AsRef<str>], index: &mut usize) {
    labelled(ui, label_with_unit(ui, label, ""), tooltip, |ui| {
        let name = |index: usize| names.get(index).map_or("", AsRef::as_ref).to_owned();
        ComboBox::from_id_salt(label)
            .selected_text(name(*index))
            .width(ui.available_width() - 8.0)
            .truncate()
            .show_index(ui, index, names.len(), |index| {
                egui::WidgetText::from(name(index))
            });
    });
}
