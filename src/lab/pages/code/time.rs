//! Perlin noise of four dimensions on a circle, as a program.

use std::fmt::Write;

use super::{float, table_wgsl};
use crate::lab::{Code, LabParams};

/// Perlin noise of four dimensions, the last two of which are a place on a circle.
pub fn time_loop(lab: &LabParams, [z, w]: [f64; 2]) -> Code {
    let seed = lab.seed;
    let [z, w] = [z, w].map(float);
    let rust = format!(
        "use noise::{{NoiseFn, Perlin}};

/// A noise over lattice cells.
pub fn noise() -> impl Fn(f64, f64) -> f64 {{
    let perlin = Perlin::new({seed});
    move |x, y| perlin.get([x, y, {z}, {w}])
}}
"
    );
    let mut wgsl = table_wgsl(seed, 1);
    let _ = write!(
        wgsl,
        "
var<private> directions: array<vec4<f32>, 32> = array(
{list});

// Gradient noise of four dimensions (Perlin 1985).
fn perlin(p: vec4<f32>) -> f32 {{
    let cell = vec4<i32>(floor(p));
    let t = fract(p);
    let fade = t * t * t * (t * (6.0 * t - 15.0) + 10.0);
    var sum = 0.0;
    for (var corner = 0; corner < 16; corner += 1) {{
        let step = (vec4(corner) >> vec4(0u, 1u, 2u, 3u)) & vec4(1);
        let node = cell + step;
        let in_plane = i32(entry(0u, i32(entry(0u, node.x)) ^ node.y));
        let hash = entry(0u, i32(entry(0u, in_plane ^ node.z)) ^ node.w);
        let weights = select(1.0 - fade, fade, step == vec4(1));
        let weight = weights.x * weights.y * weights.z * weights.w;
        sum += weight * dot(directions[hash & 31u], t - vec4<f32>(step));
    }}
    return clamp(sum, -1.0, 1.0);
}}

// A noise over lattice cells.
fn value(p: vec2<f32>) -> f32 {{
    return perlin(vec4(p, {z}, {w}));
}}
",
        list = DIRECTIONS
            .map(|direction| format!("    vec4({}),\n", direction.map(float).join(", ")))
            .concat(),
    );
    Code {
        field: 2,
        rust,
        wgsl,
    }
}

/// The gradients of the noise crate 0.9, some of them twice.
const DIRECTIONS: [[f64; 4]; 32] = [
    [1.0, 1.0, 1.0, 0.0],
    [-1.0, 1.0, 1.0, 0.0],
    [1.0, -1.0, 1.0, 0.0],
    [1.0, 1.0, -1.0, 0.0],
    [-1.0, 1.0, -1.0, 0.0],
    [1.0, -1.0, -1.0, 0.0],
    [1.0, -1.0, -1.0, 0.0],
    [1.0, 1.0, 0.0, 1.0],
    [-1.0, 1.0, 0.0, 1.0],
    [1.0, -1.0, 0.0, 1.0],
    [1.0, 1.0, 0.0, -1.0],
    [1.0, 1.0, 0.0, -1.0],
    [1.0, 1.0, 0.0, -1.0],
    [-1.0, -1.0, 0.0, -1.0],
    [1.0, 0.0, 1.0, 1.0],
    [-1.0, 0.0, 1.0, 1.0],
    [1.0, 0.0, -1.0, 1.0],
    [1.0, 0.0, 1.0, -1.0],
    [1.0, 0.0, 1.0, -1.0],
    [1.0, 0.0, 1.0, -1.0],
    [-1.0, 0.0, -1.0, -1.0],
    [0.0, 1.0, 1.0, 1.0],
    [0.0, -1.0, 1.0, 1.0],
    [0.0, 1.0, -1.0, 1.0],
    [0.0, 1.0, -1.0, -1.0],
    [0.0, -1.0, -1.0, -1.0],
    [0.0, 1.0, -1.0, -1.0],
    [0.0, -1.0, -1.0, -1.0],
    [1.0, 1.0, 1.0, 0.0],
    [1.0, 1.0, 0.0, 1.0],
    [1.0, 0.0, 1.0, 1.0],
    [0.0, 1.0, 1.0, 1.0],
];
