//! What a page shows: panels in rows, as data, whoever draws them.

use super::color_map::ColorMap;

/// Everything on a page but its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Rows of equal height; the panels of a row are equally wide.
    pub rows: Vec<Vec<Panel>>,
    /// Why the picture is not what one might expect.
    pub note: Option<String>,
}

impl Sheet {
    /// All panels, row by row.
    pub fn panels(&self) -> impl Iterator<Item = &Panel> {
        self.rows.iter().flatten()
    }

    /// The fields, row by row.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.panels().filter_map(|panel| match &panel.body {
            Body::Field(field) => Some(field),
            _ => None,
        })
    }

    /// Milliseconds that sampling took, all fields together.
    pub fn milliseconds(&self) -> f64 {
        self.fields().filter_map(|field| field.milliseconds).sum()
    }
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// What it shows.
    pub body: Body,
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A noise, seen from above.
    Field(Field),
    /// A picture of something else.
    Image(Image),
    /// Curves.
    Plot(Plot),
    /// Numbers in rows and columns; the first row is the heading.
    Table(Vec<Vec<String>>),
}

impl Body {
    /// Under a title.
    pub fn titled(self, title: impl Into<String>) -> Panel {
        Panel {
            title: title.into(),
            body: self,
        }
    }
}

/// Values on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Across and down.
    pub size: [usize; 2],
    /// Row by row, from the top.
    pub values: Vec<f32>,
    /// Where the field's left lower corner is.
    pub origin: [f64; 2],
    /// How far it reaches to the right and up.
    pub extent: [f64; 2],
    /// The values at both ends of the colour map.
    pub range: [f32; 2],
    /// How values become colours.
    pub map: ColorMap,
    /// Drawn over it.
    pub marks: Vec<Mark>,
    /// Whether a histogram is shown below it.
    pub histogram: bool,
    /// How long sampling took, if that matters.
    pub milliseconds: Option<f64>,
}

impl Field {
    /// The value at a place, and whether the place is on the field.
    pub fn value_at(&self, p: [f64; 2]) -> Option<f32> {
        let u = (p[0] - self.origin[0]) / self.extent[0];
        let v = 1.0 - (p[1] - self.origin[1]) / self.extent[1];
        let within = (0.0..1.0).contains(&u) && (0.0..1.0).contains(&v);
        if !self.is_table() {
            return within.then(|| self.between([u, v]));
        }
        let index = |part: f64, count: usize| ((part * count as f64) as usize).min(count - 1);
        within.then(|| self.values[index(v, self.size[1]) * self.size[0] + index(u, self.size[0])])
    }

    /// Whether it has so few values that each is seen alone, with hard edges.
    pub fn is_table(&self) -> bool {
        self.size[0] <= 32
    }

    /// The value between samples, bilinear.
    fn between(&self, at: [f64; 2]) -> f32 {
        let along = |axis: usize| {
            let last = self.size[axis] - 1;
            let place = (at[axis] * self.size[axis] as f64 - 0.5).clamp(0.0, last as f64);
            let first = (place as usize).min(last.saturating_sub(1));
            (
                [first, (first + 1).min(last)],
                (place - first as f64) as f32,
            )
        };
        let ([left, right], s) = along(0);
        let ([top, bottom], t) = along(1);
        let row = |y: usize| {
            let [a, b] = [left, right].map(|x| self.values[y * self.size[0] + x]);
            a + s * (b - a)
        };
        row(top) + t * (row(bottom) - row(top))
    }

    /// Minimum, maximum, mean and standard deviation.
    pub fn statistics(&self) -> Statistics {
        Statistics::of(&self.values)
    }

    /// How many values lie in each of `count` equal parts of the range; those beyond it count in the outermost.
    pub fn counts(&self, count: usize) -> Vec<usize> {
        let mut counts = vec![0; count];
        let [low, high] = self.range;
        let scale = count as f32 / (high - low).max(f32::MIN_POSITIVE);
        for value in self.values.iter().filter(|value| value.is_finite()) {
            counts[(((value - low) * scale).max(0.0) as usize).min(count - 1)] += 1;
        }
        counts
    }
}

/// What can be said about values in four numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Least value.
    pub min: f32,
    /// Greatest value.
    pub max: f32,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

impl Statistics {
    /// Of all values that are numbers; zeros if there are none.
    pub fn of(values: &[f32]) -> Self {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let count = finite().count().max(1) as f64;
        let mean = finite().map(f64::from).sum::<f64>() / count;
        let square = finite()
            .map(|value| (f64::from(value) - mean).powi(2))
            .sum::<f64>();
        Self {
            min: finite().reduce(f32::min).unwrap_or_default(),
            max: finite().reduce(f32::max).unwrap_or_default(),
            mean,
            deviation: (square / count).sqrt(),
        }
    }
}

/// Something drawn over a field, in the field's own coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A dot.
    Dot([f64; 2]),
    /// A line.
    Line([f64; 2], [f64; 2]),
    /// An arrow from a place, by so much.
    Arrow([f64; 2], [f64; 2]),
    /// A ring about a place, of a width in points.
    Ring([f64; 2], f32),
    /// A short text beside a place.
    Text([f64; 2], String),
}

/// A picture, sRGB.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Across and down.
    pub size: [usize; 2],
    /// Row by row, from the top.
    pub pixels: Vec<[u8; 3]>,
}

/// Curves over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What the horizontal axis is.
    pub x: String,
    /// What the vertical axis is.
    pub y: String,
    /// Whether both axes are logarithmic.
    pub logarithmic: bool,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A curve of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// In the legend.
    pub name: String,
    /// From left to right.
    pub points: Vec<[f64; 2]>,
    /// Whether it is a theory or a guide, drawn thin.
    pub guide: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field() -> Field {
        Field {
            size: [2, 2],
            values: vec![1.0, 2.0, 3.0, 4.0],
            origin: [10.0, 20.0],
            extent: [4.0, 2.0],
            range: [0.0, 4.0],
            map: ColorMap::Gray,
            marks: Vec::new(),
            histogram: true,
            milliseconds: None,
        }
    }

    #[test]
    fn values_are_found_where_they_are() {
        let field = field();
        assert_eq!(field.value_at([10.5, 21.5]), Some(1.0), "left upper");
        assert_eq!(field.value_at([13.5, 20.5]), Some(4.0), "right lower");
        assert_eq!(field.value_at([9.9, 21.0]), None);
        assert_eq!(field.value_at([11.0, 22.1]), None);
    }

    #[test]
    fn between_samples_values_change_evenly() {
        let lab = crate::lab::LabParams::default();
        let plane = |[x, y]: [f64; 2]| 2.0 * x - y;
        let field = crate::lab::sampler::Sampler::new(40).field(&lab, plane);
        for p in [[1.03, 2.2], [7.7, 0.3], [4.0, 4.0]] {
            let value = field.value_at(p).unwrap();
            assert!(
                (f64::from(value) - plane(p)).abs() < 1e-5,
                "{value} at {p:?}"
            );
        }
    }

    #[test]
    fn statistics_leave_out_what_is_no_number() {
        let statistics = Statistics::of(&[1.0, 3.0, f32::NAN, f32::INFINITY]);
        assert_eq!((statistics.min, statistics.max), (1.0, 3.0));
        assert_eq!((statistics.mean, statistics.deviation), (2.0, 1.0));
        assert_eq!(Statistics::of(&[]).deviation, 0.0);
    }

    #[test]
    fn every_value_is_counted_once() {
        assert_eq!(field().counts(4), [0, 1, 1, 2]);
        let flat = Field {
            range: [1.0, 1.0],
            ..field()
        };
        assert_eq!(flat.counts(3).iter().sum::<usize>(), 4);
    }
}
