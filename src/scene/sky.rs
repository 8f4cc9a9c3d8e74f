//! The sky's picture and the light it gives: baked from the sun whenever that moves.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::{MeshVertexBufferLayoutRef, PrimitiveTopology};
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, Extent3d, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
    TextureDimension, TextureFormat,
};
use bevy::render::storage::ShaderBuffer;
use bevy::shader::ShaderRef;

use super::{Background, StageParams, SunParams, atmosphere};
use crate::shaders;
use crate::volume::SkyLight;

/// What the sky's shader gets.
#[derive(Reflect, ShaderType, Clone, Copy, Debug, Default)]
pub struct SkyFrame {
    /// Unit vector towards the sun.
    pub sun_direction: Vec3,
    /// Radiance of the sun's disc, cd/m², dimmed to what bloom and tone mapping can show.
    pub disc_radiance: Vec3,
}

/// The material of the sky.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
pub struct SkyMaterial {
    #[storage(0, read_only)]
    frame: Handle<ShaderBuffer>,
    #[texture(1)]
    #[sampler(2)]
    radiance: Handle<Image>,
}

impl Material for SkyMaterial {
    fn vertex_shader() -> ShaderRef {
        shaders::shader_ref("sky.wgsl")
    }

    fn fragment_shader() -> ShaderRef {
        shaders::shader_ref("sky.wgsl")
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
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

/// The entity that draws the sky.
#[derive(Component)]
pub(super) struct Sky;

pub(super) struct SkyPlugin;

impl Plugin for SkyPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<SkyMaterial>::default())
            .add_systems(Startup, spawn)
            .add_systems(
                PreUpdate,
                (
                    bake.run_if(resource_changed::<SunParams>),
                    show.run_if(resource_changed::<StageParams>),
                ),
            );
    }
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<SkyMaterial>>,
    mut images: ResMut<Assets<Image>>,
    mut buffers: ResMut<Assets<ShaderBuffer>>,
    sun: Res<SunParams>,
) {
    // Covers the view, in clip space at the far plane.
    let corners = vec![[-1.0, -1.0, 0.0_f32], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
    let triangle = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners);
    let material = SkyMaterial {
        frame: buffers.add(ShaderBuffer::from(sky_frame(&sun))),
        radiance: images.add(table(&sun)),
    };
    commands.spawn((
        Sky,
        Name::new("Sky"),
        Mesh3d(meshes.add(triangle)),
        MeshMaterial3d(materials.add(material)),
        NoFrustumCulling,
        NotShadowCaster,
        NotShadowReceiver,
    ));
}

/// Renews table, disc and light after the sun has changed.
fn bake(
    sun: Res<SunParams>,
    mut images: ResMut<Assets<Image>>,
    mut buffers: ResMut<Assets<ShaderBuffer>>,
    mut materials: ResMut<Assets<SkyMaterial>>,
    mut light: ResMut<SkyLight>,
) {
    for (_, material) in materials.iter_mut() {
        // A new image, because a bind group keeps the texture that it was made with.
        material.radiance = images.add(table(&sun));
        material.frame = buffers.add(ShaderBuffer::from(sky_frame(&sun)));
    }
    let illuminance = sun.illuminance();
    let direction = sun.direction();
    light.set_if_neq(SkyLight {
        sky: illuminance * atmosphere::mean_sky_radiance(direction),
        ground: illuminance * atmosphere::land_radiance(direction),
    });
}

fn show(stage: Res<StageParams>, mut sky: Single<&mut Visibility, With<Sky>>) {
    **sky = match stage.background() {
        Background::Sky => Visibility::Inherited,
        Background::Plain | Background::Nothing => Visibility::Hidden,
    };
}

fn sky_frame(sun: &SunParams) -> SkyFrame {
    // The true disc would be some 1e9 cd/m²; 60 times paper white blooms without drowning the picture.
    const DISC: f32 = 60.0 / PI;
    SkyFrame { sun_direction: sun.direction(), disc_radiance: DISC * sun.ground_illuminance() }
}

/// The table of radiance: azimuth from the sun across, elevation up.
fn table(sun: &SunParams) -> Image {
    const WIDTH: u32 = 48;
    const HEIGHT: u32 = 96;
    let (sin, cos) = sun.elevation.to_radians().sin_cos();
    let sun_direction = Vec3::new(0.0, sin, cos);
    let illuminance = sun.illuminance();
    let texel = |x: u32, y: u32| {
        let azimuth = (x as f32 + 0.5) / WIDTH as f32 * PI;
        // Inverse of the spreading in the shader.
        let v = 1.0 - 2.0 * (y as f32 + 0.5) / HEIGHT as f32;
        let elevation = v * v.abs() * FRAC_PI_2;
        let direction = Vec3::new(
            azimuth.sin() * elevation.cos(),
            elevation.sin(),
            azimuth.cos() * elevation.cos(),
        );
        (illuminance * atmosphere::sky_radiance(direction, sun_direction)).extend(1.0)
    };
    let bytes = (0..HEIGHT)
        .flat_map(|y| (0..WIDTH).map(move |x| (x, y)))
        .flat_map(|(x, y)| texel(x, y).to_array())
        .flat_map(|channel| half::f16::from_f32(channel.min(65_000.0)).to_le_bytes())
        .collect();
    let mut image = Image::new(
        Extent3d { width: WIDTH, height: HEIGHT, depth_or_array_layers: 1 },
        TextureDimension::D2,
        bytes,
        TextureFormat::Rgba16Float,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::ClampToEdge,
        address_mode_v: ImageAddressMode::ClampToEdge,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}
