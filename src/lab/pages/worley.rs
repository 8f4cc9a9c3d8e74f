//! Page 6: cells, and the mix that clouds are cut from.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::reflect::Reflect;
use smart_default::SmartDefault;

use super::{same_for_all, seed};
use crate::lab::sampler::Sampler;
use crate::lab::sheet::{Body, Field, Mark, Panel, Sheet};
use crate::lab::{About, Carry, Code, LabParams, Page};
use crate::noise::NoiseParams;
use crate::noise::bake::{BakeControl, Sizes, Volume, Volumes, bake};
use crate::noise::cells::Cells;
use crate::noise::layers::Layers;
use crate::noise::perlin_worley::perlin_worley;
use crate::param::{Choices, Section, Unit};
use crate::scene::Scene;

/// Worley and Perlin-Worley.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "worley", title: "Worley and Perlin-Worley" })]
pub struct WorleyPage {
    /// How far points stray from the middles of their squares.
    #[default(1.0)]
    #[reflect(@0.0..=1.0_f32)]
    pub jitter: f32,
    /// Share of Worley noise in the mix.
    #[default(1.0)]
    #[reflect(@0.0..=1.0_f32)]
    pub mix: f32,
    /// Which of the baked textures is cut.
    #[default(0)]
    #[reflect(@Choices(&["base", "detail", "vectors"]))]
    pub texture: u32,
    /// Which of its channels.
    #[default(0)]
    #[reflect(@Choices(&["red", "green", "blue", "alpha"]))]
    pub channel: u32,
    /// Across which axis it is cut.
    #[default(2)]
    #[reflect(@Choices(&["x", "y", "z"]))]
    pub axis: u32,
    /// Where along the axis.
    #[default(0.0)]
    #[reflect(@0.0..=1.0_f32, @Unit("tiles"))]
    pub slice: f32,
}

static ABOUT: About = About {
    name: "worley",
    title: "Worley and Perlin-Worley",
    text: "Scatter points, one in each square, and ask how far the nearest is: F1 makes pits, one a point. The second \
           nearest less the nearest, F2 − F1, is 0 on the borders between cells. Upside down and squared, pits become \
           billows, as cumulus has them. Billows dilate Perlin noise: connected like the one, lobed like the other. \
           That mix is baked to a texture, whose tiles fit on every side.",
    formula: "F1 = min |p − q|,   billow = 1 − F1²,   mix = remap(perlin, 0, 1, billow, 1)",
    source: "Worley 1996, \"A Cellular Texture Basis Function\"; Schneider 2015, \"Real-Time Volumetric Cloudscapes\"",
};

impl Page for WorleyPage {
    same_for_all!(ABOUT);

    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet {
        let cells = Cells::new(lab.seed, f64::from(self.jitter));
        let plane = |range, title: &str, noise: &(dyn Fn([f64; 2]) -> f64 + Sync)| {
            let field = sampler.field(lab, noise);
            Body::Field(Field { range, ..field }).titled(title)
        };
        Sheet {
            rows: vec![
                vec![
                    plane([0.0, 1.0], "F1", &|p| cells.nearest(p).f1),
                    points_and_cells(lab, sampler, &cells),
                    plane([0.0, 0.8], "F2 − F1", &|p| {
                        let nearest = cells.nearest(p);
                        nearest.f2 - nearest.f1
                    }),
                ],
                vec![
                    plane([0.0, 1.0], "Inverted: billows", &|p| {
                        billow(cells.nearest(p).f1)
                    }),
                    self.mixed(lab, sampler, &cells),
                    self.cut(lab),
                ],
            ],
            note: None,
        }
    }

    fn code(&self, lab: &LabParams) -> Code {
        code(lab.seed, self.jitter)
    }

    fn carry(&self, lab: &LabParams) -> Vec<Carry> {
        vec![Carry {
            label: "Bake a cloud from this seed",
            scene: Scene::Cloud,
            values: vec![
                ("noise.seed", seed(lab)),
                ("noise.worley_low", self.mix.to_string()),
            ],
        }]
    }
}

fn billow(f1: f64) -> f64 {
    1.0 - (f1 * f1).min(1.0)
}

impl WorleyPage {
    fn mixed(&self, lab: &LabParams, sampler: &Sampler, cells: &Cells) -> Panel {
        let layers = Layers::new(lab.seed, 4, 2.0, 0.5);
        let z = f64::from(lab.time);
        let share = self.mix;
        let field = sampler.field(lab, |[x, y]| {
            let perlin = (0.5 + 0.75 * layers.fbm([x, y, z])).clamp(0.0, 1.0) as f32;
            let billow = billow(cells.nearest([x, y]).f1) as f32;
            f64::from(perlin_worley(perlin, share * billow))
        });
        Body::Field(Field {
            range: [0.0, 1.0],
            ..field
        })
        .titled("Perlin-Worley")
    }

    /// A slice of a baked texture, two tiles by two.
    fn cut(&self, lab: &LabParams) -> Panel {
        let volumes = baked(lab.seed % 10_000);
        let (volume, name) = match self.texture {
            0 => (&volumes.base, "base"),
            1 => (&volumes.detail, "detail"),
            _ => (&volumes.vectors, "vectors"),
        };
        let n = volume.size;
        let at = ((self.slice * n as f32) as usize).min(n - 1);
        let values = (0..4 * n * n)
            .map(|i| [i % (2 * n) % n, (2 * n - 1 - i / (2 * n)) % n])
            .map(|[u, v]| texel(volume, self.axis as usize, at, [u, v]))
            .map(|texel| f32::from(texel[(self.channel as usize).min(3)]) / 255.0);
        let field = Field {
            size: [2 * n; 2],
            values: values.collect(),
            origin: [0.0; 2],
            extent: [2.0; 2],
            range: [0.0, 1.0],
            map: lab.map(),
            marks: Vec::new(),
            histogram: true,
            milliseconds: None,
        };
        let axis = ["x", "y", "z"][(self.axis as usize).min(2)];
        Body::Field(field).titled(format!(
            "Baked {name}, slice {at} across {axis}, 2 × 2 tiles"
        ))
    }
}

/// The cells, each in a tone of its own, with their points.
fn points_and_cells(lab: &LabParams, sampler: &Sampler, cells: &Cells) -> Panel {
    let mut field = sampler.field(lab, |p| cells.nearest(p).hue);
    field.range = [-0.2, 1.2];
    field.histogram = false;
    let last = lab.width().ceil() as i64;
    if last <= 24 {
        let squares = (0..last).flat_map(|y| (0..last).map(move |x| [x, y]));
        let points = squares.map(|square| Mark::Dot(cells.point(square).0));
        field.marks.extend(points);
    }
    Body::Field(field).titled("Points and their cells")
}

/// The texel at `u`, `v` of a slice across an axis.
fn texel(volume: &Volume, axis: usize, at: usize, [u, v]: [usize; 2]) -> [u8; 4] {
    let [x, y, z] = match axis {
        0 => [at, u, v],
        1 => [u, at, v],
        _ => [u, v, at],
    };
    volume.texels[(z * volume.size + y) * volume.size + x]
}

/// The textures of a seed. The last ones are kept, for a bake takes longer than a look at a slice.
fn baked(seed: u32) -> Arc<Volumes> {
    static KEPT: Mutex<Option<(u32, Arc<Volumes>)>> = Mutex::new(None);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, volumes)) = &*kept
        && *of == seed
    {
        return volumes.clone();
    }
    let params = NoiseParams {
        seed,
        ..Default::default()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let volumes = bake(&params, Sizes::FULL, threads, &BakeControl::default());
    let volumes = Arc::new(volumes.expect("nobody cancels this bake"));
    *kept = Some((seed, volumes.clone()));
    volumes
}

fn code(seed: u32, jitter: f32) -> Code {
    let rust = format!(
        "/// Three mixed words of three (Jarzynski and Olano 2020).
fn pcg3d(v: [u32; 3]) -> [u32; 3] {{
    let [mut x, mut y, mut z] = v.map(|c| c.wrapping_mul(1664525).wrapping_add(1013904223));
    for round in 0..2 {{
        x = x.wrapping_add(y.wrapping_mul(z));
        y = y.wrapping_add(z.wrapping_mul(x));
        z = z.wrapping_add(x.wrapping_mul(y));
        if round == 0 {{
            [x, y, z] = [x ^ (x >> 16), y ^ (y >> 16), z ^ (z >> 16)];
        }}
    }}
    [x, y, z]
}}

/// A noise over lattice cells. The noise crate's own Worley noise has its points elsewhere.
pub fn noise() -> impl Fn(f64, f64) -> f64 {{
    |x, y| {{
        let mut nearest = f64::MAX;
        for dy in -2..=2 {{
            for dx in -2..=2 {{
                let [cx, cy] = [x.floor() as i64 + dx, y.floor() as i64 + dy];
                let [a, b, _] = pcg3d([cx as u32, cy as u32, {seed}]).map(|w| (w >> 8) as f64 / 16777216.0);
                let [px, py] = [cx as f64 + 0.5 + {jitter:?} * (a - 0.5), cy as f64 + 0.5 + {jitter:?} * (b - 0.5)];
                nearest = nearest.min((px - x).hypot(py - y));
            }}
        }}
        nearest
    }}
}}
"
    );
    let wgsl = format!(
        "// Three mixed words of three (Jarzynski and Olano 2020).
fn pcg3d(words: vec3<u32>) -> vec3<u32> {{
    var v = words * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}}

// A noise over lattice cells.
fn value(p: vec2<f32>) -> f32 {{
    var nearest = 1e9;
    for (var i = 0; i < 25; i += 1) {{
        let cell = vec2<i32>(floor(p)) + vec2(i % 5 - 2, i / 5 - 2);
        let words = pcg3d(vec3(vec2<u32>(cell), {seed}u));
        let place = vec2<f32>(words.xy >> vec2(8u)) / 16777216.0;
        nearest = min(nearest, distance(p, vec2<f32>(cell) + 0.5 + {jitter:?} * (place - 0.5)));
    }}
    return nearest;
}}
"
    );
    Code {
        field: 0,
        rust,
        wgsl,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_cut_across_their_axis() {
        let n = 4;
        let texels = (0..64_u8).map(|i| [i % 4, i / 4 % 4, i / 16, 0]).collect();
        let volume = Volume { size: n, texels };
        for axis in 0..3 {
            for at in 0..n {
                let texel = texel(&volume, axis, at, [1, 3]);
                assert_eq!(usize::from(texel[axis]), at);
            }
        }
        assert_eq!(texel(&volume, 2, 0, [1, 3]), [1, 3, 0, 0]);
    }
}
