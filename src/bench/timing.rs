//! How long frames take.

use super::errors::begin;
use super::plan::{Recipe, Subject, clear_stage};
use super::{Mode, Plan};
use crate::capture::{CaptureError, Studio};
use crate::param::preset::Preset;

/// Turns that each contestant has.
const ROUNDS: usize = 3;
/// Frames at the start of a turn that do not count, beside those that `begin` draws.
const WARM_UP: u32 = 1;

/// Times contestants in turns: milliseconds of at least `frames` frames of each. `begin` gets a contestant ready,
/// and `step` is called before each frame of its turn with the number of the frame.
pub(super) fn in_turns<T: Copy>(
    studio: &mut Studio,
    frames: usize,
    contestants: &[T],
    mut begin: impl FnMut(&mut Studio, T) -> Result<(), CaptureError>,
    mut step: impl FnMut(&mut Studio, T, u32),
) -> Result<Vec<Vec<f64>>, CaptureError> {
    let mut times = vec![Vec::new(); contestants.len()];
    let count = frames.div_ceil(ROUNDS) as u32;
    for _ in 0..ROUNDS {
        for (&contestant, times) in contestants.iter().zip(&mut times) {
            begin(studio, contestant)?;
            for frame in 0..WARM_UP + count {
                step(studio, contestant, frame);
                let time = studio.time_frame(frame)?;
                if frame >= WARM_UP {
                    times.push(1e3 * time.as_secs_f64());
                }
            }
        }
    }
    Ok(times)
}

/// Times the brute march and the settings of the plan, in this order, on an empty stage.
pub(super) fn measure(
    studio: &mut Studio,
    plan: &Plan,
    preset: &Preset,
    mode: Mode,
) -> Result<Vec<Vec<f64>>, CaptureError> {
    let subject = Subject::new(studio.world(), preset);
    clear_stage(studio.world());
    subject.draw_by(studio.world(), Recipe::Brute);
    studio.focus(plan.size)?;
    let settings = plan.settings.iter();
    let recipes: Vec<Recipe> = std::iter::once(Recipe::Brute)
        .chain(settings.map(|&setting| Recipe::of(setting, mode)))
        .collect();
    let way = match mode {
        Mode::Still | Mode::Accumulated => 0,
        Mode::Moving => plan.frames.div_ceil(ROUNDS) as u32 + WARM_UP,
    };
    in_turns(
        studio,
        plan.frames,
        &recipes,
        |studio, recipe| begin(studio, &subject, recipe, way),
        |studio, _, frame| subject.turn_back(studio.world(), way.saturating_sub(frame)),
    )
}
