//! Keeps [`NoiseTextures`] up to date with [`NoiseParams`], without ever blocking a frame.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::JoinHandle;

use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

use super::bake::{BakeControl, Sizes, Volume, Volumes, bake};
use super::params::NoiseParams;
use crate::param::ParamApp;

/// The noise textures, three-dimensional and tileable, of the last [`NoiseParams`] that were baked.
///
/// Changes when a bake has ended: bind the new handles then. The old images go when nobody holds
/// them. Before the first [`Update`] there are none.
#[derive(Resource, Clone, Debug, Default)]
pub struct NoiseTextures {
    /// Shapes of clouds, see [`Base`](super::perlin_worley::Base). 128³ once baked in full.
    pub base: Handle<Image>,
    /// Erosion, see [`Detail`](super::perlin_worley::Detail). 32³ once baked in full.
    pub detail: Handle<Image>,
    /// Displacement and fire, see [`Vectors`](super::perlin_worley::Vectors). 64³ once baked in
    /// full.
    pub vectors: Handle<Image>,
}

impl NoiseTextures {
    fn new(volumes: Volumes, images: &mut Assets<Image>) -> Self {
        Self {
            base: images.add(image("base noise", volumes.base)),
            detail: images.add(image("detail noise", volumes.detail)),
            vectors: images.add(image("vector noise", volumes.vectors)),
        }
    }
}

/// An image that shaders sample linearly, repeated along every axis.
fn image(label: &str, volume: Volume) -> Image {
    let size = volume.size as u32;
    let mut image = Image::new(
        Extent3d {
            width: size,
            height: size,
            depth_or_array_layers: size,
        },
        TextureDimension::D3,
        volume.texels.into_flattened(),
        TextureFormat::Rgba8Unorm,
        RenderAssetUsages::RENDER_WORLD,
    );
    let mut sampler = ImageSamplerDescriptor::linear();
    sampler.label = Some(label.to_owned());
    sampler.set_address_mode(ImageAddressMode::Repeat);
    image.sampler = ImageSampler::Descriptor(sampler);
    image
}

/// How far the textures are from what [`NoiseParams`] ask for.
#[derive(Resource, Default)]
pub struct NoiseBake {
    wanted: NoiseParams,
    /// Whether the textures in place are those wanted, at full size.
    complete: bool,
    running: Option<Job>,
}

impl NoiseBake {
    /// Share of the bake that is done, 0 to 1.
    pub fn progress(&self) -> f32 {
        match &self.running {
            _ if self.complete => 1.0,
            Some(job) if !job.control.is_cancelled() => job.control.progress(),
            _ => 0.0,
        }
    }

    /// Whether full-size textures of the current parameters are in place. Up to date after
    /// [`NoiseSystems`].
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    fn want(&mut self, params: NoiseParams) {
        self.wanted = params;
        self.complete = false;
        self.cancel();
    }

    fn cancel(&self) {
        if let Some(job) = &self.running {
            job.control.cancel();
        }
    }

    /// What the running bake has made, once it has ended. A bake cancelled too late gives
    /// textures too, better than those in place, though not those wanted.
    fn collect(&mut self) -> Option<Volumes> {
        let job = self.running.take_if(|job| job.thread.is_finished())?;
        // A panic over there is a mistake in a recipe, and as loud as one here.
        let volumes = job
            .thread
            .join()
            .unwrap_or_else(|panic| resume_unwind(panic))?;
        self.complete = !job.control.is_cancelled();
        Some(volumes)
    }

    /// Starts the bake that is wanted. Gives its result if it had to be made at once, for want of
    /// a thread.
    fn start(&mut self) -> Option<Volumes> {
        match Job::start(self.wanted) {
            Ok(job) => {
                self.running = Some(job);
                None
            }
            Err(error) => {
                warn!("The noise is baked between two frames, which takes a moment: {error}");
                self.complete = true;
                bake(&self.wanted, Sizes::FULL, 1, &BakeControl::default())
            }
        }
    }
}

impl Drop for NoiseBake {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// A bake in the background.
struct Job {
    control: Arc<BakeControl>,
    thread: JoinHandle<Option<Volumes>>,
}

impl Job {
    fn start(params: NoiseParams) -> io::Result<Self> {
        let control = Arc::new(BakeControl::default());
        let shared = control.clone();
        // Not on one of Bevy's pools, whose other work, such as compiling shaders, would wait.
        let thread = std::thread::Builder::new()
            .name("noise bake".to_owned())
            .spawn(move || {
                let threads = std::thread::available_parallelism().map_or(1, usize::from);
                bake(&params, Sizes::FULL, threads, &shared)
            })?;
        Ok(Self { control, thread })
    }
}

/// Follows changes of [`NoiseParams`] and puts finished bakes into [`NoiseTextures`], in
/// [`Update`].
///
/// Parameters changed before are noticed in the same frame; what binds the textures comes after.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct NoiseSystems;

/// Bakes [`NoiseTextures`]: in the first [`Update`] a coarse set, so that there is one for the first frame, then
/// the full one in the background, and again whenever [`NoiseParams`] change. Until that has ended
/// the last ones stay. One bake runs at a time, however fast the parameters change.
///
/// Needs Bevy's `AssetPlugin` and `ImagePlugin`.
pub struct NoisePlugin;

impl Plugin for NoisePlugin {
    fn build(&self, app: &mut App) {
        app.register_params::<NoiseParams>()
            .init_resource::<NoiseParams>()
            .init_resource::<NoiseBake>()
            .init_resource::<NoiseTextures>()
            .add_systems(Update, update_bake.in_set(NoiseSystems));
    }
}

fn update_bake(
    params: Res<NoiseParams>,
    mut bake: ResMut<NoiseBake>,
    mut textures: ResMut<NoiseTextures>,
    mut images: ResMut<Assets<Image>>,
) {
    if params.is_changed() && *params != bake.wanted {
        bake.want(*params);
    }
    let mut volumes = bake.collect();
    if !bake.complete && bake.running.is_none() {
        volumes = bake.start().or(volumes);
    }
    // The first time: by now whatever starts the app has set the parameters.
    if volumes.is_none() && textures.is_added() {
        volumes = super::bake::bake(&params, Sizes::COARSE, 1, &BakeControl::default());
    }
    if let Some(volumes) = volumes {
        *textures = NoiseTextures::new(volumes, &mut images);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default()))
            .init_asset::<Image>()
            .add_plugins(NoisePlugin);
        app
    }

    fn complete(app: &App) -> bool {
        app.world().resource::<NoiseBake>().is_complete()
    }

    fn finish(app: &mut App) {
        let start = Instant::now();
        while !complete(app) {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "the bake does not end"
            );
            std::thread::sleep(Duration::from_millis(1));
            app.update();
        }
    }

    /// Handles, and texels along x.
    fn textures(app: &App) -> [(Handle<Image>, u32); 3] {
        let textures = app.world().resource::<NoiseTextures>();
        let images = app.world().resource::<Assets<Image>>();
        [&textures.base, &textures.detail, &textures.vectors].map(|handle| {
            let image = images.get(handle).expect("textures are valid at all times");
            (handle.clone(), image.width())
        })
    }

    #[test]
    fn coarse_textures_come_first_and_full_ones_follow() {
        let mut app = app();
        app.update();
        assert!(!complete(&app));
        assert_eq!(textures(&app).map(|(_, size)| size), [32, 16, 16]);
        finish(&mut app);
        assert_eq!(textures(&app).map(|(_, size)| size), [128, 32, 64]);
        assert_eq!(app.world().resource::<NoiseBake>().progress(), 1.0);
    }

    #[test]
    fn changed_parameters_bake_anew_and_equal_ones_do_not() {
        let mut app = app();
        app.update();
        finish(&mut app);
        let before = textures(&app);

        app.world_mut().resource_mut::<NoiseParams>().set_changed();
        app.update();
        assert!(complete(&app));
        assert_eq!(textures(&app), before);

        app.world_mut().resource_mut::<NoiseParams>().seed = 1;
        app.update();
        assert!(!complete(&app));
        assert_eq!(
            textures(&app),
            before,
            "the last textures stay until the new ones are there"
        );
        finish(&mut app);
        for ((before, _), (after, _)) in before.iter().zip(&textures(&app)) {
            assert_ne!(before, after);
        }
    }

    #[test]
    fn a_dragged_slider_ends_with_the_last_value() {
        let mut app = app();
        app.update();
        for seed in 1..=30 {
            app.world_mut().resource_mut::<NoiseParams>().seed = seed;
            app.update();
            assert!(!complete(&app));
        }
        finish(&mut app);
        let NoiseTextures { base, .. } = app.world().resource::<NoiseTextures>();
        let image = app
            .world()
            .resource::<Assets<Image>>()
            .get(base)
            .expect("textures are valid");
        let params = NoiseParams {
            seed: 30,
            ..default()
        };
        let expected =
            bake(&params, Sizes::FULL, 2, &BakeControl::default()).expect("nobody cancels");
        assert_eq!(
            image.data.as_deref(),
            Some(expected.base.texels.as_flattened())
        );
    }

    #[test]
    fn images_tile() {
        let mut app = app();
        app.update();
        let handle = textures(&app)[0].0.clone();
        let image = app
            .world()
            .resource::<Assets<Image>>()
            .get(&handle)
            .expect("textures are valid");
        assert_eq!(image.texture_descriptor.dimension, TextureDimension::D3);
        let ImageSampler::Descriptor(sampler) = &image.sampler else {
            panic!("the sampler is left to the default");
        };
        for mode in [
            sampler.address_mode_u,
            sampler.address_mode_v,
            sampler.address_mode_w,
        ] {
            assert!(matches!(mode, ImageAddressMode::Repeat));
        }
    }
}
