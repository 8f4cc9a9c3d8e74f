//! Curves over their axes.

use bevy_egui::egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Stroke, pos2, vec2,
};

use super::{FAINT, STRONG, WEAK, WELL, number};
use crate::lab::sheet::Plot;

/// Colours of the curves, easy to tell apart also for the colour-blind (Okabe and Ito 2008).
const COLORS: [Color32; 4] = [
    Color32::from_rgb(230, 159, 0),
    Color32::from_rgb(86, 180, 233),
    Color32::from_rgb(0, 190, 140),
    Color32::from_rgb(204, 121, 167),
];

const TEXT: f32 = 10.5;

/// Paints a plot.
pub fn show(painter: &Painter, plot: &Plot, rect: Rect, pointer: Option<Pos2>) {
    let Some(axes) = Axes::of(plot) else {
        return;
    };
    let area = Rect::from_min_max(rect.min + vec2(40.0, 4.0), rect.max - vec2(16.0, 28.0));
    if area.width() < 40.0 || area.height() < 24.0 {
        return;
    }
    painter.rect_filled(area, CornerRadius::ZERO, WELL);
    grid(painter, &axes, area);
    let inside = painter.with_clip_rect(area);
    for (index, curve) in plot.curves.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        let stroke = match curve.guide {
            true => Stroke::new(1.0, color.gamma_multiply(0.8)),
            false => Stroke::new(1.6, color),
        };
        let points = curve
            .points
            .iter()
            .map(|point| axes.place(area, *point))
            .collect();
        inside.line(points, stroke);
    }
    labels(painter, plot, rect, area);
    if let Some(pointer) = pointer.filter(|pointer| area.contains(*pointer)) {
        read_out(&inside, plot, &axes, area, pointer);
    }
}

/// What the axes reach over, after the logarithm where they are logarithmic.
struct Axes {
    low: [f64; 2],
    high: [f64; 2],
    logarithmic: bool,
}

impl Axes {
    /// `None` if there is nothing to show.
    fn of(plot: &Plot) -> Option<Self> {
        let mut axes = Self {
            low: [f64::MAX; 2],
            high: [f64::MIN; 2],
            logarithmic: plot.logarithmic,
        };
        for point in plot.curves.iter().flat_map(|curve| &curve.points) {
            let at = axes.scaled(*point);
            if at.iter().all(|c| c.is_finite()) {
                axes.low = [0, 1].map(|axis| axes.low[axis].min(at[axis]));
                axes.high = [0, 1].map(|axis| axes.high[axis].max(at[axis]));
            }
        }
        let shown = axes.low[0] < axes.high[0];
        let reach = (axes.high[1] - axes.low[1]).max(1e-3);
        axes.low[1] -= 0.06 * reach;
        axes.high[1] += 0.06 * reach;
        shown.then_some(axes)
    }

    fn scaled(&self, point: [f64; 2]) -> [f64; 2] {
        if self.logarithmic {
            point.map(f64::log10)
        } else {
            point
        }
    }

    fn place(&self, area: Rect, point: [f64; 2]) -> Pos2 {
        let at = self.scaled(point);
        let [u, v] =
            [0, 1].map(|axis| (at[axis] - self.low[axis]) / (self.high[axis] - self.low[axis]));
        area.min + vec2(u as f32, 1.0 - v as f32) * area.size()
    }

    /// Round values along an axis, and what they are called.
    fn ticks(&self, axis: usize, most: f64) -> Vec<(f64, String)> {
        let [low, high] = [self.low[axis], self.high[axis]];
        let step = round_step((high - low) / most, self.logarithmic);
        let first = (low / step).ceil() as i64;
        let last = (high / step).floor() as i64;
        (first..=last)
            .map(|i| i as f64 * step)
            .map(|at| match self.logarithmic {
                true => (10_f64.powf(at), power_of_ten(at)),
                false => (at, decimal(at, step)),
            })
            .collect()
    }
}

/// The next round number from `least` upwards: 1, 2 or 5 times a power of ten; of exponents, whole ones.
fn round_step(least: f64, whole: bool) -> f64 {
    let least = if whole {
        least.max(1.0)
    } else {
        least.max(1e-12)
    };
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps
        .into_iter()
        .find(|step| *step >= 0.999 * least)
        .unwrap_or(10.0 * power)
}

/// A multiple of a step with as many decimals as the step has.
fn decimal(value: f64, step: f64) -> String {
    let decimals = (-step.log10()).ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{value:.decimals$}");
    let zero = text.bytes().all(|byte| b"-0.".contains(&byte));
    if zero {
        "0".to_owned()
    } else {
        text.replace('-', "−")
    }
}

fn power_of_ten(exponent: f64) -> String {
    let exponent = exponent.round();
    let near = (0.0..=3.0).contains(&exponent);
    let text = if near {
        format!("{}", 10_f64.powf(exponent))
    } else {
        format!("1e{exponent}")
    };
    text.replace('-', "−")
}

fn grid(painter: &Painter, axes: &Axes, area: Rect) {
    let font = FontId::proportional(TEXT);
    for (at, name) in axes.ticks(0, f64::from(area.width() / 42.0).max(2.0)) {
        let x = axes.place(area, [at, 1.0]).x;
        painter.line_segment(
            [pos2(x, area.top()), pos2(x, area.bottom())],
            Stroke::new(1.0, FAINT),
        );
        painter.text(
            pos2(x, area.bottom() + 1.0),
            Align2::CENTER_TOP,
            name,
            font.clone(),
            WEAK,
        );
    }
    for (at, name) in axes.ticks(1, f64::from(area.height() / 28.0).max(2.0)) {
        let y = axes.place(area, [1.0, at]).y;
        painter.line_segment(
            [pos2(area.left(), y), pos2(area.right(), y)],
            Stroke::new(1.0, FAINT),
        );
        painter.text(
            pos2(area.left() - 4.0, y),
            Align2::RIGHT_CENTER,
            name,
            font.clone(),
            WEAK,
        );
    }
}

/// What the axes are, and which curve is which.
fn labels(painter: &Painter, plot: &Plot, rect: Rect, area: Rect) {
    let font = FontId::proportional(TEXT);
    painter.text(
        pos2(area.center().x, rect.bottom()),
        Align2::CENTER_BOTTOM,
        &plot.x,
        font.clone(),
        WEAK,
    );
    painter.text(
        area.min + vec2(5.0, 3.0),
        Align2::LEFT_TOP,
        &plot.y,
        font.clone(),
        WEAK,
    );
    let mut top = area.top() + 3.0;
    for (index, curve) in plot
        .curves
        .iter()
        .enumerate()
        .filter(|(_, curve)| !curve.name.is_empty())
    {
        let color = COLORS[index % COLORS.len()];
        let galley = painter.layout_no_wrap(curve.name.clone(), font.clone(), STRONG);
        let size = galley.size();
        let corner = pos2(area.right() - size.x - 5.0, top);
        let back = Rect::from_min_size(corner, size).expand2(vec2(18.0, 0.0));
        painter.rect_filled(
            back.intersect(area),
            CornerRadius::ZERO,
            WELL.gamma_multiply(0.75),
        );
        let y = corner.y + 0.5 * size.y;
        let width = if curve.guide { 1.0 } else { 2.0 };
        painter.line_segment(
            [pos2(corner.x - 15.0, y), pos2(corner.x - 4.0, y)],
            Stroke::new(width, color),
        );
        painter.galley(corner, galley, STRONG);
        top += size.y;
    }
}

/// The values of the curves under the pointer.
fn read_out(painter: &Painter, plot: &Plot, axes: &Axes, area: Rect, pointer: Pos2) {
    let nearest = |points: &[[f64; 2]]| {
        points
            .iter()
            .map(|point| (axes.place(area, *point), *point))
            .min_by(|a, b| {
                (a.0.x - pointer.x)
                    .abs()
                    .total_cmp(&(b.0.x - pointer.x).abs())
            })
    };
    for (index, curve) in plot
        .curves
        .iter()
        .enumerate()
        .filter(|(_, curve)| !curve.guide)
    {
        let Some((place, point)) = nearest(&curve.points) else {
            continue;
        };
        let color = COLORS[index % COLORS.len()];
        painter.circle_filled(place, 3.0, color);
        let text = format!("{}: {}", number(point[0]), number(point[1]));
        let anchor = if place.x < area.center().x {
            Align2::LEFT_BOTTOM
        } else {
            Align2::RIGHT_BOTTOM
        };
        painter.text(
            place - vec2(0.0, 4.0),
            anchor,
            text,
            FontId::proportional(11.0),
            STRONG,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::sheet::Curve;

    fn plot(logarithmic: bool, points: &[[f64; 2]]) -> Plot {
        Plot {
            x: String::new(),
            y: String::new(),
            logarithmic,
            curves: vec![Curve {
                name: String::new(),
                points: points.to_vec(),
                guide: false,
            }],
        }
    }

    #[test]
    fn ticks_are_round_and_within() {
        let axes = Axes::of(&plot(false, &[[0.0, -0.43], [3.0, 0.61]])).unwrap();
        let names: Vec<String> = axes.ticks(1, 4.0).into_iter().map(|tick| tick.1).collect();
        assert_eq!(names, ["0", "0.5"]);
        let axes = Axes::of(&plot(true, &[[0.25, 1e-9], [500.0, 1e-2]])).unwrap();
        let names: Vec<String> = axes.ticks(0, 5.0).into_iter().map(|tick| tick.1).collect();
        assert_eq!(names, ["1", "10", "100"]);
    }

    #[test]
    fn what_is_no_number_is_left_out() {
        assert!(Axes::of(&plot(false, &[])).is_none());
        assert!(Axes::of(&plot(true, &[[0.0, 1.0], [-1.0, 2.0]])).is_none());
        let axes = Axes::of(&plot(true, &[[0.0, 1.0], [1.0, 1.0], [10.0, 1.0]])).unwrap();
        assert_eq!((axes.low[0], axes.high[0]), (0.0, 1.0));
    }
}
