//! What the field, an empty volume and pixels cost, measured with [`PROBE`] on an empty stage.

use super::errors::begin;
use super::plan::{Recipe, Subject, blow, clear_stage, edit, show};
use super::stats::{median, rounded};
use super::timing::in_turns;
use super::{FieldCost, PROBE, Plan, Ratio, SizeTime};
use crate::capture::{CaptureError, Studio};
use crate::volume::CloudParams;

/// Edges of the square pictures that show how time grows with pixels.
pub(super) const EDGES: [u32; 5] = [256, 384, 512, 768, 1024];

/// Name of the passes that rebuild the field.
const FIELD_PASS: &str = "volume_field";

const RECIPE: Recipe = Recipe::Setting(PROBE);

/// Puts the probe's preset on an empty stage.
pub(super) fn set_up(studio: &mut Studio, plan: &Plan) -> Result<Subject, CaptureError> {
    let subject = Subject::new(studio.world(), &plan.probe);
    clear_stage(studio.world());
    subject.draw_by(studio.world(), RECIPE);
    studio.focus(plan.size)?;
    Ok(subject)
}

/// The field's share of a frame while the wind blows: by the GPU's clock, or where it has none by how much longer
/// frames take than in still air.
pub(super) fn field(studio: &mut Studio, plan: &Plan) -> Result<FieldCost, CaptureError> {
    let subject = set_up(studio, plan)?;
    let times = in_turns(
        studio,
        plan.frames,
        &[false, true],
        |studio, _| begin(studio, &subject, RECIPE, 0),
        |studio, windy, _| {
            if windy {
                blow(studio.world());
            }
        },
    )?;
    let [calm, windy] = [median(&times[0]), median(&times[1])];
    begin(studio, &subject, RECIPE, 0)?;
    studio.forget_passes();
    let mut frames = Vec::new();
    for frame in 0..plan.frames as u32 {
        blow(studio.world());
        frames.push(1e3 * studio.time_frame(frame)?.as_secs_f64());
    }
    let by_clock = studio.pass_milliseconds(FIELD_PASS);
    let (ms, of) = match by_clock {
        Some(sum) => (sum / plan.frames as f64, median(&frames)),
        None => ((windy - calm).max(0.0), windy),
    };
    Ok(FieldCost {
        ms: rounded(ms),
        share: rounded(ms / of),
    })
}

/// A cloud that is nowhere against no cloud.
pub(super) fn empty(studio: &mut Studio, plan: &Plan) -> Result<Ratio, CaptureError> {
    let subject = set_up(studio, plan)?;
    let times = in_turns(
        studio,
        plan.frames,
        &[false, true],
        |studio, shown| {
            show(studio.world(), shown);
            begin(studio, &subject, RECIPE, 0)?;
            edit(studio.world(), |cloud: &mut CloudParams| {
                cloud.coverage = 0.0;
            });
            settle(studio)
        },
        |_, _, _| (),
    )?;
    show(studio.world(), true);
    Ok(Ratio {
        ratio: rounded(median(&times[1]) / median(&times[0])),
    })
}

/// Draws what a change of shape costs once, and not in the frames that count.
pub(super) fn settle(studio: &mut Studio) -> Result<(), CaptureError> {
    /// Frames that a rebuild of the field may be spread over.
    const FRAMES: u32 = 4;
    for frame in 0..FRAMES {
        studio.time_frame(frame)?;
    }
    Ok(())
}

/// Time against pixels.
pub(super) fn pixels(studio: &mut Studio, plan: &Plan) -> Result<Vec<SizeTime>, CaptureError> {
    let times = time_sizes(studio, plan, RECIPE)?;
    let sizes = EDGES.iter().zip(&times);
    Ok(sizes
        .map(|(&edge, times)| SizeTime {
            size: edge,
            ms: rounded(median(times)),
        })
        .collect())
}

pub(super) fn time_sizes(
    studio: &mut Studio,
    plan: &Plan,
    recipe: Recipe,
) -> Result<Vec<Vec<f64>>, CaptureError> {
    let subject = set_up(studio, plan)?;
    in_turns(
        studio,
        plan.frames,
        &EDGES,
        |studio, edge| {
            studio.focus((edge, edge))?;
            begin(studio, &subject, recipe, 0)
        },
        |_, _, _| (),
    )
}
