//! Page 1: from chance to something smooth, and to something natural.

use ::noise::{NoiseFn, Value};
use bevy::reflect::Reflect;
use smart_default::SmartDefault;

use super::{code, same_for_all, seed};
use crate::lab::sampler::Sampler;
use crate::lab::sheet::{Body, Curve, Field, Plot, Sheet};
use crate::lab::{About, Carry, Code, LabParams, Page};
use crate::noise::hash::{pcg3d, unit};
use crate::noise::lattice::{Fade, Gradients, Lattice};
use crate::noise::layers::Layers;
use crate::param::Section;
use crate::scene::Scene;

/// Smooth randomness.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "smooth", title: "Smooth randomness" })]
pub struct SmoothPage {
    /// Layers of the fBm.
    #[default(5)]
    #[reflect(@1..=8_u32)]
    pub octaves: u32,
}

static ABOUT: About = About {
    name: "smooth",
    title: "Smooth randomness",
    text: "White noise has a new number at every point: no shape survives. Value noise draws numbers at the nodes of a \
           lattice only and blends between them: smooth, but blocky, for its peaks stand at the nodes. Perlin noise \
           draws slopes instead of heights; it is 0 at every node, and its hills lie anywhere. Layers of it, each finer \
           and weaker, look like nature: fBm.",
    formula: "fBm(p) = Σ n(2^i p) / 2^i  /  Σ 1 / 2^i",
    source: "Perlin 1985, \"An Image Synthesizer\"",
};

/// Gain and lacunarity of this page's fBm.
const GAIN: f64 = 0.5;
const LACUNARITY: f64 = 2.0;

impl Page for SmoothPage {
    same_for_all!(ABOUT);

    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet {
        let z = f64::from(lab.time);
        let value = Value::new(lab.seed);
        let perlin = Lattice::new(lab.seed, Gradients::Edges, Fade::Quintic);
        let layers = Layers::new(lab.seed, self.octaves, LACUNARITY, GAIN);
        let fields = [
            ("White noise", white(lab, sampler)),
            (
                "Value noise",
                sampler.field(lab, |[x, y]| value.get([x, y, z])),
            ),
            (
                "Perlin noise",
                sampler.field(lab, |[x, y]| perlin.at([x, y, z])),
            ),
            ("fBm", sampler.field(lab, |[x, y]| layers.fbm([x, y, z]))),
        ];
        let slices = fields
            .iter()
            .map(|(name, field)| slice(name, field))
            .collect();
        let fields = fields.map(|(name, field)| Body::Field(field).titled(name));
        Sheet {
            rows: vec![fields.into(), slices],
            note: None,
        }
    }

    fn code(&self, lab: &LabParams) -> Code {
        Code {
            field: 3,
            ..code::layers(lab, self.octaves, LACUNARITY, GAIN, code::Fold::Sum)
        }
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

/// A number of its own for every sample.
fn white(lab: &LabParams, sampler: &Sampler) -> Field {
    let per_cell = sampler.resolution as f64 / lab.width();
    sampler.field(lab, |p| {
        let [x, y] = p.map(|c| (c * per_cell) as u32);
        f64::from(2.0 * unit(pcg3d([x, y, lab.seed])[0]) - 1.0)
    })
}

/// The middle row of a field as a curve.
fn slice(name: &str, field: &Field) -> crate::lab::sheet::Panel {
    let [width, height] = field.size;
    let row = &field.values[height / 2 * width..][..width];
    let points = row.iter().enumerate().map(|(i, &value)| {
        [
            (i as f64 + 0.5) / width as f64 * field.extent[0],
            f64::from(value),
        ]
    });
    Body::Plot(Plot {
        x: "cells".to_owned(),
        y: String::new(),
        logarithmic: false,
        curves: vec![Curve {
            name: String::new(),
            points: points.collect(),
            guide: false,
        }],
    })
    .titled(format!("{name} along a line"))
}
