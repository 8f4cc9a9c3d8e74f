//! Colours and sizes of the user interface: dark and quiet, so that the picture is the brightest thing.

use bevy_egui::egui::{self, Color32, CornerRadius, FontId, Stroke, TextStyle, vec2};

/// Accent: selected things and the filled part of sliders.
pub const ACCENT: Color32 = Color32::from_rgb(224, 122, 60);
/// Errors.
pub const ERROR: Color32 = Color32::from_rgb(255, 138, 122);
/// Background of panels.
pub const PANEL: Color32 = Color32::from_rgb(24, 26, 30);

/// Dresses the context.
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(egui::Theme::Dark);
    ctx.all_styles_mut(|style| {
        let visuals = &mut style.visuals;
        visuals.panel_fill = PANEL;
        visuals.window_fill = PANEL;
        visuals.extreme_bg_color = Color32::from_rgb(14, 15, 18);
        visuals.faint_bg_color = Color32::from_rgb(30, 33, 38);
        visuals.window_stroke = Stroke::new(1.0, Color32::from_rgb(52, 56, 64));
        visuals.selection.bg_fill = Color32::from_rgb(150, 78, 36);
        visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(255, 236, 222));
        visuals.slider_trailing_fill = true;
        for widget in [
            &mut visuals.widgets.noninteractive,
            &mut visuals.widgets.inactive,
            &mut visuals.widgets.hovered,
            &mut visuals.widgets.active,
            &mut visuals.widgets.open,
        ] {
            widget.corner_radius = CornerRadius::same(3);
        }
        visuals.widgets.noninteractive.fg_stroke.color = Color32::from_rgb(196, 200, 206);
        visuals.widgets.noninteractive.bg_stroke.color = Color32::from_rgb(44, 47, 54);
        visuals.widgets.inactive.bg_fill = Color32::from_rgb(52, 56, 64);
        visuals.widgets.inactive.weak_bg_fill = Color32::from_rgb(40, 44, 50);
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(6.0, 3.0);
        spacing.interact_size = vec2(30.0, 18.0);
        spacing.button_padding = vec2(6.0, 1.0);
        spacing.indent = 6.0;
        style.interaction.selectable_labels = false;
        for (text, size) in [
            (TextStyle::Small, 10.0),
            (TextStyle::Body, 12.5),
            (TextStyle::Button, 12.5),
            (TextStyle::Heading, 15.0),
        ] {
            style.text_styles.insert(text, FontId::proportional(size));
        }
    });
}
