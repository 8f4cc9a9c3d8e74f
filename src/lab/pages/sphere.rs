//! Directions on a sphere, seen from the side.

use crate::lab::sheet::Image;

const BACKGROUND: [u8; 3] = [24, 26, 30];
const SURFACE: [u8; 3] = [58, 66, 78];
const NEAR: [u8; 3] = [255, 190, 110];

/// A picture of a ball with a dot at each direction on its near side. It is tilted, so that the pole shows.
pub fn picture(directions: &[[f64; 3]], edge: usize) -> Image {
    let mut pixels = vec![BACKGROUND; edge * edge];
    let radius = 0.46 * edge as f64;
    let middle = 0.5 * edge as f64;
    let disc = |pixels: &mut Vec<[u8; 3]>, center: [f64; 2], radius: f64, color: [u8; 3]| {
        let reach =
            |c: f64| ((c - radius).max(0.0) as usize)..((c + radius).ceil() as usize).min(edge);
        for y in reach(center[1]) {
            for x in reach(center[0]) {
                let distance = (x as f64 + 0.5 - center[0]).hypot(y as f64 + 0.5 - center[1]);
                let share = (radius + 0.5 - distance).clamp(0.0, 1.0);
                let pixel = &mut pixels[y * edge + x];
                *pixel = std::array::from_fn(|c| {
                    let [from, to] = [pixel[c], color[c]].map(f64::from);
                    (from + share * (to - from)).round() as u8
                });
            }
        }
    };
    disc(&mut pixels, [middle; 2], radius, SURFACE);
    let (sin, cos) = 0.7_f64.sin_cos();
    for &[x, y, z] in directions {
        let [up, towards] = [y * cos - z * sin, y * sin + z * cos];
        if towards > 0.0 {
            let at = [middle + radius * x, middle - radius * up];
            disc(&mut pixels, at, 0.008 * edge as f64 + 0.5, NEAR);
        }
    }
    Image {
        size: [edge, edge],
        pixels,
    }
}
