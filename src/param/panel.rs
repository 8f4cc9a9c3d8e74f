//! Declarations to rows of widgets: one row a parameter, whatever the parameter belongs to.
//!
//! A row is a label with its unit, a control and, where the value is not the default, a reset button.
//! Values can be typed; see [`parse_number`] for what is understood.

use bevy::math::Vec3;
use bevy::reflect::structs::Struct;
use bevy_egui::egui::text::LayoutJob;
use bevy_egui::egui::{
    self, Align, Button, ComboBox, DragValue, FontId, Label, Layout, Slider, TextFormat, Ui, vec2,
};

use super::{Declaration, Kind, Scale, Value};

/// Width of a typed value.
const VALUE_WIDTH: f32 = 58.0;
/// Width of the reset button.
const RESET_WIDTH: f32 = 16.0;

/// Shows one row for each of `declarations` and writes what the user changes into `set`. Returns whether
/// anything was changed.
///
/// Headings separate the groups if there are several.
pub fn rows(
    ui: &mut Ui,
    declarations: &[Declaration],
    set: &mut dyn Struct,
    defaults: &dyn Struct,
) -> bool {
    let several_groups = declarations
        .iter()
        .any(|d| d.group != declarations[0].group);
    let mut group = "";
    let mut changed = false;
    for declaration in declarations {
        if several_groups && declaration.group != group {
            group = declaration.group;
            heading(ui, group);
        }
        let old = declaration.get(set);
        let new = row(ui, declaration, old, declaration.get(defaults));
        // A control cannot leave the range, so a value that does not fit is one that nobody asked for.
        changed |= new != old && declaration.set(set, new).is_ok();
    }
    changed
}

/// Whether a parameter of `set` is not at its default.
pub fn is_edited(declarations: &[Declaration], set: &dyn Struct, defaults: &dyn Struct) -> bool {
    declarations
        .iter()
        .any(|declaration| declaration.get(set) != declaration.get(defaults))
}

/// The number that somebody typed: a decimal comma counts as a point, and a unit that stands after the
/// number is left out. `None` if there is none, or if it is not finite.
pub fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".").replace('−', "-");
    let end = text
        .find(|c: char| !matches!(c, '0'..='9' | '.' | '+' | '-' | 'e' | 'E'))
        .unwrap_or(text.len());
    let number = text[..end].trim_end_matches(['e', 'E']);
    number
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

/// A number in four significant digits, without trailing zeros.
pub fn format_number(number: f64) -> String {
    let magnitude = if number == 0.0 {
        0
    } else {
        number.abs().log10().floor() as i32
    };
    let decimals = usize::try_from((3 - magnitude).clamp(0, 5)).unwrap_or(0);
    let text = format!("{number:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A small heading above a group of rows.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(3.0);
    ui.label(egui::RichText::new(text).small().weak());
}

/// The frame of a row: a label with a tooltip, and beside it what `control` shows in the rest of the width.
pub fn labelled<R>(
    ui: &mut Ui,
    label: LayoutJob,
    tooltip: &str,
    control: impl FnOnce(&mut Ui) -> R,
) -> R {
    ui.horizontal(|ui| {
        let height = ui.spacing().interact_size.y;
        let width = (0.42 * ui.available_width()).clamp(40.0, 190.0);
        ui.allocate_ui_with_layout(
            vec2(width, height),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_min_width(width);
                let label = ui.add(Label::new(label).truncate());
                if !tooltip.is_empty() {
                    label.on_hover_text(tooltip);
                }
            },
        );
        control(ui)
    })
    .inner
}

/// A label, and behind it a unit in small letters.
pub fn label_with_unit(ui: &Ui, label: &str, unit: &str) -> LayoutJob {
    let visuals = ui.visuals();
    let mut job = LayoutJob::default();
    let body = TextFormat::simple(
        egui::TextStyle::Body.resolve(ui.style()),
        visuals.text_color(),
    );
    job.append(label, 0.0, body);
    if !unit.is_empty() {
        let size = egui::TextStyle::Small.resolve(ui.style()).size;
        let small = TextFormat {
            valign: Align::Center,
            ..TextFormat::simple(FontId::proportional(size), visuals.weak_text_color())
        };
        job.append(unit, 5.0, small);
    }
    job
}

/// One row; returns the value as it is afterwards.
fn row(ui: &mut Ui, declaration: &Declaration, value: Value, default: Value) -> Value {
    let label = label_with_unit(ui, &declaration.label(), declaration.unit);
    let tooltip = tooltip(declaration, default);
    labelled(ui, label, &tooltip, |ui| {
        let width = (ui.available_width() - RESET_WIDTH - ui.spacing().item_spacing.x).max(20.0);
        let mut value = value;
        let height = ui.spacing().interact_size.y;
        ui.allocate_ui_with_layout(
            vec2(width, height),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_min_width(width);
                value = control(ui, declaration, value, width);
            },
        );
        if value != default && reset_button(ui, &format!("Reset to {default}")) {
            value = default;
        }
        value
    })
}

/// A small button that goes back to the default.
pub fn reset_button(ui: &mut Ui, tooltip: &str) -> bool {
    let button = Button::new(egui::RichText::new("⟲").small()).frame(false);
    ui.add_sized([RESET_WIDTH, RESET_WIDTH], button)
        .on_hover_text(tooltip)
        .clicked()
}

fn tooltip(declaration: &Declaration, default: Value) -> String {
    let range = match &declaration.kind {
        Kind::Float { range, .. } => format!("{} to {}", range.start(), range.end()),
        Kind::Int { range } => format!("{} to {}", range.start(), range.end()),
        Kind::Switch | Kind::Choice(_) | Kind::Color => String::new(),
    };
    if range.is_empty() {
        return format!("{}\n\nDefault {default}", declaration.doc);
    }
    format!(
        "{}\n\n{range} {}; default {default}",
        declaration.doc, declaration.unit
    )
}

fn control(ui: &mut Ui, declaration: &Declaration, value: Value, width: f32) -> Value {
    match (&declaration.kind, value) {
        (Kind::Float { range, scale }, Value::Float(value)) => {
            let range = f64::from(*range.start())..=f64::from(*range.end());
            let new = number(ui, f64::from(value), range, *scale, false, width);
            // Only what the user changed may lose the digits beyond f32.
            new.map_or(Value::Float(value), |new| Value::Float(new as f32))
        }
        (Kind::Int { range }, Value::Int(value)) => {
            let range = f64::from(*range.start())..=f64::from(*range.end());
            let new = number(ui, f64::from(value), range, Scale::Linear, true, width);
            new.map_or(Value::Int(value), |new| Value::Int(new.round() as u32))
        }
        (Kind::Switch, Value::Switch(mut on)) => {
            ui.checkbox(&mut on, "");
            Value::Switch(on)
        }
        (Kind::Choice(names), Value::Choice(name)) => {
            Value::Choice(choice(ui, declaration.name, names, name, width))
        }
        (Kind::Color, Value::Color(color)) => Value::Color(color_button(ui, color)),
        // `Declaration::get` gives the value of the declaration's own kind.
        (_, value) => value,
    }
}

/// A slider and a typed value. Returns the new number if the user changed it.
pub fn number(
    ui: &mut Ui,
    old: f64,
    range: std::ops::RangeInclusive<f64>,
    scale: Scale,
    integer: bool,
    width: f32,
) -> Option<f64> {
    let mut slid = old;
    let mut typed = old;
    let spacing = ui.spacing().item_spacing.x;
    let value_width = VALUE_WIDTH.min(0.5 * width);
    ui.spacing_mut().slider_width = (width - value_width - spacing).max(10.0);
    let mut slider = Slider::new(&mut slid, range.clone())
        .show_value(false)
        .logarithmic(scale == Scale::Log)
        .trailing_fill(true);
    if integer {
        slider = slider.integer();
    }
    let slid_now = ui.add(slider).changed();
    let speed = match scale {
        Scale::Log => 0.01 * old.abs().max(1e-3),
        Scale::Linear => (range.end() - range.start()) / 400.0,
    };
    let entry = DragValue::new(&mut typed)
        .range(range)
        .clamp_existing_to_range(false)
        .speed(speed)
        .max_decimals(if integer { 0 } else { 5 })
        .custom_formatter(|number, _| format_number(number))
        .custom_parser(parse_number)
        .update_while_editing(false);
    let typed_now = ui
        .add_sized([value_width, ui.spacing().interact_size.y], entry)
        .changed();
    if slid_now && slid != old {
        Some(slid)
    } else if typed_now && typed.is_finite() && format_number(typed) != format_number(old) {
        // A field that was opened and left shows fewer digits than the value has; it is not an edit.
        Some(typed)
    } else {
        None
    }
}

fn choice(
    ui: &mut Ui,
    id: &str,
    names: &'static [&'static str],
    selected: &'static str,
    width: f32,
) -> &'static str {
    let mut new = selected;
    ComboBox::from_id_salt(id)
        .selected_text(capitalized(selected))
        .width(width)
        .show_ui(ui, |ui| {
            for name in names {
                ui.selectable_value(&mut new, name, capitalized(name));
            }
        });
    new
}

/// `text` with its first letter in upper case.
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

fn color_button(ui: &mut Ui, color: Vec3) -> Vec3 {
    let mut bytes = color
        .to_array()
        .map(|channel| (channel * 255.0).round() as u8);
    if ui.color_edit_button_srgb(&mut bytes).changed() {
        Vec3::from_array(bytes.map(|byte| f32::from(byte) / 255.0))
    } else {
        color
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_comma_is_a_point() {
        assert_eq!(parse_number("0,85"), Some(0.85));
        assert_eq!(parse_number(" -3,5e1 "), Some(-35.0));
    }

    #[test]
    fn a_unit_after_the_number_is_left_out() {
        assert_eq!(parse_number("45°"), Some(45.0));
        assert_eq!(parse_number("2 tiles/radius"), Some(2.0));
        assert_eq!(parse_number("14.5 EV"), Some(14.5));
    }

    #[test]
    fn what_is_no_finite_number_is_ignored() {
        for text in ["", "NaN", "inf", "-infinity", "1e999", "abc", "1.2.3", "-"] {
            assert_eq!(parse_number(text), None, "{text:?}");
        }
    }

    #[test]
    fn numbers_show_four_significant_digits() {
        assert_eq!(format_number(0.62), "0.62");
        assert_eq!(format_number(f64::from(0.1_f32)), "0.1");
        assert_eq!(format_number(5800.0), "5800");
        assert_eq!(format_number(-12.3456), "-12.35");
        assert_eq!(format_number(0.0), "0");
        assert_eq!(format_number(0.012_345), "0.01235");
    }
}
