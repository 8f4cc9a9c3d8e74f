//! Background, ground, exposure, tone mapping and bloom.

use bevy::camera::{CameraUpdateSystems, Exposure};
use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use smart_default::SmartDefault;

use crate::param::{Choices, Group, Section, Switch, Unit};

/// What is behind the volumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// A sky that follows the sun.
    Sky,
    /// One colour.
    Plain,
    /// Transparency.
    Nothing,
}

/// Tone mappings by name.
pub const TONE_MAPPINGS: [(&str, Tonemapping); 6] = [
    ("tony mcmapface", Tonemapping::TonyMcMapface),
    ("agx", Tonemapping::AgX),
    ("aces", Tonemapping::AcesFitted),
    ("blender filmic", Tonemapping::BlenderFilmic),
    ("reinhard", Tonemapping::ReinhardLuminance),
    ("none", Tonemapping::None),
];

const TONE_MAPPING_NAMES: [&str; TONE_MAPPINGS.len()] = {
    let mut names = [""; TONE_MAPPINGS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = TONE_MAPPINGS[i].0;
        i += 1;
    }
    names
};

/// How the stage looks and how it is photographed.
#[derive(Resource, Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(Default, @Section { key: "stage", title: "Stage" })]
pub struct StageParams {
    /// What is behind everything.
    #[default(0)]
    #[reflect(@Choices(&["sky", "plain", "none"]), @Group("Stage"))]
    pub background: u32,
    /// Colour of the plain background.
    #[default(Vec3::new(0.05, 0.06, 0.08))]
    #[reflect(@Group("Stage"))]
    pub background_color: Vec3,
    /// Shows the ground.
    #[default(1)]
    #[reflect(@Switch, @Group("Stage"))]
    pub ground: u32,
    /// Exposure value at ISO 100: 15 suits full sunlight, 8 firelight. One more halves the brightness.
    #[default(13.3)]
    #[reflect(@0.0..=20.0_f32, @Unit("EV"), @Group("Camera"))]
    pub exposure: f32,
    /// How the range of light is fitted to the screen.
    #[default(0)]
    #[reflect(@Choices(&TONE_MAPPING_NAMES), @Group("Camera"))]
    pub tone_mapping: u32,
    /// How much bright light bleeds, as in a lens.
    #[default(0.08)]
    #[reflect(@0.0..=1.0_f32, @Group("Camera"))]
    pub bloom: f32,
}

impl StageParams {
    /// What is behind everything.
    pub fn background(&self) -> Background {
        match self.background {
            0 => Background::Sky,
            1 => Background::Plain,
            _ => Background::Nothing,
        }
    }

    /// Whether the ground is drawn; never on a transparent background.
    pub fn shows_ground(&self) -> bool {
        self.ground != 0 && self.background() != Background::Nothing
    }

    /// The plain background's colour.
    pub fn plain_color(&self) -> Color {
        Color::srgb_from_array(self.background_color.to_array())
    }

    fn clear_color(&self) -> Color {
        match self.background() {
            Background::Plain => self.plain_color(),
            Background::Sky | Background::Nothing => Color::NONE,
        }
    }
}

pub(super) struct StagePlugin;

impl Plugin for StagePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            PostUpdate,
            (
                update_camera.run_if(resource_changed::<StageParams>),
                update_bloom.after(CameraUpdateSystems),
            ),
        );
    }
}

fn update_camera(
    stage: Res<StageParams>,
    mut clear: ResMut<ClearColor>,
    mut commands: Commands,
    cameras: Query<Entity, With<Camera3d>>,
) {
    clear.0 = stage.clear_color();
    let tone_mapping = TONE_MAPPINGS[(stage.tone_mapping as usize).min(TONE_MAPPINGS.len() - 1)].1;
    for camera in &cameras {
        let mut camera = commands.entity(camera);
        camera.insert((
            Exposure {
                ev100: stage.exposure,
            },
            tone_mapping,
            DebandDither::Enabled,
        ));
    }
}

/// Gives cameras the bloom that the stage asks for and that their view can have.
fn update_bloom(
    stage: Res<StageParams>,
    mut commands: Commands,
    cameras: Query<(Entity, &Camera, Option<&Bloom>), With<Camera3d>>,
) {
    for (entity, camera, current) in &cameras {
        let mip = camera.physical_viewport_size().map_or(0, bloom_mip);
        let wanted = (stage.bloom > 0.0 && mip > 0).then_some((stage.bloom, mip));
        if wanted == current.map(|bloom| (bloom.intensity, bloom.max_mip_dimension)) {
            continue;
        }
        match wanted {
            Some((intensity, max_mip_dimension)) => commands.entity(entity).insert(Bloom {
                intensity,
                max_mip_dimension,
                ..Bloom::NATURAL
            }),
            None => commands.entity(entity).remove::<Bloom>(),
        };
    }
}

/// Height of the largest bloom texture for a view of this size, or 0 for none. Bevy fixes the height and
/// gives the width by the view's shape, which in a very wide window exceeds what adapters have.
fn bloom_mip(size: UVec2) -> u32 {
    const WIDEST: u32 = 4096;
    const SMALLEST: u32 = 8;
    let fitting = (WIDEST * size.y).checked_div(size.x).unwrap_or(0);
    if fitting < SMALLEST {
        0
    } else {
        fitting.min(Bloom::NATURAL.max_mip_dimension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bloom_fits_every_shape_of_window() {
        assert_eq!(
            bloom_mip(UVec2::new(1280, 720)),
            Bloom::NATURAL.max_mip_dimension
        );
        assert_eq!(bloom_mip(UVec2::ZERO), 0);
        for size in [
            UVec2::new(40, 1),
            UVec2::new(16384, 1),
            UVec2::new(1, 16384),
            UVec2::new(5000, 90),
        ] {
            assert!(
                bloom_mip(size) as f32 * size.x as f32 / size.y as f32 <= 8192.0,
                "{size}"
            );
        }
    }
}
