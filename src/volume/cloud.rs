//! The cloud: its parameters, and how the wind moves its noise.

use bevy::math::Vec3;
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;
use smart_default::SmartDefault;

use super::fast::field::FieldPlan;
use super::{NoisePhase, Volume};
use crate::param::{Group, Scale, Section, Switch, Unit};

/// A cloud inside the unit sphere of the entity's own space.
///
/// Spawn it like any component; [`VolumePlugin`](super::VolumePlugin) adds mesh and material. Lengths
/// are in radii of the sphere, so the entity's scale sizes the cloud without changing its look.
#[derive(Component, Reflect, ShaderType, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, @Section { key: "cloud", title: "Cloud" })]
#[require(Transform, Visibility)]
pub struct CloudParams {
    /// Fraction of its profile that the cloud fills: 0 is clear air, 1 is solid overcast.
    #[default(0.56)]
    #[reflect(@0.0..=1.0_f32, @Group("Shape"))]
    pub coverage: f32,
    /// How far the cloud reaches sideways before its profile thins out.
    #[default(0.8)]
    #[reflect(@0.2..=1.0_f32, @Unit("radius"), @Group("Shape"))]
    pub width: f32,
    /// How far the cloud towers above its base.
    #[default(1.0)]
    #[reflect(@0.1..=1.8_f32, @Unit("radius"), @Group("Shape"))]
    pub height: f32,
    /// How level the base is: 0 leaves it as round as the top, 1 cuts it at the condensation level.
    #[default(0.9)]
    #[reflect(@0.0..=1.0_f32, @Group("Shape"))]
    pub base_flatness: f32,
    /// How much the top spreads wider than the middle, as under the tropopause.
    #[default(0.0)]
    #[reflect(@0.0..=1.0_f32, @Group("Shape"))]
    pub anvil: f32,
    /// How strongly the large lobes bulge out of the profile and cut into it.
    #[default(0.9)]
    #[reflect(@0.0..=1.0_f32, @Group("Shape"))]
    pub billow: f32,
    /// Tiles of the base noise per radius: higher makes more and smaller lobes.
    #[default(0.55)]
    #[reflect(@0.05..=1.5_f32, @Scale::Log, @Unit("tiles/radius"), @Group("Shape"))]
    pub base_frequency: f32,
    /// Stretches the lobes along the wind: 1 is round, 6 draws them into fibres.
    #[default(1.0)]
    #[reflect(@1.0..=6.0_f32, @Group("Shape"))]
    pub stretch: f32,
    /// Which part of the noise the cloud is cut from.
    #[default(0)]
    #[reflect(@0..=9999_u32, @Group("Shape"))]
    pub seed: u32,
    /// Erodes the surface with small-scale noise.
    #[default(1)]
    #[reflect(@Switch, @Group("Detail"))]
    pub detail: u32,
    /// How deep the small-scale noise cuts.
    #[default(0.8)]
    #[reflect(@0.0..=1.0_f32, @Group("Detail"))]
    pub detail_strength: f32,
    /// Tiles of the detail noise per radius.
    #[default(1.6)]
    #[reflect(@0.5..=8.0_f32, @Scale::Log, @Unit("tiles/radius"), @Group("Detail"))]
    pub detail_frequency: f32,
    /// Character of the small scale: 0 is billowy like a cauliflower, 1 wispy like torn wool.
    #[default(0.05)]
    #[reflect(@0.0..=1.0_f32, @Group("Detail"))]
    pub wispiness: f32,
    /// How gradually density rises behind the surface: 0 is a crisp edge, 1 is haze.
    #[default(0.1)]
    #[reflect(@0.0..=1.0_f32, @Group("Detail"))]
    pub softness: f32,
    /// Extinction coefficient at full density: how much light a straight path loses.
    #[default(70.0)]
    #[reflect(@1.0..=400.0_f32, @Scale::Log, @Unit("1/radius"), @Group("Light"))]
    pub extinction: f32,
    /// Single-scattering albedo: the share of lost light that is scattered and not absorbed. Water
    /// droplets are close to 1; less is smoke.
    #[default(0.995)]
    #[reflect(@0.0..=1.0_f32, @Group("Light"))]
    pub albedo: f32,
    /// Asymmetry g of the forward Henyey-Greenstein lobe, which makes the silver lining.
    #[default(0.8)]
    #[reflect(@0.0..=0.95_f32, @Group("Light"))]
    pub forward_g: f32,
    /// Asymmetry g of the backward lobe, which brightens the side away from the sun.
    #[default(-0.25)]
    #[reflect(@-0.95..=0.0_f32, @Group("Light"))]
    pub backward_g: f32,
    /// Share of the backward lobe in the mix of both.
    #[default(0.35)]
    #[reflect(@0.0..=1.0_f32, @Group("Light"))]
    pub lobe_mix: f32,
    /// Strength of light scattered more than once: 0 leaves hard black shadows.
    #[default(1.0)]
    #[reflect(@0.0..=2.0_f32, @Group("Light"))]
    pub multiple_scattering: f32,
    /// Strength of light from the sky above and the ground below.
    #[default(1.0)]
    #[reflect(@0.0..=3.0_f32, @Group("Light"))]
    pub ambient: f32,
    /// Darkens creases that face away from the sun's glare, where little light has yet built up.
    #[default(0.5)]
    #[reflect(@0.0..=1.0_f32, @Group("Light"))]
    pub powder: f32,
    /// Direction that the wind blows to: 0 is +x, 90 is +z.
    #[default(0.0)]
    #[reflect(@0.0..=360.0_f32, @Unit("°"), @Group("Wind"))]
    pub wind_direction: f32,
    /// How fast the noise drifts through the profile.
    #[default(0.02)]
    #[reflect(@0.0..=0.5_f32, @Unit("radius/s"), @Group("Wind"))]
    pub wind_speed: f32,
    /// Samples along the view ray through the whole sphere.
    #[default(96)]
    #[reflect(@8..=512_u32, @Group("Quality"))]
    pub steps: u32,
    /// Samples from each lit point towards the sun.
    #[default(8)]
    #[reflect(@1..=64_u32, @Group("Quality"))]
    pub light_steps: u32,
}

impl Volume for CloudParams {
    const FRAGMENT_SHADER: &'static str = "cloud.wgsl";
    const FAST_SHADER: &'static str = "cloud_fast.wgsl";
    const FIELD_SHADER: &'static str = "cloud_field.wgsl";
    const FIELD: FieldPlan = FieldPlan {
        share: 1.0,
        frames: 12,
    };

    fn field_inputs(&self) -> Self {
        let default = Self::default();
        Self {
            albedo: default.albedo,
            forward_g: default.forward_g,
            backward_g: default.backward_g,
            lobe_mix: default.lobe_mix,
            multiple_scattering: default.multiple_scattering,
            ambient: default.ambient,
            powder: default.powder,
            wind_speed: default.wind_speed,
            steps: default.steps,
            light_steps: default.light_steps,
            ..*self
        }
    }

    fn drift_speed(&self) -> f32 {
        self.wind_speed
    }

    fn bounds() -> Mesh {
        // Twelve triangles and not a sphere of hundreds: a GPU shades pixels in blocks, and each edge inside
        // the volume would march the blocks along it twice.
        Cuboid::from_length(2.0).into()
    }

    fn phase_rates(&self) -> [Vec3; NoisePhase::COUNT] {
        let (sin, cos) = self.wind_direction.to_radians().sin_cos();
        let velocity = Vec3::new(cos, 0.0, sin) * self.wind_speed;
        // The detail also rises a little, as convection carries it.
        let rising = velocity + Vec3::Y * (0.3 * self.wind_speed);
        [
            -velocity * self.base_frequency,
            -rising * self.detail_frequency,
        ]
    }

    fn seed(&self) -> u32 {
        self.seed
    }
}
