//! What cloud and fire share: one material, one plugin, one buffer of derived values.
//!
//! A *volume kind* is a parameter set with a fragment shader. `CONTRIBUTING.md` tells how to add one.

pub mod cloud;
pub mod fast;
pub mod fire;
mod fire_light;
mod frame;
pub mod governor;
mod material;
pub mod palette;
pub mod quality;

use std::marker::PhantomData;

use bevy::app::PluginGroupBuilder;
use bevy::ecs::component::Mutable;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::math::Vec3;
use bevy::prelude::*;
use bevy::reflect::{GetTypeRegistration, TypeInfo, Typed};
use bevy::render::render_resource::ShaderType;
use bevy::render::render_resource::encase::internal::WriteInto;
use bevy::render::renderer::RenderDevice;
use bevy::render::{ExtractSchedule, RenderApp};

pub use cloud::CloudParams;
pub use fire::FireParams;
pub use fire_light::FireLight;
pub use frame::{FrameBuffer, JitterFrame, Lights, NoisePhase, SkyLight, VolumeClock, VolumeFrame};
pub use material::VolumeMaterial;
pub use quality::{Fast, March, Quality, QualityParams, Setting};

use fast::field::FieldPlan;

use crate::noise::{NoisePlugin, NoiseTextures};
use crate::param::{ParamApp, ParamSet};
use crate::shaders::ShaderPlugin;

/// A kind of volume: authored parameters that the GPU gets as they are, and a shader that draws
/// them.
pub trait Volume:
    ParamSet + Component<Mutability = Mutable> + ShaderType + WriteInto + Copy + GetTypeRegistration
{
    /// File name of the fragment shader in `shaders/`.
    const FRAGMENT_SHADER: &'static str;

    /// File name in `shaders/` of the march through the volume's field.
    const FAST_SHADER: &'static str;

    /// File name in `shaders/` of what fills the field.
    const FIELD_SHADER: &'static str;

    /// How the field is filled.
    const FIELD: FieldPlan;

    /// The parameters with everything that the field does not depend on at its default.
    fn field_inputs(&self) -> Self {
        *self
    }

    /// How fast the noise drifts through the volume, lengths a second.
    fn drift_speed(&self) -> f32;

    /// A closed mesh around the volume in its own space. Its back faces are drawn, so that
    /// the camera may be inside.
    fn bounds() -> Mesh;

    /// How fast each layer of noise scrolls, in tiles a second.
    fn phase_rates(&self) -> [Vec3; NoisePhase::COUNT];

    /// Which part of the noise the volume is cut from.
    fn seed(&self) -> u32;
}

/// Makes everything that goes through all kinds of volume from one list of them.
macro_rules! kinds {
    ($($params:ty),* $(,)?) => {
        impl PluginGroup for VolumePlugins {
            fn build(self) -> PluginGroupBuilder {
                PluginGroupBuilder::start::<Self>()$(.add(VolumePlugin::<$params>::default()))*
            }
        }

        /// Makes the parameters of every kind known, without what draws them.
        pub(crate) fn register_params(app: &mut App) {
            app$(.register_params::<$params>())*;
        }

        /// The parameter sets, for the shader structs.
        pub(crate) fn type_infos() -> Vec<&'static TypeInfo> {
            vec![$(<$params>::type_info()),*]
        }
    };
}

// Every kind of volume there is.
kinds![CloudParams, FireParams];

/// Order of the systems that turn parameters into pictures, in [`PostUpdate`].
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub enum VolumeSystems {
    /// New volumes get mesh, material and buffers. Everything that spawns volumes comes before.
    Spawn,
    /// Parameters, time and light reach the materials. Everything that edits them comes
    /// before, and transforms have been propagated.
    Update,
}

/// Draws every entity with a parameter set of kind `V`.
pub struct VolumePlugin<V>(PhantomData<V>);

impl<V> Default for VolumePlugin<V> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<V: Volume> Plugin for VolumePlugin<V> {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<VolumeCorePlugin>() {
            app.add_plugins(VolumeCorePlugin);
        }
        app.register_params::<V>()
            .add_plugins((
                MaterialPlugin::<VolumeMaterial<V>>::default(),
                fast::FastPlugin::<V>::default(),
            ))
            .add_systems(
                PostUpdate,
                (
                    dress_volumes::<V>.in_set(VolumeSystems::Spawn),
                    (
                        frame::update_frames::<V>,
                        write_params::<V>,
                        choose_march::<V>.run_if(resource_changed::<Quality>),
                        rebind_textures::<V>.run_if(resource_changed::<NoiseTextures>),
                    )
                        .in_set(VolumeSystems::Update),
                ),
            );
    }
}

/// What all kinds of volume need once: shaders, noise, clock, depth.
struct VolumeCorePlugin;

impl Plugin for VolumeCorePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((ShaderPlugin, NoisePlugin, fast::FastCorePlugin))
            .init_resource::<VolumeClock>()
            .init_resource::<JitterFrame>()
            .init_resource::<SkyLight>()
            .register_params::<QualityParams>()
            .init_resource::<QualityParams>()
            .init_resource::<Quality>()
            .init_resource::<governor::Governor>()
            .configure_sets(
                PostUpdate,
                (
                    VolumeSystems::Spawn.before(TransformSystems::Propagate),
                    VolumeSystems::Update
                        .after(TransformSystems::Propagate)
                        .before(bevy::asset::AssetEventSystems),
                ),
            )
            .add_systems(Startup, palette::bake)
            .add_systems(
                PreUpdate,
                (
                    frame::tick,
                    frame::count
                        .run_if(|quality: Res<Quality>| matches!(*quality, Quality::Fast(_))),
                ),
            )
            .add_systems(
                PostUpdate,
                (governor::watch, quality::update)
                    .chain()
                    .before(VolumeSystems::Spawn),
            )
            .add_systems(PostUpdate, fire_light::update.after(VolumeSystems::Update))
            .add_observer(require_depth);
        if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
            render_app.add_systems(ExtractSchedule, frame::upload_frames);
        }
    }
}

/// Volumes end at the scene's geometry, which they find in the depth prepass.
fn require_depth(added: On<Add, Camera3d>, mut commands: Commands) {
    commands
        .entity(added.entity)
        .insert_if_new(bevy::core_pipeline::prepass::DepthPrepass);
}

/// Constants that Rust and the shaders share: name, value, meaning.
pub(crate) const SHARED_CONSTANTS: &[(&str, f32, &str)] = &[
    (
        "MAX_KELVIN",
        palette::MAX_KELVIN,
        "Temperature at the right end of a blackbody row, K.",
    ),
    (
        "TALL",
        fire::TALL,
        "Frequency of a flame's noise along the flow, relative to that across, for tongues.",
    ),
    ("ROUND", fire::ROUND, "The same for billows."),
    (
        "COARSE",
        fast::COARSE as f32,
        "Cells of a field volume along an edge of a coarse cell.",
    ),
    (
        "FIRELIGHT_MIDDLE",
        fire_light::MIDDLE,
        "Height of the middle of a fire's light above the floor, relative to the flame's height.",
    ),
    (
        "MEAN_ABSOLUTE",
        crate::noise::perlin::MEAN_ABSOLUTE,
        "Mean of |n|, for n anywhere in Perlin noise.",
    ),
];

/// Everything needed to draw clouds and fires.
///
/// ```no_run
/// use bevy::prelude::*;
/// use pyrocumulus::{CloudParams, VolumePlugins};
///
/// App::new()
///     .add_plugins((DefaultPlugins, VolumePlugins))
///     .add_systems(Startup, |mut commands: Commands| {
///         commands.spawn(CloudParams { coverage: 0.7, ..default() });
///     })
///     .run();
/// ```
pub struct VolumePlugins;

/// Gives new volumes what Bevy needs to draw them.
fn dress_volumes<V: Volume>(
    mut commands: Commands,
    volumes: Query<(Entity, &V), Added<V>>,
    device: Res<RenderDevice>,
    textures: Res<NoiseTextures>,
    palettes: Res<palette::PaletteTexture>,
    quality: Res<Quality>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<VolumeMaterial<V>>>,
) {
    for (entity, params) in &volumes {
        let buffer = FrameBuffer::new::<VolumeFrame>(&device);
        let material = VolumeMaterial {
            params: *params,
            frame: buffer.0.clone(),
            base: textures.base.clone(),
            detail: textures.detail.clone(),
            vectors: textures.vectors.clone(),
            palettes: palettes.0.clone(),
            march: March::Careful,
        };
        let material = MeshMaterial3d(materials.add(material));
        let mut volume = commands.entity(entity);
        if let Quality::Marched(_) = *quality {
            volume.insert(material.clone());
        }
        volume.insert((
            Mesh3d(meshes.add(V::bounds())),
            Marched(material),
            NotShadowCaster,
            NotShadowReceiver,
            NoisePhase::default(),
            VolumeFrame::default(),
            buffer,
        ));
    }
}

/// The material of a volume, whether or not the volume is drawn by it.
#[derive(Component)]
struct Marched<V: Volume>(MeshMaterial3d<VolumeMaterial<V>>);

/// Assigns changed parameters into their material, as a whole.
fn write_params<V: Volume>(
    changed: Query<(&V, &Marched<V>), Changed<V>>,
    mut materials: ResMut<Assets<VolumeMaterial<V>>>,
) {
    for (params, marched) in &changed {
        if let Some(mut material) = materials.get_mut(&marched.0) {
            material.params = *params;
        }
    }
}

/// Gives volumes their material where it draws them, and takes it away where [`fast`] does.
fn choose_march<V: Volume>(
    quality: Res<Quality>,
    volumes: Query<(Entity, &Marched<V>)>,
    mut materials: ResMut<Assets<VolumeMaterial<V>>>,
    mut commands: Commands,
) {
    for (entity, marched) in &volumes {
        let mut volume = commands.entity(entity);
        match *quality {
            Quality::Fast(_) => {
                volume.remove::<MeshMaterial3d<VolumeMaterial<V>>>();
            }
            Quality::Marched(march) => {
                volume.insert(marched.0.clone());
                if let Some(mut material) = materials.get_mut(&marched.0) {
                    material.march = march;
                }
            }
        }
    }
}

/// Binds newly baked noise.
fn rebind_textures<V: Volume>(
    textures: Res<NoiseTextures>,
    mut materials: ResMut<Assets<VolumeMaterial<V>>>,
) {
    for (_, material) in materials.iter_mut() {
        material.base = textures.base.clone();
        material.detail = textures.detail.clone();
        material.vectors = textures.vectors.clone();
    }
}
