//! Simplex noise in any number of dimensions, as a program.

use std::fmt::Write;

use super::{float, table_wgsl};
use crate::lab::{Code, LabParams};

/// Simplex noise of 2, 3 or 4 dimensions at a point `[x, y, ..rest]`.
pub fn simplex(lab: &LabParams, dimensions: usize, rest: &[f64]) -> Code {
    let seed = lab.seed;
    let point: Vec<String> = ["x".to_owned(), "y".to_owned()]
        .into_iter()
        .chain(rest.iter().map(|&c| float(c)))
        .collect();
    let rust = format!(
        "use noise::{{NoiseFn, Simplex}};

/// A noise over lattice cells.
pub fn noise() -> impl Fn(f64, f64) -> f64 {{
    let simplex = Simplex::new({seed});
    move |x, y| simplex.get([{}])
}}
",
        point.join(", ")
    );
    let padded = |values: &[f64]| -> String {
        let parts: Vec<String> = (0..4)
            .map(|axis| float(values.get(axis).copied().unwrap_or(0.0)))
            .collect();
        format!("vec4({})", parts.join(", "))
    };
    let directions = directions(dimensions);
    let mut wgsl = table_wgsl(seed, 1);
    let _ = write!(
        wgsl,
        "
const N = {dimensions};
const AXES = {axes};
const SKEW = {skew};
const UNSKEW = {unskew};

var<private> directions: array<vec4<f32>, {count}> = array(
{list});

fn surflet(node: vec4<i32>, d: vec4<f32>) -> f32 {{
    let t = 1.0 - 2.0 * dot(d, d);
    if t <= 0.0 {{
        return 0.0;
    }}
    var hash = node.x;
    for (var axis = 1; axis < N; axis += 1) {{
        hash = i32(entry(0u, hash)) ^ node[axis];
    }}
    let gradient = directions[entry(0u, hash) % {count}u];
    return (2.0 * t * t + t * t * t * t) * dot(gradient, d);
}}

// Simplex noise (Perlin 2001; Gustavson 2005): n + 1 corners, from the cell's first to its last along the axes in the
// order of the offsets.
fn simplex(p: vec4<f32>) -> f32 {{
    let cell = floor(p + SKEW * dot(p, AXES) * AXES);
    let first = p - cell + UNSKEW * dot(cell, AXES) * AXES;
    var sum = 0.0;
    for (var corner = 0; corner <= N; corner += 1) {{
        var step = vec4(0);
        for (var i = 0; i < N; i += 1) {{
            var rank = 0;
            for (var j = 0; j < N; j += 1) {{
                rank += i32(first[i] > first[j] || (first[i] == first[j] && i < j));
            }}
            step[i] = i32(rank >= N - corner);
        }}
        let d = first - vec4<f32>(step) + UNSKEW * f32(corner) * AXES;
        sum += surflet(vec4<i32>(cell) + step, d);
    }}
    return sum;
}}

// A noise over lattice cells.
fn value(p: vec2<f32>) -> f32 {{
    return simplex(vec4(p, {rest}));
}}
",
        axes = padded(&vec![1.0; dimensions]),
        skew = float(((dimensions as f64 + 1.0).sqrt() - 1.0) / dimensions as f64),
        unskew = float((1.0 - 1.0 / (dimensions as f64 + 1.0).sqrt()) / dimensions as f64),
        count = directions.len(),
        list = directions
            .iter()
            .map(|direction| format!("    {},\n", padded(direction)))
            .collect::<String>(),
        rest = [0, 1]
            .map(|i| float(rest.get(i).copied().unwrap_or(0.0)))
            .join(", "),
    );
    Code {
        field: 1,
        rust,
        wgsl,
    }
}

/// The noise crate's gradients, of length 1: a power of two of them.
fn directions(dimensions: usize) -> Vec<Vec<f64>> {
    let corners = |order: &[u32]| -> Vec<Vec<f64>> {
        let sign = |mask: u32, axis: usize| if mask >> axis & 1 == 1 { -1.0 } else { 1.0 };
        let length = (dimensions as f64).sqrt();
        let corner = |mask: &u32| {
            (0..dimensions)
                .map(|axis| sign(*mask, axis) / length)
                .collect()
        };
        order.iter().map(corner).collect()
    };
    match dimensions {
        2 => {
            let axes = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
            axes.map(|axis| axis.to_vec())
                .into_iter()
                .chain(corners(&[0, 1, 2, 3]))
                .collect()
        }
        3 => {
            let edges = |zero: usize| {
                let axes = (0..3).filter(move |&axis| axis != zero);
                (0..4).map(move |mask| {
                    let mut edge = vec![0.0; 3];
                    for (bit, axis) in axes.clone().enumerate() {
                        edge[axis] = if mask >> bit & 1 == 1 { -1.0 } else { 1.0 } * 0.5_f64.sqrt();
                    }
                    edge
                })
            };
            let edges: Vec<_> = [2, 1, 0].into_iter().flat_map(edges).collect();
            [edges.clone(), edges, corners(&[0, 1, 2, 3, 4, 5, 6, 7])].concat()
        }
        _ => {
            let edges = (0..4).flat_map(|zero| {
                let axes = (0..4).filter(move |&axis| axis != zero);
                (0..8).map(move |mask| {
                    let mut edge = vec![0.0; 4];
                    for (bit, axis) in axes.clone().enumerate() {
                        edge[axis] = if mask >> (2 - bit) & 1 == 1 {
                            -1.0
                        } else {
                            1.0
                        } / 3.0_f64.sqrt();
                    }
                    edge
                })
            });
            let corners = corners(&[0, 1, 2, 3, 4, 5, 8, 9, 6, 7, 10, 11, 12, 13, 14, 15]);
            edges.chain(corners.clone()).chain(corners).collect()
        }
    }
}
