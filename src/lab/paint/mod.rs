//! A sheet to shapes: the same for a window and for a picture.

mod field;
mod plot;
mod table;

use std::ops::Range;
use std::sync::Arc;

use bevy_egui::egui::{
    Align2, Color32, ColorImage, Context, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Sense,
    TextureFilter, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2,
};

use super::About;
use super::sheet::{Body, Field, Image, Panel, Sheet};

/// Colour of what matters.
const STRONG: Color32 = Color32::from_rgb(226, 229, 233);
/// Colour of what explains.
const WEAK: Color32 = Color32::from_rgb(158, 164, 173);
/// Colour of lines that part things.
const FAINT: Color32 = Color32::from_rgb(60, 65, 74);
/// Background of a panel's body.
const WELL: Color32 = Color32::from_rgb(16, 17, 20);

const MARGIN: f32 = 12.0;
const GAP: f32 = 14.0;
const TITLE: f32 = 17.0;
/// Least width of a panel and of a table, and least height of a line of them, in points.
const LEAST_PANEL: f32 = 140.0;
const LEAST_TABLE: f32 = 280.0;
const LEAST_LINE: f32 = 190.0;

/// A sheet with its pictures where the renderer can take them from.
pub struct Painted {
    sheet: Sheet,
    textures: Vec<Option<TextureHandle>>,
}

/// Somebody points at a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointed {
    /// Which panel, counted row by row.
    pub panel: usize,
    /// Where, in the field's own coordinates.
    pub at: [f64; 2],
}

/// What came of painting.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What is pointed at.
    pub pointed: Option<Pointed>,
    /// Whether that is a picture, which may be turned.
    pub image: bool,
    /// How far the pointer drags it, in points.
    pub drag: Vec2,
    /// Width of the widest field, in points: what it should be sampled for.
    pub widest: f32,
}

impl Painted {
    /// Colours the fields of a sheet.
    pub fn new(ctx: &Context, sheet: Sheet) -> Self {
        let textures = sheet.panels().map(|panel| texture(ctx, panel)).collect();
        Self { sheet, textures }
    }

    /// What is painted.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// Paints a page as large as `room`, or higher if it does not fit.
    pub fn show(&self, ui: &mut Ui, about: &About, room: Vec2) -> Outcome {
        let width = (room.x - 2.0 * MARGIN).max(1.0);
        let head = head(ui.painter(), about, &self.sheet, width);
        let head_height: f32 = head.iter().map(|galley| galley.size().y + 3.0).sum();
        let lines = self.lines(width);
        let least = lines.len() as f32 * (LEAST_LINE + GAP) + head_height + 2.0 * MARGIN;
        let (rect, response) =
            ui.allocate_exact_size(vec2(room.x, room.y.max(least)), Sense::drag());
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, crate::ui::theme::PANEL);
        let page = rect.shrink(MARGIN);
        let mut top = page.top();
        for galley in head {
            let height = galley.size().y + 3.0;
            painter.galley(pos2(page.left(), top), galley, STRONG);
            top += height;
        }
        let rest = Rect::from_min_max(pos2(page.left(), top + 6.0), page.max);
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        let mut outcome = Outcome {
            drag: response.drag_delta(),
            ..Default::default()
        };
        let panels: Vec<&Panel> = self.sheet.panels().collect();
        for (row, line) in lines.iter().enumerate() {
            for index in line.clone() {
                let place = cell(
                    rest,
                    (index - line.start, &panels[line.clone()]),
                    (row, lines.len()),
                );
                self.panel(
                    &painter,
                    (index, panels[index]),
                    place,
                    pointer,
                    &mut outcome,
                );
            }
        }
        outcome
    }

    /// Which panels stand side by side: the rows of the sheet, parted where they are too wide.
    fn lines(&self, width: f32) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let mut index = 0;
        for row in &self.sheet.rows {
            let mut start = index;
            let mut used = 0.0;
            for panel in row {
                let least = if matches!(panel.body, Body::Table(_)) {
                    LEAST_TABLE
                } else {
                    LEAST_PANEL
                };
                if index > start && used + GAP + least > width {
                    lines.push(start..index);
                    (start, used) = (index, 0.0);
                }
                used += least + GAP;
                index += 1;
            }
            lines.push(start..index);
        }
        lines
    }

    fn panel(
        &self,
        painter: &Painter,
        (index, panel): (usize, &Panel),
        rect: Rect,
        pointer: Option<Pos2>,
        outcome: &mut Outcome,
    ) {
        let painter = painter.with_clip_rect(rect);
        let font = FontId::proportional(12.5);
        let title = painter.text(rect.min, Align2::LEFT_TOP, &panel.title, font, STRONG);
        if let Body::Field(Field {
            milliseconds: Some(milliseconds),
            ..
        }) = &panel.body
        {
            let text = format!("{} ms", number(*milliseconds));
            let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), WEAK);
            let corner = pos2(rect.right() - galley.size().x, rect.top());
            if title.right() + 6.0 < corner.x {
                painter.galley(corner, galley, WEAK);
            }
        }
        let body = Rect::from_min_max(pos2(rect.left(), rect.top() + TITLE), rect.max);
        match (&panel.body, &self.textures[index]) {
            (Body::Field(of), Some(texture)) => {
                let image = field::show(&painter, of, texture.id(), body);
                outcome.widest = outcome.widest.max(image.width());
                if let Some(pointer) = pointer.filter(|pointer| image.contains(*pointer)) {
                    let at = field::at(of, image, pointer);
                    field::read_out(&painter, of, image, at);
                    outcome.pointed = Some(Pointed { panel: index, at });
                }
            }
            (Body::Image(image), Some(texture)) => {
                let place = fit(body, image.size);
                painter.image(texture.id(), place, UV, Color32::WHITE);
                outcome.image |= pointer.is_some_and(|pointer| place.contains(pointer));
            }
            (Body::Plot(plot), _) => plot::show(&painter, plot, body, pointer),
            (Body::Table(rows), _) => table::show(&painter, rows, body),
            // Every field and image has a texture.
            (Body::Field(_) | Body::Image(_), None) => {}
        }
    }
}

/// All of a texture.
const UV: Rect = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));

/// Title, text, formula, source and note.
fn head(painter: &Painter, about: &About, sheet: &Sheet, width: f32) -> Vec<Arc<Galley>> {
    let note = sheet.note.as_deref().unwrap_or_default();
    let parts = [
        (about.title, 19.0, STRONG),
        (about.text, 13.0, WEAK),
        (about.formula, 14.0, crate::ui::theme::ACCENT),
        (about.source, 10.5, WEAK),
        (note, 13.0, crate::ui::theme::ERROR),
    ];
    parts
        .into_iter()
        .filter(|(text, ..)| !text.is_empty())
        .map(|(text, size, color)| {
            painter.layout(text.to_owned(), FontId::proportional(size), color, width)
        })
        .collect()
}

/// Where a panel is in its row, and the row among so many.
fn cell(rect: Rect, (column, panels): (usize, &[&Panel]), (row, rows): (usize, usize)) -> Rect {
    // Numbers need more room than pictures.
    let weight = |panel: &&Panel| {
        if matches!(panel.body, Body::Table(_)) {
            1.7
        } else {
            1.0
        }
    };
    let total: f32 = panels.iter().map(weight).sum();
    let before: f32 = panels[..column].iter().map(weight).sum();
    let width = (rect.width() - GAP * (panels.len() - 1) as f32) / total;
    let height = (rect.height() - GAP * (rows - 1) as f32) / rows as f32;
    let corner = vec2(
        before * width + column as f32 * GAP,
        row as f32 * (height + GAP),
    );
    let size = vec2(weight(&panels[column]) * width, height).max(vec2(0.0, 0.0));
    let cell = Rect::from_min_size(rect.min + corner, size);
    Rect::from_min_max(cell.min.round(), cell.max.round())
}

/// The largest rectangle of a shape within another, at the middle of its top.
fn fit(rect: Rect, [width, height]: [usize; 2]) -> Rect {
    let aspect = width as f32 / height.max(1) as f32;
    let width = rect.width().min(rect.height() * aspect).max(0.0).floor();
    let corner = pos2((rect.center().x - 0.5 * width).round(), rect.top());
    Rect::from_min_size(corner, vec2(width, (width / aspect).round()))
}

fn texture(ctx: &Context, panel: &Panel) -> Option<TextureHandle> {
    let image = match &panel.body {
        Body::Field(field) => colored(field),
        Body::Image(image) => image.clone(),
        Body::Plot(_) | Body::Table(_) => return None,
    };
    let pixels = image
        .pixels
        .iter()
        .map(|[r, g, b]| Color32::from_rgb(*r, *g, *b));
    let hard = matches!(&panel.body, Body::Field(field) if field.is_table());
    let magnification = if hard {
        TextureFilter::Nearest
    } else {
        TextureFilter::Linear
    };
    let options = TextureOptions {
        magnification,
        ..TextureOptions::LINEAR
    };
    let image = ColorImage::new(image.size, pixels.collect());
    Some(ctx.load_texture(&panel.title, image, options))
}

/// A field's values as colours.
pub fn colored(field: &Field) -> Image {
    let [low, high] = field.range;
    let scale = 1.0 / (high - low).max(f32::MIN_POSITIVE);
    let color = |value: &f32| field.map.color((value - low) * scale);
    Image {
        size: field.size,
        pixels: field.values.iter().map(color).collect(),
    }
}

/// A number with three digits that matter, and a true minus.
fn number(value: f64) -> String {
    let size = value.abs();
    let text = if size >= 1e5 || (size > 0.0 && size < 1e-3) {
        format!("{value:.1e}")
    } else if size >= 100.0 {
        format!("{value:.0}")
    } else if size >= 10.0 {
        format!("{value:.1}")
    } else if size >= 1.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_fill_their_rectangle_without_touching() {
        let rect = Rect::from_min_max(pos2(10.0, 20.0), pos2(710.0, 420.0));
        let plot = Body::Image(Image {
            size: [1, 1],
            pixels: vec![[0; 3]],
        });
        let table = Body::Table(Vec::new());
        let row = [plot.clone().titled(""), table.titled(""), plot.titled("")];
        let row = row.each_ref();
        let [first, middle, last] =
            [(0, 0), (1, 0), (2, 1)].map(|(column, line)| cell(rect, (column, &row), (line, 2)));
        assert_eq!((first.min, last.max), (rect.min, rect.max));
        assert!(middle.left() - first.right() >= GAP - 1.0);
        assert!(middle.width() > 1.5 * first.width());
    }

    /// Everything a page says can be read.
    #[test]
    fn every_letter_has_a_glyph() {
        let ctx = Context::default();
        let _ = ctx.run_ui(Default::default(), |ui| {
            let has =
                |letter| ui.fonts_mut(|fonts| fonts.has_glyph(&FontId::proportional(13.0), letter));
            for page in crate::lab::pages::all() {
                let about = page.about();
                for text in [about.title, about.text, about.formula, about.source] {
                    let missing: String = text.chars().filter(|letter| !has(*letter)).collect();
                    assert_eq!(missing, "", "{}", about.name);
                }
            }
        });
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.27, -1.036, 42.42, 65536.0, 1e7, -2e-5].map(number);
        assert_eq!(
            shown,
            [
                "0.000",
                "0.270",
                "−1.04",
                "42.4",
                "65536",
                "1.0e7",
                "−2.0e−5"
            ]
        );
    }
}
