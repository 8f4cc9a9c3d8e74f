//! Numbers in rows and columns.

use bevy_egui::egui::{CornerRadius, FontId, Painter, Rect, pos2, vec2};

use super::{STRONG, WEAK, WELL};

/// Paints a table: the first row is the heading, the first column names.
pub fn show(painter: &Painter, rows: &[Vec<String>], rect: Rect) {
    let height = (rect.height() / rows.len().max(1) as f32).min(20.0);
    // Letters get smaller until every column fits.
    let mut size = (height - 4.0).clamp(6.0, 12.0);
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let gap = 12.0;
    let widths = |size: f32| -> Vec<f32> {
        let width = |text: &String| {
            let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(size), STRONG);
            galley.size().x
        };
        (0..columns)
            .map(|column| {
                rows.iter()
                    .filter_map(|row| row.get(column))
                    .map(width)
                    .fold(0.0, f32::max)
            })
            .collect()
    };
    let total = |widths: &[f32]| widths.iter().sum::<f32>() + gap * widths.len() as f32;
    let mut columns = widths(size);
    while total(&columns) > rect.width() && size > 6.0 {
        size -= 0.5;
        columns = widths(size);
    }
    for (row, cells) in rows.iter().enumerate() {
        let top = rect.top() + row as f32 * height;
        if row % 2 == 1 {
            let stripe = Rect::from_min_size(
                pos2(rect.left(), top),
                vec2(total(&columns).min(rect.width()), height),
            );
            painter.rect_filled(stripe, CornerRadius::ZERO, WELL);
        }
        let mut left = rect.left() + 0.5 * gap;
        for (column, (text, width)) in cells.iter().zip(&columns).enumerate() {
            let color = if row == 0 { WEAK } else { STRONG };
            let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(size), color);
            // Names to the left, numbers to the right.
            let shift = if column == 0 {
                0.0
            } else {
                width - galley.size().x
            };
            let y = top + 0.5 * (height - galley.size().y);
            painter.galley(pos2(left + shift, y), galley, color);
            left += width + gap;
        }
    }
}
