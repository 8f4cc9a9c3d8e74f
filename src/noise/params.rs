//! What can be tuned about the noise.

use bevy::prelude::*;
use smart_default::SmartDefault;

use crate::param::{Group, Section, Unit};

/// Recipe of the noise textures.
#[derive(Resource, Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default, @Section { key: "noise", title: "Noise" })]
pub struct NoiseParams {
    /// Which of all noises.
    #[default(0)]
    #[reflect(@0..=9999_u32, @Group("Noise"))]
    pub seed: u32,
    /// Cells of the coarsest octave along the tile of the base texture: lower makes fewer and
    /// rounder lobes.
    #[default(4)]
    #[reflect(@2..=8_u32, @Unit("cells/tile"), @Group("Noise"))]
    pub base_frequency: u32,
    /// Octaves of Perlin noise in the base texture. Those finer than two texels are left out.
    #[default(5)]
    #[reflect(@1..=8_u32, @Group("Noise"))]
    pub octaves: u32,
    /// Weight of the coarsest octave of Worley noise. With all three at 0 only this one is left.
    #[default(0.625)]
    #[reflect(@0.0..=1.0_f32, @Group("Noise"))]
    pub worley_low: f32,
    /// Weight of the second octave of Worley noise.
    #[default(0.25)]
    #[reflect(@0.0..=1.0_f32, @Group("Noise"))]
    pub worley_mid: f32,
    /// Weight of the third and finest octave of Worley noise.
    #[default(0.125)]
    #[reflect(@0.0..=1.0_f32, @Group("Noise"))]
    pub worley_high: f32,
}

impl NoiseParams {
    /// Weights of the octaves of Worley noise, coarse to fine.
    pub fn worley_weights(&self) -> [f32; 3] {
        [self.worley_low, self.worley_mid, self.worley_high]
    }
}
