//! The fast settings show what the reference shows.

use pyrocumulus::capture::{Picture, Studio};
use pyrocumulus::scene::{Scene, StageParams};
use pyrocumulus::volume::{QualityParams, Setting};

use crate::studio::{bare_stage, edit, in_studio, shot};

/// Root mean square of the difference in linear colour.
fn difference(a: &Picture, b: &Picture) -> f32 {
    let squares: Vec<f32> = a
        .pixels()
        .zip(b.pixels())
        .map(|(a, b)| (a - b).truncate().length_squared() / 3.0)
        .collect();
    (squares.iter().sum::<f32>() / squares.len() as f32).sqrt()
}

fn picture(studio: &mut Studio, setting: Setting) -> Picture {
    studio.world().insert_resource(QualityParams::of(setting));
    shot(studio, 96, 64)
}

#[test]
fn high_and_ultra_look_like_the_reference() {
    in_studio(|studio| {
        for scene in [Scene::Cloud, Scene::Fire] {
            *studio.world().resource_mut::<Scene>() = scene;
            bare_stage(studio);
            if scene == Scene::Fire {
                edit::<StageParams>(studio, |stage| stage.exposure = 10.0);
            }
            let reference = picture(studio, Setting::Reference);
            let blank = reference.pixels().map(|pixel| pixel.w).sum::<f32>() < 50.0;
            assert!(!blank, "{} shows something", scene.name());
            for setting in [Setting::High, Setting::Ultra] {
                let apart = difference(&reference, &picture(studio, setting));
                assert!(
                    apart < 0.05,
                    "{} in {} is {apart} from the reference",
                    scene.name(),
                    setting.name()
                );
            }
        }
    });
}
