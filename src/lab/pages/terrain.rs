//! A field as a lit landscape, seen from any side.

use crate::lab::sampler::Sampler;
use crate::lab::sheet::Image;

/// Heights over the square -1..1, and where they are seen from.
pub struct Terrain<'a> {
    /// Row by row, `edge` by `edge`.
    pub heights: &'a [f32],
    /// Samples along an edge.
    pub edge: usize,
    /// Angle of the eye about the vertical, degrees.
    pub yaw: f64,
    /// Angle of the eye above the horizon, degrees.
    pub pitch: f64,
}

/// Where the block that carries the landscape ends below.
const BASE: f64 = -0.45;
const SKY: [f64; 3] = [0.09, 0.10, 0.12];
/// Towards the sun.
const SUN: [f64; 3] = [-0.55, 0.62, 0.56];
/// Half the width of the view, in half edges of the terrain: all of it is seen from any side.
const VIEW: f64 = 1.5;
/// Steps of a ray through the terrain's box.
const STEPS: u32 = 220;

/// What a ray meets.
#[derive(Debug, PartialEq)]
enum Hit {
    /// The landscape.
    Ground([f64; 3]),
    /// A side of the block below it.
    Side([f64; 3]),
}

/// Layers of rock, the sides of the block in different light.
fn side([x, y, _]: [f64; 3]) -> [f64; 3] {
    let layer = 0.85 + 0.15 * (40.0 * y).sin();
    let light = if x.abs() > 0.9999 { 0.10 } else { 0.055 };
    [light * layer, 0.95 * light * layer, 0.9 * light * layer]
}

impl Terrain<'_> {
    /// The picture, `size` pixels along an edge.
    pub fn picture(&self, sampler: &Sampler, size: usize) -> Image {
        let (sin_yaw, cos_yaw) = self.yaw.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.to_radians().sin_cos();
        // An orthographic view along `ray`; `right` and `up` span the picture.
        let ray = [-cos_pitch * sin_yaw, -sin_pitch, -cos_pitch * cos_yaw];
        let right = [cos_yaw, 0.0, -sin_yaw];
        let up = [-sin_pitch * sin_yaw, cos_pitch, -sin_pitch * cos_yaw];
        let pixels = sampler.grid([size, size], |x, y| {
            let [u, v] = [x, y].map(|i| ((i as f64 + 0.5) / size as f64 * 2.0 - 1.0) * VIEW);
            let start =
                std::array::from_fn(|axis| u * right[axis] - v * up[axis] - 3.0 * ray[axis]);
            let color = match self.trace(start, ray) {
                Some(Hit::Ground(p)) => self.shade(p),
                Some(Hit::Side(p)) => side(p),
                None => SKY,
            };
            color.map(|c| (255.0 * c.clamp(0.0, 1.0).powf(1.0 / 2.2)).round() as u8)
        });
        Image {
            size: [size, size],
            pixels,
        }
    }

    /// Where a ray meets the terrain.
    fn trace(&self, start: [f64; 3], ray: [f64; 3]) -> Option<Hit> {
        let (mut enter, mut exit) = (0.0_f64, 6.0_f64);
        for axis in [0, 2] {
            let [a, b] = [-1.0, 1.0].map(|side| (side - start[axis]) / ray[axis]);
            if ray[axis].abs() > 1e-9 {
                enter = enter.max(a.min(b));
                exit = exit.min(a.max(b));
            } else if start[axis].abs() > 1.0 {
                return None;
            }
        }
        let at = |t: f64| std::array::from_fn::<f64, 3, _>(|axis| start[axis] + t * ray[axis]);
        let above = |t: f64| {
            let p = at(t);
            p[1] - self.height(p[0], p[2])
        };
        if enter >= exit {
            return None;
        }
        if above(enter) < 0.0 {
            let p = at(enter);
            return (p[1] > BASE).then_some(Hit::Side(p));
        }
        let step = (exit - enter) / f64::from(STEPS);
        let mut before = enter;
        for i in 0..=STEPS {
            let t = enter + f64::from(i) * step;
            if t <= exit && above(t) < 0.0 {
                let mut range = [before, t];
                for _ in 0..8 {
                    let middle = 0.5 * (range[0] + range[1]);
                    range[usize::from(above(middle) < 0.0)] = middle;
                }
                return Some(Hit::Ground(at(range[1])));
            }
            before = t;
        }
        None
    }

    /// Sunlight and skylight on a place, coloured by height.
    fn shade(&self, p: [f64; 3]) -> [f64; 3] {
        let e = 2.0 / self.edge as f64;
        let slope = |dx: f64, dz: f64| {
            (self.height(p[0] + dx, p[2] + dz) - self.height(p[0] - dx, p[2] - dz)) / (2.0 * e)
        };
        let normal = [-slope(e, 0.0), 1.0, -slope(0.0, e)];
        let length = normal.iter().map(|c| c * c).sum::<f64>().sqrt();
        let lambert = (0..3).map(|axis| normal[axis] * SUN[axis]).sum::<f64>() / length;
        let t = (p[1] / 0.7 + 0.5).clamp(0.0, 1.0);
        let rock = [0.26 + 0.42 * t, 0.27 + 0.36 * t, 0.24 + 0.34 * t];
        let [sun, sky] = [
            0.95 * lambert.max(0.0),
            0.16 * (0.5 + 0.5 * normal[1] / length),
        ];
        [
            rock[0] * (1.05 * sun + 0.8 * sky),
            rock[1] * (sun + 0.95 * sky),
            rock[2] * (0.9 * sun + 1.3 * sky),
        ]
    }

    /// The height at a place, between samples bilinear, beyond the edge that of the edge.
    fn height(&self, x: f64, z: f64) -> f64 {
        let last = (self.edge - 1) as f64;
        let [u, v] = [x, z].map(|c| ((0.5 * c + 0.5) * self.edge as f64 - 0.5).clamp(0.0, last));
        let [x, y] = [u, v].map(|c| (c as usize).min(self.edge.saturating_sub(2)));
        let at = |dx: usize, dy: usize| {
            let column = (x + dx).min(self.edge - 1);
            f64::from(self.heights[(y + dy).min(self.edge - 1) * self.edge + column])
        };
        let [fx, fy] = [u - x as f64, v - y as f64];
        let row = |dy: usize| at(0, dy) + fx * (at(1, dy) - at(0, dy));
        row(0) + fy * (row(1) - row(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hill_hides_what_is_behind_it() {
        let edge = 64;
        let heights: Vec<f32> = (0..edge * edge)
            .map(|i| if i % edge < edge / 2 { 0.3 } else { -0.3 })
            .collect();
        let terrain = Terrain {
            heights: &heights,
            edge,
            yaw: 0.0,
            pitch: 30.0,
        };
        let ray = [0.0, -0.5, -0.866];
        let ground = |start| match terrain.trace(start, ray) {
            Some(Hit::Ground(p)) => p,
            other => panic!("{other:?}"),
        };
        let left = ground([-0.5, 1.5, 2.6]);
        let right = ground([0.5, 1.5, 2.6]);
        assert!((left[1] - 0.3).abs() < 1e-3 && (right[1] + 0.3).abs() < 1e-3);
        assert!(left[2] > right[2], "the higher side is met sooner");
        assert_eq!(terrain.trace([3.0, 1.5, 2.6], ray), None);
        let below = terrain.trace([-0.5, 1.0, 2.6], ray);
        assert!(matches!(below, Some(Hit::Side(_))), "{below:?}");
        assert_eq!(
            terrain.trace([-0.5, 0.3, 2.6], ray),
            None,
            "under the block"
        );
    }
}
