//! From a level to pixels, steps and field.

use super::super::quality::Fast;

/// Least work, as a share of the most: a sixteenth of the pixels, at fewer steps.
pub(super) const LEAST_WORK: f32 = LEAST_SCALE * LEAST_SCALE * LEAST_STEPS;
const LEAST_SCALE: f32 = 0.25;
const LEAST_STEPS: f32 = 0.4;
/// Scales that are used. Each change of scale costs the picture a little of its history, so there are few.
const SCALES: u32 = 11;

/// Pixels, steps and field of a level, with this scale of the permitted ones.
pub(super) fn fast(level: f32, scale: f32, largest_scale: f32) -> Fast {
    let scale = scale.min(largest_scale);
    Fast {
        scale,
        // What the scale is off the level's own, the steps make good.
        steps: (work_of(level) / (scale * scale)).clamp(LEAST_STEPS, 1.0),
        field: match scale {
            ..0.4 => 48,
            0.4..0.7 => 64,
            _ => 96,
        },
        ..Fast::MEDIUM
    }
}

/// Work of a level: samples taken, as a share of the most.
pub(super) fn work_of(level: f32) -> f32 {
    LEAST_WORK.powf(1.0 - level)
}

pub(super) fn level_of(work: f32) -> f32 {
    1.0 - work.clamp(LEAST_WORK, 1.0).ln() / LEAST_WORK.ln()
}

/// The highest level that this largest scale leaves room for.
pub(super) fn limit(largest_scale: f32) -> f32 {
    level_of(largest_scale * largest_scale)
}

/// Pixels and steps fall together, each over its own range.
fn ideal_scale(level: f32) -> f32 {
    LEAST_SCALE.powf(1.0 - level)
}

/// How far a scale is from the ideal one, in steps from one permitted scale to the next.
pub(super) fn steps_off(scale: f32, level: f32) -> f32 {
    let step = -LEAST_SCALE.ln() / (SCALES - 1) as f32;
    (scale.ln() - ideal_scale(level).ln()).abs() / step
}

/// The nearest of the permitted scales.
pub(super) fn nearest_scale(level: f32) -> f32 {
    let steps = (SCALES - 1) as f32;
    ideal_scale((level * steps).round() / steps)
}
