//! Ground truth for `shaders/march.wgsl` and the intersections of `shaders/math.wgsl`, in `f64` and in
//! closed form or by quadrature, not by the shaders' own steps.

use bevy::math::DVec3;

use super::phase::henyey_greenstein;

/// Share of light that passes a uniform medium of extinction `sigma_t` over `length` (Beer-Lambert).
pub fn transmittance(sigma_t: f64, length: f64) -> f64 {
    (-sigma_t * length).exp()
}

/// Radiance from a uniform medium that emits `emission` and absorbs `sigma_t` per unit of length, over
/// `length`: (j / σ) (1 - exp(-σ d)), which tends to j d as σ vanishes.
pub fn emitted(emission: f64, sigma_t: f64, length: f64) -> f64 {
    if sigma_t == 0.0 {
        emission * length
    } else {
        emission * -(-sigma_t * length).exp_m1() / sigma_t
    }
}

/// Where a ray enters and leaves the unit sphere, or `None` if it misses. `direction` is a unit vector.
pub fn intersect_unit_sphere(origin: DVec3, direction: DVec3) -> Option<(f64, f64)> {
    let nearest = -origin.dot(direction);
    let half_chord_squared = 1.0 - (origin + nearest * direction).length_squared();
    (half_chord_squared >= 0.0).then(|| {
        (
            nearest - half_chord_squared.sqrt(),
            nearest + half_chord_squared.sqrt(),
        )
    })
}

/// A unit sphere of uniform medium in parallel light.
#[derive(Clone, Copy, Debug)]
pub struct HomogeneousSphere {
    /// Extinction coefficient.
    pub sigma_t: f64,
    /// Single-scattering albedo.
    pub albedo: f64,
    /// Mean cosine of the scattering angle.
    pub g: f64,
    /// Unit vector towards the light, whose illuminance is 1.
    pub to_light: DVec3,
}

impl HomogeneousSphere {
    /// Radiance of light scattered exactly once into a ray, by the midpoint rule with `samples` points:
    /// ∫ T(t) σₜ a p(cos θ) exp(-σₜ s(t)) dt, where s is the way from the point to the light.
    pub fn single_scattering(&self, origin: DVec3, direction: DVec3, samples: u32) -> f64 {
        let Some((enter, exit)) = intersect_unit_sphere(origin, direction) else {
            return 0.0;
        };
        let enter = enter.max(0.0);
        let length = (exit - enter).max(0.0) / f64::from(samples);
        let phase = henyey_greenstein(direction.dot(self.to_light), self.g);
        let scattered = |i: u32| {
            let t = (f64::from(i) + 0.5) * length;
            let point = origin + (enter + t) * direction;
            let to_light =
                intersect_unit_sphere(point, self.to_light).map_or(0.0, |(_, exit)| exit);
            transmittance(self.sigma_t, t + to_light)
        };
        (0..samples).map(scattered).sum::<f64>() * length * self.sigma_t * self.albedo * phase
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen with the light behind, along a diameter, the integral has the closed form
    /// a p (1 - exp(-2 τ)) / 2.
    #[test]
    fn backscatter_along_a_diameter_has_its_closed_form() {
        let sphere = HomogeneousSphere {
            sigma_t: 3.0,
            albedo: 0.9,
            g: 0.3,
            to_light: DVec3::Z,
        };
        let got = sphere.single_scattering(5.0 * DVec3::Z, -DVec3::Z, 2000);
        let expected = 0.9 * henyey_greenstein(-1.0, 0.3) * (1.0 - (-12.0_f64).exp()) / 2.0;
        assert!(
            (got / expected - 1.0).abs() < 1e-5,
            "{got} and not {expected}"
        );
    }
}
