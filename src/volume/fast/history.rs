//! What a view keeps from frame to frame.

use std::collections::HashMap;

use bevy::image::ToExtents;
use bevy::math::{Affine3A, DMat4};
use bevy::prelude::*;
use bevy::render::render_resource::*;
use bevy::render::renderer::RenderDevice;
use bevy::render::sync_world::MainEntity;
use bevy::render::view::RetainedViewEntity;

use super::super::quality::Fast;
use super::extract::{HistoryEpoch, Textures};
use crate::volume::VolumeFrame;

/// Exposed radiance and opacity.
pub const COLOR_FORMAT: TextureFormat = TextureFormat::Rgba16Float;
/// Depth of what is seen.
pub const DEPTH_FORMAT: TextureFormat = TextureFormat::R32Float;
/// Frames that a mean stands for.
pub const WEIGHT_FORMAT: TextureFormat = TextureFormat::R16Float;

/// Mean of past frames.
pub struct Past {
    pub color: TextureView,
    pub weight: TextureView,
}

/// The pixels marched in this frame, at most this many across and down.
pub struct Marched {
    pub size: UVec2,
    pub color: TextureView,
    pub depth: TextureView,
}

/// What a view keeps from frame to frame.
pub struct History {
    size: UVec2,
    pub marched: Marched,
    past: [Past; 2],
    /// Which of the two is written in this frame.
    now: usize,
    last: Option<Moment>,
    /// Frames since something moved.
    still: u32,
}

/// Everything that the picture of a frame depends on but its jitter.
#[derive(PartialEq)]
pub struct Moment {
    pub clip_from_world: DMat4,
    pub viewport: UVec4,
    pub exposure: f32,
    pub quality: Fast,
    pub epoch: HistoryEpoch,
    pub textures: Option<Textures>,
    pub volumes: Vec<(MainEntity, Affine3A, Vec<u8>, VolumeFrame)>,
}

/// The histories of all views.
#[derive(Resource, Default)]
pub struct Histories(HashMap<RetainedViewEntity, History>);

impl Histories {
    /// The history of a view whose target has this size and of which at most so many pixels are marched. A target
    /// of another size has no history.
    pub fn prepare(
        &mut self,
        device: &RenderDevice,
        view: RetainedViewEntity,
        size: UVec2,
        marched: UVec2,
    ) -> &mut History {
        let history = self
            .0
            .entry(view)
            .or_insert_with(|| History::new(device, size, marched));
        if history.size != size {
            *history = History::new(device, size, marched);
        }
        if history.marched.size != marched {
            history.marched = Marched::new(device, marched);
        }
        history
    }

    /// Forgets views that are not shown.
    pub fn keep(&mut self, shown: impl Fn(RetainedViewEntity) -> bool) {
        self.0.retain(|view, _| shown(*view));
    }

    /// The history of a view.
    pub fn get(&self, view: RetainedViewEntity) -> Option<&History> {
        self.0.get(&view)
    }
}

/// What the past is good for, as [`ResolveView::past`](super::uniform::ResolveView) says it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Nothing = 0,
    Still = 1,
    BeginStill = 2,
    Moving = 3,
}

/// How a frame follows the one before.
pub struct Advance {
    pub past: Use,
    /// Clip space of the frame before.
    pub past_clip_from_world: DMat4,
    /// Frames in a row, this one included, in which nothing has moved; 0 while something moves.
    pub still: u32,
}

fn target(device: &RenderDevice, label: &str, size: UVec2, format: TextureFormat) -> TextureView {
    let texture = device.create_texture(&TextureDescriptor {
        label: Some(label),
        size: size.to_extents(),
        mip_level_count: 1,
        sample_count: 1,
        dimension: TextureDimension::D2,
        format,
        usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&default())
}

impl Marched {
    fn new(device: &RenderDevice, size: UVec2) -> Self {
        Self {
            size,
            color: target(device, "volume_marched", size, COLOR_FORMAT),
            depth: target(device, "volume_marched_depth", size, DEPTH_FORMAT),
        }
    }
}

impl History {
    fn new(device: &RenderDevice, size: UVec2, marched: UVec2) -> Self {
        Self {
            size,
            marched: Marched::new(device, marched),
            past: [(); 2].map(|()| Past {
                color: target(device, "volume_past", size, COLOR_FORMAT),
                weight: target(device, "volume_past_weight", size, WEIGHT_FORMAT),
            }),
            now: 0,
            last: None,
            still: 0,
        }
    }

    /// The past, and what it becomes.
    pub fn past_and_next(&self) -> (&Past, &Past) {
        (&self.past[1 - self.now], &self.past[self.now])
    }

    /// Goes on to the next frame.
    pub fn advance(&mut self, moment: Moment) -> Advance {
        self.now = 1 - self.now;
        let last = self.last.as_ref();
        let past_clip = last.map_or(moment.clip_from_world, |last| last.clip_from_world);
        let used = match last {
            Some(last) if moment.quality.history && last.epoch == moment.epoch => {
                match (*last == moment, self.still) {
                    (true, 1..) => Use::Still,
                    (true, 0) => Use::BeginStill,
                    (false, _) => Use::Moving,
                }
            }
            _ => Use::Nothing,
        };
        self.still = match used {
            Use::Moving => 0,
            // A first frame is as good as one of a still view.
            Use::Nothing | Use::BeginStill => 1,
            Use::Still => self.still.saturating_add(1),
        };
        self.last = Some(moment);
        Advance {
            past: used,
            past_clip_from_world: past_clip,
            still: self.still,
        }
    }
}
