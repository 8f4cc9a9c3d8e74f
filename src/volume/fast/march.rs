//! Marches some of a view's pixels through the fields.

use bevy::core_pipeline::prepass::ViewPrepassTextures;
use bevy::pbr::Bluenoise;
use bevy::prelude::*;
use bevy::render::diagnostic::RecordDiagnostics;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::binding_types::{
    sampler, texture_2d_array, texture_3d, texture_depth_2d, texture_depth_2d_multisampled,
    uniform_buffer,
};
use bevy::render::render_resource::*;
use bevy::render::renderer::{RenderContext, ViewQuery};
use bevy::render::texture::GpuImage;

use super::extract::{FastVolumes, Kind};
use super::field::{FieldPipelines, Fields, VolumeImages, volume_entries};
use super::grid::Care;
use super::history::{COLOR_FORMAT, DEPTH_FORMAT, Histories};
use super::uniform::FastView;
use super::view::ViewPlans;
use crate::shaders;

/// What the march of a view and a volume depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MarchKey {
    pub kind: Kind,
    pub depth_prepass: bool,
    pub multisampled: bool,
    pub care: Care,
}

/// Layouts of the march, from which its pipelines are made.
#[derive(Resource)]
pub struct MarchPipelines {
    assets: AssetServer,
    volume_layout: BindGroupLayoutDescriptor,
}

/// Makes the layouts.
pub fn start(mut commands: Commands, assets: Res<AssetServer>) {
    let mut entries = volume_entries(ShaderStages::FRAGMENT).to_vec();
    entries.extend_from_slice(&BindGroupLayoutEntries::with_indices(
        ShaderStages::FRAGMENT,
        (
            (8, texture_3d(TextureSampleType::Float { filterable: true })),
            (9, sampler(SamplerBindingType::Filtering)),
            (
                10,
                texture_3d(TextureSampleType::Float { filterable: true }),
            ),
        ),
    ));
    commands.insert_resource(MarchPipelines {
        assets: assets.clone(),
        volume_layout: BindGroupLayoutDescriptor::new("volume_march", &entries),
    });
}

/// The scene's depth, where there is any, as a binding.
pub fn depth_entries(index: u32, multisampled: bool) -> Vec<BindGroupLayoutEntry> {
    let depth = if multisampled {
        texture_depth_2d_multisampled()
    } else {
        texture_depth_2d()
    };
    BindGroupLayoutEntries::with_indices(ShaderStages::FRAGMENT, ((index, depth),)).to_vec()
}

/// Shader definitions for it.
pub fn depth_defs(depth_prepass: bool, multisampled: bool) -> Vec<bevy::shader::ShaderDefVal> {
    let mut defs = Vec::new();
    if depth_prepass {
        defs.push("DEPTH_PREPASS".into());
    }
    if multisampled {
        defs.push("MULTISAMPLED".into());
    }
    defs
}

fn view_layout(depth_prepass: bool, multisampled: bool) -> BindGroupLayoutDescriptor {
    let mut entries = BindGroupLayoutEntries::sequential(
        ShaderStages::VERTEX_FRAGMENT,
        (
            uniform_buffer::<FastView>(true),
            texture_2d_array(TextureSampleType::Float { filterable: false }),
        ),
    )
    .to_vec();
    if depth_prepass {
        entries.extend(depth_entries(2, multisampled));
    }
    BindGroupLayoutDescriptor::new("volume_march_view", &entries)
}

impl SpecializedRenderPipeline for MarchPipelines {
    type Key = MarchKey;

    fn specialize(&self, key: MarchKey) -> RenderPipelineDescriptor {
        let mut defs = depth_defs(key.depth_prepass, key.multisampled);
        match key.care {
            Care::Baked => defs.push("BAKED_LIGHT".into()),
            Care::Lit => {}
            Care::Refined => defs.push("REFINED".into()),
        }
        RenderPipelineDescriptor {
            label: Some(format!("volume_march {}", key.kind.march).into()),
            layout: vec![
                view_layout(key.depth_prepass, key.multisampled),
                self.volume_layout.clone(),
            ],
            vertex: VertexState {
                shader: self.assets.load(shaders::asset_path("cube.wgsl")),
                ..default()
            },
            primitive: PrimitiveState {
                topology: PrimitiveTopology::TriangleStrip,
                cull_mode: Some(Face::Front),
                ..default()
            },
            fragment: Some(FragmentState {
                shader: self.assets.load(shaders::asset_path(key.kind.march)),
                shader_defs: defs,
                targets: vec![
                    Some(ColorTargetState {
                        format: COLOR_FORMAT,
                        blend: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                        write_mask: ColorWrites::ALL,
                    }),
                    // What is in front was drawn last.
                    Some(ColorTargetState {
                        format: DEPTH_FORMAT,
                        blend: None,
                        write_mask: ColorWrites::ALL,
                    }),
                ],
                ..default()
            }),
            ..default()
        }
    }
}

/// Marches.
pub fn march(
    view: ViewQuery<Option<&ViewPrepassTextures>>,
    plans: Res<ViewPlans>,
    histories: Res<Histories>,
    fast: Res<FastVolumes>,
    fields: Res<Fields>,
    pipelines: Res<MarchPipelines>,
    field_pipelines: Res<FieldPipelines>,
    cache: Res<PipelineCache>,
    images: Res<RenderAssets<GpuImage>>,
    bluenoise: Res<Bluenoise>,
    mut ctx: RenderContext,
) {
    let entity = view.entity();
    let prepass = view.into_inner();
    let (Some(plan), Some(textures)) = (plans.plans.get(&entity), fast.textures) else {
        return;
    };
    let (Some(history), Some(uniform), Some(bluenoise), Some(textures)) = (
        histories.get(plan.view),
        plans.march.binding(),
        images.get(&bluenoise.texture),
        VolumeImages::find(&images, &textures),
    ) else {
        return;
    };
    let target = plan.target;
    let mut entries = DynamicBindGroupEntries::sequential((uniform, &bluenoise.texture_view));
    if target.depth_prepass {
        let Some(depth) = prepass.and_then(ViewPrepassTextures::depth_view) else {
            return;
        };
        entries = entries.extend_sequential((depth,));
    }
    let device = ctx.render_device().clone();
    let layout = view_layout(target.depth_prepass, target.multisampled);
    let view_group = device.create_bind_group(
        "volume_march_view",
        &cache.get_bind_group_layout(&layout),
        &entries,
    );
    let mut ready = Vec::new();
    for draw in &plan.draws {
        let volume = fast
            .volumes
            .iter()
            .find(|volume| volume.entity == draw.volume);
        let (Some(volume), Some(field), Some(pipeline)) = (
            volume,
            fields.get(draw.volume),
            cache.get_render_pipeline(draw.pipeline),
        ) else {
            continue;
        };
        let Some(cells) = field.current() else {
            continue;
        };
        let entries = textures
            .entries(&field.params, &volume.frame_buffer)
            .extend_with_indices((
                (8, cells),
                (9, &field_pipelines.clamping),
                (10, field.shapes()),
            ));
        let layout = cache.get_bind_group_layout(&pipelines.volume_layout);
        let group = device.create_bind_group("volume_march", &layout, &entries);
        ready.push((pipeline, draw.offset, group));
    }
    let attachment = |view| {
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
        label: Some("volume_march"),
        color_attachments: &[
            attachment(&history.marched.color),
            attachment(&history.marched.depth),
        ],
        depth_stencil_attachment: None,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    });
    let span = diagnostics.pass_span(&mut pass, "volume_march");
    let size = plan.marched.as_vec2();
    pass.set_viewport(0.0, 0.0, size.x, size.y, 0.0, 1.0);
    for (pipeline, offset, volume) in &ready {
        pass.set_render_pipeline(pipeline);
        pass.set_bind_group(0, &view_group, &[*offset]);
        pass.set_bind_group(1, volume, &[]);
        pass.draw(0..14, 0..1);
    }
    span.end(&mut pass);
}
