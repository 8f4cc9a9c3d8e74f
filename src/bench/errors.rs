//! How far a picture is from the truth.

use bevy::math::Vec3;

use super::plan::{Recipe, Subject};
use super::stats::{mean_square, rmse};
use super::{Mode, Plan};
use crate::capture::{CaptureError, Studio};
use crate::param::preset::Preset;

/// Steps of the true picture along the view ray.
pub const TRUTH_STEPS: u32 = 512;
/// Steps of the true picture towards the sun.
pub const TRUTH_LIGHT_STEPS: u32 = 64;

/// Standard error at which the truth is known well enough: a tenth of the least error that matters.
const ENOUGH: f64 = 0.0005;
/// Frames after which it has to be.
const MOST_FRAMES: u32 = 16;

/// Frames with different jitter that the error of single frames is taken of.
const SINGLE_FRAMES: u32 = 4;
/// Frames that add up in a still view.
const ACCUMULATED_FRAMES: u32 = 64;
/// Frames that the camera moves for before it reaches the view.
const MOVING_FRAMES: u32 = 24;

/// Errors of one preset's pictures, root mean square of linear colour.
pub(super) struct Errors {
    /// Of single frames of the brute march.
    pub brute: f64,
    /// Of each setting in the plan, in each [`Mode`].
    pub settings: Vec<[f64; Mode::ALL.len()]>,
    /// Standard error of the truth.
    pub uncertainty: f64,
    /// Frames that the truth took.
    pub truth_frames: u32,
}

/// Measures the errors of a preset on its own stage.
pub(super) fn measure(
    studio: &mut Studio,
    plan: &Plan,
    preset: &Preset,
) -> Result<Errors, CaptureError> {
    let subject = Subject::new(studio.world(), preset);
    subject.draw_by(studio.world(), Recipe::Truth);
    studio.focus(plan.size)?;
    let truth = Truth::find(studio)?;
    begin(studio, &subject, Recipe::Brute, 0)?;
    let brute = single_frames(studio, &truth)?;
    let mut settings = Vec::new();
    for &setting in &plan.settings {
        let mut errors = [0.0; Mode::ALL.len()];
        for mode in Mode::ALL {
            errors[mode as usize] = match mode {
                Mode::Still => {
                    begin(studio, &subject, Recipe::Alone(setting), 0)?;
                    single_frames(studio, &truth)?
                }
                Mode::Accumulated => {
                    begin(studio, &subject, Recipe::Setting(setting), 0)?;
                    last_frame(studio, &truth, ACCUMULATED_FRAMES, |_, _| ())?
                }
                Mode::Moving => {
                    begin(studio, &subject, Recipe::Setting(setting), MOVING_FRAMES)?;
                    last_frame(studio, &truth, MOVING_FRAMES, |studio, left| {
                        subject.turn_back(studio.world(), left);
                    })?
                }
            };
        }
        settings.push(errors);
    }
    Ok(Errors {
        brute,
        settings,
        uncertainty: truth.uncertainty,
        truth_frames: truth.frames,
    })
}

/// Frames without history before the first that counts: pipelines and bindings change, the field is built, and
/// what was drawn before is forgotten.
fn settling_frames(recipe: Recipe) -> u32 {
    match recipe {
        Recipe::Brute | Recipe::Truth => 1,
        Recipe::Setting(_) | Recipe::Alone(_) => 3,
    }
}

/// Goes to the view `frames` before the preset's, and forgets the frames that led there.
pub(super) fn begin(
    studio: &mut Studio,
    subject: &Subject,
    recipe: Recipe,
    frames: u32,
) -> Result<(), CaptureError> {
    let alone = match recipe {
        Recipe::Setting(setting) => Recipe::Alone(setting),
        other => other,
    };
    subject.turn_back(studio.world(), frames);
    subject.draw_by(studio.world(), alone);
    for frame in 0..settling_frames(recipe) {
        studio.time_frame(frame)?;
    }
    subject.draw_by(studio.world(), recipe);
    Ok(())
}

/// The error of frames that stand alone.
fn single_frames(studio: &mut Studio, truth: &Truth) -> Result<f64, CaptureError> {
    let mut sum = 0.0;
    for frame in 0..SINGLE_FRAMES {
        sum += mean_square(&studio.read_frame(frame)?.pixels, &truth.pixels);
    }
    Ok((sum / f64::from(SINGLE_FRAMES)).sqrt())
}

/// The error of the last of some frames. `prepare` is told how many are left after each.
fn last_frame(
    studio: &mut Studio,
    truth: &Truth,
    frames: u32,
    prepare: impl Fn(&mut Studio, u32),
) -> Result<f64, CaptureError> {
    for frame in 0..frames - 1 {
        prepare(studio, frames - 1 - frame);
        studio.time_frame(frame)?;
    }
    prepare(studio, 0);
    let picture = studio.read_frame(frames - 1)?;
    Ok(rmse(&picture.pixels, &truth.pixels))
}

/// The picture that all others should be.
struct Truth {
    pixels: Vec<Vec3>,
    uncertainty: f64,
    frames: u32,
}

impl Truth {
    /// Averages frames until two halves of them agree.
    fn find(studio: &mut Studio) -> Result<Self, CaptureError> {
        let mut halves = [Vec::new(), Vec::new()];
        let mut frames = 0;
        loop {
            for sum in &mut halves {
                let picture = studio.read_frame(frames)?;
                frames += 1;
                sum.resize(picture.pixels.len(), Vec3::ZERO);
                for (sum, pixel) in sum.iter_mut().zip(&picture.pixels) {
                    *sum += *pixel;
                }
            }
            // The mean of both varies half as much as their difference.
            let uncertainty = rmse(&halves[0], &halves[1]) / f64::from(frames);
            if uncertainty < ENOUGH || frames >= MOST_FRAMES {
                let pixels = halves[0].iter().zip(&halves[1]);
                return Ok(Self {
                    pixels: pixels.map(|(a, b)| (*a + *b) / frames as f32).collect(),
                    uncertainty,
                    frames,
                });
            }
        }
    }
}
