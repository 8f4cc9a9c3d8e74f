//! Ways to draw a frame, and how the camera moves meanwhile.

use bevy::ecs::component::Mutable;
use bevy::prelude::*;

use super::errors::{TRUTH_LIGHT_STEPS, TRUTH_STEPS};
use crate::param::preset::Preset;
use crate::scene::{CameraParams, StageParams, TONE_MAPPINGS};
use crate::volume::{
    CloudParams, Fast, FireParams, March, NoisePhase, Quality, QualityParams, Setting, VolumeClock,
};

/// Steps of the brute march along the view ray.
pub const BRUTE_STEPS: u32 = 64;
/// Steps of the brute march towards the sun.
pub const BRUTE_LIGHT_STEPS: u32 = 6;

/// Degrees between two frames of a moving camera: 30 degrees a second at 60 frames a second.
const DEGREES_PER_FRAME: f32 = 0.5;

/// What the frame before was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nothing: each frame stands alone.
    Still,
    /// The same view: frames add up.
    Accumulated,
    /// Half a degree to the side: frames are reprojected.
    Moving,
}

impl Mode {
    /// All modes, in the order of the report.
    pub const ALL: [Self; 3] = [Self::Still, Self::Accumulated, Self::Moving];

    /// Name in the report.
    pub fn name(self) -> &'static str {
        ["still", "accumulated", "moving"][self as usize]
    }
}

/// A way to draw a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Recipe {
    /// Equal steps, each evaluated in full.
    Brute,
    /// As the user has it.
    Setting(Setting),
    /// The same without history.
    Alone(Setting),
    /// The reference with more steps than anybody wants to wait for.
    Truth,
}

impl Recipe {
    /// What a setting does in a mode.
    pub fn of(setting: Setting, mode: Mode) -> Self {
        match mode {
            Mode::Still => Self::Alone(setting),
            Mode::Accumulated | Mode::Moving => Self::Setting(setting),
        }
    }

    fn quality(self) -> Quality {
        let setting = |setting| QualityParams::of(setting).quality();
        match self {
            Self::Brute => Quality::Marched(March::Plain),
            Self::Truth => Quality::Marched(March::Careful),
            Self::Setting(name) => setting(name),
            Self::Alone(name) => match setting(name) {
                Quality::Fast(fast) => Quality::Fast(Fast {
                    history: false,
                    ..fast
                }),
                marched @ Quality::Marched(_) => marched,
            },
        }
    }
}

/// A preset on stage, and how it was before recipes changed its steps.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    cloud: CloudParams,
    fire: FireParams,
    yaw: f32,
}

impl Subject {
    /// Puts a preset on stage.
    pub fn new(world: &mut World, preset: &Preset) -> Self {
        preset.apply(world);
        Self {
            cloud: params(world),
            fire: params(world),
            yaw: world.resource::<CameraParams>().yaw,
        }
    }

    /// Lets it be drawn by a recipe, and reverts what was changed about it.
    pub fn draw_by(&self, world: &mut World, recipe: Recipe) {
        let steps = match recipe {
            Recipe::Brute => Some((BRUTE_STEPS, BRUTE_LIGHT_STEPS)),
            Recipe::Truth => Some((TRUTH_STEPS, TRUTH_LIGHT_STEPS)),
            Recipe::Setting(_) | Recipe::Alone(_) => None,
        };
        let (mut cloud, mut fire) = (self.cloud, self.fire);
        if let Some((steps, light_steps)) = steps {
            (cloud.steps, cloud.light_steps, fire.steps) = (steps, light_steps, steps);
        }
        edit(world, |params| *params = cloud);
        edit(world, |params| *params = fire);
        world.resource_mut::<Quality>().set_if_neq(recipe.quality());
    }

    /// Turns the camera to where it is `frames` before it reaches the preset's view.
    pub fn turn_back(&self, world: &mut World, frames: u32) {
        let yaw = self.yaw - DEGREES_PER_FRAME * frames as f32;
        world.resource_mut::<CameraParams>().yaw = yaw;
    }
}

fn params<T: Component<Mutability = Mutable> + Copy + Default>(world: &mut World) -> T {
    let mut found = world.query::<&T>();
    found.iter(world).next().copied().unwrap_or_default()
}

/// Edits the parameters of every volume of a kind.
pub(super) fn edit<T: Component<Mutability = Mutable> + Copy + PartialEq>(
    world: &mut World,
    change: impl Fn(&mut T),
) {
    let mut found = world.query::<&mut T>();
    for mut params in found.iter_mut(world) {
        let mut changed = *params;
        change(&mut changed);
        params.set_if_neq(changed);
    }
}

/// Takes everything off the stage but the volume, so that a frame's time is the volume's.
pub(super) fn clear_stage(world: &mut World) {
    let mut stage = world.resource_mut::<StageParams>();
    stage.background = 2;
    stage.ground = 0;
    stage.bloom = 0.0;
    stage.tone_mapping = (TONE_MAPPINGS.len() - 1) as u32;
}

/// Lets the wind blow on for a frame.
pub(super) fn blow(world: &mut World) {
    world.resource_mut::<VolumeClock>().seconds += 1.0 / 60.0;
}

/// Shows the volumes or hides them.
pub(super) fn show(world: &mut World, shown: bool) {
    let mut volumes = world.query_filtered::<&mut Visibility, With<NoisePhase>>();
    let wanted = if shown {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    };
    for mut visibility in volumes.iter_mut(world) {
        visibility.set_if_neq(wanted);
    }
}
