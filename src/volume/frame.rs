//! What changes from frame to frame: time, sun and sky as the volume sees them.

use bevy::ecs::system::SystemParam;
use bevy::math::{DVec3, Vec3};
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::render_resource::encase::{self, internal::WriteInto};
use bevy::render::render_resource::{
    Buffer, BufferDescriptor, BufferUsages, ShaderSize, ShaderType,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};

use super::Volume;

/// Time for every volume: seconds, running at `speed`, in `f64` so that hours do not stutter.
#[derive(Resource, Clone, Copy, Debug)]
pub struct VolumeClock {
    /// Seconds since the start. Set it freely to scrub.
    pub seconds: f64,
    /// Volume seconds per real second.
    pub speed: f64,
    /// Holds the clock.
    pub paused: bool,
}

impl Default for VolumeClock {
    fn default() -> Self {
        Self {
            seconds: 0.0,
            speed: 1.0,
            paused: false,
        }
    }
}

/// Light from everywhere but the sun, in cd/m², linear Rec. 709: what a volume's shadows are
/// filled with.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct SkyLight {
    /// Mean radiance of the sky above.
    pub sky: Vec3,
    /// Mean radiance of the ground below.
    pub ground: Vec3,
}

impl Default for SkyLight {
    /// A clear noon sky over grassland.
    fn default() -> Self {
        Self {
            sky: Vec3::new(2300.0, 3900.0, 7400.0),
            ground: Vec3::new(2900.0, 3000.0, 2300.0),
        }
    }
}

/// How far each layer of a volume's noise has scrolled, in tiles, wrapped to 0..1.
///
/// It is integrated step by step, so that a change of speed bends the motion and does not jump.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct NoisePhase {
    tiles: [DVec3; Self::COUNT],
    seconds: f64,
}

impl NoisePhase {
    /// Number of vectors of phases.
    pub const COUNT: usize = 2;

    /// Moves on to `seconds` at `rates` tiles a second.
    pub fn advance(&mut self, seconds: f64, rates: [Vec3; Self::COUNT]) {
        let elapsed = seconds - self.seconds;
        self.seconds = seconds;
        for (tiles, rate) in self.tiles.iter_mut().zip(rates) {
            *tiles = (*tiles + rate.as_dvec3() * elapsed).map(|tile| tile.rem_euclid(1.0));
        }
    }

    /// The phases, in tiles, 0..1.
    pub fn tiles(&self) -> [Vec3; Self::COUNT] {
        self.tiles.map(DVec3::as_vec3)
    }
}

/// What the shader gets beside the authored parameters. Directions are in the volume's own space.
#[derive(Component, Reflect, ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct VolumeFrame {
    /// Unit vector towards the sun.
    pub sun_direction: Vec3,
    /// Illuminance of the sun on a surface facing it, lux, linear Rec. 709.
    pub sun_illuminance: Vec3,
    /// Mean radiance of the sky, cd/m².
    pub sky_radiance: Vec3,
    /// Mean radiance of the ground, cd/m².
    pub ground_radiance: Vec3,
    /// First three noise phases, tiles.
    pub phase_a: Vec3,
    /// Further noise phases, tiles.
    pub phase_b: Vec3,
    /// Offset into the noise from the seed, tiles.
    pub seed_offset: Vec3,
    /// Which slice of the blue noise jitters the march.
    pub jitter: u32,
}

/// Index of the frame within an accumulation: selects the jitter of the march.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JitterFrame(pub u32);

/// The GPU copy of per-frame values. Written in place, so that a new frame does not rebuild the
/// material's bind group.
#[derive(Component, Clone)]
pub struct FrameBuffer(pub Buffer);

impl FrameBuffer {
    /// Allocates a buffer for one `T`.
    pub fn new<T: ShaderType + ShaderSize>(device: &RenderDevice) -> Self {
        Self(device.create_buffer(&BufferDescriptor {
            label: Some("pyrocumulus_frame"),
            size: T::SHADER_SIZE.get(),
            usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }))
    }

    /// Replaces the contents before the next frame is drawn.
    ///
    /// # Errors
    /// If the value does not fit, which the type of [`new`](Self::new) rules out.
    pub fn write<T: ShaderType + WriteInto>(&self, queue: &RenderQueue, value: &T) -> Result {
        let mut bytes = encase::StorageBuffer::new(Vec::new());
        bytes.write(value)?;
        queue.write_buffer(&self.0, 0, &bytes.into_inner());
        Ok(())
    }
}

/// The lights that a volume sees.
#[derive(SystemParam)]
pub struct Lights<'w, 's> {
    suns: Query<'w, 's, (&'static DirectionalLight, &'static GlobalTransform)>,
    sky: Res<'w, SkyLight>,
}

impl Lights<'_, '_> {
    /// Direction towards the brightest directional light and its illuminance, in world space.
    fn sun(&self) -> (Vec3, Vec3) {
        let brightest = self
            .suns
            .iter()
            .max_by(|a, b| a.0.illuminance.total_cmp(&b.0.illuminance));
        brightest.map_or((Vec3::Y, Vec3::ZERO), |(light, transform)| {
            let color = light.color.to_linear().to_vec3();
            (transform.back().as_vec3(), color * light.illuminance)
        })
    }
}

/// Runs the clock.
pub(super) fn tick(time: Res<Time>, mut clock: ResMut<VolumeClock>) {
    if !clock.paused {
        let step = time.delta_secs_f64() * clock.speed;
        clock.seconds += step;
    }
}

/// Jitters every frame anew, so that they add up.
pub(super) fn count(mut jitter: ResMut<JitterFrame>) {
    jitter.0 = jitter.0.wrapping_add(1);
}

/// Derives every volume's [`VolumeFrame`].
pub(super) fn update_frames<V: Volume>(
    clock: Res<VolumeClock>,
    jitter: Res<JitterFrame>,
    lights: Lights,
    mut volumes: Query<(&V, &GlobalTransform, &mut NoisePhase, &mut VolumeFrame)>,
) {
    let (sun_direction, sun_illuminance) = lights.sun();
    for (params, transform, mut phase, mut frame) in &mut volumes {
        phase.advance(clock.seconds, params.phase_rates());
        let [phase_a, phase_b] = phase.tiles();
        let local_from_world = transform.affine().inverse();
        *frame = VolumeFrame {
            sun_direction: local_from_world
                .transform_vector3(sun_direction)
                .normalize_or(Vec3::Y),
            sun_illuminance,
            sky_radiance: lights.sky.sky,
            ground_radiance: lights.sky.ground,
            phase_a,
            phase_b,
            seed_offset: seed_offset(params.seed()),
            jitter: jitter.0,
        };
    }
}

/// An offset into the noise tile for each seed. Multiples of the inverse of the generalised golden
/// ratio of three dimensions fill the tile evenly (Roberts 2018, "The Unreasonable Effectiveness of
/// Quasirandom Sequences"), so near seeds lie far apart.
fn seed_offset(seed: u32) -> Vec3 {
    const ROOT: f64 = 1.220_744_084_605_759_6;
    let offset = |power: i32| (f64::from(seed) * ROOT.powi(-power)).fract() as f32;
    Vec3::new(offset(1), offset(2), offset(3))
}

/// Copies the frames to the GPU, between two frames' rendering.
pub(super) fn upload_frames(
    queue: Res<RenderQueue>,
    volumes: Extract<Query<(&VolumeFrame, &FrameBuffer)>>,
) -> Result {
    for (frame, buffer) in &volumes {
        buffer.write(&queue, frame)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phase_does_not_jump_when_the_speed_changes() {
        let mut phase = NoisePhase::default();
        phase.advance(7200.0, [Vec3::splat(0.37); 2]);
        let before = phase.tiles();
        phase.advance(7200.0, [Vec3::splat(9.0); 2]);
        assert_eq!(before, phase.tiles());
    }

    #[test]
    fn phase_is_smooth_after_a_day() {
        let mut phase = NoisePhase::default();
        let day = 86_400.0;
        phase.advance(day, [Vec3::splat(1.1); 2]);
        let before = phase.tiles()[0].x;
        phase.advance(day + 1.0 / 60.0, [Vec3::splat(1.1); 2]);
        let moved = (phase.tiles()[0].x - before).rem_euclid(1.0);
        assert!((moved - 1.1 / 60.0).abs() < 1e-5, "moved {moved}");
    }

    #[test]
    fn scrubbing_back_returns_to_the_same_phase() {
        let rates = [Vec3::new(0.3, -0.7, 0.2), Vec3::splat(-0.11)];
        let mut phase = NoisePhase::default();
        phase.advance(3.0, rates);
        let before = phase.tiles();
        phase.advance(900.0, rates);
        phase.advance(3.0, rates);
        for (a, b) in before.iter().zip(phase.tiles()) {
            assert!(a.abs_diff_eq(b, 1e-6));
        }
    }

    #[test]
    fn seeds_lie_apart() {
        let distance = |a: u32, b: u32| {
            let d = (seed_offset(a) - seed_offset(b)).abs();
            d.min(Vec3::ONE - d).length()
        };
        assert!((1..100).all(|seed| distance(0, seed) > 0.08));
    }
}
