//! What drawing costs and how far it is from the truth: `pyrocumulus bench`.
//!
//! Everything is measured in one run on one adapter. Ways to draw take turns, so that whatever else the machine
//! does meets all of them, and medians are compared. Errors are against the reference march with
//! [`TRUTH_STEPS`] steps and [`TRUTH_LIGHT_STEPS`] light steps, averaged over jitters until it stands still.

pub mod bake;
mod costs;
mod errors;
mod lab;
mod plan;
mod probes;
mod report;
mod startup;
mod stats;
mod timing;

use crate::capture::{CaptureError, Studio};
use crate::param::preset::Preset;
use crate::volume::Setting;

pub use errors::{TRUTH_LIGHT_STEPS, TRUTH_STEPS};
pub use lab::PageTime;
pub use plan::{BRUTE_LIGHT_STEPS, BRUTE_STEPS, Mode};
pub use report::{Cost, FieldCost, Ratio, Report, Row, SizeTime, StartUp};
pub use startup::{START_UP_COMMAND, draw_first_pictures};

/// Setting that everything but the rows is measured with: what Auto begins with.
pub const PROBE: Setting = Setting::Medium;

/// What is measured.
pub struct Plan {
    /// Presets, and what the report calls them.
    pub presets: Vec<(String, Preset)>,
    /// Settings that are compared with the brute march.
    pub settings: Vec<Setting>,
    /// Pixels across and down.
    pub size: (u32, u32),
    /// Least number of frames that a median is taken of.
    pub frames: usize,
    /// Preset that everything but the rows is measured with.
    pub probe: Preset,
    /// Whether to measure what steps, pixels and coverage cost, too.
    pub costs: bool,
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The studio failed.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The program could not be started a second time.
    #[error("the start-up could not be measured: {0}")]
    StartUp(String),
}

/// Measures everything in the plan, and tells `say` what it is at.
///
/// # Errors
/// If the renderer fails, or the program cannot be started for the time it takes to.
pub fn run(plan: &Plan, say: &mut dyn FnMut(&str)) -> Result<Report, BenchError> {
    say("noise bake");
    let bake = bake::measure(BAKE_ROUNDS);
    say("pages of the lab");
    let lab = lab::measure(LAB_ROUNDS);
    say("start-up");
    let (startup, peak_memory_mb) = startup::measure(plan.size)?;
    let mut studio = Studio::for_measurement()?;
    let mut rows = Vec::new();
    for (name, preset) in &plan.presets {
        rows.extend(rows_of(&mut studio, plan, name, preset, say)?);
    }
    say("field, empty volume, pixels");
    let field = probes::field(&mut studio, plan)?;
    let empty = probes::empty(&mut studio, plan)?;
    let pixels = probes::pixels(&mut studio, plan)?;
    let costs = if plan.costs {
        say("what steps and coverage cost");
        costs::measure(&mut studio, plan)?
    } else {
        Vec::new()
    };
    Ok(Report {
        adapter: studio.adapter(),
        rows,
        field,
        bake,
        lab,
        startup,
        empty,
        pixels,
        peak_memory_mb,
        costs,
    })
}

/// Rounds of the bake; each takes seconds.
const BAKE_ROUNDS: usize = 3;

/// Times that each page of the lab is sampled.
const LAB_ROUNDS: usize = 5;

/// All settings and modes of one preset.
fn rows_of(
    studio: &mut Studio,
    plan: &Plan,
    name: &str,
    preset: &Preset,
    say: &mut dyn FnMut(&str),
) -> Result<Vec<Row>, BenchError> {
    say(&format!("{name}: errors"));
    let errors = errors::measure(studio, plan, preset)?;
    say(&format!(
        "{name}: the truth is known to {:.5} after {} frames; times",
        errors.uncertainty, errors.truth_frames
    ));
    let mut rows = Vec::new();
    for mode in Mode::ALL {
        let times = timing::measure(studio, plan, preset, mode)?;
        let brute = &times[0];
        for ((setting, time), rmse) in plan.settings.iter().zip(&times[1..]).zip(&errors.settings) {
            rows.push(Row::new(
                name,
                *setting,
                mode,
                plan.size,
                time,
                rmse[mode as usize],
                brute,
                errors.brute,
            ));
        }
    }
    Ok(rows)
}
