//! A studio: the viewer's scene without window or display server, driven frame by frame.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bevy::app::{PanicHandlerPlugin, PluginsState, TerminalCtrlCHandlerPlugin};
use bevy::camera::{Hdr, RenderTarget};
use bevy::image::Image;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::error_handler::{RenderErrorHandler, RenderErrorPolicy};
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{
    CachedPipelineState, PipelineCache, TextureFormat, TextureUsages,
};
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::WgpuSettings;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::render::{RenderApp, RenderPlugin};
use bevy::shader::ShaderCacheError;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

use super::adapter::headless_backends;
use super::{CaptureError, MAX_PIXELS, Picture};
use crate::noise::NoiseBake;
use crate::scene::{CameraParams, Scene, ScenePlugin, StageParams, orbit_transform};
use crate::volume::{
    Fast, JitterFrame, NoisePhase, Quality, QualityParams, Setting, VolumeClock, VolumePlugins,
};

/// How a picture is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// Pixels across and down.
    pub size: (u32, u32),
    /// Volume time, in seconds.
    pub seconds: f64,
    /// Frames with different jitter that make the picture. Where the march keeps a history they follow each
    /// other and the last is taken; otherwise their mean is.
    pub frames: u32,
}

impl Default for Shot {
    fn default() -> Self {
        Self {
            size: (960, 540),
            seconds: 0.0,
            frames: 1,
        }
    }
}

/// How long the renderer may take for one frame before it is given up.
const PATIENCE: Duration = Duration::from_secs(600);

/// Size at which the scene is drawn until everything is compiled and uploaded: as small as bloom still works.
const REHEARSAL: (u32, u32) = (64, 36);

/// What went wrong in the renderer, for the main world to find.
#[derive(Resource)]
struct RenderFailure(String);

/// A running scene without a window.
pub struct Studio {
    pub(super) app: App,
    pub(super) camera: Entity,
}

impl Studio {
    /// Starts the renderer.
    ///
    /// # Errors
    /// If there is no graphics adapter.
    pub fn new() -> Result<Self, CaptureError> {
        Self::with(|_| ())
    }

    /// Starts the renderer with what `add` adds to the app.
    pub(super) fn with(add: impl FnOnce(&mut App)) -> Result<Self, CaptureError> {
        let backends = headless_backends()?;
        let mut app = App::new();
        app.add_plugins(
            DefaultPlugins
                .set(WindowPlugin {
                    primary_window: None,
                    exit_condition: ExitCondition::DontExit,
                    ..default()
                })
                .set(RenderPlugin {
                    render_creation: WgpuSettings {
                        backends: Some(backends),
                        ..default()
                    }
                    .into(),
                    synchronous_pipeline_compilation: true,
                    ..default()
                })
                // Errors are returned, in one sentence; RUST_LOG brings the log back.
                .set(LogPlugin {
                    filter: "off".into(),
                    ..default()
                })
                .disable::<PanicHandlerPlugin>()
                .disable::<TerminalCtrlCHandlerPlugin>()
                .disable::<PipelinedRenderingPlugin>()
                .disable::<WinitPlugin>(),
        )
        .add_plugins((VolumePlugins, ScenePlugin))
        .insert_resource(RenderErrorHandler(|error, world, _| {
            world.insert_resource(RenderFailure(format!(
                "{:?}: {}",
                error.ty, error.description
            )));
            RenderErrorPolicy::StopRendering
        }))
        .insert_resource(QualityParams::of(Setting::Reference))
        // Nothing moves but by `Shot::seconds`.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        add(&mut app);
        while app.plugins_state() == PluginsState::Adding {
            bevy::tasks::tick_global_task_pools_on_main_thread();
        }
        app.finish();
        app.cleanup();
        let camera = Camera {
            is_active: false,
            ..default()
        };
        let camera = app
            .world_mut()
            .spawn((Camera3d::default(), camera, Msaa::Off, Hdr))
            .id();
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
        self.app
            .world()
            .resource::<RenderDevice>()
            .limits()
            .max_texture_dimension_2d
    }

    /// Takes a picture.
    ///
    /// # Errors
    /// If the size is impossible, a shader does not compile, or the renderer fails.
    pub fn take(&mut self, shot: &Shot) -> Result<Picture, CaptureError> {
        self.check_size(shot.size)?;
        self.world().resource_mut::<VolumeClock>().seconds = shot.seconds;
        self.rewind();
        self.develop()?;
        let target = self.aim(shot.size, TextureFormat::Rgba8UnormSrgb);
        let mut picture = Picture::new(shot.size.0, shot.size.1);
        let frames = shot.frames.max(1);
        let quality = *self.app.world().resource::<Quality>();
        let adds_up = matches!(quality, Quality::Fast(Fast { history: true, .. }));
        for frame in 0..frames {
            self.world().resource_mut::<JitterFrame>().0 = frame;
            if adds_up && frame + 1 < frames {
                self.draw()?;
            } else {
                picture.add(self.expose(&target)?)?;
            }
        }
        Ok(picture)
    }

    /// Makes sure that pictures can have this size.
    pub(super) fn check_size(&self, size: (u32, u32)) -> Result<(), CaptureError> {
        let (width, height) = size;
        let limit = self.size_limit();
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(CaptureError::Size {
                width,
                height,
                limit,
            });
        }
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(CaptureError::Pixels { width, height });
        }
        Ok(())
    }

    /// Renders one frame.
    pub(super) fn draw(&mut self) -> Result<(), CaptureError> {
        self.switch_camera(true);
        self.app.update();
        self.check()
    }

    /// Lets every volume's noise start anew, so that a picture does not depend on what was taken before it.
    pub(super) fn rewind(&mut self) {
        let world = self.app.world_mut();
        for mut phase in world.query::<&mut NoisePhase>().iter_mut(world) {
            *phase = NoisePhase::default();
        }
    }

    /// Points the camera at the scene and gives it a target of this size.
    pub(super) fn aim(&mut self, size: (u32, u32), format: TextureFormat) -> Handle<Image> {
        let mut image = Image::new_target_texture(size.0, size.1, format, None);
        image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        let world = self.app.world_mut();
        let target = world.resource_mut::<Assets<Image>>().add(image);
        world
            .entity_mut(self.camera)
            .insert(RenderTarget::Image(target.clone().into()));
        self.place_camera();
        // The stage dresses cameras when it changes, and this one may be new.
        self.world().resource_mut::<StageParams>().set_changed();
        target
    }

    /// Moves the camera to where its parameters say.
    pub(super) fn place_camera(&mut self) {
        let world = self.app.world_mut();
        let params = *world.resource::<CameraParams>();
        let (focus, _) = world.resource::<Scene>().frame();
        world.entity_mut(self.camera).insert((
            orbit_transform(&params, focus),
            Projection::Perspective(PerspectiveProjection {
                fov: params.field_of_view.to_radians(),
                near: 0.01,
                ..default()
            }),
        ));
    }

    /// Runs until the noise is baked in full and every pipeline is compiled.
    pub(super) fn develop(&mut self) -> Result<(), CaptureError> {
        self.wait_for_noise()?;
        let _target = self.aim(REHEARSAL, TextureFormat::Rgba8UnormSrgb);
        self.switch_camera(true);
        self.wait_for_pipelines()?;
        self.switch_camera(false);
        Ok(())
    }

    /// Runs until the noise is baked in full.
    pub(super) fn wait_for_noise(&mut self) -> Result<(), CaptureError> {
        self.wait_for(|app| {
            let bake = app.world().resource::<NoiseBake>();
            bake.is_complete().then_some(())
        })
    }

    /// Runs until every pipeline that the camera needs is compiled.
    pub(super) fn wait_for_pipelines(&mut self) -> Result<(), CaptureError> {
        // New assets reach the renderer in the first frame and may start pipelines in the second.
        let mut frames = 0;
        self.wait_for(|app| {
            frames += 1;
            (frames > 3 && pipelines(app).waiting_pipelines().next().is_none()).then_some(())
        })
    }

    /// Runs frame after frame until `ready` gives something.
    fn wait_for<T>(&mut self, mut ready: impl FnMut(&App) -> Option<T>) -> Result<T, CaptureError> {
        let start = Instant::now();
        loop {
            self.app.update();
            self.check()?;
            if let Some(result) = ready(&self.app) {
                return Ok(result);
            }
            if start.elapsed() > PATIENCE {
                return Err(CaptureError::TimedOut(PATIENCE.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub(super) fn switch_camera(&mut self, on: bool) {
        if let Some(mut camera) = self.app.world_mut().get_mut::<Camera>(self.camera) {
            camera.is_active = on;
        }
    }

    /// Finds out whether the renderer still works.
    pub(super) fn check(&self) -> Result<(), CaptureError> {
        if let Some(failure) = self.app.world().get_resource::<RenderFailure>() {
            return Err(CaptureError::Renderer(one_line(&failure.0)));
        }
        for pipeline in pipelines(&self.app).pipelines() {
            if let CachedPipelineState::Err(error) = &pipeline.state
                && !matches!(
                    error,
                    ShaderCacheError::ShaderNotLoaded(_)
                        | ShaderCacheError::ShaderImportNotYetAvailable
                )
            {
                return Err(CaptureError::Shader(one_line(&error.to_string())));
            }
        }
        Ok(())
    }

    /// Renders and reads back one frame.
    pub(super) fn expose(&mut self, target: &Handle<Image>) -> Result<Image, CaptureError> {
        let slot: Arc<Mutex<Option<Image>>> = Arc::default();
        let sink = slot.clone();
        self.app
            .world_mut()
            .spawn(Screenshot::image(target.clone()))
            .observe(move |captured: On<ScreenshotCaptured>| {
                if let Ok(mut slot) = sink.lock() {
                    *slot = Some(captured.image.clone());
                }
            });
        self.switch_camera(true);
        self.app.update();
        // Reading back takes more updates, which need not draw.
        self.switch_camera(false);
        self.wait_for(|_| slot.lock().ok()?.take())
    }
}

fn pipelines(app: &App) -> &PipelineCache {
    app.sub_app(RenderApp).world().resource::<PipelineCache>()
}

/// Joins what a driver or compiler spreads over many lines.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
