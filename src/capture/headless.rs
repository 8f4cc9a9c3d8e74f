//! A studio: the viewer's scene without window or display server, driven frame by frame.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy::app::PluginsState;
use bevy::camera::RenderTarget;
use bevy::image::Image;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{CachedPipelineState, PipelineCache, TextureFormat, TextureUsages};
use bevy::render::renderer::RenderDevice;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::render::{RenderApp, RenderPlugin};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

use super::{CaptureError, Picture};
use crate::noise::NoiseBake;
use crate::scene::{CameraParams, Scene, ScenePlugin, orbit_transform};
use crate::volume::{JitterFrame, VolumeClock, VolumePlugins};

/// How a picture is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// Pixels across and down.
    pub size: (u32, u32),
    /// Volume time, in seconds.
    pub seconds: f64,
    /// Frames with different jitter that are averaged.
    pub frames: u32,
}

impl Default for Shot {
    fn default() -> Self {
        Self { size: (960, 540), seconds: 0.0, frames: 1 }
    }
}

/// Frames after which a picture that has not come will not come.
const PATIENCE: u32 = 2000;

/// A running scene without a window.
pub struct Studio {
    app: App,
    camera: Entity,
}

impl Studio {
    /// Starts the renderer.
    ///
    /// # Errors
    /// If there is no graphics adapter.
    pub fn new() -> Result<Self, CaptureError> {
        require_adapter()?;
        let mut app = App::new();
        app.add_plugins(
            DefaultPlugins
                .set(WindowPlugin {
                    primary_window: None,
                    exit_condition: ExitCondition::DontExit,
                    ..default()
                })
                .set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() })
                .set(LogPlugin { filter: "error".into(), ..default() })
                .disable::<PipelinedRenderingPlugin>()
                .disable::<WinitPlugin>(),
        )
        .add_plugins((VolumePlugins, ScenePlugin))
        // Nothing moves but by `Shot::seconds`.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        while app.plugins_state() == PluginsState::Adding {
            bevy::tasks::tick_global_task_pools_on_main_thread();
        }
        app.finish();
        app.cleanup();
        let camera =
            app.world_mut().spawn((Camera3d::default(), Camera::default(), Msaa::Off, bevy::camera::Hdr)).id();
        // Startup systems populate the scene, so that it can be edited.
        app.update();
        Ok(Self { app, camera })
    }

    /// The scene's world, to set it up before taking a picture.
    pub fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Most pixels along an edge of a picture.
    pub fn size_limit(&self) -> u32 {
        self.app.world().resource::<RenderDevice>().limits().max_texture_dimension_2d
    }

    /// Takes a picture.
    ///
    /// # Errors
    /// If the size is impossible, a shader does not compile, or the renderer fails.
    pub fn take(&mut self, shot: &Shot) -> Result<Picture, CaptureError> {
        let (width, height) = shot.size;
        let limit = self.size_limit();
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(CaptureError::Size { width, height, limit });
        }
        let target = self.aim(width, height);
        self.world().resource_mut::<VolumeClock>().seconds = shot.seconds;
        self.develop()?;
        let mut picture = Picture::new(width, height);
        for frame in 0..shot.frames.max(1) {
            self.world().resource_mut::<JitterFrame>().0 = frame;
            picture.add(&self.expose(&target)?)?;
        }
        Ok(picture)
    }

    /// Points the camera at the scene and gives it a target of this size.
    fn aim(&mut self, width: u32, height: u32) -> Handle<Image> {
        let world = self.app.world_mut();
        let params = *world.resource::<CameraParams>();
        let (focus, _) = world.resource::<Scene>().frame();
        let mut image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
        image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        let target = world.resource_mut::<Assets<Image>>().add(image);
        world.entity_mut(self.camera).insert((
            RenderTarget::Image(target.clone().into()),
            orbit_transform(&params, focus),
            Projection::Perspective(PerspectiveProjection {
                fov: params.field_of_view.to_radians(),
                near: 0.01,
                ..default()
            }),
        ));
        // The stage dresses cameras when it changes, and this one may be new.
        world.resource_mut::<crate::scene::StageParams>().set_changed();
        target
    }

    /// Runs until the noise is baked in full and every pipeline is compiled.
    fn develop(&mut self) -> Result<(), CaptureError> {
        // Two frames let new assets and pipelines reach the renderer before it is asked about them.
        for frame in 0..PATIENCE {
            self.app.update();
            self.check_pipelines()?;
            if frame >= 2 && self.app.world().resource::<NoiseBake>().is_complete() && self.idle() {
                // One more, so that what has just become ready is bound.
                self.app.update();
                return Ok(());
            }
            if !self.app.world().resource::<NoiseBake>().is_complete() {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        Err(CaptureError::TimedOut(PATIENCE))
    }

    fn pipelines(&self) -> &PipelineCache {
        self.app.sub_app(RenderApp).world().resource::<PipelineCache>()
    }

    fn idle(&self) -> bool {
        self.pipelines().waiting_pipelines().next().is_none()
    }

    fn check_pipelines(&self) -> Result<(), CaptureError> {
        use bevy::shader::ShaderCacheError;
        for pipeline in self.pipelines().pipelines() {
            if let CachedPipelineState::Err(error) = &pipeline.state
                && !matches!(
                    error,
                    ShaderCacheError::ShaderNotLoaded(_) | ShaderCacheError::ShaderImportNotYetAvailable
                )
            {
                return Err(CaptureError::Shader(error.to_string()));
            }
        }
        Ok(())
    }

    /// Renders and reads back one frame.
    fn expose(&mut self, target: &Handle<Image>) -> Result<Image, CaptureError> {
        let slot: Arc<Mutex<Option<Image>>> = Arc::default();
        let sink = slot.clone();
        self.app.world_mut().spawn(Screenshot::image(target.clone())).observe(
            move |captured: On<ScreenshotCaptured>| {
                if let Ok(mut slot) = sink.lock() {
                    *slot = Some(captured.image.clone());
                }
            },
        );
        for _ in 0..PATIENCE {
            self.app.update();
            if let Some(image) = slot.lock().ok().and_then(|mut slot| slot.take()) {
                return Ok(image);
            }
        }
        Err(CaptureError::TimedOut(PATIENCE))
    }
}

/// Makes sure that Bevy will find an adapter; it panics where there is none.
///
/// # Errors
/// If there is none.
pub fn require_adapter() -> Result<(), CaptureError> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::from_env().unwrap_or(wgpu::Backends::all()),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapters = bevy::tasks::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    if adapters.is_empty() { Err(CaptureError::NoAdapter) } else { Ok(()) }
}
