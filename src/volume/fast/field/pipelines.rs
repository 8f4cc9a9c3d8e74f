//! Layouts and pipelines of the field's steps.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::binding_types::{
    sampler, storage_buffer_read_only_sized, texture_2d, texture_3d, texture_storage_3d,
    uniform_buffer, uniform_buffer_sized,
};
use bevy::render::render_resource::*;
use bevy::render::renderer::RenderDevice;
use bevy::render::texture::GpuImage;

use super::super::extract::{Kind, Textures};
use super::super::uniform::FieldStep;
use crate::shaders;

/// Layouts and pipelines.
#[derive(Resource)]
pub struct FieldPipelines {
    /// Parameters, frame and textures of a volume: bindings 0 to 7, as in the material.
    pub volume_layout: BindGroupLayoutDescriptor,
    pub(super) step_layout: BindGroupLayoutDescriptor,
    /// Linear, clamped to the edge.
    pub clamping: Sampler,
    pub(super) occupy: CachedComputePipelineId,
    pub(super) spread: CachedComputePipelineId,
    kinds: HashMap<Kind, [CachedComputePipelineId; 3]>,
}

/// The bindings of a volume.
pub fn volume_entries(stages: ShaderStages) -> BindGroupLayoutEntries<8> {
    let texture = || texture_3d(TextureSampleType::Float { filterable: true });
    BindGroupLayoutEntries::sequential(
        stages,
        (
            uniform_buffer_sized(false, None),
            storage_buffer_read_only_sized(false, None),
            texture(),
            sampler(SamplerBindingType::Filtering),
            texture(),
            texture(),
            texture_2d(TextureSampleType::Float { filterable: true }),
            sampler(SamplerBindingType::Filtering),
        ),
    )
}

/// Makes layouts, and starts to compile what all kinds of volume share.
pub fn start(
    mut commands: Commands,
    device: Res<RenderDevice>,
    assets: Res<AssetServer>,
    cache: Res<PipelineCache>,
) {
    let volume_layout =
        BindGroupLayoutDescriptor::new("volume", &volume_entries(ShaderStages::COMPUTE));
    let texture = || texture_3d(TextureSampleType::Float { filterable: true });
    let step_layout = BindGroupLayoutDescriptor::new(
        "volume_field_step",
        &BindGroupLayoutEntries::sequential(
            ShaderStages::COMPUTE,
            (
                uniform_buffer::<FieldStep>(true),
                texture(),
                texture(),
                sampler(SamplerBindingType::Filtering),
                texture_storage_3d(TextureFormat::Rgba16Float, StorageTextureAccess::WriteOnly),
            ),
        ),
    );
    let layouts = vec![volume_layout.clone(), step_layout.clone()];
    let shared = |entry| compile(&cache, &assets, &layouts, "clearance.wgsl", entry);
    commands.insert_resource(FieldPipelines {
        occupy: shared("occupy"),
        spread: shared("spread"),
        clamping: device.create_sampler(&SamplerDescriptor {
            label: Some("volume_clamping"),
            mag_filter: FilterMode::Linear,
            min_filter: FilterMode::Linear,
            ..default()
        }),
        volume_layout,
        step_layout,
        kinds: HashMap::new(),
    });
}

fn compile(
    cache: &PipelineCache,
    assets: &AssetServer,
    layouts: &[BindGroupLayoutDescriptor],
    shader: &str,
    entry: &'static str,
) -> CachedComputePipelineId {
    cache.queue_compute_pipeline(ComputePipelineDescriptor {
        label: Some(format!("volume_field_{entry}").into()),
        layout: layouts.to_vec(),
        shader: assets.load(shaders::asset_path(shader)),
        entry_point: Some(entry.into()),
        ..default()
    })
}

/// Textures of a volume, once they are on the GPU.
pub struct VolumeImages<'a> {
    base: &'a GpuImage,
    detail: &'a GpuImage,
    vectors: &'a GpuImage,
    palettes: &'a GpuImage,
}

impl<'a> VolumeImages<'a> {
    /// Finds them.
    pub fn find(images: &'a RenderAssets<GpuImage>, textures: &Textures) -> Option<Self> {
        Some(Self {
            base: images.get(textures.base)?,
            detail: images.get(textures.detail)?,
            vectors: images.get(textures.vectors)?,
            palettes: images.get(textures.palettes)?,
        })
    }

    /// Bindings 0 to 7.
    pub fn entries(&'a self, params: &'a Buffer, frame: &'a Buffer) -> DynamicBindGroupEntries<'a> {
        DynamicBindGroupEntries::sequential((
            params.as_entire_binding(),
            frame.as_entire_binding(),
            &self.base.texture_view,
            &self.base.sampler,
            &self.detail.texture_view,
            &self.vectors.texture_view,
            &self.palettes.texture_view,
            &self.palettes.sampler,
        ))
    }
}

impl FieldPipelines {
    /// The pipelines `shape`, `mark` and `light` of a kind, once all that its field needs is compiled.
    pub(super) fn ready(
        &mut self,
        kind: Kind,
        cache: &PipelineCache,
        assets: &AssetServer,
    ) -> Option<[CachedComputePipelineId; 3]> {
        let layouts = [self.volume_layout.clone(), self.step_layout.clone()];
        let own = *self.kinds.entry(kind).or_insert_with(|| {
            ["shape", "mark", "light"]
                .map(|entry| compile(cache, assets, &layouts, kind.field, entry))
        });
        own.iter()
            .chain([&self.occupy, &self.spread])
            .all(|id| cache.get_compute_pipeline(*id).is_some())
            .then_some(own)
    }
}
