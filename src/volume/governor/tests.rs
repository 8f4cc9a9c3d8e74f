//! The governor against a simulated machine.

use super::level::LEAST_WORK;
use super::*;

/// What draws the frames: their cost is a part that nothing changes, and one in proportion to pixels and steps.
struct Machine {
    /// ms
    fixed: f32,
    /// ms at full scale and steps
    work: f32,
    /// Relative spread of the cost.
    noise: f32,
    /// Period of the screen that frames wait for, ms.
    period: Option<f32>,
    /// Whether passes are timed.
    timed: bool,
    random: u32,
}

impl Machine {
    fn new(fixed: f32, work: f32) -> Self {
        Self {
            fixed,
            work,
            noise: 0.05,
            period: None,
            timed: false,
            random: 1,
        }
    }

    /// A number in -1..1 (Marsaglia 2003, "Xorshift RNGs").
    fn random(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random as f32 / u32::MAX as f32 * 2.0 - 1.0
    }

    fn draw(&mut self, fast: Fast) -> Frame {
        let volumes = self.work * fast.scale * fast.scale * fast.steps;
        let noise = 1.0 + self.noise * self.random();
        let cost = (self.fixed + volumes) * noise;
        let wall = match self.period {
            Some(period) => (cost / period).ceil() * period,
            None => cost,
        };
        Frame {
            wall,
            gpu: self.timed.then_some(Gpu {
                all: cost,
                volumes: volumes * noise,
            }),
        }
    }
}

/// What happened in a stretch of time.
struct Course {
    /// Mean frame time of each second, ms.
    means: Vec<f32>,
    /// Levels, one a frame.
    levels: Vec<f32>,
    /// How often the scale changed.
    scales: usize,
}

impl Course {
    fn levels_changed(&self) -> usize {
        self.levels
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .count()
    }

    fn last_mean(&self) -> f32 {
        self.means[self.means.len() - 1]
    }
}

fn run(governor: &mut Governor, machine: &mut Machine, goal: Goal, seconds: f32) -> Course {
    let mut course = Course {
        means: Vec::new(),
        levels: Vec::new(),
        scales: 0,
    };
    let (mut elapsed, mut sum, mut count) = (0.0, 0.0, 0);
    while elapsed < 1000.0 * seconds {
        let fast = governor.fast(goal);
        let frame = machine.draw(fast);
        governor.observe(frame, goal);
        course.levels.push(governor.level());
        course.scales += usize::from(governor.fast(goal).scale != fast.scale);
        elapsed += frame.wall;
        sum += frame.wall;
        count += 1;
        if elapsed >= 1000.0 * (course.means.len() + 1) as f32 {
            course.means.push(sum / count as f32);
            (sum, count) = (0.0, 0);
        }
    }
    course
}

fn goal(frame_time: f32) -> Goal {
    Goal {
        frame_time,
        render_scale: 1.0,
    }
}

const SCREEN_60: f32 = 1000.0 / 60.0;

#[test]
fn it_reaches_the_goal_within_seconds_and_rests_there() {
    for (fixed, work) in [(2.0, 40.0), (6.0, 60.0), (2.0, 200.0), (0.5, 25.0)] {
        for frame_time in [16.0, 33.0] {
            let mut machine = Machine::new(fixed, work);
            let mut governor = Governor::default();
            run(&mut governor, &mut machine, goal(frame_time), 8.0);
            let rest = run(&mut governor, &mut machine, goal(frame_time), 60.0);
            let case = format!("{fixed} + {work} w to {frame_time}");
            let reachable = frame_time.min(fixed + work);
            for mean in &rest.means {
                assert!(
                    (0.8 * reachable..=1.1 * frame_time).contains(mean),
                    "{case}: {:?}",
                    rest.means
                );
            }
            let mut levels = rest.levels.clone();
            levels.dedup();
            assert!(levels.len() <= 5, "{case}: {levels:?}");
            assert!(rest.scales <= 3, "{case}: {}", rest.scales);
        }
    }
}

#[test]
fn overload_ends_within_a_second() {
    let mut governor = Governor::default();
    let mut machine = Machine::new(2.0, 20.0);
    run(&mut governor, &mut machine, goal(16.0), 10.0);
    machine.work = 160.0;
    let course = run(&mut governor, &mut machine, goal(16.0), 3.0);
    assert!(course.last_mean() < 17.5, "{:?}", course.means);
    assert!(course.means[1] < 20.0, "{:?}", course.means);
}

#[test]
fn quality_comes_back_after_an_overload() {
    let mut governor = Governor::default();
    let mut machine = Machine::new(2.0, 400.0);
    run(&mut governor, &mut machine, goal(16.0), 10.0);
    let low = governor.level();
    machine.work = 20.0;
    let course = run(&mut governor, &mut machine, goal(16.0), 20.0);
    assert!(
        low < 0.4 && governor.level() > 0.8,
        "{low} to {}",
        governor.level()
    );
    // Slowly: nobody sees it pump.
    for pair in course.levels.windows(2) {
        assert!(pair[1] - pair[0] < 0.07, "a leap of {}", pair[1] - pair[0]);
    }
}

/// A screen of 60 Hz shows 16.7 ms for whatever is cheaper.
#[test]
fn a_screen_that_sets_the_pace_does_not_keep_quality_low() {
    for timed in [false, true] {
        for frame_time in [16.0, 20.0, 8.0] {
            let mut machine = Machine {
                period: Some(SCREEN_60),
                timed,
                ..Machine::new(1.0, 8.0)
            };
            let mut governor = Governor::default();
            run(&mut governor, &mut machine, goal(frame_time), 15.0);
            let rest = run(&mut governor, &mut machine, goal(frame_time), 60.0);
            let case = format!("{frame_time} ms, timed {timed}");
            assert!(
                governor.level() > 0.95,
                "{case}: level {}",
                governor.level()
            );
            assert!(rest.levels_changed() <= 2, "{case}");
            assert!(rest.means.iter().all(|mean| *mean < 17.0), "{case}");
        }
    }
}

/// Between one level that fits a refresh and the next that takes two, it tries rarely and not to and fro.
#[test]
fn a_level_that_misses_the_refresh_is_tried_ever_more_rarely() {
    for timed in [false, true] {
        let mut machine = Machine {
            period: Some(SCREEN_60),
            timed,
            noise: 0.02,
            ..Machine::new(3.0, 26.0)
        };
        let mut governor = Governor::default();
        run(&mut governor, &mut machine, goal(16.0), 30.0);
        let rest = run(&mut governor, &mut machine, goal(16.0), 240.0);
        assert!(
            rest.levels_changed() <= 16,
            "timed {timed}: {}",
            rest.levels_changed()
        );
        let slow = rest.means.iter().filter(|mean| **mean > 17.5).count();
        assert!(slow <= 12, "timed {timed}: {slow} of 240 seconds are slow");
        let cost = machine.fixed + machine.work * work_of(governor.level());
        assert!(
            cost > 0.6 * SCREEN_60,
            "timed {timed}: only {cost} ms are used"
        );
    }
}

/// The processor takes longer than the goal, whatever the volumes do: they need not look poor.
#[test]
fn what_less_work_does_not_shorten_is_not_paid_with_quality() {
    let mut machine = Machine {
        noise: 0.01,
        ..Machine::new(40.0, 1.0)
    };
    let mut governor = Governor::default();
    run(&mut governor, &mut machine, goal(16.0), 20.0);
    assert!(governor.level() > 0.5, "{}", governor.level());
    // Where it does shorten the frame, it is done.
    let mut machine = Machine::new(14.0, 60.0);
    run(&mut governor, &mut machine, goal(16.0), 20.0);
    let cost = machine.fixed + machine.work * work_of(governor.level());
    assert!(cost < 18.0, "{cost}");
}

/// The same on a software rasteriser, whose frame times scatter: other passes alone take longer than the goal.
#[test]
fn what_other_passes_take_is_not_paid_with_quality() {
    let mut machine = Machine {
        timed: true,
        noise: 0.2,
        ..Machine::new(80.0, 30.0)
    };
    let mut governor = Governor::default();
    let course = run(&mut governor, &mut machine, goal(16.0), 60.0);
    assert!(governor.level() > 0.3, "{}", governor.level());
    assert!(course.last_mean() < 100.0, "{:?}", course.means);
}

#[test]
fn single_slow_frames_change_nothing() {
    let mut machine = Machine::new(3.0, 30.0);
    let mut governor = Governor::default();
    run(&mut governor, &mut machine, goal(16.0), 20.0);
    let level = governor.level();
    for round in 0..40 {
        let frame = Frame {
            wall: [900.0, 60.0, 200.0][round % 3],
            gpu: None,
        };
        governor.observe(frame, goal(16.0));
        run(&mut governor, &mut machine, goal(16.0), 0.3);
    }
    let lost = level - governor.level();
    assert!(lost < 0.07, "{level} to {}", governor.level());
}

#[test]
fn every_goal_and_every_start_ends_in_a_sane_state() {
    for frame_time in [4.0, 16.0, 200.0] {
        for render_scale in [0.25, 0.6, 1.0] {
            for work in [0.1, 30.0, 3000.0] {
                let goal = Goal {
                    frame_time,
                    render_scale,
                };
                let mut machine = Machine::new(1.0, work);
                let mut governor = Governor::default();
                let seconds = if work > 1000.0 { 60.0 } else { 20.0 };
                run(&mut governor, &mut machine, goal, seconds);
                let fast = governor.fast(goal);
                let case = format!("{frame_time} ms, scale {render_scale}, work {work}: {fast:?}");
                assert!((0.25..=render_scale).contains(&fast.scale), "{case}");
                assert!((0.4..=1.0).contains(&fast.steps), "{case}");
                let cheapest = 1.0 + work * LEAST_WORK;
                let cost = 1.0 + work * fast.scale * fast.scale * fast.steps;
                assert!(cost < (1.15 * frame_time).max(1.02 * cheapest), "{case}");
                let dearest = 1.0 + work * render_scale * render_scale;
                assert!(cost > 0.7 * frame_time.min(dearest), "{case}");
            }
        }
    }
}

#[test]
fn frames_without_a_time_are_ignored() {
    let mut governor = Governor::default();
    let before = governor.level();
    for wall in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        for _ in 0..50 {
            governor.observe(Frame { wall, gpu: None }, goal(16.0));
        }
    }
    assert_eq!(governor.level(), before);
}

#[test]
fn the_ends_of_the_level_are_the_ends_of_pixels_and_steps() {
    let least = fast(0.0, nearest_scale(0.0), 1.0);
    let most = fast(1.0, nearest_scale(1.0), 1.0);
    assert!((least.scale - 0.25).abs() < 1e-4 && (least.steps - 0.4).abs() < 1e-3);
    assert_eq!((most.scale, most.steps, most.field), (1.0, 1.0, 96));
    assert_eq!(least.field, 48);
}

/// A scene that gets cheaper behind a screen that hides it.
#[test]
fn quality_comes_back_behind_a_screen() {
    for timed in [false, true] {
        let mut machine = Machine {
            period: Some(SCREEN_60),
            timed,
            ..Machine::new(2.0, 60.0)
        };
        let mut governor = Governor::default();
        run(&mut governor, &mut machine, goal(16.0), 20.0);
        let low = governor.level();
        machine.work = 9.0;
        run(&mut governor, &mut machine, goal(16.0), 60.0);
        assert!(
            low < 0.8 && governor.level() > 0.95,
            "timed {timed}: {low} to {}",
            governor.level()
        );
    }
}

#[test]
fn a_lower_render_scale_takes_effect_at_once() {
    let mut machine = Machine::new(1.0, 5.0);
    let mut governor = Governor::default();
    run(&mut governor, &mut machine, goal(16.0), 20.0);
    let limited = Goal {
        frame_time: 16.0,
        render_scale: 0.3,
    };
    governor.observe(machine.draw(governor.fast(limited)), limited);
    assert_eq!(governor.fast(limited).scale, 0.3);
    run(&mut governor, &mut machine, limited, 5.0);
    run(&mut governor, &mut machine, goal(16.0), 20.0);
    assert_eq!(governor.fast(goal(16.0)).scale, 1.0);
}
