//! One studio for all tests: starting one costs seconds.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{LazyLock, Mutex};

use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use pyrocumulus::capture::{Picture, Shot, Studio};
use pyrocumulus::param::{ParamSet, ParamSets};
use pyrocumulus::scene::{Scene, StageParams};
use pyrocumulus::volume::{QualityParams, Setting};

type Work = Box<dyn FnOnce(&mut Studio) + Send>;

/// The thread that the studio lives on; a world stays where it was made.
static STUDIO: LazyLock<Mutex<Sender<Work>>> = LazyLock::new(|| {
    let (sender, receiver) = channel::<Work>();
    std::thread::spawn(move || {
        let mut studio =
            Studio::new().unwrap_or_else(|error| panic!("this test needs a studio: {error}"));
        for work in receiver {
            work(&mut studio);
        }
    });
    Mutex::new(sender)
});

/// Does `work` in the studio, with every parameter at its default and the cloud on stage. A failed
/// assertion in it fails the test that asked for it.
pub fn in_studio<T: Send + 'static>(work: impl FnOnce(&mut Studio) -> T + Send + 'static) -> T {
    let (answer, result) = channel();
    let job: Work = Box::new(move |studio| {
        reset(studio);
        let outcome = catch_unwind(AssertUnwindSafe(|| work(studio)));
        // A test that has been given up does not wait for its answer.
        let _ = answer.send(outcome.map_err(|panic| words(&*panic)));
    });
    let sent = STUDIO
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .send(job);
    let outcome = sent.ok().and_then(|()| result.recv().ok());
    match outcome {
        Some(Ok(value)) => value,
        Some(Err(message)) => panic!("{message}"),
        None => panic!(
            "the studio did not start; is there a graphics adapter? scripts/setup.sh --tests installs one"
        ),
    }
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_default()
}

fn reset(studio: &mut Studio) {
    let world = studio.world();
    *world.resource_mut::<Scene>() = Scene::Cloud;
    for set in ParamSets::in_world(world).iter() {
        let default = set.default_set();
        set.edit(world, |values| values.apply(default.as_partial_reflect()));
    }
    world.insert_resource(QualityParams::of(Setting::Reference));
}

/// Changes a parameter set of the scene.
pub fn edit<T: ParamSet + Component<Mutability = Mutable>>(
    studio: &mut Studio,
    change: impl FnOnce(&mut T),
) {
    let world = studio.world();
    let mut found = world.query::<&mut T>();
    let mut set = found.single_mut(world).expect("the scene has one such set");
    change(&mut set);
}

/// Nothing but the volume: no sky, no ground, no bloom.
pub fn bare_stage(studio: &mut Studio) {
    edit::<StageParams>(studio, |stage| {
        stage.background = 2;
        stage.ground = 0;
        stage.bloom = 0.0;
    });
}

/// A small picture.
pub fn small(studio: &mut Studio) -> Picture {
    shot(studio, 64, 36)
}

/// A picture of this size at the first moment.
pub fn shot(studio: &mut Studio, width: u32, height: u32) -> Picture {
    studio
        .take(&Shot {
            size: (width, height),
            seconds: 0.0,
            frames: 1,
        })
        .unwrap_or_else(|error| panic!("{width}x{height}: {error}"))
}

/// Mean linear luminance of the pixels for which `wanted(x, y)` holds, x and y 0..1 from the top left.
pub fn luminance(picture: &Picture, wanted: impl Fn(f32, f32) -> bool) -> f32 {
    let (width, height) = picture.size();
    let (mut sum, mut count) = (0.0, 0);
    for (i, pixel) in picture.pixels().enumerate() {
        let (x, y) = (i as u32 % width, i as u32 / width);
        if wanted(
            (x as f32 + 0.5) / width as f32,
            (y as f32 + 0.5) / height as f32,
        ) {
            sum += pixel.truncate().dot(Vec3::new(0.2126, 0.7152, 0.0722));
            count += 1;
        }
    }
    assert!(count > 0, "no pixel was asked for");
    sum / count as f32
}
