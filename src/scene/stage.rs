//! Background, ground, exposure, tone mapping and bloom.

use bevy::camera::Exposure;
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
            update_camera.run_if(resource_changed::<StageParams>),
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
        if stage.bloom > 0.0 {
            camera.insert(Bloom {
                intensity: stage.bloom,
                ..Bloom::NATURAL
            });
        } else {
            camera.remove::<Bloom>();
        }
    }
}
