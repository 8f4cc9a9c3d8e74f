//! Page 8: noise that moves, and how it comes back to where it began.

use std::f64::consts::TAU;

use ::noise::{NoiseFn, Perlin};
use bevy::reflect::Reflect;
use smart_default::SmartDefault;

use super::{code, same_for_all, seed};
use crate::lab::sampler::Sampler;
use crate::lab::sheet::{Body, Curve, Field, Mark, Panel, Plot, Sheet};
use crate::lab::{About, Carry, Code, LabParams, Page};
use crate::noise::hash::{pcg3d, unit};
use crate::param::{Section, Unit};
use crate::scene::Scene;

/// Time.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "time", title: "Time" })]
pub struct TimePage {
    /// Time after which the loop is where it began.
    #[default(4.0)]
    #[reflect(@1.0..=64.0_f32, @Unit("cells"))]
    pub period: f32,
}

static ABOUT: About = About {
    name: "time",
    title: "Time",
    text: "To let a noise move, give it one dimension more and move along it: that axis is time. A new random number for \
           each pixel and each frame only flickers, for no frame knows of the one before. A walk along a straight \
           axis does not come back for 256 cells; a walk around a circle does, and so four dimensions, two for \
           the picture and two for the circle, make a loop without a seam. Below, a line of the picture with time \
           running up; the bright line is now.",
    formula: "n(x, y, t),   n(x, y, z, t),   loop: n(x, y, r cos φ, r sin φ),   φ = 2πt/T,   r = T/2π",
    source: "Perlin 1985, \"An Image Synthesizer\"; Perlin 2002, \"Improving Noise\"",
};

/// The third coordinate where time is the fourth.
const THIRD: f64 = 0.5;
/// Frames of white noise for each cell of time.
const FRAMES: f64 = 16.0;

/// A noise of a place and a time.
#[derive(Clone, Copy)]
enum Kind {
    Space,
    SpaceTime,
    Loop,
    White,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Space, Self::SpaceTime, Self::Loop, Self::White];
    const NAMES: [&str; 4] = [
        "3D, time is the third axis",
        "4D, time is the fourth",
        "A loop in 4D",
        "A new number each frame",
    ];
}

/// All of the noises of a seed.
struct Noises {
    perlin: Perlin,
    seed: u32,
    period: f64,
    /// Pixels of white noise for each cell.
    pixels: f64,
}

impl Noises {
    fn at(&self, kind: Kind, [x, y]: [f64; 2], t: f64) -> f64 {
        match kind {
            Kind::Space => self.perlin.get([x, y, t]),
            Kind::SpaceTime => self.perlin.get([x, y, THIRD, t]),
            Kind::Loop => {
                let [z, w] = circle(self.period, t);
                self.perlin.get([x, y, z, w])
            }
            Kind::White => {
                let [x, y] = [x, y].map(|c| (c * self.pixels) as u32);
                let frame = (t * FRAMES) as u32;
                f64::from(2.0 * unit(pcg3d([x ^ self.seed.rotate_left(16), y, frame])[0]) - 1.0)
            }
        }
    }
}

/// The place on a circle that is walked around once in a period, at one cell for each cell of time.
fn circle(period: f64, t: f64) -> [f64; 2] {
    let radius = period / TAU;
    let (sin, cos) = (TAU * t / period).sin_cos();
    [radius * cos, radius * sin]
}

impl TimePage {
    fn noises(&self, lab: &LabParams, sampler: &Sampler) -> Noises {
        Noises {
            perlin: Perlin::new(lab.seed),
            seed: lab.seed,
            period: f64::from(self.period),
            pixels: sampler.resolution as f64 / lab.width(),
        }
    }

    /// The middle line of the picture over two periods.
    fn over_time(&self, kind: Kind, noises: &Noises, lab: &LabParams, sampler: &Sampler) -> Panel {
        let [first, span] = self.span(lab);
        let y = 0.5 * lab.width();
        let height = sampler.resolution.div_ceil(2).max(1);
        let mut field =
            sampler.field_over([0.0, first], [lab.width(), span], height, lab, |[x, t]| {
                noises.at(kind, [x, y], t)
            });
        let now = f64::from(lab.time);
        field.marks.push(Mark::Line([0.0, now], [lab.width(), now]));
        field.histogram = false;
        Body::Field(field).titled("Its middle line over time")
    }

    /// When the two periods begin that are shown, and how long they are.
    fn span(&self, lab: &LabParams) -> [f64; 2] {
        let [now, period] = [lab.time, self.period].map(f64::from);
        [(now / period).floor() * period, 2.0 * period]
    }

    /// The value in the middle over two periods.
    fn middle(&self, noises: &Noises, lab: &LabParams) -> Plot {
        const SAMPLES: u32 = 480;
        let middle = [0.5 * lab.width(); 2];
        let [first, span] = self.span(lab);
        let curves = [Kind::Space, Kind::SpaceTime, Kind::Loop].map(|kind| Curve {
            name: Kind::NAMES[kind as usize].to_owned(),
            points: (0..=SAMPLES)
                .map(|i| first + span * f64::from(i) / f64::from(SAMPLES))
                .map(|t| [t, noises.at(kind, middle, t)])
                .collect(),
            guide: false,
        });
        Plot {
            x: "time in cells".to_owned(),
            y: String::new(),
            logarithmic: false,
            curves: curves.into(),
        }
    }
}

impl Page for TimePage {
    same_for_all!(ABOUT);

    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet {
        let noises = self.noises(lab, sampler);
        let now = f64::from(lab.time);
        let fields = Kind::ALL.map(|kind| {
            let field = sampler.field(lab, |p| noises.at(kind, p, now));
            Body::Field(Field {
                range: [-0.9, 0.9],
                ..field
            })
            .titled(Kind::NAMES[kind as usize])
        });
        let lines = Kind::ALL.map(|kind| self.over_time(kind, &noises, lab, sampler));
        Sheet {
            rows: vec![
                fields.into(),
                lines.into(),
                vec![
                    Body::Plot(self.middle(&noises, lab))
                        .titled("The value in the middle over two periods"),
                ],
            ],
            note: None,
        }
    }

    fn code(&self, lab: &LabParams) -> Code {
        code::time_loop(lab, circle(f64::from(self.period), f64::from(lab.time)))
    }

    fn carry(&self, lab: &LabParams) -> Vec<Carry> {
        vec![Carry {
            label: "Let a cloud of this seed drift",
            scene: Scene::Cloud,
            values: vec![
                ("noise.seed", seed(lab)),
                ("cloud.wind_speed", "0.1".to_owned()),
            ],
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_comes_back_and_moves_evenly() {
        let page = TimePage::default();
        let noises = page.noises(&LabParams::default(), &Sampler::new(64));
        let p = [3.3, 1.7];
        let at = |kind, t| noises.at(kind, p, t);
        for t in [0.0, 0.4, 2.9] {
            assert!((at(Kind::Loop, t) - at(Kind::Loop, t + 4.0)).abs() < 1e-12);
            assert!((at(Kind::Space, t) - at(Kind::Space, t + 4.0)).abs() > 1e-3);
            let [[x0, y0], [x1, y1]] = [circle(4.0, t), circle(4.0, t + 1e-3)];
            assert!(
                ((x1 - x0).hypot(y1 - y0) - 1e-3).abs() < 1e-8,
                "a cell for a cell"
            );
        }
    }

    /// Between two frames, noise changes a little and random numbers altogether.
    #[test]
    fn random_numbers_flicker() {
        let noises = TimePage::default().noises(&LabParams::default(), &Sampler::new(64));
        let change = |kind: Kind| {
            let places = (0..256).map(|i| [f64::from(i) * 0.031, f64::from(i) * 0.017]);
            places
                .map(|p| (noises.at(kind, p, 1.0) - noises.at(kind, p, 1.0 + 1.0 / FRAMES)).abs())
                .sum::<f64>()
                / 256.0
        };
        for kind in [Kind::Space, Kind::SpaceTime, Kind::Loop] {
            assert!(change(kind) < 0.1 && change(Kind::White) > 0.5);
        }
    }
}
