//! The sun: where it stands, how bright and of what colour.

use bevy::prelude::*;
use smart_default::SmartDefault;

use super::atmosphere;
use crate::param::{Group, Scale, Section, Unit};
use crate::reference::blackbody;

/// The sun above the atmosphere.
#[derive(Resource, Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(Default, @Section { key: "sun", title: "Sun" })]
pub struct SunParams {
    /// Compass direction of the sun: 0 stands behind the default camera, 90 to its right.
    #[default(-60.0)]
    #[reflect(@-180.0..=180.0_f32, @Unit("°"), @Group("Sun"))]
    pub azimuth: f32,
    /// Height above the horizon; below 0 only twilight is left.
    #[default(40.0)]
    #[reflect(@-10.0..=90.0_f32, @Unit("°"), @Group("Sun"))]
    pub elevation: f32,
    /// Illuminance above the atmosphere; the real sun gives about 128.
    #[default(128.0)]
    #[reflect(@0.0..=300.0_f32, @Unit("klx"), @Group("Sun"))]
    pub intensity: f32,
    /// Colour as the temperature of a black body, before the air reddens it: 6500 is white on screen when the sun
    /// stands 45° high.
    #[default(6500.0)]
    #[reflect(@1500.0..=12000.0_f32, @Scale::Log, @Unit("K"), @Group("Sun"))]
    pub temperature: f32,
}

impl SunParams {
    /// Unit vector towards the sun. Azimuth 0 is +z, where the default camera stands; 90 is +x.
    pub fn direction(&self) -> Vec3 {
        let (sin_a, cos_a) = self.azimuth.to_radians().sin_cos();
        let (sin_e, cos_e) = self.elevation.to_radians().sin_cos();
        Vec3::new(sin_a * cos_e, sin_e, cos_a * cos_e)
    }

    /// Illuminance above the atmosphere, lux, linear Rec. 709; its luminance is `intensity`.
    ///
    /// Balanced like a camera set to daylight: a sun of 6500 K that stands 45° high is white on the ground.
    pub fn illuminance(&self) -> Vec3 {
        let daylight = atmosphere::sun_transmittance(std::f32::consts::FRAC_1_SQRT_2);
        let color = blackbody::chromaticity(self.temperature) / daylight;
        let luminance = color.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        color * (1000.0 * self.intensity / luminance)
    }

    /// Illuminance that reaches the ground, lux, linear Rec. 709.
    pub fn ground_illuminance(&self) -> Vec3 {
        self.illuminance() * atmosphere::sun_transmittance(self.elevation.to_radians().sin())
    }
}

pub(super) fn spawn(mut commands: Commands) {
    commands.spawn((
        DirectionalLight {
            shadow_maps_enabled: false,
            ..default()
        },
        Name::new("Sun"),
    ));
}

/// Moves and colours the light.
pub(super) fn update(
    params: Res<SunParams>,
    mut light: Single<(&mut DirectionalLight, &mut Transform)>,
) {
    let illuminance = params.ground_illuminance();
    let brightest = illuminance.max_element();
    light.0.illuminance = brightest;
    light.0.color = if brightest > 0.0 {
        Color::LinearRgba(LinearRgba::from_vec3(illuminance / brightest))
    } else {
        Color::WHITE
    };
    *light.1 = Transform::default().looking_to(-params.direction(), Vec3::Y);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_low_sun_is_redder_and_dimmer() {
        let at = |elevation| {
            SunParams {
                elevation,
                ..default()
            }
            .ground_illuminance()
        };
        let (noon, dusk) = (at(70.0), at(2.0));
        assert!(dusk.length() < 0.5 * noon.length());
        assert!(dusk.x / dusk.z > 3.0 * noon.x / noon.z);
        assert_eq!(at(-10.0), Vec3::ZERO);
    }

    #[test]
    fn illuminance_has_the_luminance_asked_for() {
        let sun = SunParams {
            intensity: 100.0,
            ..default()
        }
        .illuminance();
        let luminance = sun.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        assert!((luminance - 1e5).abs() < 1.0);
    }
}
