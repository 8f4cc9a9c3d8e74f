//! A field: its picture with marks, histogram and readouts.

use bevy_egui::egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Stroke, TextureId, pos2, vec2,
};

use super::{FAINT, STRONG, UV, WEAK, WELL, fit, number};
use crate::lab::sheet::{Field, Mark};
use crate::ui::theme::ACCENT;

const HISTOGRAM: f32 = 26.0;
const BARS: usize = 64;
const LINE: f32 = 17.0;

/// Paints a field; returns where its picture is.
pub fn show(painter: &Painter, field: &Field, texture: TextureId, rect: Rect) -> Rect {
    let below = LINE
        + if field.histogram {
            HISTOGRAM + 3.0
        } else {
            0.0
        };
    // Where there is little room, the picture is what one came for.
    let below = if rect.height() > 3.0 * below {
        below
    } else {
        0.0
    };
    let room = Rect::from_min_max(rect.min, pos2(rect.right(), rect.bottom() - below));
    let image = fit(room, field.size);
    painter.image(texture, image, UV, Color32::WHITE);
    let over = painter.with_clip_rect(image);
    for mark in &field.marks {
        paint_mark(&over, field, image, mark);
    }
    if below > 0.0 {
        let mut top = image.bottom() + 3.0;
        if field.histogram {
            let strip =
                Rect::from_min_size(pos2(image.left(), top), vec2(image.width(), HISTOGRAM));
            histogram(painter, field, strip);
            top += HISTOGRAM;
        }
        statistics(painter, field, pos2(image.center().x, top), rect.width());
    }
    image
}

/// Which place of the field is at a place of its picture.
pub fn at(field: &Field, image: Rect, place: Pos2) -> [f64; 2] {
    let part = (place - image.min) / image.size();
    [
        field.origin[0] + f64::from(part.x) * field.extent[0],
        field.origin[1] + f64::from(1.0 - part.y) * field.extent[1],
    ]
}

/// Where a place of the field is in its picture.
fn place(field: &Field, image: Rect, at: [f64; 2]) -> Pos2 {
    let u = (at[0] - field.origin[0]) / field.extent[0];
    let v = 1.0 - (at[1] - field.origin[1]) / field.extent[1];
    image.min + vec2(u as f32, v as f32) * image.size()
}

/// The value at a place, beside it.
pub fn read_out(painter: &Painter, field: &Field, image: Rect, at: [f64; 2]) {
    let Some(value) = field.value_at(at) else {
        return;
    };
    let text = format!(
        "{}  at  {}, {}",
        number(f64::from(value)),
        number(at[0]),
        number(at[1])
    );
    let galley = painter.layout_no_wrap(text, FontId::proportional(12.0), STRONG);
    let size = galley.size() + vec2(8.0, 4.0);
    let pointer = place(field, image, at);
    let wanted = pointer + vec2(12.0, -size.y - 6.0);
    let corner = wanted.min(image.max - size).max(image.min);
    painter.rect_filled(
        Rect::from_min_size(corner, size),
        CornerRadius::same(3),
        WELL.gamma_multiply(0.9),
    );
    painter.galley(corner + vec2(4.0, 2.0), galley, STRONG);
}

fn paint_mark(painter: &Painter, field: &Field, image: Rect, mark: &Mark) {
    let to = |at| place(field, image, at);
    let line = Stroke::new(1.0, Color32::from_white_alpha(70));
    let arrow = Stroke::new(2.0, ACCENT);
    match mark {
        Mark::Dot(at) => {
            painter.circle_filled(to(*at), 3.2, Color32::from_black_alpha(180));
            painter.circle_filled(to(*at), 2.2, Color32::WHITE);
        }
        Mark::Line(from, end) => {
            painter.line_segment([to(*from), to(*end)], line);
        }
        Mark::Arrow(from, by) => {
            let [start, end] = [to(*from), to([from[0] + by[0], from[1] + by[1]])];
            painter.arrow(
                start,
                end - start,
                Stroke::new(4.0, Color32::from_black_alpha(110)),
            );
            painter.arrow(start, end - start, arrow);
        }
        Mark::Ring(at, radius) => {
            painter.circle_stroke(
                to(*at),
                *radius,
                Stroke::new(3.5, Color32::from_black_alpha(180)),
            );
            painter.circle_stroke(to(*at), *radius, Stroke::new(2.0, Color32::WHITE));
        }
        Mark::Text(at, text) => {
            painter.text(
                to(*at),
                Align2::LEFT_BOTTOM,
                text,
                FontId::proportional(11.0),
                STRONG,
            );
        }
    }
}

/// How often each value is there, over the colours of the map.
fn histogram(painter: &Painter, field: &Field, rect: Rect) {
    painter.rect_filled(rect, CornerRadius::ZERO, WELL);
    let counts = field.counts(BARS);
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    for (bar, count) in counts.iter().enumerate() {
        let [left, right] =
            [bar, bar + 1].map(|edge| rect.left() + rect.width() * edge as f32 / BARS as f32);
        let [r, g, b] = field.map.color((bar as f32 + 0.5) / BARS as f32);
        let color = Color32::from_rgb(r, g, b);
        let strip = Rect::from_min_max(pos2(left, rect.bottom() - 4.0), pos2(right, rect.bottom()));
        painter.rect_filled(strip, CornerRadius::ZERO, color);
        let height = (rect.height() - 5.0) * *count as f32 / most as f32;
        let top = rect.bottom() - 5.0 - height;
        let column = Rect::from_min_max(pos2(left, top), pos2(right, rect.bottom() - 5.0));
        painter.rect_filled(column, CornerRadius::ZERO, WEAK);
    }
    let zero = (0.0 - field.range[0]) / (field.range[1] - field.range[0]);
    if (0.02..0.98).contains(&zero) {
        let x = rect.left() + zero * rect.width();
        painter.line_segment(
            [pos2(x, rect.top()), pos2(x, rect.bottom() - 5.0)],
            Stroke::new(1.0, FAINT),
        );
    }
}

/// Minimum, maximum, mean and standard deviation, as many as fit.
fn statistics(painter: &Painter, field: &Field, middle: Pos2, width: f32) {
    let of = field.statistics();
    let mut parts = vec![
        format!(
            "{} to {}",
            number(f64::from(of.min)),
            number(f64::from(of.max))
        ),
        format!("mean {}", number(of.mean)),
        format!("σ {}", number(of.deviation)),
    ];
    let galley = loop {
        let text = parts.join("   ");
        let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), WEAK);
        if galley.size().x <= width || parts.len() == 1 {
            break galley;
        }
        parts.pop();
    };
    painter.galley(
        pos2(middle.x - 0.5 * galley.size().x, middle.y + 1.0),
        galley,
        WEAK,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::LabParams;
    use crate::lab::sampler::Sampler;

    #[test]
    fn places_and_coordinates_are_each_others_inverse() {
        let lab = LabParams::default();
        let field = Sampler::new(4).field_over([3.0, -2.0], [4.0, 8.0], 8, &lab, |_| 0.0);
        let image = Rect::from_min_size(pos2(100.0, 50.0), vec2(200.0, 400.0));
        assert_eq!(at(&field, image, image.left_bottom()), [3.0, -2.0]);
        let there = at(&field, image, pos2(130.0, 90.0));
        assert!((place(&field, image, there) - pos2(130.0, 90.0)).length() < 1e-3);
    }
}
