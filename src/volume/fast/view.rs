//! Plans a view: which volumes it shows, and which of its pixels are marched.

use std::collections::HashMap;

use bevy::core_pipeline::prepass::DepthPrepass;
use bevy::ecs::system::SystemParam;
use bevy::math::{Affine3A, DMat4, Vec4Swizzles};
use bevy::prelude::*;
use bevy::render::camera::ExtractedCamera;
use bevy::render::render_resource::*;
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::sync_world::MainEntity;
use bevy::render::view::{ExtractedView, RenderVisibleEntities, RetainedViewEntity};

use super::extract::{FastVolume, FastVolumes};
use super::field::{Field, Fields};
use super::grid::{Care, Grid};
use super::history::{Histories, Moment, Use};
use super::march::{MarchKey, MarchPipelines};
use super::resolve::ResolvePipelines;
use super::uniform::{FastView, ResolveView};
use crate::volume::VolumeFrame;

/// One volume in one view.
pub struct Draw {
    pub volume: MainEntity,
    pub pipeline: CachedRenderPipelineId,
    /// Of its [`FastView`].
    pub offset: u32,
}

/// What a view draws in this frame.
pub struct ViewPlan {
    /// Far volumes first.
    pub draws: Vec<Draw>,
    pub resolve: CachedRenderPipelineId,
    /// Of its [`ResolveView`].
    pub offset: u32,
    pub view: RetainedViewEntity,
    /// Marched pixels across and down.
    pub marched: UVec2,
    /// Corner and size of the viewport.
    pub viewport: UVec4,
    /// Corner and size of what the volumes may cover.
    pub covered: UVec4,
    pub target: Target,
}

/// What the pipelines of a view depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    pub format: TextureFormat,
    pub depth_prepass: bool,
    pub multisampled: bool,
}

/// The plans of all views, by the view's entity.
#[derive(Resource, Default)]
pub struct ViewPlans {
    pub plans: HashMap<Entity, ViewPlan>,
    pub march: DynamicUniformBuffer<FastView>,
    pub resolve: DynamicUniformBuffer<ResolveView>,
}

type Views<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static ExtractedView,
        &'static ExtractedCamera,
        &'static RenderVisibleEntities,
        &'static Msaa,
        Has<DepthPrepass>,
    ),
>;

/// Pipelines, compiled when a view first needs them.
#[derive(SystemParam)]
pub struct Pipelines<'w> {
    cache: Res<'w, PipelineCache>,
    march_base: Res<'w, MarchPipelines>,
    march: ResMut<'w, SpecializedRenderPipelines<MarchPipelines>>,
    resolve_base: Res<'w, ResolvePipelines>,
    resolve: ResMut<'w, SpecializedRenderPipelines<ResolvePipelines>>,
}

/// Plans all views.
pub fn prepare(
    views: Views,
    fast: Res<FastVolumes>,
    fields: Res<Fields>,
    mut histories: ResMut<Histories>,
    mut plans: ResMut<ViewPlans>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
    mut pipelines: Pipelines,
) {
    plans.plans.clear();
    plans.march.clear();
    plans.resolve.clear();
    for (entity, view, camera, visible, msaa, depth_prepass) in &views {
        let (Some(quality), Some(size)) = (fast.quality, camera.physical_target_size) else {
            continue;
        };
        let shown = shown_volumes(&fast, &fields, view, visible);
        let viewport = view.viewport;
        if shown.is_empty() || viewport.z == 0 || viewport.w == 0 {
            continue;
        }
        let coarse = Grid::coarse(quality, fast.slice, viewport);
        let eye = Eye::of(view, camera.exposure);
        let target = Target {
            format: view.target_format,
            depth_prepass,
            multisampled: msaa.samples() > 1,
        };
        let history = histories.prepare(&device, view.retained_view_entity, size, coarse.size());
        let advance = history.advance(Moment {
            clip_from_world: eye.clip_from_world,
            viewport,
            exposure: eye.exposure,
            quality,
            epoch: fast.epoch,
            textures: fast.textures,
            volumes: shown.iter().map(|(volume, _)| state(volume)).collect(),
        });
        let grid = Grid::refined(quality, advance.still, viewport)
            .filter(|_| advance.past == Use::Still)
            .unwrap_or(coarse);
        let draws = shown
            .iter()
            .map(|(volume, field)| Draw {
                volume: volume.entity,
                pipeline: pipelines.march(volume, target, grid.care),
                offset: plans.march.push(&eye.uniform(volume, field, &grid, &fast)),
            })
            .collect();
        let past_clip_from_clip = advance.past_clip_from_world * eye.clip_from_world.inverse();
        let plan = ViewPlan {
            draws,
            resolve: pipelines.resolve(target),
            offset: plans.resolve.push(&ResolveView {
                past_clip_from_clip: past_clip_from_clip.as_mat4(),
                viewport: viewport.as_vec4(),
                offset: grid.offset.extend(0.0).extend(0.0),
                marched: grid.size().as_vec2().extend(0.0).extend(0.0),
                size: size.as_vec2().extend(0.0).extend(0.0),
                spacing: grid.spacing,
                past: advance.past as u32,
                refined: u32::from(grid.care == Care::Refined),
            }),
            view: view.retained_view_entity,
            marched: grid.size(),
            viewport,
            covered: eye.covered(&shown, &grid),
            target,
        };
        plans.plans.insert(entity, plan);
    }
    histories.keep(|view| plans.plans.values().any(|plan| plan.view == view));
    plans.march.write_buffer(&device, &queue);
    plans.resolve.write_buffer(&device, &queue);
}

impl Pipelines<'_> {
    fn march(&mut self, volume: &FastVolume, target: Target, care: Care) -> CachedRenderPipelineId {
        let key = MarchKey {
            kind: volume.kind,
            depth_prepass: target.depth_prepass,
            multisampled: target.multisampled,
            care,
        };
        self.march.specialize(&self.cache, &self.march_base, key)
    }

    fn resolve(&mut self, target: Target) -> CachedRenderPipelineId {
        self.resolve
            .specialize(&self.cache, &self.resolve_base, target)
    }
}

/// The volumes that a view shows and whose fields are there, far ones first.
fn shown_volumes<'a>(
    fast: &'a FastVolumes,
    fields: &'a Fields,
    view: &ExtractedView,
    visible: &RenderVisibleEntities,
) -> Vec<(&'a FastVolume, &'a Field)> {
    let Some(visible) = visible.get::<Mesh3d>() else {
        return Vec::new();
    };
    let mut shown: Vec<_> = fast
        .volumes
        .iter()
        .filter(|volume| {
            visible
                .iter_visible()
                .any(|(_, entity)| *entity == volume.entity)
        })
        .filter_map(|volume| {
            let field = fields.get(volume.entity)?;
            field.current().map(|_| (volume, field))
        })
        .collect();
    let eye = view.world_from_view.translation_vec3a();
    shown.sort_by(|(a, _), (b, _)| {
        let distance =
            |volume: &FastVolume| volume.world_from_local.translation.distance_squared(eye);
        distance(b).total_cmp(&distance(a))
    });
    shown
}

/// What of a volume the picture depends on.
fn state(volume: &FastVolume) -> (MainEntity, Affine3A, Vec<u8>, VolumeFrame) {
    let frame = VolumeFrame {
        jitter: 0,
        ..volume.frame
    };
    (
        volume.entity,
        volume.world_from_local,
        volume.params.clone(),
        frame,
    )
}

/// Where a view looks from.
struct Eye {
    clip_from_view: Mat4,
    view_from_world: Affine3A,
    clip_from_world: DMat4,
    exposure: f32,
}

impl Eye {
    fn of(view: &ExtractedView, exposure: f32) -> Self {
        let world_from_view = view.world_from_view.affine();
        Self {
            clip_from_view: view.clip_from_view,
            view_from_world: world_from_view.inverse(),
            // Where frames are compared to parts of a pixel, single precision is not enough.
            clip_from_world: view.clip_from_view.as_dmat4()
                * Mat4::from(world_from_view).as_dmat4().inverse(),
            exposure,
        }
    }

    fn uniform(
        &self,
        volume: &FastVolume,
        field: &Field,
        grid: &Grid,
        fast: &FastVolumes,
    ) -> FastView {
        let view_from_local = self.view_from_world * volume.world_from_local;
        FastView {
            local_from_view: view_from_local.inverse().into(),
            view_from_clip: self.clip_from_view.inverse(),
            clip_from_local: self.clip_from_view * Mat4::from(view_from_local),
            viewport: grid.viewport.as_vec4(),
            offset: grid.offset.extend(0.0).extend(0.0),
            share: grid.share().extend(0.0).extend(0.0),
            spacing: grid.spacing,
            exposure: self.exposure,
            steps: grid.steps,
            light_steps: grid.light_steps,
            cells: field.cells() as f32,
            drift: volume.drift_speed * field.age(fast.seconds),
            slice: fast.slice,
        }
    }

    /// Corner and size of the part of the viewport that volumes may cover.
    fn covered(&self, shown: &[(&FastVolume, &Field)], grid: &Grid) -> UVec4 {
        let viewport = grid.viewport;
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for (volume, _) in shown {
            let clip_from_local =
                self.clip_from_view * Mat4::from(self.view_from_world * volume.world_from_local);
            for corner in 0..8 {
                let corner =
                    UVec3::new(corner & 1, corner >> 1 & 1, corner >> 2).as_vec3() * 2.0 - 1.0;
                let clip = clip_from_local * corner.extend(1.0);
                // A corner beside or behind the eye may be anywhere in the picture.
                if clip.w < 1e-3 {
                    return viewport;
                }
                let ndc = clip.xy() / clip.w;
                low = low.min(ndc);
                high = high.max(ndc);
            }
        }
        let size = viewport.zw().as_vec2();
        let pixels =
            |ndc: Vec2| (ndc * Vec2::new(0.5, -0.5) + 0.5).clamp(Vec2::ZERO, Vec2::ONE) * size;
        // Blocks at the edge reach a little beyond it.
        let (first, last) = (
            pixels(Vec2::new(low.x, high.y)),
            pixels(Vec2::new(high.x, low.y)),
        );
        let edge = grid.spacing + EDGE;
        let first = (first - edge).max(Vec2::ZERO).floor().as_uvec2();
        let last = (last + edge).min(size).ceil().as_uvec2();
        let size = last.saturating_sub(first);
        UVec4::new(viewport.x + first.x, viewport.y + first.y, size.x, size.y)
    }
}

/// Pixels beyond a volume's outline, and a block, that may show some of it.
const EDGE: f32 = 8.0;
