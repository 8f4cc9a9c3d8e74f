//! Directions on a sphere or a circle.

use crate::lab::sheet::Image;

const BACKGROUND: [u8; 3] = [24, 26, 30];
const SURFACE: [u8; 3] = [58, 66, 78];
const NEAR: [u8; 3] = [255, 190, 110];

/// A picture of a ball with a dot at each direction on its near side, tilted so that the pole shows; of directions in
/// the plane one of a disc with a dot at each.
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
    let flat = directions.iter().all(|direction| direction[2] == 0.0);
    let tilt: f64 = if flat { 0.0 } else { 0.7 };
    let (sin, cos) = tilt.sin_cos();
    for &[x, y, z] in directions {
        let length = (x * x + y * y + z * z).sqrt();
        let [up, towards] = [y * cos - z * sin, y * sin + z * cos];
        if flat || towards > 0.0 {
            let [x, up] = [x, up].map(|c| radius * c / length);
            let size = if flat { 0.012 } else { 0.008 };
            disc(
                &mut pixels,
                [middle + x, middle - up],
                size * edge as f64 + 0.5,
                NEAR,
            );
        }
    }
    Image {
        size: [edge, edge],
        pixels,
    }
}
