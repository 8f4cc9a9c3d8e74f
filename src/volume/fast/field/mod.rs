//! Fills each volume's field, by compute, when something that it depends on has changed.
//!
//! A field is three-dimensional: N cells along each edge of the box about the volume. It is filled in steps (see the
//! shaders): the shape of each cell, the clear air around each coarse cell, and light. Where only time has moved the
//! noise, the steps are spread over frames and fill a second field, which then takes the place of the first: what is
//! drawn is always one whole field.

mod fill;
mod pipelines;

use bevy::prelude::*;
use bevy::render::render_resource::*;
use bevy::render::renderer::RenderDevice;

use super::super::VolumeFrame;
use super::extract::{FastVolume, Textures};
pub use fill::{Fields, fill, prepare};
pub use pipelines::{FieldPipelines, VolumeImages, start, volume_entries};

/// Cells along an edge of a coarse cell.
pub(crate) const COARSE: u32 = 3;

/// Cells along an edge of a workgroup.
const GROUP: u32 = 4;

/// How a kind of volume fills its field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldPlan {
    /// Cells along an edge, relative to those that the quality asks for.
    pub share: f32,
    /// Frames over which a change by time alone is spread.
    pub frames: u32,
}

impl FieldPlan {
    /// Cells along an edge: whole coarse cells, and whole workgroups of either.
    fn cells(self, asked: u32) -> u32 {
        let unit = COARSE * GROUP;
        ((asked as f32 * self.share / unit as f32).round() as u32).max(1) * unit
    }
}

/// What a field was made from.
#[derive(Clone, PartialEq)]
struct Inputs {
    params: Vec<u8>,
    textures: Textures,
    seed_offset: Vec3,
    sun_direction: Vec3,
    phases: [Vec3; 2],
}

/// A field being made.
struct Job {
    inputs: Inputs,
    /// Time that it shows.
    seconds: f64,
    /// Cost already paid: shape costs [`SHAPE_COST`] for four layers of cells, marks and clear air 1 in all, light
    /// [`LIGHT_COST`].
    paid: u32,
    /// Whether its parameters are on the GPU.
    begun: bool,
}

const SHAPE_COST: u32 = 1;
const LIGHT_COST: u32 = 3;

/// The field of one volume.
pub struct Field {
    cells: u32,
    shapes: TextureView,
    distances: [TextureView; 2],
    results: [TextureView; 2],
    /// Which result is drawn.
    front: usize,
    built: Option<(Inputs, f64)>,
    job: Option<Job>,
    /// Parameters as of now, for the march.
    pub params: Buffer,
    /// Parameters and frame of the job.
    job_params: Buffer,
    job_frame: Buffer,
}

impl Field {
    fn new(device: &RenderDevice, volume: &FastVolume, cells: u32) -> Self {
        let texture = |label, cells| {
            let texture = device.create_texture(&TextureDescriptor {
                label: Some(label),
                size: Extent3d {
                    width: cells,
                    height: cells,
                    depth_or_array_layers: cells,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: TextureDimension::D3,
                format: TextureFormat::Rgba16Float,
                usage: TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&default())
        };
        let buffer = |label, size, usage| {
            device.create_buffer(&BufferDescriptor {
                label: Some(label),
                size,
                usage: usage | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let params = volume.params.len() as u64;
        Self {
            cells,
            shapes: texture("volume_shapes", cells),
            distances: [(); 2].map(|()| texture("volume_distances", cells / COARSE)),
            results: [(); 2].map(|()| texture("volume_field", cells)),
            front: 0,
            built: None,
            job: None,
            params: buffer("volume_params", params, BufferUsages::UNIFORM),
            job_params: buffer("volume_field_params", params, BufferUsages::UNIFORM),
            job_frame: buffer(
                "volume_field_frame",
                VolumeFrame::SHADER_SIZE.get(),
                BufferUsages::STORAGE,
            ),
        }
    }

    /// The field to march through, if there is one yet.
    pub fn current(&self) -> Option<&TextureView> {
        self.built.as_ref().map(|_| &self.results[self.front])
    }

    /// What the first step left. Only where a field is filled within a frame does it belong to the current one.
    pub fn shapes(&self) -> &TextureView {
        &self.shapes
    }

    /// Cells along an edge.
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// Seconds since the moment that the field shows.
    pub fn age(&self, seconds: f64) -> f32 {
        self.built
            .as_ref()
            .map_or(0.0, |(_, built)| (seconds - built).abs() as f32)
    }

    /// Begins what must be done to get from what is built to `inputs`. Returns how much of the job is to be paid for
    /// in this frame.
    fn plan(&mut self, inputs: Inputs, seconds: f64, plan: FieldPlan) -> u32 {
        let whole = self.cost();
        let step = whole.div_ceil(plan.frames);
        let by_time_alone = |other: &Inputs| {
            Inputs {
                phases: inputs.phases,
                ..other.clone()
            } == inputs
        };
        if self
            .built
            .as_ref()
            .is_some_and(|(built, _)| *built == inputs)
        {
            self.job = None;
            return 0;
        }
        if let (Some(job), true) = (&self.job, self.built.is_some())
            && by_time_alone(&job.inputs)
        {
            return step;
        }
        let spread = self
            .built
            .as_ref()
            .is_some_and(|(built, _)| by_time_alone(built));
        // Where only the sun has moved, shape and clear air are still those that are there. A field begun after
        // them has overwritten them.
        let lit_anew = self.job.is_none()
            && self.built.as_ref().is_some_and(|(built, _)| {
                Inputs {
                    sun_direction: inputs.sun_direction,
                    ..built.clone()
                } == inputs
            });
        self.job = Some(Job {
            inputs,
            seconds,
            paid: if lit_anew { self.light_from() } else { 0 },
            begun: false,
        });
        if spread { step } else { whole }
    }

    fn layer_groups(&self) -> u32 {
        self.cells / GROUP
    }

    fn shape_cost(&self) -> u32 {
        self.layer_groups() * SHAPE_COST
    }

    /// What is paid when light begins.
    fn light_from(&self) -> u32 {
        self.shape_cost() + 1
    }

    fn cost(&self) -> u32 {
        self.light_from() + self.layer_groups() * LIGHT_COST
    }
}
