//! The light that a fire casts on ordinary meshes.

use bevy::prelude::*;

use super::{FireParams, NoisePhase};

/// Height of the middle of a fire's light above the floor, relative to the flame's height.
pub(super) const MIDDLE: f32 = 0.35;

/// Makes the entity, a child of one with [`FireParams`], the light of that fire: a point light that
/// flickers with the flame.
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(PointLight { range: 30.0, ..default() })]
pub struct FireLight;

/// Brightness and place follow the fire.
pub(super) fn update(
    fires: Query<(
        &FireParams,
        &NoisePhase,
        &GlobalTransform,
        &InheritedVisibility,
    )>,
    mut lights: Query<(&ChildOf, &mut PointLight, &mut Transform), With<FireLight>>,
) {
    for (parent, mut light, mut transform) in &mut lights {
        let Ok((params, phase, fire, visible)) = fires.get(parent.parent()) else {
            continue;
        };
        let scale = fire.scale().y;
        let (lumens, color) = params.light(scale);
        light.intensity = if visible.get() {
            lumens * flicker(phase)
        } else {
            0.0
        };
        light.color = Color::LinearRgba(LinearRgba::from_vec3(color));
        light.radius = params.radius * scale;
        transform.translation = Vec3::Y * (params.height * MIDDLE - 1.0);
    }
}

/// Brightness about 1, from the flame's own slow phase, so that it stops and scrubs with it. Whole
/// multiples of the phase have no seam where it wraps.
fn flicker(phase: &NoisePhase) -> f32 {
    let angle = phase.tiles()[1].y * std::f32::consts::TAU;
    1.0 + 0.06 * (3.0 * angle).sin() + 0.05 * (7.0 * angle).sin()
}
