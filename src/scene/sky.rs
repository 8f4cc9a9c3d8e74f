//! Sky and ground: a table of the sky's radiance, baked whenever the sun moves, and a plane lit by
//! sun, sky and fire.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::{MeshVertexBufferLayoutRef, PrimitiveTopology};
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, Buffer, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::{Extract, RenderApp};
use bevy::shader::ShaderRef;

use super::{Background, StageParams, SunParams, atmosphere};
use crate::lookup;
use crate::noise::NoiseTextures;
use crate::shaders;
use crate::volume::{CloudParams, FireLight, FrameBuffer, SkyLight, VolumeSystems};

/// What the shader of sky and ground gets.
#[derive(Resource, Reflect, ShaderType, Clone, Copy, Debug, Default)]
pub struct SkyFrame {
    /// Unit vector towards the sun.
    pub sun_direction: Vec3,
    /// 1 draws the sky, 0 leaves the plain colour.
    pub sky: u32,
    /// Radiance of the sun's disc, cd/m², dimmed to what bloom and tone mapping can show.
    pub disc_radiance: Vec3,
    /// 1 draws the ground.
    pub ground: u32,
    /// Illuminance of the sun on a surface facing it, lux.
    pub sun_illuminance: Vec3,
    /// Share of sunlight that the cloud keeps from the ground in the middle of its shadow.
    pub shadow: f32,
    /// Mean radiance of the sky, cd/m².
    pub sky_radiance: Vec3,
    /// Radius of the cloud's shadow.
    pub shadow_radius: f32,
    /// Middle of the cloud.
    pub cloud_center: Vec3,
    /// Distance over which the air hides the ground.
    pub haze: f32,
    /// Middle of the fire's light.
    pub fire_position: Vec3,
    /// Radius of the fire's light.
    pub fire_radius: f32,
    /// Luminous intensity of the fire, cd.
    pub fire_intensity: Vec3,
    /// Linear colour of the plain background, as the camera's clear colour.
    pub plain_color: Vec3,
}

/// The material of sky and ground.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
pub struct SkyMaterial {
    #[storage(0, read_only, buffer)]
    frame: Buffer,
    #[texture(1)]
    #[sampler(2)]
    radiance: Handle<Image>,
    #[texture(3, dimension = "3d")]
    #[sampler(4)]
    noise: Handle<Image>,
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
        app.init_resource::<SkyFrame>()
            .add_plugins(MaterialPlugin::<SkyMaterial>::default())
            .add_systems(Startup, spawn)
            .add_systems(
                PostUpdate,
                (
                    bake.run_if(resource_changed::<SunParams>),
                    rebind_noise.run_if(resource_changed::<NoiseTextures>),
                    show.run_if(resource_changed::<StageParams>),
                )
                    .before(VolumeSystems::Update),
            )
            .add_systems(PostUpdate, update_frame.after(VolumeSystems::Update));
        if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
            render_app.add_systems(ExtractSchedule, upload_frame);
        }
    }
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<SkyMaterial>>,
    device: Res<RenderDevice>,
) {
    // Covers the view, in clip space at the far plane.
    let corners = vec![[-1.0, -1.0, 0.0_f32], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
    let triangle = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners);
    let buffer = FrameBuffer::new::<SkyFrame>(&device);
    let material = SkyMaterial {
        frame: buffer.0.clone(),
        // Both come before the first frame is drawn.
        radiance: Handle::default(),
        noise: Handle::default(),
    };
    commands.spawn((
        Sky,
        Name::new("Sky and ground"),
        buffer,
        Mesh3d(meshes.add(triangle)),
        MeshMaterial3d(materials.add(material)),
        NoFrustumCulling,
        NotShadowCaster,
        NotShadowReceiver,
    ));
}

/// Renews the table and the light of the sky after the sun has changed.
fn bake(
    sun: Res<SunParams>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<SkyMaterial>>,
    mut light: ResMut<SkyLight>,
) {
    for (_, material) in materials.iter_mut() {
        // A new image, because a bind group keeps the texture that it was made with.
        material.radiance = images.add(table(&sun));
    }
    let illuminance = sun.illuminance();
    let direction = sun.direction();
    light.set_if_neq(SkyLight {
        sky: illuminance * atmosphere::mean_sky_radiance(direction),
        ground: illuminance * atmosphere::land_radiance(direction),
    });
}

fn rebind_noise(noise: Res<NoiseTextures>, mut materials: ResMut<Assets<SkyMaterial>>) {
    for (_, material) in materials.iter_mut() {
        material.noise = noise.base.clone();
    }
}

fn show(stage: Res<StageParams>, mut sky: Single<&mut Visibility, With<Sky>>) {
    let needed = stage.background() == Background::Sky || stage.shows_ground();
    **sky = if needed {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    };
}

/// Derives what the shader gets.
fn update_frame(
    sun: Res<SunParams>,
    stage: Res<StageParams>,
    light: Res<SkyLight>,
    clouds: Query<(&CloudParams, &GlobalTransform, &InheritedVisibility)>,
    fires: Query<(&PointLight, &GlobalTransform), With<FireLight>>,
    mut frame: ResMut<SkyFrame>,
) {
    // The true disc would be some 1e9 cd/m²; 60 times paper white blooms without drowning the picture.
    const DISC: f32 = 60.0 / PI;
    let sunlight = sun.ground_illuminance();
    let cloud = clouds.iter().find(|(_, _, visible)| visible.get());
    let fire = fires
        .iter()
        .max_by(|a, b| a.0.intensity.total_cmp(&b.0.intensity));
    *frame = SkyFrame {
        sun_direction: sun.direction(),
        sky: u32::from(stage.background() == Background::Sky),
        disc_radiance: DISC * sunlight,
        ground: u32::from(stage.shows_ground()),
        sun_illuminance: sunlight,
        sky_radiance: light.sky,
        haze: 30.0,
        plain_color: stage.plain_color().to_linear().to_vec3(),
        ..default()
    };
    if let Some((params, transform, _)) = cloud {
        // The shader takes the cloud for a soft ball of about its width.
        frame.shadow =
            0.75 * (2.0 * params.coverage).min(1.0) * (params.extinction / 20.0).min(1.0);
        frame.shadow_radius = params.width;
        frame.cloud_center = transform.translation();
    }
    if let Some((light, transform)) = fire {
        frame.fire_position = transform.translation();
        frame.fire_radius = light.radius;
        frame.fire_intensity = light.color.to_linear().to_vec3() * (light.intensity / (4.0 * PI));
    }
}

fn upload_frame(
    queue: Res<RenderQueue>,
    frame: Extract<Res<SkyFrame>>,
    buffers: Extract<Query<&FrameBuffer, With<Sky>>>,
) -> Result {
    for buffer in &buffers {
        buffer.write(&queue, &**frame)?;
    }
    Ok(())
}

/// The table of radiance: azimuth from the sun across, elevation up.
fn table(sun: &SunParams) -> Image {
    const WIDTH: u32 = 48;
    const HEIGHT: u32 = 96;
    let (sin, cos) = sun.elevation.to_radians().sin_cos();
    let sun_direction = Vec3::new(0.0, sin, cos);
    let illuminance = sun.illuminance();
    lookup::table(UVec2::new(WIDTH, HEIGHT), |x, y| {
        let azimuth = (x as f32 + 0.5) / WIDTH as f32 * PI;
        // Inverse of the spreading in the shader.
        let v = 1.0 - 2.0 * (y as f32 + 0.5) / HEIGHT as f32;
        let elevation = v * v.abs() * FRAC_PI_2;
        let direction = Vec3::new(
            azimuth.sin() * elevation.cos(),
            elevation.sin(),
            azimuth.cos() * elevation.cos(),
        );
        let radiance = illuminance * atmosphere::sky_radiance(direction, sun_direction);
        radiance.extend(1.0).to_array()
    })
}
