//! The page of keys.

use bevy_egui::egui::{self, Grid, Id, Modal, RichText, ScrollArea, Ui};

use super::UiState;
use super::keys::{GESTURES, Press, SHORTCUTS};

/// Shows the page while it is open.
pub fn show(ctx: &egui::Context, state: &mut UiState) {
    if !state.help {
        return;
    }
    let window = ctx.content_rect();
    let response = Modal::new(Id::new("keys")).show(ctx, |ui| {
        ui.set_max_width((window.width() - 40.0).clamp(60.0, 460.0));
        ui.heading("Keys and mouse");
        ui.add_space(4.0);
        let height = (window.height() - 110.0).max(40.0);
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            Grid::new("keys")
                .num_columns(2)
                .spacing([18.0, 5.0])
                .show(ui, |ui| {
                    for shortcut in SHORTCUTS {
                        let presses: Vec<String> = shortcut
                            .presses
                            .iter()
                            .map(|press: &Press| press.name())
                            .collect();
                        row(ui, &presses.join("  or  "), shortcut.doc);
                    }
                    for (gesture, doc) in GESTURES {
                        row(ui, gesture, doc);
                    }
                });
        });
        ui.add_space(4.0);
        ui.button("Close").clicked()
    });
    if response.inner || response.should_close() {
        state.help = false;
    }
}

fn row(ui: &mut Ui, keys: &str, doc: &str) {
    ui.label(RichText::new(keys).monospace());
    ui.label(doc);
    ui.end_row();
}
