//! Layers of gradient noise: fBm and what is made by folding it. Everything here takes points in lattice cells of the
//! coarsest layer.

use super::lattice::{Fade, Gradients, Lattice};

/// Octaves of gradient noise in space, each with a seed of its own.
#[derive(Clone)]
pub struct Layers {
    octaves: Vec<Lattice>,
    lacunarity: f64,
    gain: f64,
}

impl Layers {
    /// Octave i has `seed` + i, and is `lacunarity`ⁱ times as fine and `gain`ⁱ times as strong as the first. At least
    /// one octave.
    pub fn new(seed: u32, octaves: u32, lacunarity: f64, gain: f64) -> Self {
        let octave = |i| Lattice::new(seed.wrapping_add(i), Gradients::Edges, Fade::Quintic);
        Self {
            octaves: (0..octaves.max(1)).map(octave).collect(),
            lacunarity,
            gain,
        }
    }

    /// Fractal Brownian motion, Σ gⁱ n(lⁱ p) / Σ gⁱ: within -1.04..1.04 (Musgrave 1994, "Texturing and Modeling").
    pub fn fbm(&self, p: [f64; 3]) -> f64 {
        self.sum(p, |n| n)
    }

    /// Turbulence, Σ gⁱ |n(lⁱ p)| / Σ gⁱ: creases where the noise changes its sign (Perlin 1985); 0..1.04.
    pub fn turbulence(&self, p: [f64; 3]) -> f64 {
        self.sum(p, f64::abs)
    }

    /// Ridges, Σ gⁱ (1 − |n(lⁱ p)|)² / Σ gⁱ: the creases of turbulence turned up; 0..1.
    pub fn ridged(&self, p: [f64; 3]) -> f64 {
        self.sum(p, |n| (1.0 - n.abs()).powi(2))
    }

    /// Veins of marble, sin(2π x/`spacing` + `strength` · turbulence(p)) (Perlin 1985); -1..1.
    pub fn marble(&self, p: [f64; 3], spacing: f64, strength: f64) -> f64 {
        (std::f64::consts::TAU * p[0] / spacing + strength * self.turbulence(p)).sin()
    }

    /// f(p + w·f(p + w·f(…))), `levels` deep: fBm whose domain fBm has bent (Quilez 2002, "Domain Warping").
    pub fn warped(&self, p: [f64; 3], levels: u32, strength: f64) -> f64 {
        let mut bent = p;
        for _ in 0..levels {
            let shift = self.shift(bent);
            bent = std::array::from_fn(|axis| p[axis] + strength * shift[axis]);
        }
        self.fbm(bent)
    }

    /// Where one warp looks instead of at `p`, along x and y.
    pub fn bent(&self, p: [f64; 3], strength: f64) -> [f64; 2] {
        let shift = self.shift(p);
        [p[0] + strength * shift[0], p[1] + strength * shift[1]]
    }

    /// Where the warp takes a point from: an fBm for each of the axes x and y, far apart in the same noise.
    fn shift(&self, p: [f64; 3]) -> [f64; 3] {
        let apart = |[x, y, z]: [f64; 3], [dx, dy]: [f64; 2]| [x + dx, y + dy, z];
        [self.fbm(apart(p, WARP_X)), self.fbm(apart(p, WARP_Y)), 0.0]
    }

    fn sum(&self, p: [f64; 3], fold: impl Fn(f64) -> f64) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        let (mut frequency, mut amplitude) = (1.0, 1.0);
        for octave in &self.octaves {
            sum += amplitude * fold(octave.at(p.map(|c| c * frequency)));
            weights += amplitude;
            frequency *= self.lacunarity;
            amplitude *= self.gain;
        }
        sum / weights
    }
}

/// Where in the noise the warp along x looks, in cells.
pub const WARP_X: [f64; 2] = [5.2, 1.3];
/// The warp along y.
pub const WARP_Y: [f64; 2] = [91.7, 47.1];

#[cfg(test)]
mod tests {
    use ::noise::{Fbm, MultiFractal, NoiseFn, Perlin};

    use super::*;
    use crate::noise::hash::{pcg3d, unit};
    use crate::noise::spectra;

    fn points(count: u32) -> impl Iterator<Item = [f64; 3]> {
        (0..count).map(|i| pcg3d([i, 8, 3]).map(|word| 200.0 * f64::from(unit(word)) - 100.0))
    }

    /// The noise crate's Perlin noise without its scale. It clamps, which no test here may meet.
    fn perlin(seed: u32, p: [f64; 3]) -> f64 {
        let value = Perlin::new(seed).get(p);
        assert!(value.abs() < 1.0, "clamped at {p:?}");
        value * 3.0_f64.sqrt() / 2.0
    }

    #[test]
    fn fbm_equals_the_noise_crate() {
        for (seed, octaves, lacunarity, gain) in [
            (0, 1, 2.0, 0.5),
            (7, 5, 2.0, 0.5),
            (99, 8, 4.0, 0.7),
            (3, 6, 1.9, 0.35),
        ] {
            let ours = Layers::new(seed, octaves, lacunarity, gain);
            let oracle = Fbm::<Perlin>::new(seed)
                .set_octaves(octaves as usize)
                .set_lacunarity(lacunarity)
                .set_persistence(gain);
            // The noise crate cuts what its scale takes beyond 1; ours keeps it.
            let cut = |p: &[f64; 3]| {
                (0..octaves).any(|i| {
                    let scaled = p.map(|c| c * lacunarity.powi(i as i32));
                    Perlin::new(seed + i).get(scaled).abs() >= 1.0
                })
            };
            for p in points(500).filter(|p| !cut(p)) {
                let expected = oracle.get(p) * 3.0_f64.sqrt() / 2.0;
                assert!((ours.fbm(p) - expected).abs() < 1e-6, "seed {seed}, {p:?}");
            }
        }
    }

    #[test]
    fn folded_sums_equal_their_formulas() {
        let (seed, gain, lacunarity) = (5, 0.6, 2.1);
        let layers = Layers::new(seed, 3, lacunarity, gain);
        for p in points(500) {
            let n: Vec<f64> = (0..3)
                .map(|i| perlin(seed + i, p.map(|c| c * lacunarity.powi(i as i32))))
                .collect();
            let total = 1.0 + gain + gain * gain;
            let turbulence = (n[0].abs() + gain * n[1].abs() + gain * gain * n[2].abs()) / total;
            let ridge = |n: f64| (1.0 - n.abs()) * (1.0 - n.abs());
            let ridged = (ridge(n[0]) + gain * ridge(n[1]) + gain * gain * ridge(n[2])) / total;
            assert!((layers.turbulence(p) - turbulence).abs() < 1e-6);
            assert!((layers.ridged(p) - ridged).abs() < 1e-6);
            let marble = (std::f64::consts::TAU * p[0] / 3.0 + 4.0 * turbulence).sin();
            assert!((layers.marble(p, 3.0, 4.0) - marble).abs() < 1e-6);
        }
    }

    #[test]
    fn warps_equal_their_formula() {
        let layers = Layers::new(11, 4, 2.0, 0.5);
        let f = |x: f64, y: f64, z: f64| layers.fbm([x, y, z]);
        let w = 1.7;
        for [x, y, z] in points(300) {
            assert_eq!(layers.warped([x, y, z], 0, w), f(x, y, z));
            assert_eq!(layers.warped([x, y, z], 3, 0.0), f(x, y, z));
            let q = [f(x + 5.2, y + 1.3, z), f(x + 91.7, y + 47.1, z)];
            let once = f(x + w * q[0], y + w * q[1], z);
            assert!((layers.warped([x, y, z], 1, w) - once).abs() < 1e-9);
            let (u, v) = (x + w * q[0], y + w * q[1]);
            let r = [f(u + 5.2, v + 1.3, z), f(u + 91.7, v + 47.1, z)];
            let twice = f(x + w * r[0], y + w * r[1], z);
            assert!((layers.warped([x, y, z], 2, w) - twice).abs() < 1e-9);
        }
    }

    #[test]
    fn spectra_fall_as_theory_says() {
        for gain in [0.35, 0.5, 0.7_f64] {
            let layers = Layers::new(1, 8, 2.0, gain);
            let (n, cells) = (1024, 4.0);
            let mut lines = Vec::new();
            for line in 0..96 {
                let [y, z] = [f64::from(line) * 1.37, f64::from(line) * 0.61];
                lines.extend((0..n).map(|x| {
                    layers.fbm([(f64::from(x) + 0.5) * cells / f64::from(n), y, z]) as f32
                }));
            }
            let spectrum = spectra::of_lines(lines.chunks_exact(n as usize));
            let measured =
                spectra::slope(&spectrum, 2.0 * cells, 64.0 * cells).expect("five octaves");
            let hurst = -gain.log2();
            let theory = -(2.0 * hurst + 1.0);
            assert!(
                (measured - theory).abs() < 0.15,
                "gain {gain}: {measured} against {theory}"
            );
        }
    }

    #[test]
    fn extremes_are_finite() {
        let layers = Layers::new(u32::MAX, 8, 4.0, 1.0);
        for p in points(200).chain([[1e6; 3], [-1e6; 3], [1e-6; 3]]) {
            for value in [
                layers.fbm(p),
                layers.turbulence(p),
                layers.ridged(p),
                layers.warped(p, 3, 4.0),
            ] {
                assert!(value.is_finite() && value.abs() < 1.05, "{value} at {p:?}");
            }
        }
    }
}
