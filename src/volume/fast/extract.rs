//! Carries volumes and settings into the render world.

use bevy::asset::AssetId;
use bevy::image::Image;
use bevy::math::Affine3A;
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::render_resource::{Buffer, encase};
use bevy::render::sync_world::MainEntity;

use super::super::frame::{FrameBuffer, JitterFrame, VolumeFrame};
use super::super::palette::PaletteTexture;
use super::super::quality::{Fast, Quality};
use super::super::{Volume, VolumeClock};
use super::field::FieldPlan;
use crate::noise::NoiseTextures;

/// Raise it to make every view forget the frames that it has added up, as after a cut from one scene to another.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryEpoch(pub u32);

/// The shaders of a kind of volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// File of the march.
    pub march: &'static str,
    /// File that fills the field.
    pub field: &'static str,
}

/// A volume to be drawn.
pub struct FastVolume {
    pub entity: MainEntity,
    pub kind: Kind,
    pub plan: FieldPlan,
    pub world_from_local: Affine3A,
    /// All parameters, as the shaders get them.
    pub params: Vec<u8>,
    /// The same with everything neutral that the field does not depend on.
    pub field_params: Vec<u8>,
    pub frame: VolumeFrame,
    pub frame_buffer: Buffer,
    /// How fast its noise drifts, in lengths of its own space a second.
    pub drift_speed: f32,
}

/// Everything to be drawn in this frame; nothing where the volumes' own materials draw them.
#[derive(Resource, Default)]
pub struct FastVolumes {
    pub volumes: Vec<FastVolume>,
    pub quality: Option<Fast>,
    pub textures: Option<Textures>,
    pub slice: u32,
    pub epoch: HistoryEpoch,
    pub seconds: f64,
}

/// What volumes are cut from and coloured with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Textures {
    pub base: AssetId<Image>,
    pub detail: AssetId<Image>,
    pub vectors: AssetId<Image>,
    pub palettes: AssetId<Image>,
}

/// Begins a frame.
pub fn begin(
    mut fast: ResMut<FastVolumes>,
    quality: Extract<Res<Quality>>,
    noise: Extract<Res<NoiseTextures>>,
    palettes: Extract<Res<PaletteTexture>>,
    jitter: Extract<Res<JitterFrame>>,
    epoch: Extract<Res<HistoryEpoch>>,
    clock: Extract<Res<VolumeClock>>,
) {
    *fast = FastVolumes {
        volumes: Vec::new(),
        quality: match **quality {
            Quality::Fast(fast) => Some(fast),
            Quality::Marched(_) => None,
        },
        textures: Some(Textures {
            base: noise.base.id(),
            detail: noise.detail.id(),
            vectors: noise.vectors.id(),
            palettes: palettes.0.id(),
        }),
        slice: jitter.0,
        epoch: **epoch,
        seconds: clock.seconds,
    };
}

/// Adds the volumes of one kind.
pub fn volumes<V: Volume>(
    mut fast: ResMut<FastVolumes>,
    volumes: Extract<Query<(Entity, &V, &GlobalTransform, &VolumeFrame, &FrameBuffer)>>,
) -> Result {
    if fast.quality.is_none() {
        return Ok(());
    }
    for (entity, params, transform, frame, buffer) in &volumes {
        fast.volumes.push(FastVolume {
            entity: entity.into(),
            kind: Kind {
                march: V::FAST_SHADER,
                field: V::FIELD_SHADER,
            },
            plan: V::FIELD,
            world_from_local: transform.affine(),
            params: bytes(params)?,
            field_params: bytes(&params.field_inputs())?,
            frame: *frame,
            frame_buffer: buffer.0.clone(),
            drift_speed: params.drift_speed(),
        });
    }
    Ok(())
}

fn bytes<V: Volume>(params: &V) -> Result<Vec<u8>> {
    let mut buffer = encase::UniformBuffer::new(Vec::new());
    buffer.write(params)?;
    Ok(buffer.into_inner())
}
