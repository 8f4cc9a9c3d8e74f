//! The contents of the textures: what each channel of each is made of.

use super::grid::Block;
use super::fractal::{Fbm, Turbulence, WorleyFbm};
use super::hash::derive;
use super::params::NoiseParams;

/// Maps `from` to `to` linearly, and beyond.
pub fn remap(value: f32, from: [f32; 2], to: [f32; 2]) -> f32 {
    to[0] + (value - from[0]) * (to[1] - to[0]) / (from[1] - from[0])
}

/// Perlin noise (0 to 1) dilated by billows (0 to 1): connected like the one, lobed like the other. 0 to 1.
///
/// Schneider 2015, "The Real-Time Volumetric Cloudscapes of Horizon Zero Dawn", slide 31.
pub fn perlin_worley(perlin: f32, billows: f32) -> f32 {
    remap(perlin, [0.0, 1.0], [billows, 1.0])
}
