//! A cloud and a fire in a scene of one's own, beside ordinary meshes.
//!
//! Spheres stand in front of, inside and behind each volume. `cargo run --release --example embed` opens a window;
//! with `-- --out FILE.png` it takes a picture without one.

use std::path::PathBuf;
use std::time::Duration;

use bevy::app::PluginsState;
use bevy::camera::{Exposure, Hdr, RenderTarget};
use bevy::image::Image;
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::render::view::screenshot::{Capturing, Screenshot, save_to_disk};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use pyrocumulus::noise::NoiseBake;
use pyrocumulus::volume::FireLight;
use pyrocumulus::{CloudParams, FireParams, VolumePlugins};

fn main() {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => {
            let _ = app(DefaultPlugins.build()).run();
        }
        (Some("--out"), Some(path)) => take_picture(path.into()),
        _ => eprintln!("usage: embed [--out FILE.png]"),
    }
}

/// All that an app needs: the plugins, and entities with parameters.
fn app(bevy: bevy::app::PluginGroupBuilder) -> App {
    let mut app = App::new();
    app.add_plugins((bevy, VolumePlugins))
        .insert_resource(ClearColor(Color::srgb(0.16, 0.25, 0.42)))
        .add_systems(Startup, set_up);
    app
}

fn set_up(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    // The cloud hangs on the left and the fire burns on the right.
    let cloud = Vec3::new(-1.3, 1.4, 0.0);
    let fire = Vec3::new(1.3, 1.0, 0.0);
    commands.spawn((CloudParams::default(), Transform::from_translation(cloud)));
    commands.spawn((
        FireParams {
            intensity: 120.0,
            ..default()
        },
        Transform::from_translation(fire),
        children![FireLight],
    ));

    // Red stands in front, green half inside, blue half hidden behind.
    let ball = meshes.add(Sphere::new(0.2));
    let beside_cloud = [
        Vec3::new(-0.3, -0.2, 1.2),
        Vec3::new(0.35, -0.55, 0.3),
        Vec3::new(0.9, 0.1, -1.2),
    ];
    let beside_fire = [
        Vec3::new(-0.6, -0.45, 1.2),
        Vec3::new(0.05, -0.5, 0.0),
        Vec3::new(0.75, -0.45, -1.2),
    ];
    let colors = [
        Color::srgb(0.8, 0.1, 0.1),
        Color::srgb(0.1, 0.7, 0.15),
        Color::srgb(0.1, 0.2, 0.9),
    ];
    for (center, offsets) in [(cloud, beside_cloud), (fire, beside_fire)] {
        for (color, offset) in colors.into_iter().zip(offsets) {
            commands.spawn((
                Mesh3d(ball.clone()),
                MeshMaterial3d(materials.add(color)),
                Transform::from_translation(center + offset),
            ));
        }
    }
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::default().mesh().size(40.0, 40.0))),
        MeshMaterial3d(materials.add(Color::srgb(0.35, 0.38, 0.3))),
    ));
    commands.spawn((
        DirectionalLight {
            illuminance: 60_000.0,
            ..default()
        },
        Transform::from_xyz(-2.0, 3.0, 2.5).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        Hdr,
        Msaa::Off,
        Exposure { ev100: 14.0 },
        Bloom::NATURAL,
        Transform::from_xyz(0.0, 1.5, 5.2).looking_at(Vec3::new(0.0, 1.1, 0.0), Vec3::Y),
    ));
}

/// Draws the same app without a window.
fn take_picture(path: PathBuf) {
    let window = WindowPlugin {
        primary_window: None,
        exit_condition: ExitCondition::DontExit,
        ..default()
    };
    let mut app = app(DefaultPlugins.set(window).disable::<WinitPlugin>());
    while app.plugins_state() == PluginsState::Adding {
        bevy::tasks::tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    app.update();

    let mut image = Image::new_target_texture(480, 270, TextureFormat::Rgba8UnormSrgb, None);
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    let world = app.world_mut();
    let target = world.resource_mut::<Assets<Image>>().add(image);
    let camera = world
        .query_filtered::<Entity, With<Camera3d>>()
        .single(world);
    let Ok(camera) = camera else {
        return eprintln!("the scene has no camera");
    };
    world
        .entity_mut(camera)
        .insert(RenderTarget::Image(target.clone().into()));

    // The noise is baked in the background and the shaders are compiled over the first frames.
    let mut frames = 0;
    while frames < 10 || !app.world().resource::<NoiseBake>().is_complete() {
        app.update();
        frames += 1;
        std::thread::sleep(Duration::from_millis(10));
    }
    app.world_mut()
        .spawn(Screenshot::image(target))
        .observe(save_to_disk(path));
    app.update();
    let world = app.world_mut();
    let mut waiting = world.query_filtered::<(), With<Capturing>>();
    while waiting.iter(app.world()).next().is_some() {
        app.update();
    }
}
