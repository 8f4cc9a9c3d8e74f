//! Page 4: noise folded, twisted and cut.

use bevy::reflect::Reflect;
use smart_default::SmartDefault;

use super::terrain::Terrain;
use super::{code, same_for_all, seed};
use crate::lab::sampler::Sampler;
use crate::lab::sheet::{Body, Field, Panel, Sheet};
use crate::lab::{About, Carry, Code, LabParams, Page};
use crate::noise::layers::Layers;
use crate::param::{Choices, Section, Unit};
use crate::scene::Scene;

/// Shaping.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "shaping", title: "Shaping" })]
pub struct ShapingPage {
    /// Layers.
    #[default(6)]
    #[reflect(@1..=8_u32)]
    pub octaves: u32,
    /// How strong each layer is, relative to the one before.
    #[default(0.5)]
    #[reflect(@0.1..=1.0_f32)]
    pub gain: f32,
    /// How far the turbulence bends the veins of the marble.
    #[default(10.0)]
    #[reflect(@0.0..=30.0_f32, @Unit("rad"))]
    pub veins: f32,
    /// Value of the noise below which rock is dug away.
    #[default(0.0)]
    #[reflect(@-1.0..=1.0_f32)]
    pub caves: f32,
    /// What the landscape is made of, and what is copied as code.
    #[default(0)]
    #[reflect(@Choices(&["ridged", "billow", "marble", "fbm"]))]
    pub relief: u32,
    /// Angle of the eye about the landscape.
    #[default(30.0)]
    #[reflect(@-180.0..=180.0_f32, @Unit("°"))]
    pub yaw: f32,
    /// Angle of the eye above the horizon.
    #[default(38.0)]
    #[reflect(@10.0..=90.0_f32, @Unit("°"))]
    pub pitch: f32,
}

static ABOUT: About = About {
    name: "shaping",
    title: "Shaping",
    text: "Folding a noise at zero makes creases: turbulence, or billows, with round hills between sharp valleys. Turned \
           upside down and squared, the creases become ridges. A sine of a coordinate makes even stripes; turbulence \
           bends them to the veins of marble. A threshold of noise in space digs caves. And any of them can be the \
           height of a landscape.",
    formula: "billow = Σ g^i |n|,   ridged = Σ g^i (1 − |n|)²,   marble = sin(2πx/s + a · billow),   cave: fBm < c",
    source: "Perlin 1985; Musgrave 1994, in Ebert et al., \"Texturing and Modeling\"",
};

/// Width of a vein, in cells.
const SPACING: f64 = 2.0;

impl Page for ShapingPage {
    same_for_all!(ABOUT);

    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet {
        let z = f64::from(lab.time);
        let layers = Layers::new(lab.seed, self.octaves, 2.0, f64::from(self.gain));
        let within = |range, field: Field| Field { range, ..field };
        let ridged = within(
            [0.0, 1.0],
            sampler.field(lab, |[x, y]| layers.ridged([x, y, z])),
        );
        let billow = within(
            [0.0, 0.8],
            sampler.field(lab, |[x, y]| layers.turbulence([x, y, z])),
        );
        let strength = f64::from(self.veins);
        let marble = sampler.field(lab, |[x, y]| layers.marble([x, y, z], SPACING, strength));
        let fbm = sampler.field(lab, |[x, y]| layers.fbm([x, y, z]));
        let caves = Field {
            values: fbm
                .values
                .iter()
                .map(|&value| {
                    if value < self.caves {
                        0.0
                    } else {
                        0.6 + 0.4 * value
                    }
                })
                .collect(),
            range: [0.0, 1.0],
            histogram: false,
            ..fbm.clone()
        };
        let relief = self.relief([&ridged, &billow, &marble, &fbm], sampler);
        let panel = |field, title| Body::Field(field).titled(title);
        Sheet {
            rows: vec![
                vec![
                    panel(ridged, "Ridged"),
                    panel(billow, "Billow, or turbulence"),
                    panel(marble, "Marble"),
                ],
                vec![
                    panel(fbm, "fBm"),
                    panel(caves, "Caves: a cut through space"),
                    relief,
                ],
            ],
            note: None,
        }
    }

    fn code(&self, lab: &LabParams) -> Code {
        let fold = match self.relief {
            0 => code::Fold::Ridged,
            1 => code::Fold::Turbulence,
            2 => code::Fold::Marble(SPACING, f64::from(self.veins)),
            _ => code::Fold::Sum,
        };
        Code {
            field: (self.relief as usize).min(3),
            ..code::layers(lab, self.octaves, 2.0, f64::from(self.gain), fold)
        }
    }

    fn carry(&self, lab: &LabParams) -> Vec<Carry> {
        vec![Carry {
            label: "Burn a fire with this turbulence",
            scene: Scene::Fire,
            values: vec![
                ("fire.octaves", self.octaves.to_string()),
                ("fire.seed", seed(lab)),
            ],
        }]
    }

    fn turn(&mut self, [side, up]: [f32; 2]) -> bool {
        self.yaw = (self.yaw - side + 180.0).rem_euclid(360.0) - 180.0;
        self.pitch = (self.pitch + up).clamp(10.0, 90.0);
        true
    }
}

impl ShapingPage {
    /// The landscape of one of the fields, around a height of 0.
    fn relief(&self, fields: [&Field; 4], sampler: &Sampler) -> Panel {
        let chosen = (self.relief as usize).min(3);
        // Hills are about as high as a cell is wide, but no higher than the picture.
        let field = fields[chosen];
        let height = [0.9, 0.9, 0.15, 1.1][chosen] * (2.5 / field.extent[0] as f32).min(1.0);
        let mean = field.statistics().mean as f32;
        let heights: Vec<f32> = field
            .values
            .iter()
            .map(|value| height * (value - mean))
            .collect();
        let terrain = Terrain {
            heights: &heights,
            edge: field.size[0],
            yaw: f64::from(self.yaw),
            pitch: f64::from(self.pitch),
        };
        let size = sampler.resolution.clamp(48, 512);
        Body::Image(terrain.picture(sampler, size)).titled("A landscape of it")
    }
}
