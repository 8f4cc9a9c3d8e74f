//! Twin of `shaders/density.wgsl`: where a cloud is, and how dense. The formulas' reasons stand there.

use bevy::math::{Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};

use crate::volume::CloudParams;

/// A cubic texture of four 8-bit channels that repeats in all directions, sampled linearly.
#[derive(Clone, Debug)]
pub struct TiledTexture {
    /// Texels along an edge.
    pub edge: usize,
    /// Red, green, blue and alpha of each texel, x fastest.
    pub texels: Vec<[u8; 4]>,
}

impl TiledTexture {
    /// The interpolated value at `at`, in tiles.
    pub fn sample(&self, at: Vec3) -> Vec4 {
        let texel = at * self.edge as f32 - 0.5;
        let (low, part) = (texel.floor(), texel - texel.floor());
        let mut sum = Vec4::ZERO;
        for corner in 0..8 {
            let offset = Vec3::new(
                (corner & 1) as f32,
                (corner >> 1 & 1) as f32,
                (corner >> 2) as f32,
            );
            let weight = offset * part + (1.0 - offset) * (1.0 - part);
            sum += self.texel(low + offset) * weight.element_product();
        }
        sum
    }

    fn texel(&self, at: Vec3) -> Vec4 {
        let edge = self.edge as f32;
        let [x, y, z] = at.to_array().map(|i| i.rem_euclid(edge) as usize);
        let texel = self.texels[(z * self.edge + y) * self.edge + x];
        Vec4::from_array(texel.map(|channel| f32::from(channel) / 255.0))
    }
}

/// What a sample of the cloud needs beside its parameters.
#[derive(Clone, Debug)]
pub struct CloudNoise {
    /// Scroll of the base noise, tiles.
    pub base_phase: Vec3,
    /// Scroll of the detail noise, tiles.
    pub detail_phase: Vec3,
    /// Offset by seed, tiles.
    pub seed_offset: Vec3,
    /// Large lobes.
    pub base: TiledTexture,
    /// Small scale.
    pub detail: TiledTexture,
}

fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The cloud without its lobes: 1 at its heart, 0 on its outline, negative outside.
pub fn profile(p: Vec3, params: &CloudParams) -> f32 {
    let h = p.y / params.height + 0.5;
    let waist = mix(0.5, 0.12, params.base_flatness);
    let rise = if h > waist {
        (h - waist) / (1.0 - waist)
    } else {
        (waist - h) / waist
    };
    let lid = params.anvil * smoothstep(0.45, 0.95, h);
    let width = params.width * mix(1.0, 0.62 + 0.55 * smoothstep(0.35, 0.9, h), params.anvil);
    let exponent = 2.0 + 6.0 * lid;
    let sideways = p.xz().length() / width;
    1.0 - (sideways.powf(exponent) + rise.max(0.0).powf(exponent)).powf(1.0 / exponent)
}

/// What no cloud crosses: the condensation level below, and the bounding sphere.
fn enclosure(p: Vec3, displacement: f32, params: &CloudParams) -> f32 {
    let above_base = p.y + 0.5 * params.height + (1.0 - params.base_flatness);
    let below_sphere = 0.86 - p.length();
    (3.0 * above_base + 0.15 * params.billow * displacement)
        .min(3.0 * below_sphere + 0.4 * displacement)
}

/// The level at which cloud begins.
fn threshold(params: &CloudParams) -> f32 {
    mix(1.0 + params.billow, -params.billow, params.coverage)
}

/// Upper bound of the field, before any texture is read. `s` is the profile at `p`.
pub fn field_bound(p: Vec3, s: f32, params: &CloudParams) -> f32 {
    (s + params.billow - threshold(params)).min(enclosure(p, 1.0, params))
}

fn stretched(p: Vec3, params: &CloudParams) -> Vec3 {
    let (sin, cos) = params.wind_direction.to_radians().sin_cos();
    let along = Vec3::new(cos, 0.0, sin);
    p - along * (p.dot(along) * (1.0 - 1.0 / params.stretch))
}

/// The field with its large lobes, and in yzw the low-frequency Worley channels that steer the detail.
pub fn lobed_field(p: Vec3, s: f32, params: &CloudParams, noise: &CloudNoise) -> Vec4 {
    let at = stretched(p, params) * params.base_frequency + noise.base_phase + noise.seed_offset;
    let n = noise.base.sample(at);
    let worley = n.yzw().dot(Vec3::new(0.625, 0.25, 0.125));
    let lobes = ((n.x - (worley - 1.0)) / (2.0 - worley)).clamp(0.0, 1.0);
    let displacement = (2.6 * (lobes - 0.62)).clamp(-1.0, 1.0);
    let field = s + params.billow * displacement - threshold(params);
    Vec4::new(field.min(enclosure(p, displacement, params)), n.y, n.z, n.w)
}

/// The field eroded with small-scale noise.
pub fn detailed_field(p: Vec3, field: Vec4, params: &CloudParams, noise: &CloudNoise) -> f32 {
    let bent = stretched(p, params) * params.detail_frequency
        + 0.35 * (field.yzw() - 0.5)
        + noise.detail_phase
        + noise.seed_offset;
    let coarse = noise.detail.sample(bent).xyz();
    let fine = noise.detail.sample(2.0 * bent + 0.37).xyz();
    let weights = Vec3::new(0.55, 0.3, 0.15);
    let worley = 0.65 * coarse.dot(weights) + 0.35 * fine.dot(weights);
    let erosion = mix(1.0 - worley, worley, params.wispiness);
    field.x - 0.45 * params.detail_strength * erosion
}

/// Density of a field: 0 outside, rising to 1.
pub fn density_of(field: f32, params: &CloudParams) -> f32 {
    (field / mix(0.02, 0.7, params.softness * params.softness)).clamp(0.0, 1.0)
}
