//! The fast settings show what the reference shows.

use bevy::math::Vec3;
use pyrocumulus::PresetLibrary;
use pyrocumulus::capture::Studio;
use pyrocumulus::param::preset::Preset;
use pyrocumulus::scene::Scene;
use pyrocumulus::volume::{CloudParams, FireParams, QualityParams, Setting};

use crate::studio::{bare_stage, edit, in_studio};

const SIZE: (u32, u32) = (96, 64);

/// Root mean square of the difference of linear colour.
fn difference(a: &[Vec3], b: &[Vec3]) -> f32 {
    let squares = a
        .iter()
        .zip(b)
        .map(|(a, b)| (*a - *b).length_squared() / 3.0);
    (squares.sum::<f32>() / a.len() as f32).sqrt()
}

/// The last of so many frames in a still view.
fn picture(studio: &mut Studio, setting: Setting, frames: u32) -> Vec<Vec3> {
    studio.world().insert_resource(QualityParams::of(setting));
    studio.focus(SIZE).expect("the studio is in focus");
    for frame in 1..frames {
        studio.time_frame(frame).expect("a frame");
    }
    studio.read_frame(frames).expect("a frame").pixels
}

/// Mean of frames with different jitter.
fn mean(studio: &mut Studio, setting: Setting, frames: u32) -> Vec<Vec3> {
    let mut sum = picture(studio, setting, 1);
    for frame in 1..frames {
        let more = studio.read_frame(frame).expect("a frame").pixels;
        for (sum, more) in sum.iter_mut().zip(more) {
            *sum += more;
        }
    }
    sum.iter().map(|sum| *sum / frames as f32).collect()
}

fn shipped() -> Vec<(String, Preset)> {
    let library = PresetLibrary::in_folder(pyrocumulus::param_sets(), None);
    let entries = library.entries().iter();
    let load = |entry| {
        library
            .load_entry(entry)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    entries
        .map(|entry| (entry.stem.clone(), load(entry)))
        .collect()
}

/// How far a setting may be from the reference once eight frames have added up, whatever the preset.
const BOUNDS: [(Setting, f32); 4] = [
    (Setting::Low, 0.09),
    (Setting::Medium, 0.08),
    (Setting::High, 0.05),
    (Setting::Ultra, 0.05),
];

#[test]
fn every_preset_looks_like_the_reference_in_every_setting() {
    in_studio(|studio| {
        let mut faults = Vec::new();
        for (name, preset) in shipped() {
            preset.apply(studio.world());
            bare_stage(studio);
            let reference = mean(studio, Setting::Reference, 4);
            let brightest = reference
                .iter()
                .map(|pixel| pixel.max_element())
                .fold(0.0, f32::max);
            assert!(brightest > 0.05, "{name} shows something");
            for (setting, bound) in BOUNDS {
                let apart = difference(&reference, &picture(studio, setting, 8));
                if apart > bound {
                    faults.push(format!(
                        "{name} in {} is {apart:.4} off, more than {bound}",
                        setting.name()
                    ));
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    });
}

#[test]
fn a_still_view_settles_on_the_reference() {
    in_studio(|studio| {
        for scene in [Scene::Cloud, Scene::Fire] {
            *studio.world().resource_mut::<Scene>() = scene;
            bare_stage(studio);
            edit::<CloudParams>(studio, |cloud| (cloud.steps, cloud.light_steps) = (512, 64));
            edit::<FireParams>(studio, |fire| fire.steps = 512);
            let reference = mean(studio, Setting::Reference, 4);
            edit::<CloudParams>(studio, |cloud| *cloud = CloudParams::default());
            edit::<FireParams>(studio, |fire| *fire = FireParams::default());
            for setting in [Setting::High, Setting::Ultra] {
                let at_first = difference(&reference, &picture(studio, setting, 8));
                let settled = difference(&reference, &picture(studio, setting, 96));
                let (scene, setting) = (scene.name(), setting.name());
                assert!(
                    settled < 0.006 && settled < 0.6 * at_first,
                    "{scene} in {setting}: {at_first} after 8 frames, {settled} after 96"
                );
            }
        }
    });
}
