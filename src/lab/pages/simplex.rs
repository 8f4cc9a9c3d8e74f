//! Page 7: fewer corners, and directions that do not follow the axes.

use std::f64::consts::PI;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use ::noise::core::{open_simplex, perlin, simplex};
use ::noise::permutationtable::{NoiseHasher, PermutationTable};
use bevy::reflect::Reflect;
use smart_default::SmartDefault;

use super::{code, same_for_all, seed};
use crate::lab::sampler::Sampler;
use crate::lab::sheet::{Body, Curve, Plot, Sheet};
use crate::lab::{About, Carry, Code, LabParams, Page};
use crate::param::{Choices, Section};
use crate::scene::Scene;

/// Simplex and OpenSimplex against Perlin.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "simplex", title: "Simplex against Perlin" })]
pub struct SimplexPage {
    /// Dimensions of the noise, of which a plane is shown.
    #[default(0)]
    #[reflect(@Choices(&["2d", "3d", "4d"]))]
    pub dimensions: u32,
}

static ABOUT: About = About {
    name: "simplex",
    title: "Simplex and OpenSimplex against Perlin",
    text: "Perlin noise blends all corners of a cube: 4 in the plane, 8 in space, 16 with time. A simplex, the simplest \
           body that fills space, has one corner more than dimensions: 3, 4, 5. It is found by skewing the cube, and \
           nothing in it lies along the axes. In the plane the slopes of Perlin noise lean to the diagonals, which the \
           eye sees as a grid; those of the others are spread, but for the directions of their gradients. OpenSimplex \
           as the noise crate has it cuts its kernels short: look for fine steps.",
    formula: "corners: 2^n against n + 1;   skew F = (√(n+1) − 1)/n;   n(p) = Σ (2t² + t⁴) g·d,   t = 1 − 2|d|²",
    source: "Perlin 2001, \"Noise Hardware\"; Gustavson 2005, \"Simplex Noise Demystified\"; Spencer 2014, OpenSimplex",
};

/// The third coordinate where time is the fourth.
const THIRD: f64 = 0.5;

/// One of the noises compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Perlin,
    Simplex,
    OpenSimplex,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Perlin, Self::Simplex, Self::OpenSimplex];
    const NAMES: [&str; 3] = ["Perlin", "Simplex", "OpenSimplex"];

    /// The noise in so many dimensions.
    fn at(self, dimensions: usize, [x, y, z, w]: [f64; 4], hasher: &impl NoiseHasher) -> f64 {
        match (self, dimensions) {
            (Self::Perlin, 2) => perlin::perlin_2d([x, y].into(), hasher),
            (Self::Perlin, 3) => perlin::perlin_3d([x, y, z].into(), hasher),
            (Self::Perlin, _) => perlin::perlin_4d([x, y, z, w].into(), hasher),
            (Self::Simplex, 2) => simplex::simplex_2d([x, y].into(), hasher).0,
            (Self::Simplex, 3) => simplex::simplex_3d([x, y, z].into(), hasher).0,
            (Self::Simplex, _) => simplex::simplex_4d([x, y, z, w].into(), hasher).0,
            (Self::OpenSimplex, 2) => open_simplex::open_simplex_2d([x, y].into(), hasher),
            (Self::OpenSimplex, 3) => open_simplex::open_simplex_3d([x, y, z].into(), hasher),
            (Self::OpenSimplex, _) => open_simplex::open_simplex_4d([x, y, z, w].into(), hasher),
        }
    }

    /// Corners visited for a value, on average.
    fn corners(self, dimensions: usize) -> f64 {
        let counting = Counting {
            table: PermutationTable::new(0),
            count: AtomicUsize::new(0),
        };
        for p in points() {
            self.at(dimensions, p, &counting);
        }
        counting.count.into_inner() as f64 / points().count() as f64
    }

    /// Nanoseconds for a value.
    fn cost(self, dimensions: usize) -> f64 {
        let table = PermutationTable::new(0);
        let begun = Instant::now();
        let sum: f64 = points().map(|p| self.at(dimensions, p, &table)).sum();
        let cost = 1e9 * begun.elapsed().as_secs_f64() / points().count() as f64;
        std::hint::black_box(sum);
        cost
    }
}

/// A hasher that counts the nodes it is asked for.
struct Counting {
    table: PermutationTable,
    count: AtomicUsize,
}

impl NoiseHasher for Counting {
    fn hash(&self, node: &[isize]) -> usize {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.table.hash(node)
    }
}

/// Places all over the lattice.
fn points() -> impl Iterator<Item = [f64; 4]> {
    (0..4096).map(|i| [0.618, 0.755, 0.819, 0.857].map(|step| f64::from(i) * step * 3.0))
}

impl SimplexPage {
    fn dimensions(self) -> usize {
        2 + (self.dimensions as usize).min(2)
    }

    /// Where a point of the plane lies in the noise.
    fn place(self, lab: &LabParams, [x, y]: [f64; 2]) -> [f64; 4] {
        let time = f64::from(lab.time);
        match self.dimensions() {
            2 => [x, y, 0.0, 0.0],
            3 => [x, y, time, 0.0],
            _ => [x, y, THIRD, time],
        }
    }

    /// How often each noise slopes in each direction, steep places counting more.
    fn slopes(self, lab: &LabParams, sampler: &Sampler, table: &PermutationTable) -> Plot {
        const DIRECTIONS: usize = 36;
        const STEP: f64 = 1e-4;
        let n = sampler.resolution;
        let curves = Kind::ALL.map(|kind| {
            let at = |p| kind.at(self.dimensions(), self.place(lab, p), table);
            let slopes = sampler.grid([n, n.div_ceil(2)], |x, y| {
                let i = (y * n + x) as f64;
                // All over the plane, evenly (Roberts 2018).
                let [x, y] = [0.754_877_666, 0.569_840_291].map(|step| (i * step).fract() * 256.0);
                [
                    at([x + STEP, y]) - at([x - STEP, y]),
                    at([x, y + STEP]) - at([x, y - STEP]),
                ]
            });
            let mut counts = [0.0; DIRECTIONS];
            for [x, y] in slopes {
                let turn = (y.atan2(x) / PI).rem_euclid(1.0);
                counts[(turn * DIRECTIONS as f64).round() as usize % DIRECTIONS] += x.hypot(y);
            }
            let mean = counts.iter().sum::<f64>().max(f64::MIN_POSITIVE) / DIRECTIONS as f64;
            // The first direction is the last one, too.
            let points = (0..=DIRECTIONS).map(|i| {
                let degrees = 180.0 * i as f64 / DIRECTIONS as f64;
                [degrees, counts[i % DIRECTIONS] / mean]
            });
            Curve {
                name: Kind::NAMES[kind as usize].to_owned(),
                points: points.collect(),
                guide: false,
            }
        });
        Plot {
            x: "direction in degrees".to_owned(),
            y: "share, 1 on average".to_owned(),
            logarithmic: false,
            curves: curves.into(),
        }
    }
}

/// Corners and cost of each noise in 2, 3 and 4 dimensions. The cost is another on every machine, so that it shows
/// only where it may.
fn table(timed: bool) -> Body {
    let heading = ["noise", "corners 2D", "3D", "4D", "ns 2D", "3D", "4D"];
    let rows = Kind::ALL.map(|kind| {
        let corners = [2, 3, 4].map(|dimensions| {
            let text = format!("{:.1}", kind.corners(dimensions));
            text.trim_end_matches(".0").to_owned()
        });
        let costs = [2, 3, 4].map(|dimensions| match timed {
            true => format!("{:.0}", kind.cost(dimensions)),
            false => "–".to_owned(),
        });
        [
            vec![Kind::NAMES[kind as usize].to_owned()],
            corners.into(),
            costs.into(),
        ]
        .concat()
    });
    Body::Table([vec![heading.map(str::to_owned).to_vec()], rows.into()].concat())
}

impl Page for SimplexPage {
    same_for_all!(ABOUT);

    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet {
        let hasher = PermutationTable::new(lab.seed);
        let fields = Kind::ALL.map(|kind| {
            let field = sampler.field(lab, |p| {
                kind.at(self.dimensions(), self.place(lab, p), &hasher)
            });
            Body::Field(field).titled(Kind::NAMES[kind as usize])
        });
        let slopes = Body::Plot(self.slopes(lab, sampler, &hasher));
        Sheet {
            rows: vec![
                fields.into(),
                vec![
                    slopes.titled("Which way the slopes go"),
                    table(sampler.timed).titled("Corners visited and nanoseconds, for one value"),
                ],
            ],
            note: None,
        }
    }

    fn code(&self, lab: &LabParams) -> Code {
        let place = self.place(lab, [0.0; 2]);
        code::simplex(lab, self.dimensions(), &place[2..self.dimensions()])
    }

    fn carry(&self, lab: &LabParams) -> Vec<Carry> {
        vec![Carry {
            label: "Bake a cloud from this seed",
            scene: Scene::Cloud,
            values: vec![("noise.seed", seed(lab))],
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simplex_has_one_corner_more_than_dimensions() {
        for dimensions in [2, 3, 4] {
            let corners = Kind::ALL.map(|kind| kind.corners(dimensions));
            assert_eq!(corners[0], f64::from(1 << dimensions));
            assert_eq!(corners[1], dimensions as f64 + 1.0);
            assert!(corners[2] <= 10.0, "OpenSimplex: {corners:?}");
        }
    }

    /// The slopes of Perlin noise in the plane favour the diagonals, those of simplex noise no side of the lattice.
    #[test]
    fn perlin_noise_follows_its_lattice() {
        let page = SimplexPage::default();
        let table = PermutationTable::new(7);
        let plot = page.slopes(&LabParams::default(), &Sampler::new(512), &table);
        // The strength of the pattern that repeats every quarter turn.
        let fourfold = |curve: &Curve| {
            let points = &curve.points[1..];
            let part = |wave: fn(f64) -> f64| -> f64 {
                points
                    .iter()
                    .map(|p| p[1] * wave(4.0 * p[0].to_radians()))
                    .sum()
            };
            part(f64::cos).hypot(part(f64::sin)) / points.len() as f64
        };
        let [perlin, simplex, open_simplex] = [0, 1, 2].map(|i| fourfold(&plot.curves[i]));
        assert!(
            perlin > 0.2 && simplex < 0.05 && open_simplex < 0.05,
            "{perlin} {simplex} {open_simplex}"
        );
    }
}
