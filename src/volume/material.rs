//! The material that draws a volume of any kind.

use bevy::asset::Asset;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, Buffer, CompareFunction, Face, RenderPipelineDescriptor,
    SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;

use super::Volume;
use crate::shaders;

/// A raymarched volume. Bindings 0 to 7 of the material group, in the order of the fields;
/// each volume's shader declares the other side.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
pub struct VolumeMaterial<V: Volume> {
    /// Authored parameters.
    #[uniform(0)]
    pub params: V,
    /// Derived values, a [`VolumeFrame`](super::VolumeFrame).
    #[storage(1, read_only, buffer)]
    pub frame: Buffer,
    /// 128³ Perlin-Worley noise.
    #[texture(2, dimension = "3d")]
    #[sampler(3)]
    pub base: Handle<Image>,
    /// 32³ Worley noise.
    #[texture(4, dimension = "3d")]
    pub detail: Handle<Image>,
    /// 64³ Perlin vectors and turbulence.
    #[texture(5, dimension = "3d")]
    pub vectors: Handle<Image>,
    /// One row a palette.
    #[texture(6)]
    #[sampler(7)]
    pub palettes: Handle<Image>,
}

impl<V: Volume> Material for VolumeMaterial<V> {
    fn fragment_shader() -> ShaderRef {
        shaders::shader_ref(V::FRAGMENT_SHADER)
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Premultiplied
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _pipeline: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _layout: &MeshVertexBufferLayoutRef,
        _key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // Back faces are on screen wherever the volume is, even with the camera inside; geometry
        // in front of them ends the ray in the shader and must not reject the pixel.
        descriptor.primitive.cull_mode = Some(Face::Front);
        if let Some(depth) = &mut descriptor.depth_stencil {
            depth.depth_compare = Some(CompareFunction::Always);
            depth.depth_write_enabled = Some(false);
        }
        Ok(())
    }
}
