//! The fire: its parameters, how its noise rises, and the light it casts.

use bevy::math::Vec3;
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;
use smart_default::SmartDefault;

use super::fast::field::FieldPlan;
use super::{NoisePhase, Volume, palette};
use crate::param::{Choices, Group, Scale, Section, Unit};

/// Frequency of the noise along the flow, relative to that across, for tongues and for billows.
pub(super) const TALL: f32 = 0.36;
pub(super) const ROUND: f32 = 0.9;

/// A fire inside the cube from -1 to 1 of the entity's own space, rising from its floor.
///
/// Spawn it like any component; [`VolumePlugin`](super::VolumePlugin) adds mesh and material. Lengths
/// are in half edges of the cube.
#[derive(Component, Reflect, ShaderType, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, @Section { key: "fire", title: "Fire" })]
#[require(Transform, Visibility)]
pub struct FireParams {
    /// Height of the flame's envelope above the floor.
    #[default(1.8)]
    #[reflect(@0.1..=2.0_f32, @Unit("half edge"), @Group("Shape"))]
    pub height: f32,
    /// Largest radius of the envelope.
    #[default(0.4)]
    #[reflect(@0.02..=0.95_f32, @Unit("half edge"), @Group("Shape"))]
    pub radius: f32,
    /// Where along its height the envelope is widest: low is a tongue, 0.5 a ball.
    #[default(0.18)]
    #[reflect(@0.02..=0.8_f32, @Group("Shape"))]
    pub bulge: f32,
    /// Draws the envelope out along x: 1 is round, more is a wall.
    #[default(1.0)]
    #[reflect(@1.0..=10.0_f32, @Scale::Log, @Group("Shape"))]
    pub spread: f32,
    /// How much the turbulence tears the flame: 0 is a smooth drop, 1 leaves detached licks.
    #[default(0.85)]
    #[reflect(@0.0..=1.0_f32, @Group("Shape"))]
    pub tearing: f32,
    /// Character of the turbulence: 0 draws it into tongues, 1 rolls it into billows with glowing creases.
    #[default(0.0)]
    #[reflect(@0.0..=1.0_f32, @Group("Shape"))]
    pub billow: f32,
    /// Which part of the noise the fire is cut from.
    #[default(0)]
    #[reflect(@0..=9999_u32, @Group("Shape"))]
    pub seed: u32,
    /// Octaves of turbulence: each halves the size of the smallest tongue.
    #[default(4)]
    #[reflect(@1..=8_u32, @Group("Turbulence"))]
    pub octaves: u32,
    /// Tiles of noise per half edge: higher makes more and smaller tongues.
    #[default(0.34)]
    #[reflect(@0.05..=3.0_f32, @Scale::Log, @Unit("tiles/half edge"), @Group("Turbulence"))]
    pub frequency: f32,
    /// How fast the flame rises.
    #[default(1.1)]
    #[reflect(@0.0..=5.0_f32, @Unit("half edge/s"), @Group("Turbulence"))]
    pub speed: f32,
    /// How far the noise displaces itself: 0 shows plain layers rising.
    #[default(0.8)]
    #[reflect(@0.0..=1.5_f32, @Group("Turbulence"))]
    pub warp_strength: f32,
    /// How often the displaced noise displaces itself again.
    #[default(2)]
    #[reflect(@0..=3_u32, @Group("Turbulence"))]
    pub warp_levels: u32,
    /// How far the flame's axis bends and sways.
    #[default(0.25)]
    #[reflect(@0.0..=1.0_f32, @Group("Turbulence"))]
    pub sway: f32,
    /// Turns of the flame about its axis from floor to tip.
    #[default(0.15)]
    #[reflect(@-2.0..=2.0_f32, @Unit("turns"), @Group("Turbulence"))]
    pub swirl: f32,
    /// Colours from the flame's edge to its core.
    #[default(0)]
    #[reflect(@Choices(&palette::NAMES), @Group("Light"))]
    pub palette: u32,
    /// Temperature of the core, for the blackbody palette only.
    #[default(1900.0)]
    #[reflect(@800.0..=12000.0_f32, @Scale::Log, @Unit("K"), @Group("Light"))]
    pub temperature: f32,
    /// Radiance of the core, whether the flame is clear or opaque.
    #[default(40.0)]
    #[reflect(@0.0..=400.0_f32, @Unit("kcd/m²"), @Group("Light"))]
    pub intensity: f32,
    /// Absorption coefficient at full density: low is a clear flame, high hides what is behind.
    #[default(6.0)]
    #[reflect(@0.1..=60.0_f32, @Scale::Log, @Unit("1/half edge"), @Group("Light"))]
    pub absorption: f32,
    /// Blue glow at the root, where fuel burns before soot forms.
    #[default(0.15)]
    #[reflect(@0.0..=1.0_f32, @Group("Light"))]
    pub root: f32,
    /// Smoke above the flame: 1 is a thick column.
    #[default(0.1)]
    #[reflect(@0.0..=1.0_f32, @Group("Light"))]
    pub smoke: f32,
    /// Samples along the view ray.
    #[default(64)]
    #[reflect(@8..=512_u32, @Group("Quality"))]
    pub steps: u32,
}

impl FireParams {
    /// Luminous flux that the fire gives off, in lumens, and its linear colour with the largest
    /// channel 1, at a flicker of 1: the envelope taken as a Lambertian emitter. `scale` is the
    /// length of a half edge in metres.
    pub fn light(&self, scale: f32) -> (f32, Vec3) {
        use std::f32::consts::PI;
        /// A fudge factor: beside a flame that is not burnt out, a camera shows hardly any light on
        /// the ground, an eye adapts to both.
        const POOL: f32 = 14.0;
        let color = palette::mean_color(self.palette as usize, self.temperature);
        // Half of the envelope burns; the cube holds no more than 2 by 2 of it.
        let silhouette = 0.5 * self.height * (self.radius * self.spread).min(1.0) * (scale * scale);
        // Flux of a convex emitter is π · L · surface, and its surface is 4 × the mean silhouette.
        let flux = POOL * PI * (1e3 * self.intensity) * (4.0 * silhouette);
        let brightest = color.max_element();
        if brightest > 0.0 {
            (flux * brightest, color / brightest)
        } else {
            (0.0, Vec3::ONE)
        }
    }
}

impl Volume for FireParams {
    const FRAGMENT_SHADER: &'static str = "fire.wgsl";
    const FAST_SHADER: &'static str = "fire_fast.wgsl";
    const FIELD_SHADER: &'static str = "fire_field.wgsl";
    // A flame moves by more than a cell in a frame: its field is that of the frame.
    const FIELD: FieldPlan = FieldPlan {
        share: 0.5,
        frames: 1,
    };

    fn drift_speed(&self) -> f32 {
        0.0
    }

    fn bounds() -> Mesh {
        Cuboid::from_length(2.0).into()
    }

    fn phase_rates(&self) -> [Vec3; NoisePhase::COUNT] {
        // The noise is stretched along the flow by as much as in the shader, so that it rises with `speed`.
        let upright = TALL + (ROUND - TALL) * self.billow;
        let rise = self.speed * self.frequency * upright;
        // Components: tongues, warp, finer octaves against coarser ones; then sway and flicker.
        [
            Vec3::new(-rise, -1.2 * rise, -0.4 * rise),
            Vec3::new(-0.6 * rise, -rise, 0.0),
        ]
    }

    fn seed(&self) -> u32 {
        self.seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every palette at the ends of what the sliders give: a light that Bevy can draw.
    #[test]
    fn the_light_is_finite_and_never_negative() {
        for palette in 0..palette::NAMES.len() as u32 {
            for (size, intensity, temperature) in [
                (0.02, 0.0, 800.0),
                (0.95, 400.0, 12_000.0),
                (0.42, 40.0, 1900.0),
            ] {
                let fire = FireParams {
                    palette,
                    radius: size,
                    height: 2.0 * size,
                    spread: 10.0,
                    intensity,
                    temperature,
                    ..default()
                };
                let (lumens, color) = fire.light(1.0);
                assert!(lumens.is_finite() && lumens >= 0.0, "{fire:?}: {lumens} lm");
                assert!(
                    color.is_finite() && (color.max_element() - 1.0).abs() < 1e-5,
                    "{color}"
                );
            }
        }
    }

    #[test]
    fn a_larger_fire_gives_more_light_and_smoke_gives_none() {
        let lumens = |radius, palette| {
            FireParams {
                radius,
                palette,
                ..default()
            }
            .light(1.0)
            .0
        };
        assert!(lumens(0.4, 0) > 1.5 * lumens(0.2, 0));
        let smoke = palette::NAMES
            .iter()
            .position(|name| *name == "smoke")
            .unwrap();
        assert!(lumens(0.4, smoke as u32) <= 0.0);
    }

    /// The pattern climbs at `speed`, and stands still without it.
    #[test]
    fn the_flame_rises_with_its_speed() {
        let rates = |speed| FireParams { speed, ..default() }.phase_rates();
        assert_eq!(rates(0.0).map(Vec3::length), [0.0; 2]);
        let fire = FireParams {
            speed: 2.0,
            frequency: 0.5,
            billow: 1.0,
            ..default()
        };
        // Tiles a second over tiles a half edge; noise that scrolls down its axis looks like rising.
        let climb = -fire.phase_rates()[0].x / (fire.frequency * ROUND);
        assert!(
            (climb - fire.speed).abs() < 1e-5,
            "{climb} half edges a second"
        );
    }
}
