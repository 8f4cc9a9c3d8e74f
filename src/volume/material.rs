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
use super::quality::March;
use crate::shaders;

/// A raymarched volume. Bindings 0 to 7 of the material group, in the order of the fields;
/// each volume's shader declares the other side.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
#[bind_group_data(March)]
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
    /// How the ray is marched.
    pub march: March,
}

impl<V: Volume> From<&VolumeMaterial<V>> for March {
    fn from(material: &VolumeMaterial<V>) -> Self {
        material.march
    }
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
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        if let (March::Plain, Some(fragment)) = (key.bind_group_data, &mut descriptor.fragment) {
            fragment.shader_defs.push("PLAIN_MARCH".into());
        }
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
