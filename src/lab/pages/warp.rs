//! Page 5: noise whose domain is bent by noise.

use bevy::reflect::Reflect;
use smart_default::SmartDefault;

use super::{code, same_for_all, seed};
use crate::lab::sampler::Sampler;
use crate::lab::sheet::{Body, Field, Panel, Sheet};
use crate::lab::{About, Carry, Code, LabParams, Page};
use crate::noise::layers::Layers;
use crate::param::Section;
use crate::scene::Scene;

/// Domain warp.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "warp", title: "Domain warp" })]
pub struct WarpPage {
    /// How far the noise bends its own domain.
    #[default(1.0)]
    #[reflect(@0.0..=6.0_f32)]
    pub strength: f32,
    /// Layers.
    #[default(4)]
    #[reflect(@1..=8_u32)]
    pub octaves: u32,
}

static ABOUT: About = About {
    name: "warp",
    title: "Domain warp",
    text: "Ask the noise not here but a little aside, and let another noise say how far: hills are drawn out to tongues \
           and folds. Do it again with the bent noise, and the folds curl. Smoke, flames and marble look like this \
           because a fluid carries its own motion along. The board shows where each point looks; where its squares \
           turn over, the picture folds.",
    formula: "f(p),   f(p + w·f(p)),   f(p + w·f(p + w·f(p)))",
    source: "Perlin 1985; Quilez 2002, \"Domain Warping\"",
};

/// Layers' gain and lacunarity.
const GAIN: f64 = 0.5;

impl Page for WarpPage {
    same_for_all!(ABOUT);

    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet {
        let z = f64::from(lab.time);
        let layers = Layers::new(lab.seed, self.octaves, 2.0, GAIN);
        let strength = f64::from(self.strength);
        let level = |levels, title: &str| {
            let field = sampler.field(lab, |[x, y]| layers.warped([x, y, z], levels, strength));
            let range = [-0.8, 0.8];
            Body::Field(Field { range, ..field }).titled(title)
        };
        Sheet {
            rows: vec![
                vec![level(0, "f(p)"), level(1, "f(p + w·f(p))")],
                vec![
                    level(2, "f(p + w·f(p + w·f(p)))"),
                    self.board(lab, sampler, &layers),
                ],
            ],
            note: None,
        }
    }

    fn code(&self, lab: &LabParams) -> Code {
        let fold = code::Fold::Warped(2, f64::from(self.strength));
        Code {
            field: 2,
            ..code::layers(lab, self.octaves, 2.0, GAIN, fold)
        }
    }

    fn carry(&self, lab: &LabParams) -> Vec<Carry> {
        // At full scale this page's strength is four times a fire's.
        let strength = (self.strength / 4.0).clamp(0.0, 1.5);
        vec![Carry {
            label: "Burn a fire with this warp",
            scene: Scene::Fire,
            values: vec![
                ("fire.warp_strength", strength.to_string()),
                ("fire.warp_levels", "2".to_owned()),
                ("fire.octaves", self.octaves.to_string()),
                ("fire.seed", seed(lab)),
            ],
        }]
    }
}

impl WarpPage {
    /// A board of squares, a cell wide, seen through one warp.
    fn board(&self, lab: &LabParams, sampler: &Sampler, layers: &Layers) -> Panel {
        let z = f64::from(lab.time);
        let strength = f64::from(self.strength);
        let mut field = sampler.field(lab, |[x, y]| {
            let [u, v] = layers.bent([x, y, z], strength);
            let odd = (u.floor() + v.floor()).rem_euclid(2.0);
            0.9 * odd - 0.45
        });
        field.histogram = false;
        Body::Field(field).titled("A board of squares, bent once")
    }
}
