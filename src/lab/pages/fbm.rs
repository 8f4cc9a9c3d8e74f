//! Page 3: layers, and the spectrum they make.

use bevy::reflect::Reflect;
use smart_default::SmartDefault;

use super::{code, same_for_all, seed};
use crate::lab::sampler::Sampler;
use crate::lab::sheet::{Body, Curve, Plot, Sheet};
use crate::lab::{About, Carry, Code, LabParams, Page};
use crate::noise::layers::Layers;
use crate::noise::spectra;
use crate::param::{Scale, Section};
use crate::scene::Scene;

/// fBm.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "fbm", title: "fBm" })]
pub struct FbmPage {
    /// Layers.
    #[default(8)]
    #[reflect(@1..=8_u32)]
    pub octaves: u32,
    /// How many times finer each layer is than the one before.
    #[default(2.0)]
    #[reflect(@1.1..=4.0_f32)]
    pub lacunarity: f32,
    /// How strong each layer is, relative to the one before.
    #[default(0.5)]
    #[reflect(@0.1..=1.0_f32, @Scale::Log)]
    pub gain: f32,
}

static ABOUT: About = About {
    name: "fbm",
    title: "fBm: layers of detail",
    text: "Each octave is finer than the last by the lacunarity and weaker by the gain. A small gain leaves smooth hills, a \
           large one rough rock. The sum is divided by the sum of the amplitudes, so that the range stays. At lacunarity \
           2 the gain sets the roughness H, and the power of a slice falls with the frequency by a law that the \
           measured spectrum follows until the octaves end.",
    formula: "f(p) = Σ g^i n(l^i p) / Σ g^i,   P(f) ~ f^−(2H+1),   H = −log₂ g",
    source: "Musgrave, Kolb, Mace 1989, \"The Synthesis and Rendering of Eroded Fractal Terrains\"",
};

/// Samples along a line of which the spectrum is taken, and lines that it is a mean of.
const LINE: usize = 2048;
const LINES: usize = 48;

impl FbmPage {
    fn layers(&self, lab: &LabParams) -> Layers {
        Layers::new(
            lab.seed,
            self.octaves,
            f64::from(self.lacunarity),
            f64::from(self.gain),
        )
    }

    /// How many times finer the last layer is than the first.
    fn last(&self) -> f64 {
        f64::from(self.lacunarity).powi(self.octaves as i32 - 1)
    }

    /// The frequencies between which the sum follows the law, in cycles a cell: each is shared by several octaves.
    fn band(&self) -> [f64; 2] {
        [2.0, self.last() / 2.0]
    }

    /// The spectrum of slices four cells long: pairs of cycles a cell and power.
    fn spectrum(&self, lab: &LabParams, sampler: &Sampler) -> Vec<[f64; 2]> {
        let cells = 4.0;
        let layers = self.layers(lab);
        let lines = sampler.grid([LINE, LINES], |x, line| {
            let x = (x as f64 + 0.5) * cells / LINE as f64;
            layers.fbm([
                x,
                line as f64 * 1.37,
                f64::from(lab.time) + line as f64 * 0.61,
            ]) as f32
        });
        let powers = spectra::of_lines(lines.chunks_exact(LINE));
        let most = (1.5 * self.last()).max(16.0);
        let per_cell = powers.iter().enumerate().skip(1);
        per_cell
            .map(|(k, &power)| [k as f64 / cells, power])
            .filter(|[frequency, power]| *frequency <= most && *power > 0.0)
            .collect()
    }
}

/// The exponent that a spectrum follows within a band.
fn measured_slope(spectrum: &[[f64; 2]], band: [f64; 2]) -> Option<f64> {
    let first = spectrum.first()?[0];
    let powers: Vec<f64> = std::iter::once(0.0)
        .chain(spectrum.iter().map(|p| p[1]))
        .collect();
    spectra::slope(&powers, band[0] / first, band[1] / first)
}

impl Page for FbmPage {
    same_for_all!(ABOUT);

    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet {
        let z = f64::from(lab.time);
        let layers = self.layers(lab);
        let field = sampler.field(lab, |[x, y]| layers.fbm([x, y, z]));
        let spectrum = self.spectrum(lab, sampler);
        let theory = -(2.0 * -f64::from(self.gain).log2() + 1.0);
        let slope = measured_slope(&spectrum, self.band());
        let title = match slope {
            Some(slope) if self.lacunarity == 2.0 => {
                format!("Power of slices: measured slope {slope:.2}, theory {theory:.2}")
            }
            Some(slope) => format!("Power of slices: measured slope {slope:.2}"),
            None => "Power of slices".to_owned(),
        }
        .replace('-', "−");
        let mut curves = vec![Curve {
            name: "measured".to_owned(),
            points: spectrum.clone(),
            guide: false,
        }];
        if self.lacunarity == 2.0 {
            curves.push(guide(&spectrum, self.band(), theory));
        }
        let plot = Plot {
            x: "cycles per cell".to_owned(),
            y: "power".to_owned(),
            logarithmic: true,
            curves,
        };
        Sheet {
            rows: vec![
                vec![
                    Body::Field(field).titled("fBm"),
                    Body::Plot(plot).titled(title),
                ],
                vec![
                    Body::Plot(self.slices(lab))
                        .titled("A slice, and the octaves that add up to it"),
                ],
            ],
            note: None,
        }
    }

    fn code(&self, lab: &LabParams) -> Code {
        let [lacunarity, gain] = [self.lacunarity, self.gain].map(f64::from);
        code::layers(lab, self.octaves, lacunarity, gain, code::Fold::Sum)
    }

    fn carry(&self, lab: &LabParams) -> Vec<Carry> {
        vec![Carry {
            label: "Bake a cloud from this seed and these octaves",
            scene: Scene::Cloud,
            values: vec![
                ("noise.seed", seed(lab)),
                ("noise.octaves", self.octaves.to_string()),
            ],
        }]
    }
}

/// A straight line of the theory's slope through the middle of what was measured.
fn guide(spectrum: &[[f64; 2]], [low, high]: [f64; 2], slope: f64) -> Curve {
    let logs = spectrum
        .iter()
        .filter(|[frequency, _]| (low..=high).contains(frequency))
        .map(|[frequency, power]| power.ln() - slope * frequency.ln());
    let (sum, count) = logs.fold((0.0, 0.0), |(sum, count), log| (sum + log, count + 1.0));
    let level = if count > 0.0 { sum / count } else { 0.0 };
    let at = |frequency: f64| [frequency, (level + slope * frequency.ln()).exp()];
    Curve {
        name: "theory".to_owned(),
        points: vec![at(low), at(high)],
        guide: true,
    }
}

impl FbmPage {
    /// The slice through the field's middle, and each octave's part of it.
    fn slices(&self, lab: &LabParams) -> Plot {
        const SAMPLES: u32 = 600;
        let width = lab.width();
        let [y, z] = [0.5 * width, f64::from(lab.time)];
        let curve = |name: String, guide: bool, value: &dyn Fn(f64) -> f64| Curve {
            name,
            points: (0..SAMPLES)
                .map(|i| (f64::from(i) + 0.5) / f64::from(SAMPLES) * width)
                .map(|x| [x, value(x)])
                .collect(),
            guide,
        };
        let sum = self.layers(lab);
        let weights: f64 = (0..self.octaves)
            .map(|i| f64::from(self.gain).powi(i as i32))
            .sum();
        let mut curves = vec![curve("sum".to_owned(), false, &|x| sum.fbm([x, y, z]))];
        for octave in 0..self.octaves.min(3) {
            let alone = Layers::new(lab.seed.wrapping_add(octave), 1, 1.0, 1.0);
            let frequency = f64::from(self.lacunarity).powi(octave as i32);
            let share = f64::from(self.gain).powi(octave as i32) / weights;
            curves.push(curve(format!("octave {}", octave + 1), true, &|x| {
                share * alone.fbm([x, y, z].map(|c| c * frequency))
            }));
        }
        Plot {
            x: "cells".to_owned(),
            y: String::new(),
            logarithmic: false,
            curves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_slope_is_that_of_theory() {
        for gain in [0.35, 0.5, 0.7_f32] {
            let page = FbmPage {
                gain,
                ..Default::default()
            };
            let spectrum = page.spectrum(&LabParams::default(), &Sampler::new(8));
            let slope = measured_slope(&spectrum, page.band()).unwrap();
            let theory = -(2.0 * -f64::from(gain).log2() + 1.0);
            assert!(
                (slope - theory).abs() < 0.15,
                "gain {gain}: {slope} for {theory}"
            );
        }
    }
}
