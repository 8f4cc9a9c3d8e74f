//! Gradient noise laid open: the corners of a cell, their gradients, dot products and weights.
//!
//! [`Perlin`](super::perlin::Perlin) is the noise that the textures are baked from. This one is slower and shows its
//! working: any fade, any set of gradients, in the plane or in space, and every number on the way.

use std::f64::consts::{PI, TAU};

use ::noise::permutationtable::{NoiseHasher, PermutationTable};

use super::hash::{pcg3d, unit};

/// How the influence of a node falls towards its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fade {
    /// t: the slope jumps at each node.
    Linear,
    /// 3t² − 2t³ (Perlin 1985): the curvature jumps.
    Cubic,
    /// 6t⁵ − 15t⁴ + 10t³ (Perlin 2002): slope and curvature vanish at both ends.
    Quintic,
}

impl Fade {
    /// All of them, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 3] = [Self::Linear, Self::Cubic, Self::Quintic];
    /// Their names.
    pub const NAMES: [&str; 3] = ["linear", "cubic", "quintic"];

    /// The curve at `t` in 0..1.
    pub fn at(self, t: f64) -> f64 {
        match self {
            Self::Linear => t,
            Self::Cubic => t * t * (3.0 - 2.0 * t),
            Self::Quintic => t * t * t * (t * (6.0 * t - 15.0) + 10.0),
        }
    }
}

/// Which directions the gradients at the nodes are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gradients {
    /// The plane's four diagonals, (±1, ±1).
    Diagonals,
    /// Eight directions of the compass, of length 1.
    Compass,
    /// 256 directions on the circle.
    Circle,
    /// The twelve directions from a cube's centre to its edges (Perlin 2002).
    Edges,
    /// 256 directions on the sphere, uniform: cosθ = 1 − 2ξ.
    Sphere,
    /// 256 points in the cube, normalised: they crowd towards the corners.
    Cube,
    /// 256 directions of two uniform angles: they crowd at the poles.
    Angles,
}

impl Gradients {
    /// All of them, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 7] = [
        Self::Diagonals,
        Self::Compass,
        Self::Circle,
        Self::Edges,
        Self::Sphere,
        Self::Cube,
        Self::Angles,
    ];
    /// Their names.
    pub const NAMES: [&str; 7] = [
        "4 diagonals",
        "8 directions",
        "256 on the circle",
        "12 edges",
        "256 on the sphere",
        "256 in the cube (naive)",
        "256 by angles (naive)",
    ];

    /// 2 in the plane, 3 in space.
    pub fn dimensions(self) -> usize {
        match self {
            Self::Diagonals | Self::Compass | Self::Circle => 2,
            Self::Edges | Self::Sphere | Self::Cube | Self::Angles => 3,
        }
    }

    /// The directions; a power of two of them, z = 0 in the plane. `seed` matters where there are 256.
    pub fn directions(self, seed: u32) -> Vec<[f64; 3]> {
        let random = |make: fn([f64; 3]) -> Option<[f64; 3]>| {
            (0..)
                .filter_map(|i| make(pcg3d([i, seed, 0x9e37]).map(|word| f64::from(unit(word)))))
                .take(256)
                .collect()
        };
        match self {
            Self::Diagonals => [[1, 1], [-1, 1], [1, -1], [-1, -1]]
                .map(|[x, y]| [f64::from(x), f64::from(y), 0.0])
                .to_vec(),
            Self::Compass => (0..8)
                .map(|i| f64::from(i) * TAU / 8.0)
                .map(|angle| [angle.cos(), angle.sin(), 0.0])
                .collect(),
            Self::Circle => random(|[a, ..]| Some([(TAU * a).cos(), (TAU * a).sin(), 0.0])),
            Self::Edges => super::perlin::DIRECTIONS
                .map(|direction| direction.map(f64::from))
                .to_vec(),
            Self::Sphere => random(|[a, b, _]| Some(spherical(1.0 - 2.0 * b, TAU * a))),
            Self::Cube => random(|xi| {
                let p = xi.map(|xi| 2.0 * xi - 1.0);
                let length = dot(p, p).sqrt();
                (length > 1e-3).then(|| p.map(|c| c / length))
            }),
            Self::Angles => random(|[a, b, _]| Some(spherical((PI * b).cos(), TAU * a))),
        }
    }
}

/// The direction with this cosine from the y axis and this angle about it.
fn spherical(cos_theta: f64, phi: f64) -> [f64; 3] {
    let sin_theta = (1.0 - cos_theta * cos_theta).max(0.0).sqrt();
    [sin_theta * phi.cos(), cos_theta, sin_theta * phi.sin()]
}

/// What one node says about a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// The node, in lattice coordinates.
    pub node: [i64; 3],
    /// Its gradient.
    pub gradient: [f64; 3],
    /// From the node to the point.
    pub offset: [f64; 3],
    /// `gradient · offset`: the height of the node's slope at the point.
    pub dot: f64,
    /// The node's share, 0 to 1; those of all corners add up to 1.
    pub weight: f64,
}

/// Gradient noise (Perlin 1985, "An Image Synthesizer") that repeats after 256 cells.
#[derive(Clone)]
pub struct Lattice {
    table: PermutationTable,
    directions: Vec<[f64; 3]>,
    dimensions: usize,
    fade: Fade,
}

impl Lattice {
    /// Any seed will do. With [`Gradients::Diagonals`] in the plane, or [`Gradients::Edges`] in space, and
    /// [`Fade::Quintic`] this is the Perlin noise of the noise crate, over 2/√n and not clamped.
    pub fn new(seed: u32, gradients: Gradients, fade: Fade) -> Self {
        Self {
            table: PermutationTable::new(seed),
            directions: gradients.directions(seed),
            dimensions: gradients.dimensions(),
            fade,
        }
    }

    /// The noise at a point, in lattice cells; z does not matter in the plane.
    pub fn at(&self, p: [f64; 3]) -> f64 {
        let cell = self.cell(p);
        (0..self.count())
            .map(|index| self.corner(&cell, index))
            .map(|corner| corner.weight * corner.dot)
            .sum()
    }

    /// The corners of the cell that a point lies in, x first: 4 in the plane, 8 in space.
    pub fn corners(&self, p: [f64; 3]) -> Vec<Corner> {
        let cell = self.cell(p);
        (0..self.count())
            .map(|index| self.corner(&cell, index))
            .collect()
    }

    /// The gradient at a node.
    pub fn gradient(&self, node: [i64; 3]) -> [f64; 3] {
        let node = node.map(|c| c as isize);
        let hash = self.table.hash(&node[..self.dimensions]);
        self.directions[hash & (self.directions.len() - 1)]
    }

    fn count(&self) -> usize {
        1 << self.dimensions
    }

    fn cell(&self, mut p: [f64; 3]) -> Cell {
        p[self.dimensions..].fill(0.0);
        let floor = p.map(f64::floor);
        let fraction = [0, 1, 2].map(|axis| p[axis] - floor[axis]);
        Cell {
            // Beyond the largest i64 the cast saturates; a step from there must not overflow.
            node: floor.map(|c| (c as i64).min(i64::MAX - 1)),
            fraction,
            fades: fraction.map(|t| self.fade.at(t)),
        }
    }

    fn corner(&self, cell: &Cell, index: usize) -> Corner {
        let step = [0, 1, 2].map(|axis| (index >> axis) & 1);
        let axes = [0, 1, 2];
        let node = axes.map(|axis| cell.node[axis] + step[axis] as i64);
        let offset = axes.map(|axis| cell.fraction[axis] - step[axis] as f64);
        let gradient = self.gradient(node);
        let weight = axes[..self.dimensions]
            .iter()
            .map(|&axis| match step[axis] {
                0 => 1.0 - cell.fades[axis],
                _ => cell.fades[axis],
            });
        Corner {
            node,
            gradient,
            offset,
            dot: dot(gradient, offset),
            weight: weight.product(),
        }
    }
}

/// Where a point lies in the lattice.
struct Cell {
    node: [i64; 3],
    fraction: [f64; 3],
    fades: [f64; 3],
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The table by which nodes get their gradients: the numbers 0 to 255, shuffled by `seed` (Fisher and Yates). An
/// index beyond it begins again, which is what doubling the table to 512 entries is for.
pub fn permutation(seed: u32) -> [u8; 256] {
    let table = PermutationTable::new(seed);
    std::array::from_fn(|i| table.hash(&[i as isize]) as u8)
}

#[cfg(test)]
mod tests {
    use ::noise::{NoiseFn, Perlin};

    use super::*;

    fn points(count: u32, reach: f64) -> impl Iterator<Item = [f64; 3]> {
        (0..count)
            .map(move |i| pcg3d([i, 4, 2]).map(|word| (2.0 * f64::from(unit(word)) - 1.0) * reach))
    }

    #[test]
    fn equals_the_noise_crate_in_plane_and_space() {
        for seed in [0, 1, 77, u32::MAX] {
            let oracle = Perlin::new(seed);
            let plane = Lattice::new(seed, Gradients::Diagonals, Fade::Quintic);
            let space = Lattice::new(seed, Gradients::Edges, Fade::Quintic);
            for p in points(4000, 300.0) {
                let expected = oracle.get([p[0], p[1]]);
                let value = (plane.at(p) * 2.0_f64.sqrt()).clamp(-1.0, 1.0);
                assert!(
                    (value - expected).abs() < 1e-12,
                    "plane, seed {seed}, {p:?}"
                );
                let expected = oracle.get(p);
                let value = (space.at(p) * 2.0 / 3.0_f64.sqrt()).clamp(-1.0, 1.0);
                assert!(
                    (value - expected).abs() < 1e-12,
                    "space, seed {seed}, {p:?}"
                );
            }
        }
    }

    #[test]
    fn corners_add_up_to_the_noise() {
        for gradients in Gradients::ALL {
            for fade in Fade::ALL {
                let lattice = Lattice::new(3, gradients, fade);
                for p in points(300, 50.0) {
                    let corners = lattice.corners(p);
                    assert_eq!(corners.len(), 1 << gradients.dimensions());
                    let weights: f64 = corners.iter().map(|corner| corner.weight).sum();
                    let sum: f64 = corners.iter().map(|c| c.weight * c.dot).sum();
                    assert!((weights - 1.0).abs() < 1e-12);
                    assert!((sum - lattice.at(p)).abs() < 1e-12);
                    for corner in corners {
                        let axes = p.iter().zip(corner.offset).zip(corner.node);
                        for ((p, offset), node) in axes.take(gradients.dimensions()) {
                            assert!((p - offset - node as f64).abs() < 1e-9);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn is_zero_at_nodes_and_repeats_after_256() {
        for gradients in Gradients::ALL {
            let lattice = Lattice::new(9, gradients, Fade::Quintic);
            for p in points(200, 40.0) {
                assert_eq!(lattice.at(p.map(f64::round)), 0.0);
                let q = p.map(|c| (c * 8.0).round() / 8.0);
                let repeated = [q[0] + 256.0, q[1] - 512.0, q[2] + 256.0];
                assert_eq!(lattice.at(q), lattice.at(repeated));
            }
        }
    }

    /// The largest jump of the n-th derivative along x across a node.
    fn jump(fade: Fade, derivative: usize) -> f64 {
        let lattice = Lattice::new(5, Gradients::Diagonals, fade);
        let step = 1e-3;
        let side = |node: f64, y: f64, sign: f64| {
            let f = |i: f64| lattice.at([node + sign * step * i, y, 0.0]);
            match derivative {
                1 => sign * (f(1.0) - f(0.0)) / step,
                _ => (f(2.0) - 2.0 * f(1.0) + f(0.0)) / (step * step),
            }
        };
        points(300, 40.0)
            .map(|[x, y, _]| (side(x.round(), y, 1.0) - side(x.round(), y, -1.0)).abs())
            .fold(0.0, f64::max)
    }

    #[test]
    fn each_fade_has_its_kink() {
        assert!(jump(Fade::Linear, 1) > 0.5);
        assert!(jump(Fade::Cubic, 1) < 0.05);
        assert!(jump(Fade::Cubic, 2) > 2.0);
        assert!(jump(Fade::Quintic, 1) < 0.05);
        assert!(jump(Fade::Quintic, 2) < 0.5);
    }

    #[test]
    fn the_table_is_a_permutation() {
        for seed in [0, 1, u32::MAX] {
            let mut table = permutation(seed);
            table.sort_unstable();
            assert!(
                table
                    .iter()
                    .enumerate()
                    .all(|(i, &entry)| usize::from(entry) == i)
            );
        }
        assert_ne!(permutation(0), permutation(1));
    }

    /// χ² of many directions over cells of equal area: 8 of cosθ by 16 of the angle.
    fn chi_square(gradients: Gradients) -> f64 {
        let mut counts = [0.0_f64; 128];
        let seeds = 40;
        for seed in 0..seeds {
            for [x, y, z] in gradients.directions(seed) {
                let ring = ((0.5 - 0.5 * y) * 8.0).clamp(0.0, 7.0) as usize;
                let turn = (z.atan2(x) / TAU).rem_euclid(1.0);
                counts[ring * 16 + ((turn * 16.0) as usize).min(15)] += 1.0;
            }
        }
        let expected = f64::from(seeds * 256) / 128.0;
        counts
            .iter()
            .map(|count| (count - expected).powi(2) / expected)
            .sum()
    }

    #[test]
    fn only_the_sphere_is_uniform() {
        // With 127 degrees of freedom χ² exceeds 182 once in 1000.
        assert!(chi_square(Gradients::Sphere) < 182.0);
        assert!(chi_square(Gradients::Cube) > 182.0);
        assert!(chi_square(Gradients::Angles) > 182.0);
    }

    #[test]
    fn survives_any_coordinate() {
        let lattice = Lattice::new(0, Gradients::Edges, Fade::Quintic);
        for c in [1e300, -1e300, 9.3e18, -9.3e18, 2.0_f64.powi(52) + 0.5] {
            assert!(lattice.at([c, -c, 0.5]).is_finite(), "{c}");
        }
    }
}
