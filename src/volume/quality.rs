//! How much work a picture may cost.

use bevy::prelude::*;
use bevy::render::extract_resource::ExtractResource;
use smart_default::SmartDefault;

use super::governor::{Goal, Governor};
use crate::param::{Choices, Preference, Scale, Section, Unit};

/// The user's choice of quality. It belongs to the machine and not to the picture, so presets leave it
/// alone.
#[derive(Resource, Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(Default, @Section { key: "quality", title: "Quality" }, @Preference)]
pub struct QualityParams {
    /// How much work goes into a frame. Auto holds the frame time below; reference is the plain march, pixel by
    /// pixel, against which the others are measured.
    #[default(Setting::Auto as u32)]
    #[reflect(@Choices(&Setting::NAMES))]
    pub setting: u32,
    /// Frame time that auto holds.
    #[default(16.0)]
    #[reflect(@4.0..=200.0_f32, @Scale::Log, @Unit("ms"))]
    pub frame_time: f32,
    /// Most pixels that are marched for each pixel shown, along one edge.
    #[default(1.0)]
    #[reflect(@0.25..=1.0_f32)]
    pub render_scale: f32,
}

impl QualityParams {
    /// This setting, and everything else at its default.
    pub fn of(setting: Setting) -> Self {
        Self {
            setting: setting as u32,
            ..default()
        }
    }

    /// The setting chosen.
    pub fn setting(&self) -> Setting {
        Setting::ALL
            .get(self.setting as usize)
            .copied()
            .unwrap_or(Setting::Auto)
    }

    /// What the setting stands for. Auto begins as medium.
    pub fn quality(&self) -> Quality {
        let fast = match self.setting() {
            Setting::Reference => return Quality::Marched(March::Careful),
            Setting::Low => Fast::LOW,
            Setting::Medium | Setting::Auto => Fast::MEDIUM,
            Setting::High => Fast::HIGH,
            Setting::Ultra => Fast::ULTRA,
        };
        Quality::Fast(Fast {
            scale: fast.scale.min(self.render_scale),
            ..fast
        })
    }
}

/// The named settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// For small GPUs and software rasterisers.
    Low,
    /// Half the pixels along each edge.
    Medium,
    /// Every pixel; light from the field.
    High,
    /// Every pixel; light from the cloud itself.
    Ultra,
    /// The march without field, history or scale.
    Reference,
    /// What the frame time allows.
    Auto,
}

impl Setting {
    /// All settings, in the order of the choice.
    pub const ALL: [Self; 6] = [
        Self::Low,
        Self::Medium,
        Self::High,
        Self::Ultra,
        Self::Reference,
        Self::Auto,
    ];

    /// Their names.
    pub const NAMES: [&str; 6] = ["low", "medium", "high", "ultra", "reference", "auto"];

    /// Name on the panel and on the command line.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The setting of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.name() == name)
    }
}

/// How a frame is drawn: what a [`Setting`] stands for.
#[derive(Resource, ExtractResource, Clone, Copy, Debug, PartialEq)]
pub enum Quality {
    /// Marched by the material, with the steps that the parameters ask for.
    Marched(March),
    /// Marched through the field into targets of their own, and accumulated.
    Fast(Fast),
}

/// Which march the material does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum March {
    /// Leaps over clear air and looks for the surface: the best picture for its steps.
    Careful,
    /// Equal steps, each evaluated in full: what a textbook does, for comparison.
    Plain,
}

/// What may be saved, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fast {
    /// Pixels marched for each pixel shown, along one edge, 0.25..=1.
    pub scale: f32,
    /// Steps along the view ray, relative to those the parameters ask for.
    pub steps: f32,
    /// Cells of the field along one edge.
    pub field: u32,
    /// Whether light comes from the field; otherwise each sample looks towards the sun itself.
    pub baked_light: bool,
    /// Whether frames add up.
    pub history: bool,
}

impl Fast {
    /// Setting [`Setting::Low`].
    pub const LOW: Self = Self {
        scale: 0.4,
        steps: 0.6,
        field: 48,
        baked_light: true,
        history: true,
    };
    /// Setting [`Setting::Medium`].
    pub const MEDIUM: Self = Self {
        scale: 0.5,
        steps: 0.8,
        field: 64,
        baked_light: true,
        history: true,
    };
    /// Setting [`Setting::High`].
    pub const HIGH: Self = Self {
        scale: 1.0,
        steps: 1.0,
        field: 96,
        baked_light: true,
        history: true,
    };
    /// Setting [`Setting::Ultra`].
    pub const ULTRA: Self = Self {
        baked_light: false,
        ..Self::HIGH
    };
}

impl Default for Quality {
    fn default() -> Self {
        Self::Marched(March::Careful)
    }
}

/// Works out [`Quality`] from the user's choice.
pub(super) fn update(
    params: Res<QualityParams>,
    governor: Res<Governor>,
    mut quality: ResMut<Quality>,
) {
    if params.setting() == Setting::Auto {
        let fast = governor.fast(Goal::from(&*params));
        quality.set_if_neq(Quality::Fast(Fast {
            scale: fast.scale.min(params.render_scale),
            ..fast
        }));
    } else if params.is_changed() {
        // Between changes, whoever sets the quality itself has it so.
        quality.set_if_neq(params.quality());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_settings() {
        for setting in Setting::ALL {
            assert_eq!(Setting::from_name(setting.name()), Some(setting));
            assert_eq!(QualityParams::of(setting).setting(), setting);
        }
    }
}
