//! What steps, coverage and pixels cost, for the tables of `docs/performance.md`.

use super::errors::begin;
use super::plan::{Recipe, edit};
use super::probes::{EDGES, set_up, settle, time_sizes};
use super::report::Cost;
use super::stats::{median, rounded};
use super::timing::in_turns;
use super::{PROBE, Plan};
use crate::capture::{CaptureError, Studio};
use crate::volume::CloudParams;

const STEPS: [f32; 5] = [16.0, 32.0, 64.0, 128.0, 256.0];
const COVERAGES: [f32; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Measures them all with the brute march and with the probe's setting.
pub(super) fn measure(studio: &mut Studio, plan: &Plan) -> Result<Vec<Cost>, CaptureError> {
    let mut costs = sweep(studio, plan, "steps", &STEPS, |cloud, steps| {
        cloud.steps = steps as u32;
    })?;
    costs.extend(sweep(
        studio,
        plan,
        "coverage",
        &COVERAGES,
        |cloud, coverage| cloud.coverage = coverage,
    )?);
    let brute = time_sizes(studio, plan, Recipe::Brute)?;
    let ours = time_sizes(studio, plan, Recipe::Setting(PROBE))?;
    costs.extend(
        EDGES
            .iter()
            .zip(brute)
            .zip(ours)
            .map(|((edge, brute), ours)| Cost {
                of: "pixels along each edge",
                value: *edge as f32,
                ms: rounded(median(&ours)),
                brute_ms: rounded(median(&brute)),
            }),
    );
    Ok(costs)
}

/// The cost of one parameter, at some of its values.
fn sweep(
    studio: &mut Studio,
    plan: &Plan,
    of: &'static str,
    values: &[f32],
    set: impl Fn(&mut CloudParams, f32),
) -> Result<Vec<Cost>, CaptureError> {
    let subject = set_up(studio, plan)?;
    let recipes = [Recipe::Brute, Recipe::Setting(PROBE)];
    let contestants: Vec<(Recipe, f32)> = values
        .iter()
        .flat_map(|&value| recipes.map(|recipe| (recipe, value)))
        .collect();
    let times = in_turns(
        studio,
        plan.frames,
        &contestants,
        |studio, (recipe, value)| {
            begin(studio, &subject, recipe, 0)?;
            edit(studio.world(), |cloud| set(cloud, value));
            settle(studio)
        },
        |_, _, _| (),
    )?;
    let pairs = values.iter().zip(times.chunks_exact(recipes.len()));
    Ok(pairs
        .map(|(&value, times)| Cost {
            of,
            value,
            brute_ms: rounded(median(&times[0])),
            ms: rounded(median(&times[1])),
        })
        .collect())
}
