//! The fast settings while things move and change: no flash, no hole, no NaN, no error of the graphics API.

use bevy::math::Vec3;
use pyrocumulus::capture::Studio;
use pyrocumulus::scene::{CameraParams, Scene, StageParams};
use pyrocumulus::volume::{CloudParams, FireParams, QualityParams, Setting, VolumeClock};

use crate::studio::{bare_stage, edit, in_studio};

/// Pixels by which coarse pixels may blur what the reference shows.
const REACH: usize = 5;
/// Linear colour by which a pixel may be off.
const TOLERANCE: f32 = 0.2;
/// Pixels that may be off by more: grains, and thin flames that have just come into view.
const FEW: usize = 12;
const SIZE: (u32, u32) = (64, 48);

/// A camera's way: towards the centre, through it and out on the far side, then once around where it grazes the
/// volume's surface.
fn way() -> Vec<CameraParams> {
    const THROUGH: u16 = 48;
    const AROUND: u16 = 48;
    let through = (0..THROUGH).map(|step| CameraParams {
        distance: 2.2 - 3.8 * f32::from(step) / f32::from(THROUGH),
        ..CameraParams::default()
    });
    let around = (0..AROUND).map(|step| CameraParams {
        distance: 0.9,
        yaw: 360.0 * f32::from(step) / f32::from(AROUND) - 180.0,
        ..CameraParams::default()
    });
    through.chain(around).collect()
}

/// The pictures along the way, in linear colour.
fn pictures(studio: &mut Studio, setting: Setting) -> Vec<Vec<Vec3>> {
    studio.world().insert_resource(QualityParams::of(setting));
    *studio.world().resource_mut::<CameraParams>() = way()[0];
    studio.focus(SIZE).expect("the studio is in focus");
    let mut frames = Vec::new();
    for (frame, camera) in way().into_iter().enumerate() {
        *studio.world().resource_mut::<CameraParams>() = camera;
        let picture = studio.read_frame(frame as u32).expect("a frame");
        assert!(
            picture.pixels.iter().all(|pixel| pixel.is_finite()),
            "{} shows what is no number in frame {frame}",
            setting.name()
        );
        frames.push(picture.pixels);
    }
    frames
}

/// Pixels that are off from everything that the truth shows around them: a flash is brighter than all of that, and a
/// hole darker.
fn astray(pixels: &[Vec3], truth: &[Vec3]) -> usize {
    let (width, height) = (SIZE.0 as usize, SIZE.1 as usize);
    let around = |at: usize, end: usize| at.saturating_sub(REACH)..(at + REACH + 1).min(end);
    let is_astray = |i: usize| {
        let (x, y) = (i % width, i / width);
        let rows = around(y, height).map(|row| &truth[row * width..][around(x, width)]);
        let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = rows.flatten().fold(none, |(low, high), shown| {
            (low.min(*shown), high.max(*shown))
        });
        (low - pixels[i]).max(pixels[i] - high).max_element() > TOLERANCE
    };
    (0..pixels.len()).filter(|&i| is_astray(i)).count()
}

fn sweep(scene: Scene, settings: &'static [Setting]) {
    in_studio(move |studio| {
        *studio.world().resource_mut::<Scene>() = scene;
        bare_stage(studio);
        if scene == Scene::Fire {
            edit::<StageParams>(studio, |stage| stage.exposure = 13.0);
            // Tatters and the grain of so near a flame look like the faults that are looked for.
            edit::<FireParams>(studio, |fire| (fire.octaves, fire.steps) = (2, 256));
        }
        let truth = pictures(studio, Setting::Reference);
        let mut faults = Vec::new();
        for &setting in settings {
            let frames = pictures(studio, setting);
            for (frame, (pixels, truth)) in frames.iter().zip(&truth).enumerate() {
                let astray = astray(pixels, truth);
                if astray > FEW {
                    let (scene, setting) = (scene.name(), setting.name());
                    faults.push(format!(
                        "{scene} in {setting}, frame {frame}: {astray} pixels"
                    ));
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    });
}

#[test]
fn a_camera_may_fly_through_a_cloud() {
    sweep(
        Scene::Cloud,
        &[Setting::Low, Setting::Medium, Setting::High],
    );
}

#[test]
fn a_camera_may_fly_through_a_fire() {
    // The few pixels of low lose the thin tongues that come into view.
    sweep(Scene::Fire, &[Setting::Medium, Setting::High]);
}

/// Numbers in an order that is the same each time (Steele et al. 2014, "Fast Splittable Pseudorandom Number
/// Generators").
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    /// 0..1.
    fn part(&mut self) -> f32 {
        self.below(1 << 20) as f32 / (1 << 20) as f32
    }
}

/// Changes something about the scene or the way it is drawn.
fn change(studio: &mut Studio, random: &mut Random) {
    const SIZES: [(u32, u32); 8] = [
        (1, 1),
        (1, 200),
        (33, 7),
        (64, 36),
        (97, 61),
        (160, 90),
        (200, 3),
        (128, 128),
    ];
    match random.below(8) {
        0 => {
            let size = SIZES[random.below(SIZES.len() as u64) as usize];
            studio
                .focus(size)
                .unwrap_or_else(|error| panic!("{size:?}: {error}"));
        }
        1 => {
            let setting = Setting::ALL[random.below(Setting::ALL.len() as u64) as usize];
            studio.world().resource_mut::<QualityParams>().setting = setting as u32;
        }
        2 => {
            let scale = 0.25 + 0.75 * random.part();
            studio.world().resource_mut::<QualityParams>().render_scale = scale;
        }
        3 => {
            let scene = Scene::ALL[random.below(Scene::ALL.len() as u64) as usize];
            *studio.world().resource_mut::<Scene>() = scene;
        }
        4 => studio.world().resource_mut::<VolumeClock>().seconds += f64::from(random.part()),
        5 => {
            let (coverage, octaves) = (random.part(), 1 + random.below(6) as u32);
            edit::<CloudParams>(studio, |cloud| cloud.coverage = coverage);
            edit::<FireParams>(studio, |fire| fire.octaves = octaves);
        }
        _ => {
            let mut camera = studio.world().resource_mut::<CameraParams>();
            camera.yaw = 360.0 * random.part() - 180.0;
            camera.distance = 0.05 + 3.0 * random.part();
        }
    }
}

#[test]
fn anything_may_change_at_any_time() {
    in_studio(|studio| {
        let mut random = Random(1);
        studio.focus(SIZE).expect("the studio is in focus");
        for frame in 0..300 {
            change(studio, &mut random);
            // Still views, too, for as long as it takes until pixels are refined.
            let still = if random.below(8) == 0 { 24 } else { 1 };
            for shown in 0..still {
                if let Err(error) = studio.time_frame(frame + shown) {
                    panic!("frame {frame}: {error}");
                }
            }
        }
        let picture = studio.read_frame(0).expect("a frame");
        assert!(picture.pixels.iter().all(|pixel| pixel.is_finite()));
    });
}
