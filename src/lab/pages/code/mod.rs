//! Programs that give the same noise as a page: in Rust with the noise crate, and in WGSL.

mod simplex;
mod time;

use std::fmt::Write;

use crate::lab::{Code, LabParams};
use crate::noise::lattice::{Fade, Gradients, permutation};
use crate::noise::layers::{WARP_X, WARP_Y};

pub use simplex::simplex;
pub use time::time_loop;

/// What is done with the octaves of gradient noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fold {
    /// fBm.
    Sum,
    /// Turbulence.
    Turbulence,
    /// Ridges.
    Ridged,
    /// Marble of a spacing and a strength.
    Marble(f64, f64),
    /// Warped fBm of so many levels and a strength.
    Warped(u32, f64),
}

impl Fold {
    /// What becomes of an octave `n`, in both languages.
    fn octave(self) -> [&'static str; 2] {
        match self {
            Self::Sum | Self::Warped(..) => ["n", "n"],
            Self::Turbulence | Self::Marble(..) => ["n.abs()", "abs(n)"],
            Self::Ridged => ["(1.0 - n.abs()).powi(2)", "(1.0 - abs(n)) * (1.0 - abs(n))"],
        }
    }

    /// What becomes of the layers, in both languages.
    fn value(self, z: f64) -> [String; 2] {
        let z = float(z);
        match self {
            Self::Sum | Self::Turbulence | Self::Ridged => [
                format!("    move |x, y| layers([x, y, {z}])"),
                format!("    return layers(vec3(p, {z}));"),
            ],
            Self::Marble(spacing, strength) => {
                let [spacing, strength] = [spacing, strength].map(float);
                [
                    format!(
                        "    move |x, y| (std::f64::consts::TAU * x / {spacing} + {strength} * layers([x, y, {z}])).sin()"
                    ),
                    format!(
                        "    return sin(6.2831853 * p.x / {spacing} + {strength} * layers(vec3(p, {z})));"
                    ),
                ]
            }
            Self::Warped(levels, strength) => {
                let strength = float(strength);
                let [[ax, ay], [bx, by]] = [WARP_X, WARP_Y].map(|at| at.map(float));
                let rust = format!(
                    "    move |x, y| {{
        let mut bent = [x, y];
        for _ in 0..{levels} {{
            let [u, v] = bent;
            let shift = [layers([u + {ax}, v + {ay}, {z}]), layers([u + {bx}, v + {by}, {z}])];
            bent = [x + {strength} * shift[0], y + {strength} * shift[1]];
        }}
        layers([bent[0], bent[1], {z}])
    }}"
                );
                let wgsl = format!(
                    "    var bent = p;
    for (var level = 0u; level < {levels}u; level += 1u) {{
        let shift = vec2(layers(vec3(bent + vec2({ax}, {ay}), {z})), layers(vec3(bent + vec2({bx}, {by}), {z})));
        bent = p + {strength} * shift;
    }}
    return layers(vec3(bent, {z}));"
                );
                [rust, wgsl]
            }
        }
    }
}

/// Layers of Perlin noise, folded.
pub fn layers(lab: &LabParams, octaves: u32, lacunarity: f64, gain: f64, fold: Fold) -> Code {
    let seed = lab.seed;
    let [rust_octave, wgsl_octave] = fold.octave();
    let [rust_value, wgsl_value] = fold.value(f64::from(lab.time));
    let [lacunarity, gain] = [lacunarity, gain].map(float);
    let rust = format!(
        "use noise::{{NoiseFn, Perlin}};

/// A noise over lattice cells.
pub fn noise() -> impl Fn(f64, f64) -> f64 {{
    let octaves: Vec<Perlin> = (0..{octaves}).map(|i| Perlin::new({seed}_u32.wrapping_add(i))).collect();
    let layers = move |p: [f64; 3]| {{
        let (mut sum, mut weights, mut frequency, mut amplitude) = (0.0, 0.0, 1.0, 1.0);
        for octave in &octaves {{
            // The noise crate stretches Perlin noise by 2/sqrt(3), and cuts the little that is then beyond 1.
            let n: f64 = octave.get(p.map(|c| c * frequency)) * 3.0_f64.sqrt() / 2.0;
            sum += amplitude * {rust_octave};
            weights += amplitude;
            frequency *= {lacunarity};
            amplitude *= {gain};
        }}
        sum / weights
    }};
{rust_value}
}}
"
    );
    let mut wgsl = perlin_wgsl(seed, octaves, Gradients::Edges, Fade::Quintic);
    let _ = write!(
        wgsl,
        "
fn layers(p: vec3<f32>) -> f32 {{
    var sum = 0.0;
    var weights = 0.0;
    var frequency = 1.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < {octaves}u; octave += 1u) {{
        let n = perlin(octave, p * frequency);
        sum += amplitude * {wgsl_octave};
        weights += amplitude;
        frequency *= {lacunarity};
        amplitude *= {gain};
    }}
    return sum / weights;
}}

// A noise over lattice cells.
fn value(p: vec2<f32>) -> f32 {{
{wgsl_value}
}}
"
    );
    Code {
        field: 0,
        rust,
        wgsl,
    }
}

/// One layer of gradient noise.
pub fn lattice(lab: &LabParams, fade: Fade, gradients: Gradients) -> Code {
    let z = float(f64::from(lab.time));
    let seed = lab.seed;
    let mut wgsl = perlin_wgsl(seed, 1, gradients, fade);
    let _ = write!(
        wgsl,
        "
// A noise over lattice cells.
fn value(p: vec2<f32>) -> f32 {{
    return perlin(0u, vec3(p, {z}));
}}
"
    );
    let dimensions = gradients.dimensions();
    let directions: Vec<String> = gradients
        .directions(seed)
        .iter()
        .map(|direction| format!("    [{}],\n", direction.map(float).join(", ")))
        .collect();
    let fade = match fade {
        Fade::Linear => "t",
        Fade::Cubic => "t * t * (3.0 - 2.0 * t)",
        Fade::Quintic => "t * t * t * (t * (6.0 * t - 15.0) + 10.0)",
    };
    let rust = format!(
        "use noise::permutationtable::{{NoiseHasher, PermutationTable}};

const DIRECTIONS: [[f64; 3]; {count}] = [
{directions}];

fn fade(t: f64) -> f64 {{
    {fade}
}}

/// A noise over lattice cells.
pub fn noise() -> impl Fn(f64, f64) -> f64 {{
    let table = PermutationTable::new({seed});
    move |x, y| {{
        let p = [x, y, {z}];
        let mut sum = 0.0;
        for corner in 0..1 << {dimensions} {{
            let mut node = [0_isize; {dimensions}];
            let mut offset = [0.0; {dimensions}];
            let mut weight = 1.0;
            for axis in 0..{dimensions} {{
                let step = (corner >> axis) & 1;
                let t = p[axis] - p[axis].floor();
                node[axis] = p[axis].floor() as isize + step;
                offset[axis] = t - step as f64;
                weight *= if step == 0 {{ 1.0 - fade(t) }} else {{ fade(t) }};
            }}
            let gradient = DIRECTIONS[table.hash(&node) & (DIRECTIONS.len() - 1)];
            sum += weight * (0..{dimensions}).map(|axis| gradient[axis] * offset[axis]).sum::<f64>();
        }}
        sum
    }}
}}
",
        count = directions.len(),
        directions = directions.concat(),
    );
    Code {
        field: 0,
        rust,
        wgsl,
    }
}

/// `fn perlin(octave: u32, p: vec3<f32>) -> f32` with the tables it needs.
fn perlin_wgsl(seed: u32, octaves: u32, gradients: Gradients, fade: Fade) -> String {
    let directions = gradients.directions(seed);
    let fade = match fade {
        Fade::Linear => "t",
        Fade::Cubic => "t * t * (3.0 - 2.0 * t)",
        Fade::Quintic => "t * t * t * (t * (6.0 * t - 15.0) + 10.0)",
    };
    let (corners, hash, weight) = match gradients.dimensions() {
        2 => (
            "4",
            "i32(entry(octave, node.x)) ^ node.y",
            "weights.x * weights.y",
        ),
        _ => (
            "8",
            "i32(entry(octave, i32(entry(octave, node.x)) ^ node.y)) ^ node.z",
            "weights.x * weights.y * weights.z",
        ),
    };
    let mut out = table_wgsl(seed, octaves);
    let _ = write!(
        out,
        "
var<private> directions: array<vec3<f32>, {count}> = array(
{list});
",
        count = directions.len(),
        list = directions
            .iter()
            .map(|direction| format!("    vec3({}),\n", direction.map(float).join(", ")))
            .collect::<String>(),
    );
    let _ = write!(
        out,
        "
// Gradient noise (Perlin 1985).
fn perlin(octave: u32, p: vec3<f32>) -> f32 {{
    let cell = vec3<i32>(floor(p));
    let t = fract(p);
    let fade = {fade};
    var sum = 0.0;
    for (var corner = 0; corner < {corners}; corner += 1) {{
        let step = vec3(corner & 1, (corner >> 1u) & 1, corner >> 2u);
        let node = cell + step;
        let gradient = directions[entry(octave, {hash}) & {mask}u];
        let weights = select(1.0 - fade, fade, step == vec3(1));
        sum += {weight} * dot(gradient, t - vec3<f32>(step));
    }}
    return sum;
}}
",
        fade = fade.replace("3.0 - 2.0 * t", "vec3(3.0) - 2.0 * t"),
        mask = directions.len() - 1,
    );
    out
}

/// `fn entry(octave: u32, index: i32) -> u32`: the permutation table of each octave.
fn table_wgsl(seed: u32, octaves: u32) -> String {
    format!(
        "// The permutation table of each octave, four entries a word.
var<private> table: array<u32, {count}> = array(
{list});

fn entry(octave: u32, index: i32) -> u32 {{
    let i = 256u * octave + (u32(index) & 255u);
    return (table[i / 4u] >> (8u * (i % 4u))) & 255u;
}}
",
        count = 64 * octaves,
        list = (0..octaves)
            .map(|octave| words(seed.wrapping_add(octave)))
            .collect::<String>(),
    )
}

/// A permutation table, four entries a word, eight words a line.
fn words(seed: u32) -> String {
    let words: Vec<String> = permutation(seed)
        .chunks_exact(4)
        .map(|entries| {
            format!(
                "0x{:08x}u",
                u32::from_le_bytes([entries[0], entries[1], entries[2], entries[3]])
            )
        })
        .collect();
    words
        .chunks(8)
        .map(|line| format!("    {},\n", line.join(", ")))
        .collect()
}

/// A number that both languages read as a floating-point one.
fn float(value: f64) -> String {
    let text = format!("{value:?}");
    // Halves and the like come from f32; more digits than it has would only confuse.
    if text.len() > 12 {
        format!("{:?}", value as f32)
    } else {
        text
    }
}
