//! Which pixels of a view are marched, and how carefully.
//!
//! While something moves, and at first in a still view, one pixel in each small block is marched in the way that the
//! quality asks for. In a view that stays still, such frames soon have nothing more to add: what is missing is not
//! pixels but care. Then each frame refines a few pixels, as carefully as the reference and with more steps, so that
//! a frame costs about what it did before, until all of them have had their turn.

use bevy::math::{DVec2, UVec4, Vec4Swizzles};
use bevy::prelude::*;

use super::super::quality::Fast;

/// Frames of a still view in which each pixel is marched about this often before any is refined.
const COARSE_ROUNDS: f32 = 4.0;
/// The least number of such frames.
const COARSE_FRAMES: f32 = 8.0;
/// Steps of a refined pixel along the view ray and towards the sun, relative to those the parameters ask for.
const REFINED_STEPS: f32 = 4.0;
const REFINED_LIGHT_STEPS: f32 = 4.0;
/// What a refined pixel costs, relative to one with baked light and without.
const REFINED_COST: f32 = 36.0;
const REFINED_COST_UNBAKED: f32 = 9.0;
/// Pixels along an edge of a block of which one is refined in each frame.
const REFINED_SPACING: std::ops::RangeInclusive<f32> = 2.0..=16.0;

/// How a marched pixel finds shape and light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Care {
    /// Light from the field.
    Baked,
    /// Light looked for from each sample.
    Lit,
    /// Nothing from the field but where there is clear air.
    Refined,
}

/// Which pixels are marched: one in each block.
pub struct Grid {
    pub viewport: UVec4,
    /// Pixels along an edge of a block.
    pub spacing: f32,
    /// Which pixel of a block, 0..1.
    pub offset: Vec2,
    /// Blocks across and down, the last ones perhaps not whole.
    marched: Vec2,
    pub care: Care,
    /// Steps along the view ray and towards the sun, relative to those the parameters ask for.
    pub steps: f32,
    pub light_steps: f32,
}

impl Grid {
    /// The pixels of an ordinary frame, the `turn`-th.
    pub fn coarse(quality: Fast, turn: u32, viewport: UVec4) -> Self {
        let spacing = spacing(quality);
        // The R2 sequence fills the block evenly, however many frames there are (Roberts 2018, "The Unreasonable
        // Effectiveness of Quasirandom Sequences").
        let turn = if quality.history {
            f64::from(turn)
        } else {
            0.0
        };
        let offset = DVec2::new(0.754_877_666_246_69, 0.569_840_290_998_05) * turn + 0.5;
        Self {
            viewport,
            spacing,
            // A block of one pixel has but one.
            offset: if spacing == 1.0 {
                Vec2::splat(0.5)
            } else {
                offset.fract().as_vec2()
            },
            marched: viewport.zw().as_vec2() / spacing,
            care: if quality.baked_light {
                Care::Baked
            } else {
                Care::Lit
            },
            steps: quality.steps,
            light_steps: 1.0,
        }
    }

    /// The pixels that a view refines which has been still for so many frames, if it is time to.
    pub fn refined(quality: Fast, still: u32, viewport: UVec4) -> Option<Self> {
        let turn = still.checked_sub(coarse_frames(quality))?;
        let edge = refined_spacing(quality);
        let cell = visited(turn, edge * edge);
        let offset = UVec2::new(cell % edge, cell / edge).as_vec2() + 0.5;
        Some(Self {
            viewport,
            spacing: edge as f32,
            offset: offset / edge as f32,
            marched: viewport.zw().as_vec2() / edge as f32,
            care: Care::Refined,
            steps: REFINED_STEPS,
            light_steps: REFINED_LIGHT_STEPS,
        })
    }

    /// The view's share of the marched pixels across and down: the last of them may lie partly beyond its edges.
    pub fn share(&self) -> Vec2 {
        self.marched / self.size().as_vec2()
    }

    /// Pixels that are marched across and down.
    pub fn size(&self) -> UVec2 {
        self.marched.ceil().as_uvec2().max(UVec2::ONE)
    }
}

fn spacing(quality: Fast) -> f32 {
    1.0 / quality.scale.clamp(0.1, 1.0)
}

/// Frames that a still view is shown in before pixels are refined.
fn coarse_frames(quality: Fast) -> u32 {
    (COARSE_ROUNDS * spacing(quality).powi(2))
        .max(COARSE_FRAMES)
        .ceil() as u32
}

/// Pixels along an edge of a block so large that refining one of them costs what the block did before.
fn refined_spacing(quality: Fast) -> u32 {
    let cost = if quality.baked_light {
        REFINED_COST
    } else {
        REFINED_COST_UNBAKED
    };
    let pixels = cost * spacing(quality).powi(2) / quality.steps.max(0.1);
    pixels
        .sqrt()
        .clamp(*REFINED_SPACING.start(), *REFINED_SPACING.end())
        .round() as u32
}

/// The `turn`-th of `count` cells, in an order that visits each once and spreads them all the way: steps of about the
/// golden ratio of all.
fn visited(turn: u32, count: u32) -> u32 {
    let golden = (0.618_034 * count as f32).round() as u32;
    let stride = (golden..)
        .find(|&stride| gcd(stride, count) == 1)
        .unwrap_or(1);
    (u64::from(turn) * u64::from(stride) % u64::from(count)) as u32
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const VIEWPORT: UVec4 = UVec4::new(0, 0, 321, 200);

    #[test]
    fn refining_visits_every_pixel_of_a_block_once() {
        for quality in [Fast::LOW, Fast::MEDIUM, Fast::HIGH, Fast::ULTRA] {
            let first = coarse_frames(quality);
            assert!(Grid::refined(quality, first - 1, VIEWPORT).is_none());
            let edge = refined_spacing(quality);
            let offsets = (first..first + edge * edge).map(|still| {
                let grid = Grid::refined(quality, still, VIEWPORT).expect("time to refine");
                (grid.offset * grid.spacing).floor().as_uvec2()
            });
            let seen: HashSet<UVec2> = offsets.collect();
            assert_eq!(seen.len() as u32, edge * edge, "{quality:?}");
            assert!(seen.iter().all(|pixel| pixel.max_element() < edge));
        }
    }

    #[test]
    fn refined_pixels_fit_where_ordinary_ones_do() {
        for scale in [0.25, 0.4, 0.5, 0.77, 1.0] {
            for baked_light in [false, true] {
                let quality = Fast {
                    scale,
                    baked_light,
                    ..Fast::HIGH
                };
                let coarse = Grid::coarse(quality, 3, VIEWPORT).size();
                let refined = Grid::refined(quality, 10_000, VIEWPORT)
                    .expect("time to refine")
                    .size();
                assert!(
                    refined.cmple(coarse).all(),
                    "{refined} within {coarse} at {scale}"
                );
            }
        }
    }
}
