//! Short messages over the picture.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, Frame, Margin, RichText, Stroke, vec2};

use super::theme;

/// How long a message that is no error stays.
const LIFETIME: Duration = Duration::from_secs(6);

struct Toast {
    text: String,
    is_error: bool,
    born: Instant,
}

/// The messages on screen. Errors stay until they are dismissed.
#[derive(Resource, Default)]
pub struct Toasts(Vec<Toast>);

impl Toasts {
    /// Shows a message for a while.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(text.into(), false);
    }

    /// Shows how something stands now, in place of how it stood before.
    pub fn state(&mut self, what: &str, state: &str) {
        let what = format!("{what}: ");
        self.0.retain(|toast| !toast.text.starts_with(&what));
        self.info(what + state);
    }

    /// Shows an error until it is dismissed.
    pub fn error(&mut self, text: impl Into<String>) {
        self.push(text.into(), true);
    }

    /// Takes all messages away.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// What they say.
    #[cfg(test)]
    pub fn texts(&self) -> Vec<&str> {
        self.0.iter().map(|toast| toast.text.as_str()).collect()
    }

    fn push(&mut self, text: String, is_error: bool) {
        // The same message again is news only about its time.
        self.0.retain(|toast| toast.text != text);
        self.0.push(Toast {
            text,
            is_error,
            born: Instant::now(),
        });
    }

    /// Draws the messages at the foot of `area`, the newest at the bottom.
    pub fn show(&mut self, ctx: &egui::Context, area: egui::Rect) {
        self.0
            .retain(|toast| toast.is_error || toast.born.elapsed() < LIFETIME);
        if self.0.is_empty() {
            return;
        }
        let width = (area.width() - 24.0).clamp(60.0, 520.0);
        let mut dismissed = None;
        egui::Area::new(egui::Id::new("toasts"))
            // Over the picture, and under a page or dialog, whose buttons it must not cover.
            .order(egui::Order::Middle)
            .pivot(Align2::LEFT_BOTTOM)
            .fixed_pos(area.left_bottom() + vec2(10.0, -10.0))
            .show(ctx, |ui| {
                for (index, toast) in self.0.iter().enumerate() {
                    if show_one(ui, toast, width) {
                        dismissed = Some(index);
                    }
                }
            });
        if let Some(index) = dismissed {
            self.0.remove(index);
        }
        ctx.request_repaint_after(Duration::from_millis(500));
    }
}

/// One message; true if it was dismissed.
fn show_one(ui: &mut egui::Ui, toast: &Toast, width: f32) -> bool {
    let edge = if toast.is_error {
        theme::ERROR
    } else {
        Color32::from_rgb(70, 76, 88)
    };
    Frame::new()
        .fill(theme::PANEL)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(4)
        .inner_margin(Margin::symmetric(8, 5))
        .show(ui, |ui| {
            ui.set_max_width(width);
            ui.horizontal_top(|ui| {
                let close = ui.add(egui::Button::new("×").frame(false)).clicked();
                let text = RichText::new(&toast.text);
                let text = if toast.is_error {
                    text.color(theme::ERROR)
                } else {
                    text
                };
                ui.add(egui::Label::new(text).wrap());
                close
            })
            .inner
        })
        .inner
}
