//! Where the camera stands.

use bevy::prelude::*;
use smart_default::SmartDefault;

use crate::param::{Group, Scale, Section, Unit};

/// The camera's place on its orbit about the scene's centre.
#[derive(Resource, Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(Default, @Section { key: "camera", title: "Camera" })]
pub struct CameraParams {
    /// Angle about the vertical: 0 looks from +z, 90 from +x.
    #[default(0.0)]
    #[reflect(@-180.0..=180.0_f32, @Unit("°"), @Group("Orbit"))]
    pub yaw: f32,
    /// Angle above the horizon; negative looks up from below.
    #[default(-10.0)]
    #[reflect(@-90.0..=90.0_f32, @Unit("°"), @Group("Orbit"))]
    pub pitch: f32,
    /// Distance from the centre.
    #[default(3.0)]
    #[reflect(@0.05..=40.0_f32, @Scale::Log, @Unit("radius"), @Group("Orbit"))]
    pub distance: f32,
    /// Vertical field of view.
    #[default(45.0)]
    #[reflect(@5.0..=120.0_f32, @Unit("°"), @Group("Orbit"))]
    pub field_of_view: f32,
}

/// The transform of a camera on its orbit about `focus`.
pub fn orbit_transform(params: &CameraParams, focus: Vec3) -> Transform {
    let rotation = Quat::from_euler(
        EulerRot::YXZ,
        params.yaw.to_radians(),
        -params.pitch.to_radians(),
        0.0,
    );
    Transform::from_translation(focus + rotation * (Vec3::Z * params.distance))
        .with_rotation(rotation)
}
