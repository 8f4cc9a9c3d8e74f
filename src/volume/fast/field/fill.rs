//! Turns what must be filled into dispatches.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy::render::diagnostic::RecordDiagnostics;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::*;
use bevy::render::renderer::{RenderContext, RenderDevice, RenderQueue};
use bevy::render::sync_world::MainEntity;
use bevy::render::texture::GpuImage;

use super::super::extract::{FastVolume, FastVolumes};
use super::super::uniform::FieldStep;
use super::{COARSE, Field, FieldPipelines, GROUP, Inputs, LIGHT_COST, VolumeImages};
use crate::volume::FrameBuffer;

/// One dispatch.
struct Work {
    pipeline: CachedComputePipelineId,
    volume: BindGroup,
    step: BindGroup,
    /// Of the step's uniform.
    offset: u32,
    groups: UVec3,
}

/// All fields, and what is to be filled in this frame.
#[derive(Resource, Default)]
pub struct Fields {
    fields: HashMap<MainEntity, Field>,
    steps: DynamicUniformBuffer<FieldStep>,
    work: Vec<Work>,
}

impl Fields {
    /// The field of a volume.
    pub fn get(&self, volume: MainEntity) -> Option<&Field> {
        self.fields.get(&volume)
    }
}

/// Works out what has to be filled in this frame.
///
/// # Errors
/// If a frame's values do not fit their buffer, which its type rules out.
pub fn prepare(
    fast: Res<FastVolumes>,
    mut all: ResMut<Fields>,
    mut pipelines: ResMut<FieldPipelines>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
    assets: Res<AssetServer>,
    cache: Res<PipelineCache>,
    images: Res<RenderAssets<GpuImage>>,
) -> Result {
    let Fields {
        fields,
        steps,
        work,
    } = &mut *all;
    work.clear();
    fields.retain(|entity, _| fast.volumes.iter().any(|volume| volume.entity == *entity));
    let (Some(quality), Some(textures)) = (fast.quality, fast.textures) else {
        return Ok(());
    };
    let Some(images) = VolumeImages::find(&images, &textures) else {
        return Ok(());
    };
    let mut pending = Vec::new();
    for volume in &fast.volumes {
        let cells = volume.plan.cells(quality.field);
        let field = fields
            .entry(volume.entity)
            .or_insert_with(|| Field::new(&device, volume, cells));
        if field.cells != cells {
            *field = Field::new(&device, volume, cells);
        }
        queue.write_buffer(&field.params, 0, &volume.params);
        let Some(stages) = pipelines.ready(volume.kind, &cache, &assets) else {
            continue;
        };
        let inputs = Inputs {
            params: volume.field_params.clone(),
            textures,
            seed_offset: volume.frame.seed_offset,
            sun_direction: volume.frame.sun_direction,
            phases: [volume.frame.phase_a, volume.frame.phase_b],
        };
        let budget = field.plan(inputs, fast.seconds, volume.plan);
        if budget > 0 {
            begin(field, volume, &queue)?;
            pending.extend(
                advance(field, budget, stages, &pipelines)
                    .into_iter()
                    .map(|step| (volume.entity, step)),
            );
        }
    }
    let Some(mut writer) = steps.get_writer(pending.len(), &device, &queue) else {
        return Ok(());
    };
    let offsets: Vec<u32> = pending
        .iter()
        .map(|(_, step)| writer.write(&step.uniform))
        .collect();
    drop(writer);
    let Some(uniform) = steps.binding() else {
        return Ok(());
    };
    for ((entity, step), offset) in pending.into_iter().zip(offsets) {
        let field = &fields[&entity];
        work.push(Work {
            pipeline: step.pipeline,
            volume: device.create_bind_group(
                "volume",
                &cache.get_bind_group_layout(&pipelines.volume_layout),
                &images.entries(&field.job_params, &field.job_frame),
            ),
            step: device.create_bind_group(
                "volume_field_step",
                &cache.get_bind_group_layout(&pipelines.step_layout),
                &BindGroupEntries::sequential((
                    uniform.clone(),
                    field.texture(step.reads[0]),
                    field.texture(step.reads[1]),
                    &pipelines.clamping,
                    field.texture(step.writes),
                )),
            ),
            offset,
            groups: step.groups,
        });
    }
    Ok(())
}

/// Puts a new job's parameters on the GPU.
fn begin(field: &mut Field, volume: &FastVolume, queue: &RenderQueue) -> Result {
    if let Some(job) = field.job.as_mut().filter(|job| !job.begun) {
        job.begun = true;
        queue.write_buffer(&field.job_params, 0, &job.inputs.params);
        FrameBuffer(field.job_frame.clone()).write(queue, &volume.frame)?;
    }
    Ok(())
}

/// One of a field's textures.
#[derive(Clone, Copy)]
enum Cells {
    Shapes,
    Distances(usize),
    /// The result that is not drawn.
    Back(usize),
}

impl Field {
    fn texture(&self, cells: Cells) -> &TextureView {
        match cells {
            Cells::Shapes => &self.shapes,
            Cells::Distances(which) => &self.distances[which],
            Cells::Back(which) => &self.results[which],
        }
    }
}

/// One dispatch to be.
struct Step {
    pipeline: CachedComputePipelineId,
    uniform: FieldStep,
    reads: [Cells; 2],
    writes: Cells,
    groups: UVec3,
}

/// The next steps of a field's job, for this much of its cost. When they are all done, the new field takes the
/// place of the old one.
fn advance(
    field: &mut Field,
    budget: u32,
    [shape, mark, light]: [CachedComputePipelineId; 3],
    pipelines: &FieldPipelines,
) -> Vec<Step> {
    let (cost, shape_cost, light_from) = (field.cost(), field.shape_cost(), field.light_from());
    let Some(job) = &mut field.job else {
        return Vec::new();
    };
    let from = job.paid;
    let to = (from + budget).min(cost);
    job.paid = to;
    let cells = field.cells;
    let across = cells / GROUP;
    let layers = |pipeline, first: u32, last: u32, reads, writes| Step {
        pipeline,
        uniform: FieldStep {
            cells,
            first_layer: first * GROUP,
            axis: 0,
        },
        reads,
        writes,
        groups: UVec3::new(across, across, last - first),
    };
    let back = Cells::Back(1 - field.front);
    let mut steps = Vec::new();
    if from < shape_cost {
        let reads = [Cells::Distances(0); 2];
        steps.push(layers(
            shape,
            from,
            to.min(shape_cost),
            reads,
            Cells::Shapes,
        ));
    }
    if from < light_from && to >= light_from {
        steps.extend(clear_air(cells, mark, back, pipelines));
    }
    let lit = |paid: u32| paid.saturating_sub(light_from) / LIGHT_COST;
    if lit(to) > lit(from) {
        let reads = [Cells::Shapes, Cells::Distances(1)];
        steps.push(layers(light, lit(from), lit(to), reads, back));
    }
    if to == cost
        && let Some(job) = field.job.take()
    {
        field.front = 1 - field.front;
        field.built = Some((job.inputs, job.seconds));
    }
    steps
}

/// From shapes to distances, by way of marks.
fn clear_air(
    cells: u32,
    mark: CachedComputePipelineId,
    marks: Cells,
    pipelines: &FieldPipelines,
) -> Vec<Step> {
    let all = UVec3::splat(cells / GROUP);
    let coarse = all / COARSE;
    let step = |pipeline, axis, groups, reads, writes| Step {
        pipeline,
        uniform: FieldStep {
            cells,
            first_layer: 0,
            axis,
        },
        reads,
        writes,
        groups,
    };
    let [first, second] = [0, 1].map(Cells::Distances);
    vec![
        step(mark, 0, all, [Cells::Shapes, first], marks),
        step(pipelines.occupy, 0, coarse, [marks, second], first),
        step(pipelines.spread, 0, coarse, [marks, first], second),
        step(pipelines.spread, 1, coarse, [marks, second], first),
        step(pipelines.spread, 2, coarse, [marks, first], second),
    ]
}

/// Fills fields.
pub fn fill(fields: Res<Fields>, cache: Res<PipelineCache>, mut ctx: RenderContext) {
    if fields.work.is_empty() {
        return;
    }
    let diagnostics = ctx.diagnostic_recorder();
    let diagnostics = diagnostics.as_deref();
    let mut pass = ctx
        .command_encoder()
        .begin_compute_pass(&ComputePassDescriptor {
            label: Some("volume_field"),
            timestamp_writes: None,
        });
    let span = diagnostics.pass_span(&mut pass, "volume_field");
    for work in &fields.work {
        if let Some(pipeline) = cache.get_compute_pipeline(work.pipeline) {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &work.volume, &[]);
            pass.set_bind_group(1, &work.step, &[work.offset]);
            pass.dispatch_workgroups(work.groups.x, work.groups.y, work.groups.z);
        }
    }
    span.end(&mut pass);
}
