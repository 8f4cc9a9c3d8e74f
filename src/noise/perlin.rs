//! Gradient noise: Perlin 2002, "Improving Noise".

use ::noise::permutationtable::{NoiseHasher, PermutationTable};

use super::grid::{Block, Grid, MAX_LANES};

/// Mean of |n|, for n anywhere in the noise.
pub const MEAN_ABSOLUTE: f32 = 0.220;
/// Standard deviation.
pub const DEVIATION: f32 = 0.270;
/// No value lies further from 0.
pub const BOUND: f32 = 1.036;

/// The twelve directions from a cube's centre to its edges, four of them twice, in the order of
/// the noise crate, whose `perlin_3d` is this noise times 2/√3, clamped to -1..1.
pub(super) const DIRECTIONS: [[f32; 3]; 16] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [0.0, -1.0, -1.0],
];

/// A cell's edges along x, in the order (y, z) = (0, 0), (1, 0), (0, 1), (1, 1).
const EDGES: [(usize, usize); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];

/// Improved Perlin noise that repeats.
///
/// 0 at every lattice node (the integers), twice continuously differentiable, mean 0,
/// [`DEVIATION`], [`BOUND`].
#[derive(Clone, Debug)]
pub struct Perlin {
    table: PermutationTable,
    period: i32,
}

impl Perlin {
    /// Noise that repeats every `period` lattice cells along each axis. Any seed will do. The
    /// lattice is hashed by bytes, so beyond 256 cells the noise repeats within its period.
    ///
    /// # Panics
    /// If `period` is 0 or above 2³¹ - 1.
    pub fn new(seed: u32, period: u32) -> Self {
        let period = i32::try_from(period).ok().filter(|&period| period > 0);
        Self {
            table: PermutationTable::new(seed),
            period: period.expect("the period is a positive i32"),
        }
    }

    /// The noise at `p`, in lattice cells.
    pub fn at(&self, p: [f32; 3]) -> f32 {
        let floor = p.map(f32::floor);
        let [cx, cy, cz] = floor.map(|f| f as i32);
        let [x, y, z] = [p[0] - floor[0], p[1] - floor[1], p[2] - floor[2]];
        let (fade_y, fade_z) = (fade(y), fade(z));
        let mut ends = [0.0, 1.0]
            .into_iter()
            .zip(self.edges(cx, 1, cy, cz))
            .map(|(dx, edges)| {
                let values = [0, 1, 2, 3].map(|edge| {
                    let ([gx, gy, gz], (dy, dz)) = (edges[edge], EDGES[edge]);
                    gx * (x - dx) + gy * (y - dy as f32) + gz * (z - dz as f32)
                });
                blend(values, fade_y, fade_z)
            });
        let mut end = || ends.next().unwrap_or_default();
        lerp(end(), end(), fade(x))
    }

    /// Calls `row` with the number of each row of `block` and the noise along it, for a texture of
    /// one period, shifted by `offset` cells.
    pub(super) fn rows(&self, block: &Block, offset: [f32; 3], row: impl FnMut(usize, &[f32])) {
        let grid = Grid::new(block.size, self.period as u32, offset);
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
        let fades: Vec<f32> = along.fractions.iter().copied().map(fade).collect();
        let cells = along.cells();
        let mut edges = Vec::with_capacity(cells.len() + 1);
        let mut planes = vec![Plane::default(); cells.len() + 1];
        let mut values = vec![0.0; block.size + LANES];
        for (y_run, z_run) in grid.cell_rows(block) {
            edges.clear();
            edges.extend(self.edges(cells.start, cells.len(), y_run.cell, z_run.cell));
            for z in z_run.texels.clone() {
                for y in y_run.texels.clone() {
                    collapse(&edges, across.fractions[y], up.fractions[z], &mut planes);
                    for run in &along.runs {
                        let left = (run.cell - cells.start) as usize;
                        for first in run.texels.clone().step_by(LANES) {
                            let texels = first..first + LANES;
                            interpolate::<LANES>(
                                [planes[left], planes[left + 1]],
                                &along.fractions[texels.clone()],
                                &fades[texels.clone()],
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

    /// Gradients on the four edges along x of a row of `count` cells, one item a node.
    fn edges(
        &self,
        first: i32,
        count: usize,
        y: i32,
        z: i32,
    ) -> impl Iterator<Item = [[f32; 3]; 4]> {
        let (first, ys, zs) = (self.wrap(first), self.ends(y), self.ends(z));
        (0..=count as i32).map(move |step| {
            let x = self.wrap(first + step) as isize;
            EDGES.map(|(dy, dz)| DIRECTIONS[self.table.hash(&[x, ys[dy], zs[dz]]) & 15])
        })
    }

    /// The lattice coordinate within the period.
    fn wrap(&self, cell: i32) -> i32 {
        cell.rem_euclid(self.period)
    }

    /// Both ends of a cell, wrapped. Wrapped before the step too, which might lead beyond the
    /// last i32.
    fn ends(&self, cell: i32) -> [isize; 2] {
        [0, 1].map(|step| self.wrap(self.wrap(cell) + step) as isize)
    }
}

/// What the gradients at one lattice node, blended across y and z, make along x: `value + slope·dx`
/// at distance dx from the node.
#[derive(Clone, Copy, Default)]
struct Plane {
    value: f32,
    slope: f32,
}

/// Blends the four edges of a row of cells at (y, z) into one.
fn collapse(edges: &[[[f32; 3]; 4]], y: f32, z: f32, planes: &mut [Plane]) {
    let (fade_y, fade_z) = (fade(y), fade(z));
    for (plane, gradients) in planes.iter_mut().zip(edges) {
        let mut values = [0.0; 4];
        for ((value, [_, gy, gz]), (dy, dz)) in values.iter_mut().zip(gradients).zip(EDGES) {
            *value = gy * (y - dy as f32) + gz * (z - dz as f32);
        }
        plane.value = blend(values, fade_y, fade_z);
        plane.slope = blend(gradients.map(|[gx, _, _]| gx), fade_y, fade_z);
    }
}

/// The noise at `LANES` texels between two nodes.
fn interpolate<const LANES: usize>(
    [left, right]: [Plane; 2],
    fractions: &[f32],
    fades: &[f32],
    values: &mut [f32],
) {
    for lane in 0..LANES {
        let x = fractions[lane];
        let from = left.value + left.slope * x;
        let to = right.value + right.slope * (x - 1.0);
        values[lane] = lerp(from, to, fades[lane]);
    }
}

/// 6t⁵ - 15t⁴ + 10t³: first and second derivative vanish at both ends.
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

fn lerp(from: f32, to: f32, t: f32) -> f32 {
    from + t * (to - from)
}

/// Interpolates between four [`EDGES`].
fn blend([v00, v10, v01, v11]: [f32; 4], y: f32, z: f32) -> f32 {
    lerp(lerp(v00, v10, y), lerp(v01, v11, y), z)
}

#[cfg(test)]
mod tests {
    use ::noise::core::perlin::perlin_3d;
    use ::noise::math::vectors::Vector3;

    use super::*;
    use crate::noise::hash::{pcg3d, unit};

    const PERIODS: [u32; 5] = [1, 4, 5, 64, 256];

    /// Points spread over -`reach`..`reach`.
    fn points(count: u32, reach: f32) -> impl Iterator<Item = [f32; 3]> {
        (0..count).map(move |i| pcg3d([i, 1, 2]).map(|word| (2.0 * unit(word) - 1.0) * reach))
    }

    struct Periodic(PermutationTable, isize);

    impl NoiseHasher for Periodic {
        fn hash(&self, node: &[isize]) -> usize {
            let node: Vec<_> = node.iter().map(|c| c.rem_euclid(self.1)).collect();
            self.0.hash(&node)
        }
    }

    #[test]
    fn equals_the_noise_crate() {
        for (seed, period) in [0, 1, 1234, u32::MAX].into_iter().zip(PERIODS) {
            let perlin = Perlin::new(seed, period);
            let oracle = Periodic(PermutationTable::new(seed), period as isize);
            for p in points(5000, 40.0) {
                let [x, y, z] = p.map(f64::from);
                let expected = perlin_3d(Vector3::new(x, y, z), &oracle);
                let value = f64::from(perlin.at(p)) * (2.0 / 3.0_f64.sqrt());
                let difference = (value.clamp(-1.0, 1.0) - expected).abs();
                assert!(
                    difference < 1e-6,
                    "seed {seed}, period {period}, {p:?}: off by {difference}"
                );
            }
        }
    }

    #[test]
    fn rows_equal_points() {
        let offset = [0.37, 0.0, 0.81];
        for (size, period) in [(16, 1), (32, 4), (24, 5), (16, 8), (32, 64)] {
            let perlin = Perlin::new(7, period);
            let block = Block { size, slices: 3..9 };
            let mut rows = 0;
            perlin.rows(&block, offset, |row, values| {
                rows += 1;
                let texel = [0, row % size, row / size + block.slices.start];
                for (x, value) in values.iter().enumerate() {
                    let at = [texel[0] + x, texel[1], texel[2]];
                    let p = [0, 1, 2].map(|axis| {
                        (at[axis] as f32 + 0.5) * period as f32 / size as f32 + offset[axis]
                    });
                    assert!(
                        (value - perlin.at(p)).abs() < 1e-5,
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
            let perlin = Perlin::new(3, period);
            // Quarters are exact, so that the period changes nothing but the cell.
            for p in points(2000, 20.0).map(|p| p.map(|c| (c * 4.0).round() / 4.0)) {
                for axis in 0..3 {
                    let mut q = p;
                    q[axis] -= 3.0 * period as f32;
                    assert_eq!(perlin.at(p), perlin.at(q), "period {period}, {p:?}");
                }
            }
        }
    }

    #[test]
    fn vanishes_at_lattice_nodes() {
        let perlin = Perlin::new(u32::MAX, 8);
        for p in points(1000, 20.0) {
            assert_eq!(perlin.at(p.map(f32::round)), 0.0);
        }
    }

    #[test]
    fn is_twice_differentiable_across_cells() {
        let perlin = Perlin::new(5, 16);
        let step = 1.0 / 64.0;
        for p in points(500, 10.0) {
            let node = p[0].round();
            let f = |dx: f32| f64::from(perlin.at([node + dx, p[1], p[2]]));
            let slope = |x: f32| (f(x + step) - f(x)) / f64::from(step);
            let bend = |x: f32| (f(x + step) - 2.0 * f(x) + f(x - step)) / f64::from(step * step);
            assert!((f(1e-6) - f(-1e-6)).abs() < 1e-4, "jump at {p:?}");
            assert!((slope(0.0) - slope(-step)).abs() < 0.1, "kink at {p:?}");
            assert!(
                (bend(step) - bend(-step)).abs() < 3.0,
                "jump of curvature at {p:?}"
            );
        }
    }

    #[test]
    fn has_the_documented_statistics() {
        let perlin = Perlin::new(11, 256);
        let count = 1_000_000;
        let (mut sum, mut absolute, mut square, mut largest) = (0.0, 0.0, 0.0, 0.0_f32);
        for n in points(count, 128.0).map(|p| perlin.at(p)) {
            sum += f64::from(n);
            absolute += f64::from(n.abs());
            square += f64::from(n * n);
            largest = largest.max(n.abs());
        }
        let mean = |sum: f64| (sum / f64::from(count)) as f32;
        assert!(mean(sum).abs() < 0.005, "mean {}", mean(sum));
        assert!(
            (mean(absolute) - MEAN_ABSOLUTE).abs() < 0.005,
            "mean |n| {}",
            mean(absolute)
        );
        assert!(
            (mean(square).sqrt() - DEVIATION).abs() < 0.005,
            "deviation {}",
            mean(square).sqrt()
        );
        assert!(largest <= BOUND, "{largest}");
    }

    #[test]
    fn survives_any_coordinate() {
        let perlin = Perlin::new(0, 7);
        for c in [f32::MAX, f32::MIN, 2_147_483_600.0, -2_147_483_648.0] {
            assert!(perlin.at([c, -c, 0.5]).is_finite(), "{c}");
        }
    }

    #[test]
    fn seeds_differ() {
        let at = |seed| Perlin::new(seed, 8).at([0.4, 1.3, 2.2]);
        assert_ne!(at(0), at(1));
        assert_ne!(at(0), at(u32::MAX));
    }
}
