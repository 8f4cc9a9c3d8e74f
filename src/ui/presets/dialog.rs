//! The dialog that asks for the name of a preset.

use bevy::prelude::*;
use bevy_egui::egui::text::{CCursor, CCursorRange};
use bevy_egui::egui::text_edit::TextEditState;
use bevy_egui::egui::{self, Id, Key, Modal, TextEdit};

use super::super::theme;
use super::{PresetList, save_as};
use crate::param::preset::PresetError;

/// A dialog that is open.
pub(super) struct SaveDialog {
    name: String,
    /// What the last try said.
    problem: Option<String>,
    /// The name that is taken, if overwriting is all that is left to ask.
    taken: Option<String>,
    /// Whether the name is to take the keyboard: at first, and after each try.
    wants_focus: bool,
}

impl SaveDialog {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            problem: None,
            taken: None,
            wants_focus: true,
        }
    }
}

/// Selects the text of an entry, so that typing replaces it.
fn select_all(edit: &egui::Response, text: &str) {
    if let Some(mut state) = TextEditState::load(&edit.ctx, edit.id) {
        let all = CCursorRange::two(CCursor::default(), CCursor::new(text.chars().count()));
        state.cursor.set_char_range(Some(all));
        state.store(&edit.ctx, edit.id);
    }
}

/// Shows the dialog, if it is open.
pub fn show(ctx: &egui::Context, world: &mut World) {
    let Some(mut dialog) = world.resource_mut::<PresetList>().dialog.take() else {
        return;
    };
    let mut save = None;
    let response = Modal::new(Id::new("save preset")).show(ctx, |ui| {
        ui.set_width((0.8 * ctx.content_rect().width()).min(320.0));
        ui.heading("Save preset as");
        ui.add_space(4.0);
        let edit = ui.add(TextEdit::singleline(&mut dialog.name).desired_width(f32::INFINITY));
        if std::mem::take(&mut dialog.wants_focus) {
            edit.request_focus();
            if dialog.problem.is_none() {
                select_all(&edit, &dialog.name);
            }
        }
        if edit.changed() {
            dialog.problem = None;
            dialog.taken = None;
        }
        let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        dialog.wants_focus = entered;
        if let Some(problem) = &dialog.problem {
            ui.colored_label(theme::ERROR, problem);
        }
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let overwrite = dialog.taken.as_deref() == Some(dialog.name.as_str());
            let label = if overwrite { "Overwrite" } else { "Save" };
            // Overwriting takes a click, so that a second Enter does not destroy anything.
            if ui.button(label).clicked() || (entered && !overwrite) {
                save = Some(overwrite);
            }
            ui.button("Cancel").clicked()
        })
        .inner
    });
    let mut open = !response.inner && !response.should_close();
    if let Some(overwrite) = save {
        match save_as(world, &dialog.name.clone(), overwrite) {
            Ok(()) => open = false,
            Err(error) => {
                dialog.taken =
                    matches!(error, PresetError::Exists { .. }).then(|| dialog.name.clone());
                dialog.problem = Some(error.to_string());
                dialog.wants_focus = true;
            }
        }
    }
    if open {
        world.resource_mut::<PresetList>().dialog = Some(dialog);
    }
}
