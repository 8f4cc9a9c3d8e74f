//! Everything around the volumes: sun, sky, ground, camera, exposure and tone mapping.

mod atmosphere;
mod camera;
mod sky;
mod stage;
mod sun;

use bevy::prelude::*;

use crate::param::ParamApp;
use crate::volume::{CloudParams, FireLight, FireParams, VolumeSystems};

pub use camera::{CameraParams, orbit_transform};
pub use sky::SkyFrame;
pub use stage::{Background, StageParams, TONE_MAPPINGS};
pub use sun::SunParams;

/// Which volumes are on stage.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scene {
    /// The cloud alone.
    #[default]
    Cloud,
    /// The fire alone.
    Fire,
    /// A cloud above a fire.
    Both,
}

impl Scene {
    /// All scenes, in the order of the switch.
    pub const ALL: [Scene; 3] = [Scene::Cloud, Scene::Fire, Scene::Both];

    /// Name in preset files and on the switch.
    pub fn name(self) -> &'static str {
        match self {
            Scene::Cloud => "cloud",
            Scene::Fire => "fire",
            Scene::Both => "both",
        }
    }

    /// The scene of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.name() == name)
    }

    /// Point that the camera orbits, and a distance from which everything is seen.
    pub fn frame(self) -> (Vec3, f32) {
        match self {
            Scene::Cloud => (CLOUD_CENTER, 3.4),
            Scene::Fire => (Vec3::new(0.0, 0.85, 0.0), 4.0),
            Scene::Both => (Vec3::new(0.0, 1.3, 0.0), 5.2),
        }
    }

    fn shows_cloud(self) -> bool {
        self != Scene::Fire
    }

    fn shows_fire(self) -> bool {
        self != Scene::Cloud
    }
}

/// Where the cloud hangs: its sphere stays clear of the ground.
const CLOUD_CENTER: Vec3 = Vec3::new(0.0, 1.5, 0.0);

/// Makes the parameters of sun, stage and camera known.
pub(crate) fn register_params(app: &mut App) {
    app.register_params::<SunParams>()
        .register_params::<StageParams>()
        .register_params::<CameraParams>();
}

/// The viewer's stage: one cloud, one fire, light and camera.
pub struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        register_params(app);
        app.init_resource::<Scene>()
            .init_resource::<SunParams>()
            .init_resource::<StageParams>()
            .init_resource::<CameraParams>()
            .add_plugins((sky::SkyPlugin, stage::StagePlugin))
            .add_systems(Startup, (spawn_volumes, sun::spawn))
            .add_systems(
                PostUpdate,
                (
                    place_volumes.run_if(resource_changed::<Scene>),
                    sun::update.run_if(resource_changed::<SunParams>),
                )
                    .before(TransformSystems::Propagate)
                    .before(VolumeSystems::Update),
            );
    }
}

fn spawn_volumes(mut commands: Commands) {
    commands.spawn((CloudParams::default(), Name::new("Cloud")));
    commands.spawn((
        FireParams::default(),
        Name::new("Fire"),
        children![(FireLight, Name::new("Fire light"))],
    ));
}

/// Shows and places what the scene asks for.
fn place_volumes(
    scene: Res<Scene>,
    mut cloud: Single<(&mut Transform, &mut Visibility), (With<CloudParams>, Without<FireParams>)>,
    mut fire: Single<(&mut Transform, &mut Visibility), With<FireParams>>,
) {
    let shown = |shown| {
        if shown {
            Visibility::Inherited
        } else {
            Visibility::Hidden
        }
    };
    *cloud.1 = shown(scene.shows_cloud());
    *fire.1 = shown(scene.shows_fire());
    let (lift, size) = if *scene == Scene::Both {
        (0.7, 0.5)
    } else {
        (0.0, 1.0)
    };
    *cloud.0 = Transform::from_translation(CLOUD_CENTER + Vec3::Y * lift);
    *fire.0 = Transform::from_xyz(0.0, size, 0.0).with_scale(Vec3::splat(size));
}
