//! Cellular noise: Worley 1996, "A Cellular Texture Basis Function".

use super::grid::{Block, Grid, MAX_LANES};
use super::hash::{derive, pcg3d, unit};

/// Cellular noise that repeats: one feature point in each cell of a jittered grid.
#[derive(Clone, Debug)]
pub struct Worley {
    /// Added to lattice coordinates before hashing, so that each seed sees another part of the
    /// hash.
    shift: [u32; 3],
    period: i32,
}

impl Worley {
    /// Noise that repeats every `period` lattice cells along each axis. Any seed will do, and one
    /// seed makes unrelated noise for different periods.
    ///
    /// # Panics
    /// If `period` is 0 or above 2³¹ - 1.
    pub fn new(seed: u32, period: u32) -> Self {
        let shift = pcg3d([seed, period, derive(seed, period)]);
        let period = i32::try_from(period).ok().filter(|&period| period > 0);
        Self {
            shift,
            period: period.expect("the period is a positive i32"),
        }
    }

    /// F1: distance from `p` to the nearest feature point, both in lattice cells, at most 1. Mean
    /// .52.
    ///
    /// The nearest point stands in one of the 27 cells around `p` if it is within 1. Hence the cap:
    /// beyond it, where one distance in 1000 would be, they might jump.
    pub fn distance(&self, p: [f32; 3]) -> f32 {
        self.distance_squared(p).min(1.0).sqrt()
    }

    /// 1 - 4/3 F1², at least 0: 1 at feature points and round about them, dark far from them, with
    /// creases between, as cumulus bulges. The factor fills the range: mean .60, deviation .24, and
    /// one value in 60 is cut off.
    pub fn billow(&self, p: [f32; 3]) -> f32 {
        billow(self.distance_squared(p))
    }

    /// Squared distance to the nearest of the feature points in 27 cells.
    fn distance_squared(&self, p: [f32; 3]) -> f32 {
        let floor = p.map(f32::floor);
        let [cx, cy, cz] = floor.map(|f| f as i32);
        let [x, y, z] = [p[0] - floor[0], p[1] - floor[1], p[2] - floor[2]];
        let mut nearest = f32::MAX;
        for (dx, points) in [-1.0, 0.0, 1.0].into_iter().zip(self.points(cx, 1, cy, cz)) {
            for [px, py, pz] in points {
                let px = dx + px;
                nearest = least(nearest, square(px - x) + (square(py - y) + square(pz - z)));
            }
        }
        nearest
    }

    /// Calls `row` with the number of each row of `block` and [`billow`](Self::billow) along it,
    /// for a texture of one period.
    pub(super) fn rows(&self, block: &Block, row: impl FnMut(usize, &[f32])) {
        let grid = Grid::new(block.size, self.period as u32, [0.0; 3]);
        match grid.axes[0].lanes() {
            2 => self.rows_by::<2>(&grid, block, row),
            4 => self.rows_by::<4>(&grid, block, row),
            _ => self.rows_by::<MAX_LANES>(&grid, block, row),
        }
    }

    fn rows_by<const LANES: usize>(
        &self,
        grid: &Grid,
        block: &Block,
        mut row: impl FnMut(usize, &[f32]),
    ) {
        let [along, across, up] = &grid.axes;
        let cells = along.cells();
        let mut points = Vec::with_capacity(cells.len() + 2);
        let mut sites = vec![[Site::default(); 9]; cells.len() + 2];
        let mut values = vec![0.0; block.size + LANES];
        for (y_run, z_run) in grid.cell_rows(block) {
            points.clear();
            points.extend(self.points(cells.start, cells.len(), y_run.cell, z_run.cell));
            for z in z_run.texels.clone() {
                for y in y_run.texels.clone() {
                    collapse(&points, across.fractions[y], up.fractions[z], &mut sites);
                    for run in &along.runs {
                        let before = (run.cell - cells.start) as usize;
                        let around = &sites[before..before + 3];
                        for first in run.texels.clone().step_by(LANES) {
                            let texels = first..first + LANES;
                            nearest::<LANES>(
                                around,
                                &along.fractions[texels.clone()],
                                &mut values[texels],
                            );
                        }
                    }
                    row(
                        (z - block.slices.start) * block.size + y,
                        &values[..block.size],
                    );
                }
            }
        }
    }

    /// Feature points of a row of `count` cells and its [`NEIGHBOURS`], one item a cell along x,
    /// and one cell more at either end. y and z are relative to the row, x to the point's own cell.
    fn points(
        &self,
        first: i32,
        count: usize,
        y: i32,
        z: i32,
    ) -> impl Iterator<Item = [[f32; 3]; 9]> {
        let (ys, zs) = (self.around(y), self.around(z));
        let first = self.wrap(first);
        (-1..=count as i32).map(move |step| {
            let x = self.wrap(first + step);
            NEIGHBOURS.map(|(dy, dz)| {
                let [px, py, pz] = self.jitter([x, ys[(dy + 1) as usize], zs[(dz + 1) as usize]]);
                [px, dy as f32 + py, dz as f32 + pz]
            })
        })
    }

    /// The lattice coordinate within the period.
    fn wrap(&self, cell: i32) -> i32 {
        cell.rem_euclid(self.period)
    }

    /// A lattice coordinate's neighbours and itself, wrapped. Wrapped before the step too, which
    /// might lead beyond the range of i32.
    fn around(&self, cell: i32) -> [i32; 3] {
        [-1, 0, 1].map(|step| self.wrap(self.wrap(cell) + step))
    }

    /// Where in its cell the feature point of a wrapped lattice coordinate stands.
    fn jitter(&self, cell: [i32; 3]) -> [f32; 3] {
        let [x, y, z] = [0, 1, 2].map(|axis| (cell[axis] as u32).wrapping_add(self.shift[axis]));
        pcg3d([x, y, z]).map(unit)
    }
}

/// Rows of cells around a row of cells: steps along y and z.
const NEIGHBOURS: [(i32, i32); 9] = [
    (0, 0),
    (-1, 0),
    (1, 0),
    (0, -1),
    (0, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
    (1, 1),
];

/// A feature point as seen from a row of texels.
#[derive(Clone, Copy, Default)]
struct Site {
    /// Along the row, from the start of the point's own cell.
    x: f32,
    /// Squared distance from the row.
    across: f32,
}

/// Distances of feature points from the row of texels at (y, z).
fn collapse(points: &[[[f32; 3]; 9]], y: f32, z: f32, sites: &mut [[Site; 9]]) {
    for (sites, points) in sites.iter_mut().zip(points) {
        for (site, [px, py, pz]) in sites.iter_mut().zip(points) {
            *site = Site {
                x: *px,
                across: square(py - y) + square(pz - z),
            };
        }
    }
}

/// Billows at `LANES` texels of the middle one of three cells.
fn nearest<const LANES: usize>(cells: &[[Site; 9]], fractions: &[f32], values: &mut [f32]) {
    let mut texels = [0.0; LANES];
    texels.copy_from_slice(fractions);
    let mut nearest = [f32::MAX; LANES];
    for (sites, step) in cells.iter().zip([-1.0, 0.0, 1.0]) {
        for site in sites {
            let px = step + site.x;
            for lane in 0..LANES {
                nearest[lane] = least(nearest[lane], square(px - texels[lane]) + site.across);
            }
        }
    }
    values.copy_from_slice(&nearest.map(billow));
}

fn billow(distance_squared: f32) -> f32 {
    1.0 - least(distance_squared * (4.0 / 3.0), 1.0)
}

fn square(v: f32) -> f32 {
    v * v
}

/// The smaller of two numbers; `f32::min` would spend half of the bake on NaN, which cannot occur.
fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIODS: [u32; 5] = [1, 2, 4, 5, 300];

    /// Points spread over -`reach`..`reach`.
    fn points(count: u32, reach: f32) -> impl Iterator<Item = [f32; 3]> {
        (0..count).map(move |i| pcg3d([i, 1, 2]).map(|word| (2.0 * unit(word) - 1.0) * reach))
    }

    #[test]
    fn rows_equal_points() {
        for (size, period) in [(16, 1), (32, 4), (24, 5), (16, 8), (32, 64)] {
            let worley = Worley::new(7, period);
            let block = Block { size, slices: 3..9 };
            let mut rows = 0;
            worley.rows(&block, |row, values| {
                rows += 1;
                let texel = [0, row % size, row / size + block.slices.start];
                for (x, value) in values.iter().enumerate() {
                    let p = [texel[0] + x, texel[1], texel[2]]
                        .map(|texel| (texel as f32 + 0.5) * (period as f32 / size as f32));
                    assert_eq!(
                        *value,
                        worley.billow(p),
                        "size {size}, period {period}, {p:?}"
                    );
                }
            });
            assert_eq!(rows, size * block.slices.len());
        }
    }

    #[test]
    fn repeats_across_the_origin() {
        for period in PERIODS {
            let worley = Worley::new(3, period);
            // Eighths are exact, so that the period changes nothing but the cell.
            for p in points(1000, 20.0).map(|p| p.map(|c| (c * 8.0).round() / 8.0)) {
                for axis in 0..3 {
                    let mut q = p;
                    q[axis] -= 3.0 * period as f32;
                    assert_eq!(
                        worley.distance(p),
                        worley.distance(q),
                        "period {period}, {p:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn finds_the_nearest_of_125_cells() {
        let worley = Worley::new(u32::MAX, 16);
        for p in points(2000, 20.0) {
            let cell = p.map(|c| c.floor() as i32);
            let steps = |axis: usize| (-2..=2).map(move |step| (axis, step));
            let mut nearest = 1.0_f32;
            for ((_, x), (_, y), (_, z)) in
                steps(0).flat_map(|x| steps(1).flat_map(move |y| steps(2).map(move |z| (x, y, z))))
            {
                let neighbour = [cell[0] + x, cell[1] + y, cell[2] + z];
                let point = worley.jitter(neighbour.map(|c| worley.wrap(c)));
                let offset = [0, 1, 2].map(|axis| neighbour[axis] as f32 + point[axis] - p[axis]);
                nearest = nearest.min(offset.map(square).iter().sum::<f32>().sqrt());
            }
            assert!((worley.distance(p) - nearest).abs() < 1e-4, "{p:?}");
        }
    }

    #[test]
    fn is_continuous_across_cells() {
        let worley = Worley::new(5, 16);
        for p in points(2000, 10.0) {
            let f = |dx: f32| worley.billow([p[0].round() + dx, p[1], p[2]]);
            assert!((f(1e-4) - f(-1e-4)).abs() < 1e-3, "jump at {p:?}");
        }
    }

    #[test]
    fn has_the_documented_statistics() {
        let worley = Worley::new(11, 64);
        let count = 200_000;
        let (mut distance, mut billow, mut capped) = (0.0, 0.0, 0);
        for p in points(count, 32.0) {
            let (f1, b) = (worley.distance(p), worley.billow(p));
            assert!((0.0..=1.0).contains(&f1) && (0.0..=1.0).contains(&b));
            distance += f64::from(f1);
            billow += f64::from(b);
            capped += u32::from(f1 == 1.0);
        }
        let (distance, billow) = (distance / f64::from(count), billow / f64::from(count));
        assert!((distance - 0.52).abs() < 0.01, "mean F1 {distance}");
        assert!((billow - 0.60).abs() < 0.01, "mean billow {billow}");
        assert!(capped < count / 1000, "{capped} capped");
    }

    #[test]
    fn survives_any_coordinate() {
        let worley = Worley::new(0, 7);
        for c in [f32::MAX, f32::MIN, 2_147_483_600.0, -2_147_483_648.0] {
            assert!(worley.distance([c, -c, 0.5]).is_finite(), "{c}");
        }
    }

    #[test]
    fn seeds_differ() {
        let at = |seed| Worley::new(seed, 8).distance([0.4, 1.3, 2.2]);
        assert_ne!(at(0), at(1));
        assert_ne!(at(0), at(u32::MAX));
    }
}
