//! Holds a frame time by the work that goes into a frame: the setting Auto.
//!
//! The governor turns one number, its *level* from 0 to 1, into pixels, steps and field (`fast`). Equal distances of
//! level are equal ratios of work. After each change it looks at some frames, and leaves out the slowest and fastest
//! of them, before it decides again:
//!
//! - Frames that take too long lower the level at once, in one leap if they take far too long. Frames with time to
//!   spare raise it, slowly, by what is safe even if all of the frame's time goes into volumes. Between both there is a
//!   dead band.
//! - A level that turned out to be too dear is barred for a while, each time for longer, so that no limit cycle begins
//!   between one level that is too slow and the next that has time to spare.
//! - A screen makes frames wait for it, and then their time does not tell what they cost. Where that may be, the
//!   governor tries more work and goes back if it shows.
//! - Where less work does not help, because the screen, the processor or other passes set the pace, that pace is the
//!   goal, and quality stays.

mod level;

use std::collections::VecDeque;
use std::time::Duration;

use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::winit::{UpdateMode, WinitSettings};

use super::quality::{Fast, QualityParams, Setting};
use crate::timing;
use level::{fast, level_of, limit, nearest_scale, steps_off, work_of};

/// Frames on which a decision rests, and on which it does where they take far too long.
const FRAMES: usize = 15;
const FRAMES_IN_NEED: usize = 5;
/// Frames that still show what was before a change, on their way through the pipeline.
const IN_FLIGHT: u32 = 4;

/// The dead band, relative to the goal. A screen of 60 Hz, 16.7 ms, is well within a goal of 16 ms.
const BAND: std::ops::RangeInclusive<f32> = 0.85..=1.08;
/// Where in the band a change aims.
const AIM: f32 = 0.94;
/// Far too long, relative to the goal.
const NEED: f32 = 1.5;
/// Times that differ by less are the same.
const SAME: f32 = 0.03;
/// The goal is at least this, relative to what all other passes take: volumes may always have a little.
const WITH_VOLUMES: f32 = 1.1;
/// Seconds in which nothing is raised after a change.
const PATIENCE: f32 = 0.8;
/// The same inside the dead band.
const PATIENCE_IN_BAND: f32 = 1.2;
/// Most by which work is raised at once.
const RAISE: f32 = 1.25;
/// Seconds for which a level that was too dear is barred, at first and at last.
const BARRED: f32 = 12.0;
const BARRED_LONGEST: f32 = 180.0;
/// Where the window waits so long for something to happen, frames say nothing.
const IDLE: Duration = Duration::from_millis(50);

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Frame time, ms.
    pub frame_time: f32,
    /// Largest scale.
    pub render_scale: f32,
}

impl From<&QualityParams> for Goal {
    fn from(params: &QualityParams) -> Self {
        Self {
            frame_time: params.frame_time,
            render_scale: params.render_scale,
        }
    }
}

/// How long a frame took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// From its beginning to that of the next, ms.
    pub wall: f32,
    /// Its passes on the graphics adapter, where that measures them.
    pub gpu: Option<Gpu>,
}

/// What passes on the graphics adapter took, ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gpu {
    /// All of them.
    pub all: f32,
    /// Those that draw volumes.
    pub volumes: f32,
}

/// Chooses the level. It knows no clock but the frames.
#[derive(Resource, Clone, Debug)]
pub struct Governor {
    level: f32,
    scale: f32,
    frames: VecDeque<Frame>,
    in_flight: u32,
    /// Seconds since the last change.
    rested: f32,
    last: Option<Change>,
    /// Where the level stood before decisions in a row to lower it that did not shorten the frame, and their number.
    in_vain: Option<(f32, u32)>,
    /// Frame time at which more work showed: it is no screen that sets it, ms.
    real: Option<f32>,
    /// Frame time that less work does not shorten, ms.
    pace: Option<f32>,
    bar: Option<Bar>,
    /// Seconds for which the next bar stands.
    barred: f32,
}

/// A change of level, until it has been judged.
#[derive(Clone, Copy, Debug)]
struct Change {
    from: f32,
    /// Mean frame time before, ms.
    before: f32,
}

/// Levels above are too dear.
#[derive(Clone, Copy, Debug)]
struct Bar {
    level: f32,
    /// Frame time at that level, ms.
    time: f32,
    /// Seconds for which it stands.
    left: f32,
}

impl Default for Governor {
    fn default() -> Self {
        let level = level_of(Fast::MEDIUM.scale.powi(2) * Fast::MEDIUM.steps);
        Self {
            level,
            scale: nearest_scale(level),
            frames: VecDeque::with_capacity(FRAMES),
            in_flight: IN_FLIGHT,
            rested: 0.0,
            last: None,
            in_vain: None,
            real: None,
            pace: None,
            bar: None,
            barred: BARRED,
        }
    }
}

impl Governor {
    /// Share of the work that is done, 0 the least and 1 the most.
    pub fn level(&self) -> f32 {
        self.level
    }

    /// What the level stands for.
    pub fn fast(&self, goal: Goal) -> Fast {
        fast(self.level, self.scale, goal.render_scale)
    }

    /// Forgets the frames seen: after a pause, or while they do not show what the work costs.
    pub fn interrupt(&mut self) {
        self.frames.clear();
        self.in_flight = IN_FLIGHT;
        self.last = None;
    }

    /// Takes note of a frame, and changes the level if it is time to.
    pub fn observe(&mut self, frame: Frame, goal: Goal) {
        if !(frame.wall > 0.0 && frame.wall.is_finite() && goal.frame_time > 0.0) {
            return;
        }
        let seconds = frame.wall / 1000.0;
        self.rested += seconds;
        if let Some(bar) = &mut self.bar {
            bar.left -= seconds;
        }
        self.bar = self.bar.filter(|bar| bar.left > 0.0);
        self.keep_within(goal);
        if self.in_flight > 0 {
            self.in_flight -= 1;
            return;
        }
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(frame);
        if self.frames.len() < FRAMES_IN_NEED {
            return;
        }
        let time = self.typical(|frame| Some(frame.wall)).unwrap_or(frame.wall);
        if self.frames.len() == FRAMES || time > NEED * self.aim(goal) {
            self.decide(time, goal);
        }
    }

    /// Mean of what `of` says about the frames seen, without the extreme fifths.
    fn typical(&self, of: impl Fn(&Frame) -> Option<f32>) -> Option<f32> {
        let mut times: Vec<f32> = self.frames.iter().filter_map(of).collect();
        times.sort_by(f32::total_cmp);
        let cut = times.len() / 5;
        let middle = times.get(cut..times.len() - cut)?;
        (!middle.is_empty()).then(|| middle.iter().sum::<f32>() / middle.len() as f32)
    }

    /// The frame time to hold, of those that can be reached.
    fn aim(&self, goal: Goal) -> f32 {
        let others = self.typical(|frame| frame.gpu.map(|gpu| gpu.all - gpu.volumes));
        goal.frame_time
            .max(WITH_VOLUMES * others.unwrap_or(0.0))
            .max(self.pace.unwrap_or(0.0))
    }

    fn decide(&mut self, time: f32, goal: Goal) {
        let last = self.last.take();
        if self
            .pace
            .is_some_and(|pace| time < (1.0 - 2.0 * SAME) * pace)
        {
            self.pace = None;
        }
        if let Some(lowered) = last.filter(|last| last.from > self.level)
            && self.was_in_vain(time, lowered, goal)
        {
            return;
        }
        let ratio = time / self.aim(goal);
        if ratio > *BAND.end() {
            match last.filter(|last| last.from < self.level) {
                Some(raised) => self.go_back(raised),
                // Part of the frame does not get shorter, so the rest must all the more.
                None => self.multiply_work((AIM / ratio).powf(1.3).max(0.2), time, goal),
            }
        } else if ratio < *BAND.start() {
            if self.rested > PATIENCE {
                self.multiply_work((AIM / ratio).min(RAISE), time, goal);
            }
        } else if let Some(raised) = last.filter(|last| last.from < self.level) {
            // The screen does not set the pace if more work shows: then this is the level.
            if time > (1.0 + SAME) * raised.before {
                self.real = Some(time);
            }
        } else if self.rested > PATIENCE_IN_BAND && self.may_wait_for_screen(time) {
            self.multiply_work(RAISE, time, goal);
        }
    }

    /// Finds out whether lowering the level helped. Where it did not, twice, the frame time is not the volumes' fault:
    /// their quality comes back.
    fn was_in_vain(&mut self, time: f32, lowered: Change, goal: Goal) -> bool {
        if (time - lowered.before).abs() > SAME * lowered.before {
            self.in_vain = None;
            if time < lowered.before {
                self.pace = None;
            }
            return false;
        }
        let (from, times) = self
            .in_vain
            .map_or((lowered.from, 1), |(from, times)| (from, times + 1));
        let in_vain = times >= 2 && time > goal.frame_time;
        self.in_vain = (!in_vain).then_some((from, times));
        if in_vain {
            self.pace = Some(time);
            self.set_level(from);
        }
        in_vain
    }

    /// Whether frames may take so long only because the screen makes them wait.
    fn may_wait_for_screen(&self, time: f32) -> bool {
        if self
            .real
            .is_some_and(|real| (time - real).abs() < 0.1 * real)
        {
            return false;
        }
        if let Some(gpu) = self.typical(|frame| frame.gpu.map(|gpu| gpu.all)) {
            return RAISE * gpu < *BAND.start() * time;
        }
        let walls = || self.frames.iter().map(|frame| frame.wall);
        let near = walls().filter(|wall| (wall - time).abs() < 0.5 * SAME * time);
        5 * near.count() >= 3 * self.frames.len()
    }

    /// Undoes a raise that was too much.
    fn go_back(&mut self, raised: Change) {
        self.bar = Some(Bar {
            level: raised.from,
            time: raised.before,
            left: self.barred,
        });
        self.barred = (3.0 * self.barred).min(BARRED_LONGEST);
        self.set_level(raised.from);
    }

    /// Changes the work by a factor, as far as limits and bars allow.
    fn multiply_work(&mut self, factor: f32, time: f32, goal: Goal) {
        let from = self.level;
        let mut to = level_of(work_of(self.level) * factor).min(limit(goal.render_scale));
        if factor > 1.0 {
            self.in_vain = None;
        }
        if let Some(bar) = self.bar {
            if time < 0.75 * bar.time {
                // The scene has got cheaper.
                self.bar = None;
                self.barred = BARRED;
            } else if factor > 1.0 {
                to = to.min(bar.level.max(from));
            }
        }
        if (to - from).abs() < 1e-3 {
            return;
        }
        self.set_level(to);
        self.last = Some(Change { from, before: time });
    }

    fn set_level(&mut self, level: f32) {
        self.level = level;
        self.rested = 0.0;
        self.frames.clear();
        self.in_flight = IN_FLIGHT;
        // The scale follows when it is clearly off, or it would go to and fro with the level.
        if steps_off(self.scale, level) > 0.75 {
            self.scale = nearest_scale(level);
        }
    }

    /// Lowers the level to the limit that the render scale sets.
    fn keep_within(&mut self, goal: Goal) {
        if self.level > limit(goal.render_scale) {
            self.set_level(limit(goal.render_scale));
            self.last = None;
        }
    }
}

/// Shows the governor the frame that has just ended, unless it was drawn at rest or its time is not the clock's.
pub(super) fn watch(
    params: Res<QualityParams>,
    time: Res<Time<Real>>,
    clock: Option<Res<TimeUpdateStrategy>>,
    winit: Option<Res<WinitSettings>>,
    windows: Query<&Window>,
    diagnostics: Option<Res<DiagnosticsStore>>,
    mut governor: ResMut<Governor>,
) {
    let by_the_clock = clock.is_none_or(|clock| matches!(*clock, TimeUpdateStrategy::Automatic));
    let focused = windows.iter().any(|window| window.focused);
    let idle = winit.is_some_and(|winit| match winit.update_mode(focused) {
        UpdateMode::Continuous => false,
        UpdateMode::Reactive { wait, .. } => wait >= IDLE,
    });
    if params.setting() != Setting::Auto || !by_the_clock || idle {
        governor.interrupt();
        return;
    }
    let frame = Frame {
        wall: 1000.0 * time.delta_secs(),
        gpu: diagnostics.and_then(|diagnostics| gpu_time(&diagnostics)),
    };
    governor.observe(frame, Goal::from(&*params));
}

fn gpu_time(diagnostics: &DiagnosticsStore) -> Option<Gpu> {
    let all = timing::gpu_milliseconds(diagnostics, Diagnostic::value)?;
    let volumes = timing::gpu_passes(diagnostics)
        .into_iter()
        .filter(|(name, _)| name.starts_with("volume_"))
        .filter_map(|(_, diagnostic)| diagnostic.value());
    Some(Gpu {
        all: all as f32,
        volumes: volumes.sum::<f64>() as f32,
    })
}

#[cfg(test)]
mod tests;
