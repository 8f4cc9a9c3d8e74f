//! Sums of octaves: each finer than the last by a lacunarity of 2, and weaker.

use super::grid::Block;
use super::hash::{derive, pcg3d, unit};
use super::perlin::{self, Perlin};
use super::worley::Worley;

/// Ratio between the frequencies of successive octaves. A whole number, so that every octave fits
/// the tile.
pub const LACUNARITY: u32 = 2;

/// Cells of an octave along the edge of a tile; `None` if they would be smaller than two texels of
/// a texture of `size`³, which cannot represent them.
fn resolved(cells: u32, octave: u32, size: usize) -> Option<u32> {
    let cells = LACUNARITY
        .checked_pow(octave)
        .and_then(|ratio| cells.checked_mul(ratio))?;
    (2 * cells as usize <= size).then_some(cells)
}

/// One octave of gradient noise.
#[derive(Clone, Debug)]
struct Octave {
    perlin: Perlin,
    cells: u32,
    /// Lattice cells. Without it a lattice node of every octave would stand at the tile's corner,
    /// where the sum would be 0 whatever the seed.
    offset: [f32; 3],
    amplitude: f32,
}

/// Octaves of gradient noise over a tile.
#[derive(Clone, Debug)]
struct Octaves {
    octaves: Vec<Octave>,
    /// Sum of the amplitudes, of octaves left out too.
    amplitude: f32,
    /// Root of the sum of squares of the amplitudes, of octaves left out too.
    deviation: f32,
}

impl Octaves {
    fn new(seed: u32, cells: u32, count: u32, gain: f32, size: usize) -> Self {
        let (mut octaves, mut sum, mut squares, mut amplitude) = (Vec::new(), 0.0, 0.0, 1.0_f32);
        for index in 0..count.clamp(1, MAX_OCTAVES) {
            // The first stays, however coarse the texture, so that something is left.
            let cells = resolved(cells, index, size).or((index == 0).then_some(cells));
            if let Some(cells) = cells {
                let seed = derive(seed, index);
                let offset = pcg3d([seed, index, cells]).map(unit);
                octaves.push(Octave {
                    perlin: Perlin::new(seed, cells),
                    cells,
                    offset,
                    amplitude,
                });
            }
            sum += amplitude;
            squares += amplitude * amplitude;
            amplitude *= gain;
        }
        Self {
            octaves,
            amplitude: sum,
            deviation: squares.sqrt(),
        }
    }

    /// Sum of `shape` of the octaves at `p`, in tiles.
    fn at(&self, p: [f32; 3], shape: impl Fn(f32) -> f32) -> f32 {
        let terms = self.octaves.iter().map(|octave| {
            let cells = octave.cells as f32;
            let p = [0, 1, 2].map(|axis| p[axis] * cells + octave.offset[axis]);
            octave.amplitude * shape(octave.perlin.at(p))
        });
        terms.sum()
    }

    /// The same at every texel of `block`, x first, then y, then z.
    fn fill(&self, block: &Block, shape: impl Fn(f32) -> f32) -> Vec<f32> {
        let mut sums = vec![0.0; block.texels()];
        for octave in &self.octaves {
            octave.perlin.rows(block, octave.offset, |row, values| {
                for (sum, value) in sums[row * block.size..].iter_mut().zip(values) {
                    *sum += octave.amplitude * shape(*value);
                }
            });
        }
        sums
    }
}

/// More octaves than any texture resolves.
pub const MAX_OCTAVES: u32 = 16;

/// Fractional Brownian motion: a sum of Perlin noises over a tile.
#[derive(Clone, Debug)]
pub struct Fbm(Octaves);

impl Fbm {
    /// `octaves` (1 to [`MAX_OCTAVES`]) of noise, the first with `cells` lattice cells a tile, each
    /// next with an amplitude `gain` (0 to 1) times the last's. For a texture of `size`³ texels:
    /// octaves finer than two texels are left out, so a coarse texture is a smoothed fine one.
    pub fn new(seed: u32, cells: u32, octaves: u32, gain: f32, size: usize) -> Self {
        Self(Octaves::new(seed, cells, octaves, gain, size))
    }

    /// The sum at `p`, in tiles, divided by the sum of amplitudes: mean 0, within
    /// ±[`perlin::BOUND`].
    pub fn at(&self, p: [f32; 3]) -> f32 {
        self.0.at(p, |n| n) / self.0.amplitude
    }

    /// As [`at`](Self::at), but divided so that the standard deviation is that of a single octave,
    /// [`perlin::DEVIATION`], for any number of octaves; within ±4.2.
    pub fn spread_at(&self, p: [f32; 3]) -> f32 {
        self.0.at(p, |n| n) / self.0.deviation
    }

    /// [`spread_at`](Self::spread_at) at the texels of `block`, x first, then y, then z.
    pub fn spread(&self, block: &Block) -> Vec<f32> {
        let mut sums = self.0.fill(block, |n| n);
        for sum in &mut sums {
            *sum /= self.0.deviation;
        }
        sums
    }
}

/// Turbulence: a sum of |Perlin noise|, Perlin 1985, "An Image Synthesizer". Its creases are what
/// makes flames.
#[derive(Clone, Debug)]
pub struct Turbulence(Octaves);

impl Turbulence {
    /// As [`Fbm::new`].
    pub fn new(seed: u32, cells: u32, octaves: u32, gain: f32, size: usize) -> Self {
        Self(Octaves::new(seed, cells, octaves, gain, size))
    }

    /// The sum at `p`, in tiles, divided by its mean: mean about 1, at least 0, at most 4.71.
    pub fn at(&self, p: [f32; 3]) -> f32 {
        self.0.at(p, f32::abs) / self.mean()
    }

    /// [`at`](Self::at) the texels of `block`, x first, then y, then z.
    pub fn fill(&self, block: &Block) -> Vec<f32> {
        let mut sums = self.0.fill(block, f32::abs);
        let mean = self.mean();
        for sum in &mut sums {
            *sum /= mean;
        }
        sums
    }

    fn mean(&self) -> f32 {
        perlin::MEAN_ABSOLUTE * self.0.amplitude
    }
}

/// Octaves of one Worley sum.
const WORLEY_OCTAVES: usize = 3;

/// Three sums of three octaves of billows over a tile: [`Worley::billow`] at 1, 2 and 4 times a
/// number of cells, at 2, 4 and 8 times, and at 4, 8 and 16 times. Channels share their octaves.
#[derive(Clone, Debug)]
pub struct WorleyFbm {
    /// The noises, and their weight in each channel.
    octaves: Vec<(Worley, f32, [f32; 3])>,
}

impl WorleyFbm {
    /// Channels that start at `cells`, 2·`cells` and 4·`cells` a tile, their octaves weighted by
    /// `weights`, coarse to fine. Each channel is divided by its sum of weights; if that is 0, it
    /// is its first octave.
    ///
    /// For a texture of `size`³ texels: octaves finer than two texels are left out, except the
    /// first of each channel.
    pub fn new(seed: u32, cells: u32, weights: [f32; WORLEY_OCTAVES], size: usize) -> Self {
        let mut shares = [[0.0; 3]; WORLEY_OCTAVES + 2];
        for channel in 0..3 {
            let count = (0..WORLEY_OCTAVES as u32)
                .take_while(|octave| resolved(cells, channel as u32 + octave, size).is_some())
                .count();
            for (octave, weight) in normalized(weights, count.max(1)).into_iter().enumerate() {
                shares[channel + octave][channel] = weight;
            }
        }
        let octaves = (0..)
            .zip(shares)
            .filter(|(_, shares)| shares.iter().any(|&share| share > 0.0));
        let octaves = octaves.map(|(octave, shares)| {
            let cells = cells * LACUNARITY.pow(octave);
            (Worley::new(seed, cells), cells as f32, shares)
        });
        Self {
            octaves: octaves.collect(),
        }
    }

    /// The channels at `p`, in tiles, each 0 to 1, mean about .6.
    pub fn at(&self, p: [f32; 3]) -> [f32; 3] {
        self.octaves
            .iter()
            .fold([0.0; 3], |sums, (worley, cells, shares)| {
                let billow = worley.billow(p.map(|c| c * cells));
                [0, 1, 2].map(|channel| sums[channel] + shares[channel] * billow)
            })
    }

    /// [`at`](Self::at) the texels of `block`, x first, then y, then z.
    pub fn fill(&self, block: &Block) -> [Vec<f32>; 3] {
        let mut channels = [0, 1, 2].map(|_| vec![0.0; block.texels()]);
        for (worley, _, shares) in &self.octaves {
            worley.rows(block, |row, values| {
                for (channel, share) in channels
                    .iter_mut()
                    .zip(shares)
                    .filter(|(_, share)| **share > 0.0)
                {
                    for (sum, value) in channel[row * block.size..].iter_mut().zip(values) {
                        *sum += share * value;
                    }
                }
            });
        }
        channels
    }
}

/// The first `count` weights, of sum 1.
fn normalized(weights: [f32; WORLEY_OCTAVES], count: usize) -> [f32; WORLEY_OCTAVES] {
    // Also turns NaN into 0.
    let mut weights = weights.map(|weight| weight.max(0.0));
    weights[count..].fill(0.0);
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        weights.map(|weight| weight / sum)
    } else {
        [1.0, 0.0, 0.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: usize = 1024;

    /// Points in a tile, on multiples of 2⁻¹⁰, so that whole tiles can be added exactly.
    fn points(count: u32) -> impl Iterator<Item = [f32; 3]> {
        (0..count).map(|i| pcg3d([i, 1, 2]).map(|word| (unit(word) * 1024.0).floor() / 1024.0))
    }

    /// The texels of a block, in tiles.
    fn texels(block: &Block) -> impl Iterator<Item = [f32; 3]> {
        let (n, slices) = (block.size, block.slices.clone());
        let centre = move |texel: usize| (texel as f32 + 0.5) / n as f32;
        slices
            .flat_map(move |z| (0..n).flat_map(move |y| (0..n).map(move |x| [x, y, z].map(centre))))
    }

    #[test]
    fn octaves_that_the_texture_cannot_show_are_left_out() {
        assert_eq!(Octaves::new(0, 4, 5, 0.5, 128).octaves.len(), 5);
        assert_eq!(Octaves::new(0, 4, 8, 0.5, 128).octaves.len(), 5);
        assert_eq!(Octaves::new(0, 4, 5, 0.5, 32).octaves.len(), 3);
        assert_eq!(Octaves::new(0, 8, 5, 0.5, 8).octaves.len(), 1);
        assert_eq!(
            Octaves::new(0, 4, u32::MAX, 0.5, usize::MAX).octaves.len(),
            16
        );
        assert_eq!(WorleyFbm::new(0, 4, [0.6, 0.3, 0.1], 128).octaves.len(), 5);
        assert_eq!(WorleyFbm::new(0, 4, [0.6, 0.3, 0.1], 8).octaves.len(), 3);
    }

    #[test]
    fn blocks_equal_points() {
        let block = Block {
            size: 32,
            slices: 5..9,
        };
        let fbm = Fbm::new(1, 3, 3, 0.5, 32);
        let turbulence = Turbulence::new(1, 4, 3, 0.5, 32);
        let worley = WorleyFbm::new(1, 2, [0.6, 0.3, 0.1], 32);
        let (spread, folded, billows) = (
            fbm.spread(&block),
            turbulence.fill(&block),
            worley.fill(&block),
        );
        for (texel, p) in texels(&block).enumerate() {
            assert!(
                (spread[texel] - fbm.spread_at(p)).abs() < 2e-5,
                "fBm at {p:?}"
            );
            assert!(
                (folded[texel] - turbulence.at(p)).abs() < 2e-4,
                "turbulence at {p:?}"
            );
            for (channel, value) in worley.at(p).into_iter().enumerate() {
                assert!(
                    (billows[channel][texel] - value).abs() < 1e-5,
                    "Worley at {p:?}"
                );
            }
        }
    }

    #[test]
    fn tiles() {
        let fbm = Fbm::new(2, 4, 5, 0.5, FINE);
        let turbulence = Turbulence::new(2, 5, 4, 0.5, FINE);
        let worley = WorleyFbm::new(2, 4, [0.6, 0.3, 0.1], FINE);
        for p in points(500) {
            let q = [p[0] + 1.0, p[1] - 1.0, p[2] - 2.0];
            assert!((fbm.at(p) - fbm.at(q)).abs() < 1e-4, "{p:?}");
            assert!((turbulence.at(p) - turbulence.at(q)).abs() < 1e-3, "{p:?}");
            for (here, there) in worley.at(p).into_iter().zip(worley.at(q)) {
                assert!((here - there).abs() < 1e-4, "{p:?}");
            }
        }
    }

    #[test]
    fn stays_in_range() {
        let fbm = Fbm::new(3, 4, 16, 0.9, usize::MAX);
        let turbulence = Turbulence::new(3, 4, 16, 0.9, usize::MAX);
        let worley = WorleyFbm::new(3, 4, [1.0, 1.0, 1.0], FINE);
        let mut mean = 0.0;
        for p in points(2000) {
            assert!(fbm.at(p).abs() <= perlin::BOUND);
            assert!((0.0..4.71).contains(&turbulence.at(p)));
            assert!(worley.at(p).iter().all(|v| (0.0..=1.0).contains(v)));
            mean += turbulence.at(p) / 2000.0;
        }
        assert!((mean - 1.0).abs() < 0.03, "mean turbulence {mean}");
    }

    #[test]
    fn spread_does_not_depend_on_the_number_of_octaves() {
        for octaves in [1, 3, 6] {
            let fbm = Fbm::new(4, 16, octaves, 0.6, FINE);
            let square = points(20_000)
                .map(|p| f64::from(fbm.spread_at(p).powi(2)))
                .sum::<f64>();
            let deviation = (square / 20_000.0).sqrt() as f32;
            assert!(
                (deviation - perlin::DEVIATION).abs() < 0.01,
                "{octaves} octaves: {deviation}"
            );
        }
    }

    #[test]
    fn the_corner_of_the_tile_is_not_special() {
        let corner = |seed| Fbm::new(seed, 4, 5, 0.5, FINE).at([0.0; 3]);
        assert!((0..8).all(|seed| corner(seed) != 0.0));
        assert_ne!(corner(0), corner(1));
        assert_ne!(Turbulence::new(0, 4, 1, 0.5, FINE).at([0.0; 3]), 0.0);
    }

    #[test]
    fn no_weights_leave_the_first_octave() {
        for weights in [[0.0; 3], [-1.0, 0.0, f32::NAN]] {
            let alone = WorleyFbm::new(5, 4, [1.0, 0.0, 0.0], FINE);
            let none = WorleyFbm::new(5, 4, weights, FINE);
            for p in points(100) {
                assert_eq!(none.at(p), alone.at(p));
            }
        }
    }

    #[test]
    fn seeds_differ() {
        let p = [0.3, 0.6, 0.9];
        for seed in [1, u32::MAX] {
            assert_ne!(
                Fbm::new(0, 4, 3, 0.5, FINE).at(p),
                Fbm::new(seed, 4, 3, 0.5, FINE).at(p)
            );
            assert_ne!(
                Turbulence::new(0, 4, 3, 0.5, FINE).at(p),
                Turbulence::new(seed, 4, 3, 0.5, FINE).at(p)
            );
            let worley = |seed| WorleyFbm::new(seed, 4, [0.6, 0.3, 0.1], FINE).at(p);
            assert_ne!(worley(0), worley(seed));
        }
    }
}
