//! The recipes: what each channel of each texture is made of.

use super::fractal::{Fbm, Turbulence, WorleyFbm};
use super::grid::Block;
use super::hash::derive;
use super::params::NoiseParams;

/// Maps `from` to `to` linearly, and beyond them alike.
pub fn remap(value: f32, from: [f32; 2], to: [f32; 2]) -> f32 {
    to[0] + (value - from[0]) * (to[1] - to[0]) / (from[1] - from[0])
}

/// Perlin noise (0 to 1) dilated by billows (0 to 1): connected like the one, lobed like the other;
/// 0 to 1.
///
/// Schneider 2015, "The Real-Time Volumetric Cloudscapes of Horizon Zero Dawn", Advances in
/// Real-Time Rendering, SIGGRAPH.
pub fn perlin_worley(perlin: f32, billows: f32) -> f32 {
    remap(perlin, [0.0, 1.0], [billows, 1.0])
}

/// Ratio of amplitudes of successive octaves of gradient noise: each octave is as steep as the
/// last.
const GAIN: f32 = 0.5;

/// Fills whole slices of a texture.
pub trait Recipe: Sync {
    /// The texels of `block`, RGBA, x first, then y, then z.
    fn fill(&self, block: &Block, texels: &mut [[u8; 4]]);
}

/// Shapes of clouds. R is [`perlin_worley`] of Perlin fBm and G; G, B and A are billows that start
/// at 1, 2 and 4 times the base frequency.
pub struct Base {
    perlin: Fbm,
    billows: WorleyFbm,
}

impl Base {
    /// Stretches the Perlin fBm, whose deviation is a mere .135 of the way from 0 to 1, to fill
    /// that range. Cuts off one value in 100.
    const CONTRAST: f32 = 1.5;

    /// For a texture of `size`³ texels.
    pub fn new(params: &NoiseParams, size: usize) -> Self {
        let cells = params.base_frequency.max(1);
        Self {
            perlin: Fbm::new(derive(params.seed, 0), cells, params.octaves, GAIN, size),
            billows: WorleyFbm::new(derive(params.seed, 1), cells, params.worley_weights(), size),
        }
    }
}

impl Recipe for Base {
    fn fill(&self, block: &Block, texels: &mut [[u8; 4]]) {
        let perlin = self.perlin.spread(block);
        let [low, mid, high] = self.billows.fill(block);
        for (i, texel) in texels.iter_mut().enumerate() {
            let perlin = biased(Self::CONTRAST * perlin[i]).clamp(0.0, 1.0);
            *texel = [perlin_worley(perlin, low[i]), low[i], mid[i], high[i]].map(unorm);
        }
    }
}

/// Erosion of surfaces. R, G and B are billows that start at 2, 4 and 8 cells a tile; A is their
/// weighted sum.
pub struct Detail {
    billows: WorleyFbm,
    weights: [f32; 3],
}

impl Detail {
    /// For a texture of `size`³ texels.
    pub fn new(params: &NoiseParams, size: usize) -> Self {
        let weights = params.worley_weights();
        Self {
            billows: WorleyFbm::new(derive(params.seed, 2), 2, weights, size),
            weights,
        }
    }
}

impl Recipe for Detail {
    fn fill(&self, block: &Block, texels: &mut [[u8; 4]]) {
        let [low, mid, high] = self.billows.fill(block);
        let [a, b, c] = self.weights;
        for (i, texel) in texels.iter_mut().enumerate() {
            let sum = a * low[i] + b * mid[i] + c * high[i];
            *texel = [low[i], mid[i], high[i], sum].map(unorm);
        }
    }
}

/// Displacement and fire. R, G and B are a vector of independent Perlin fBm, of which 0 to 1 stands
/// for -1 to 1, with the spread of plain Perlin noise (mean of |n| .220, deviation .270); A is
/// [`Self::TURBULENCE`] times turbulence of mean 1. All start at 4 cells a tile.
pub struct Vectors {
    vector: [Fbm; 3],
    turbulence: Turbulence,
}

impl Vectors {
    /// What a turbulence of 1 is stored as.
    pub const TURBULENCE: f32 = 0.4;
    const CELLS: u32 = 4;

    /// For a texture of `size`³ texels.
    pub fn new(params: &NoiseParams, size: usize) -> Self {
        let vector =
            [3, 4, 5].map(|part| Fbm::new(derive(params.seed, part), Self::CELLS, 2, GAIN, size));
        let turbulence = Turbulence::new(derive(params.seed, 6), Self::CELLS, 3, GAIN, size);
        Self { vector, turbulence }
    }
}

impl Recipe for Vectors {
    fn fill(&self, block: &Block, texels: &mut [[u8; 4]]) {
        let [x, y, z] = self.vector.each_ref().map(|fbm| fbm.spread(block));
        let turbulence = self.turbulence.fill(block);
        for (i, texel) in texels.iter_mut().enumerate() {
            let w = Self::TURBULENCE * turbulence[i];
            *texel = [biased(x[i]), biased(y[i]), biased(z[i]), w].map(unorm);
        }
    }
}

/// Maps -1..1 to 0..1.
fn biased(value: f32) -> f32 {
    0.5 + 0.5 * value
}

/// 0 to 1 as the nearest of 256 steps; what lies outside is cut off.
fn unorm(value: f32) -> u8 {
    // The cast saturates.
    (value * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(recipe: &impl Recipe, size: usize) -> Vec<[u8; 4]> {
        let block = Block {
            size,
            slices: 0..size,
        };
        let mut texels = vec![[0; 4]; block.texels()];
        recipe.fill(&block, &mut texels);
        texels
    }

    fn textures(params: &NoiseParams) -> [(&'static str, usize, Vec<[u8; 4]>); 3] {
        [
            ("base", 64, filled(&Base::new(params, 64), 64)),
            ("detail", 32, filled(&Detail::new(params, 32), 32)),
            ("vectors", 64, filled(&Vectors::new(params, 64), 64)),
        ]
    }

    fn mean(texels: &[[u8; 4]], channel: usize) -> f64 {
        let sum = texels
            .iter()
            .map(|texel| f64::from(texel[channel]))
            .sum::<f64>();
        sum / texels.len() as f64 / 255.0
    }

    #[test]
    fn remap_is_linear() {
        assert_eq!(remap(1.0, [0.0, 2.0], [4.0, 8.0]), 6.0);
        assert_eq!(remap(-1.0, [0.0, 1.0], [0.0, 3.0]), -3.0);
        assert_eq!(perlin_worley(0.0, 0.3), 0.3);
        assert_eq!(perlin_worley(1.0, 0.3), 1.0);
    }

    #[test]
    fn storage_rounds_and_saturates() {
        assert_eq!(
            [-0.1, 0.0, 0.5, 1.0, 1.1, f32::NAN].map(unorm),
            [0, 0, 128, 255, 255, 0]
        );
        assert_eq!([-1.0, 0.0, 1.0].map(biased), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn channels_use_their_range() {
        for (name, _, texels) in textures(&NoiseParams::default()) {
            for channel in 0..4 {
                let mut counts = [0_usize; 256];
                texels
                    .iter()
                    .for_each(|texel| counts[usize::from(texel[channel])] += 1);
                let distinct = counts.iter().filter(|&&count| count > 0).count();
                assert!(
                    distinct >= 150,
                    "{name}, channel {channel}: {distinct} values"
                );
                let clipped = (counts[0] + counts[255]) as f64 / texels.len() as f64;
                assert!(
                    clipped < 0.015,
                    "{name}, channel {channel}: {clipped} cut off"
                );
            }
        }
    }

    #[test]
    fn channels_have_the_documented_means() {
        let expected = [
            ("base", [0.8, 0.6, 0.6, 0.6]),
            ("detail", [0.6, 0.6, 0.6, 0.6]),
            ("vectors", [0.5, 0.5, 0.5, f64::from(Vectors::TURBULENCE)]),
        ];
        for ((name, _, texels), (_, means)) in
            textures(&NoiseParams::default()).iter().zip(expected)
        {
            for (channel, expected) in means.into_iter().enumerate() {
                let mean = mean(texels, channel);
                assert!(
                    (mean - expected).abs() < 0.05,
                    "{name}, channel {channel}: mean {mean}"
                );
            }
        }
    }

    /// Texels on both sides of the tile's edge differ no more than any other neighbours.
    #[test]
    fn edges_are_continuous() {
        for (name, n, texels) in textures(&NoiseParams {
            base_frequency: 3,
            ..Default::default()
        }) {
            for (channel, stride) in (0..4).flat_map(|c| [1, n, n * n].map(|stride| (c, stride))) {
                let value = |texel: usize| f64::from(texels[texel][channel]);
                let (mut within, mut across) = (0.0, 0.0);
                for texel in 0..n * n * n {
                    if texel / stride % n > 0 {
                        within += (value(texel) - value(texel - stride)).abs();
                    } else {
                        across += (value(texel) - value(texel + (n - 1) * stride)).abs();
                    }
                }
                // There are n - 1 steps within the tile for one across its edge.
                let ratio = across * (n - 1) as f64 / within;
                assert!(
                    ratio < 1.25,
                    "{name}, channel {channel}, stride {stride}: {ratio}"
                );
            }
        }
    }

    #[test]
    fn the_seed_changes_every_channel() {
        let [first, second] = [0, u32::MAX].map(|seed| {
            textures(&NoiseParams {
                seed,
                ..Default::default()
            })
        });
        for ((name, _, first), (_, _, second)) in first.iter().zip(&second) {
            for channel in 0..4 {
                let changed = first
                    .iter()
                    .zip(second)
                    .filter(|(a, b)| a[channel] != b[channel])
                    .count();
                assert!(changed > first.len() * 9 / 10, "{name}, channel {channel}");
            }
        }
    }

    #[test]
    fn vectors_are_independent_and_keep_the_spread_of_perlin_noise() {
        let texels = filled(&Vectors::new(&NoiseParams::default(), 64), 64);
        let value = |texel: &[u8; 4], axis: usize| f64::from(texel[axis]) / 127.5 - 1.0;
        let average =
            |f: &dyn Fn(&[u8; 4]) -> f64| texels.iter().map(f).sum::<f64>() / texels.len() as f64;
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let product = average(&|texel| value(texel, a) * value(texel, b));
            assert!(product.abs() < 0.015, "axes {a} and {b}: {product}");
            let magnitude = average(&|texel| value(texel, a).abs());
            assert!(
                (magnitude - 0.22).abs() < 0.02,
                "axis {a}: mean |n| {magnitude}"
            );
        }
    }
}
