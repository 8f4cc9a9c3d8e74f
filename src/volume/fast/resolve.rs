//! Puts marched pixels into the picture, and adds up frames.

use bevy::core_pipeline::prepass::ViewPrepassTextures;
use bevy::prelude::*;
use bevy::render::diagnostic::RecordDiagnostics;
use bevy::render::render_resource::binding_types::{sampler, texture_2d, uniform_buffer};
use bevy::render::render_resource::*;
use bevy::render::renderer::{RenderContext, ViewQuery};
use bevy::render::view::ViewTarget;

use super::field::FieldPipelines;
use super::history::{COLOR_FORMAT, Histories, WEIGHT_FORMAT};
use super::march::{depth_defs, depth_entries};
use super::uniform::ResolveView;
use super::view::{Target, ViewPlans};
use crate::shaders;

/// From which the pipelines are made.
#[derive(Resource)]
pub struct ResolvePipelines {
    assets: AssetServer,
}

/// Makes it.
pub fn start(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(ResolvePipelines {
        assets: assets.clone(),
    });
}

fn layout(target: Target) -> BindGroupLayoutDescriptor {
    let loaded = || texture_2d(TextureSampleType::Float { filterable: false });
    let mut entries = BindGroupLayoutEntries::sequential(
        ShaderStages::FRAGMENT,
        (
            uniform_buffer::<ResolveView>(true),
            loaded(),
            loaded(),
            texture_2d(TextureSampleType::Float { filterable: true }),
            loaded(),
            sampler(SamplerBindingType::Filtering),
        ),
    )
    .to_vec();
    if target.depth_prepass {
        entries.extend(depth_entries(6, target.multisampled));
    }
    BindGroupLayoutDescriptor::new("volume_resolve", &entries)
}

impl SpecializedRenderPipeline for ResolvePipelines {
    type Key = Target;

    fn specialize(&self, target: Target) -> RenderPipelineDescriptor {
        let shader = self.assets.load(shaders::asset_path("resolve.wgsl"));
        let kept = |format| {
            Some(ColorTargetState {
                format,
                blend: None,
                write_mask: ColorWrites::ALL,
            })
        };
        RenderPipelineDescriptor {
            label: Some("volume_resolve".into()),
            layout: vec![layout(target)],
            vertex: VertexState {
                shader: shader.clone(),
                ..default()
            },
            fragment: Some(FragmentState {
                shader,
                shader_defs: depth_defs(target.depth_prepass, target.multisampled),
                targets: vec![
                    Some(ColorTargetState {
                        format: target.format,
                        blend: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                        write_mask: ColorWrites::ALL,
                    }),
                    kept(COLOR_FORMAT),
                    kept(WEIGHT_FORMAT),
                ],
                ..default()
            }),
            ..default()
        }
    }
}

/// Resolves.
pub fn resolve(
    view: ViewQuery<(&ViewTarget, Option<&ViewPrepassTextures>)>,
    plans: Res<ViewPlans>,
    histories: Res<Histories>,
    field_pipelines: Res<FieldPipelines>,
    cache: Res<PipelineCache>,
    mut ctx: RenderContext,
) {
    let entity = view.entity();
    let (view_target, prepass) = view.into_inner();
    let Some(plan) = plans.plans.get(&entity) else {
        return;
    };
    let (Some(history), Some(uniform), Some(pipeline)) = (
        histories.get(plan.view),
        plans.resolve.binding(),
        cache.get_render_pipeline(plan.resolve),
    ) else {
        return;
    };
    let (past, next) = history.past_and_next();
    let mut entries = DynamicBindGroupEntries::sequential((
        uniform,
        &history.marched.color,
        &history.marched.depth,
        &past.color,
        &past.weight,
        &field_pipelines.clamping,
    ));
    if plan.target.depth_prepass {
        let Some(depth) = prepass.and_then(ViewPrepassTextures::depth_view) else {
            return;
        };
        entries = entries.extend_sequential((depth,));
    }
    let group = ctx.render_device().create_bind_group(
        "volume_resolve",
        &cache.get_bind_group_layout(&layout(plan.target)),
        &entries,
    );
    // What volumes do not cover has no past.
    let kept = |view| {
        Some(RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: Operations {
                load: LoadOp::Clear(default()),
                store: StoreOp::Store,
            },
        })
    };
    let diagnostics = ctx.diagnostic_recorder();
    let diagnostics = diagnostics.as_deref();
    let mut pass = ctx.begin_tracked_render_pass(RenderPassDescriptor {
        label: Some("volume_resolve"),
        color_attachments: &[
            Some(view_target.get_unsampled_color_attachment()),
            kept(&next.color),
            kept(&next.weight),
        ],
        depth_stencil_attachment: None,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    });
    let span = diagnostics.pass_span(&mut pass, "volume_resolve");
    let [x, y, width, height] = plan.viewport.as_vec4().to_array();
    pass.set_viewport(x, y, width, height, 0.0, 1.0);
    let covered = plan.covered;
    pass.set_scissor_rect(covered.x, covered.y, covered.z, covered.w);
    pass.set_render_pipeline(pipeline);
    pass.set_bind_group(0, &group, &[plan.offset]);
    pass.draw(0..3, 0..1);
    span.end(&mut pass);
}
