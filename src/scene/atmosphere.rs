//! A clear sky by single scattering, on the CPU.
//!
//! Rayleigh and Mie scattering and ozone absorption in a spherical atmosphere, with the coefficients of
//! Hillaire 2020, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique", table 1. Lengths
//! are in kilometres; radiance per unit of the sun's illuminance, 1/sr, linear Rec. 709.

use std::f32::consts::PI;

use bevy::math::Vec3;

const EARTH: f32 = 6360.0;
const TOP: f32 = 6460.0;
/// Height of the eye above the sea.
const EYE: f32 = EARTH + 0.2;
const RAYLEIGH: Vec3 = Vec3::new(5.802e-3, 13.558e-3, 33.1e-3);
const RAYLEIGH_HEIGHT: f32 = 8.0;
const MIE_SCATTERING: f32 = 3.996e-3;
const MIE_EXTINCTION: f32 = 4.44e-3;
const MIE_HEIGHT: f32 = 1.2;
const MIE_G: f32 = 0.8;
const OZONE: Vec3 = Vec3::new(0.650e-3, 1.881e-3, 0.085e-3);
/// Albedo of the land seen below the horizon.
const LAND: Vec3 = Vec3::new(0.055, 0.075, 0.04);
/// Share of light scattered more than once, relative to the first scattering: a stand-in chosen so
/// that the zenith of a noon sky has the luminance that CIE skies give it.
const SECOND_ORDER: f32 = 0.9;

/// Densities relative to sea level of air, aerosol and ozone at distance `r` from the centre.
fn densities(r: f32) -> (f32, f32, f32) {
    let height = (r - EARTH).max(0.0);
    let ozone = (1.0 - (height - 25.0).abs() / 15.0).max(0.0);
    (
        (-height / RAYLEIGH_HEIGHT).exp(),
        (-height / MIE_HEIGHT).exp(),
        ozone,
    )
}

fn extinction(r: f32) -> Vec3 {
    let (air, aerosol, ozone) = densities(r);
    RAYLEIGH * air + Vec3::splat(MIE_EXTINCTION * aerosol) + OZONE * ozone
}

/// Distance along a ray from radius `r` with vertical cosine `mu` to the sphere of radius `radius`.
fn distance_to(radius: f32, r: f32, mu: f32) -> Option<f32> {
    let discriminant = radius * radius - r * r * (1.0 - mu * mu);
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let near = -r * mu - root;
    let far = -r * mu + root;
    if near > 0.0 {
        Some(near)
    } else if far > 0.0 {
        Some(far)
    } else {
        None
    }
}

/// Transmittance from radius `r` towards vertical cosine `mu` to the top of the atmosphere; zero
/// behind the earth.
fn transmittance(r: f32, mu: f32, steps: u32) -> Vec3 {
    if mu < 0.0 && distance_to(EARTH, r, mu).is_some() {
        return Vec3::ZERO;
    }
    let length = distance_to(TOP, r, mu).unwrap_or(0.0);
    let mut depth = Vec3::ZERO;
    for i in 0..steps {
        // Squared spacing: most of the air is near the beginning of an upward ray.
        let (a, b) = (i as f32 / steps as f32, (i + 1) as f32 / steps as f32);
        let (begin, end) = (length * a * a, length * b * b);
        let t = 0.5 * (begin + end);
        depth += extinction((r * r + t * t + 2.0 * r * mu * t).sqrt()) * (end - begin);
    }
    (-depth).exp()
}

/// Share of sunlight that reaches the eye from a sun at this sine of elevation.
pub fn sun_transmittance(sin_elevation: f32) -> Vec3 {
    // The disc sinks behind the horizon over its own diameter of half a degree.
    let disc = ((sin_elevation + 0.0047) / 0.0093).clamp(0.0, 1.0);
    transmittance(EYE, sin_elevation.max(0.0), 32) * disc
}

fn rayleigh_phase(cos_theta: f32) -> f32 {
    3.0 / (16.0 * PI) * (1.0 + cos_theta * cos_theta)
}

/// Cornette and Shanks 1992, eq. 8.
fn mie_phase(cos_theta: f32) -> f32 {
    let g2 = MIE_G * MIE_G;
    let base = 1.0 + g2 - 2.0 * MIE_G * cos_theta;
    3.0 / (8.0 * PI) * (1.0 - g2) * (1.0 + cos_theta * cos_theta)
        / ((2.0 + g2) * base * base.sqrt())
}

/// Radiance of the sky in direction `view` per unit of the sun's illuminance above the air. Below the
/// horizon it is the land, seen through the air.
pub fn sky_radiance(view: Vec3, sun: Vec3) -> Vec3 {
    const STEPS: u32 = 20;
    let land = (view.y < 0.0)
        .then(|| distance_to(EARTH, EYE, view.y))
        .flatten();
    let length = land
        .or_else(|| distance_to(TOP, EYE, view.y))
        .unwrap_or(0.0);
    let cos_theta = view.dot(sun);
    let (rayleigh, mie) = (rayleigh_phase(cos_theta), mie_phase(cos_theta));
    let isotropic = 1.0 / (4.0 * PI);
    let mut radiance = Vec3::ZERO;
    let mut through = Vec3::ONE;
    for i in 0..STEPS {
        let (a, b) = (i as f32 / STEPS as f32, (i + 1) as f32 / STEPS as f32);
        let (begin, end) = (length * a * a, length * b * b);
        let t = 0.5 * (begin + end);
        let at = Vec3::new(0.0, EYE, 0.0) + view * t;
        let r = at.length();
        let (air, aerosol, _) = densities(r);
        let sunlight = transmittance(r, at.dot(sun) / r, 8);
        let scattering = RAYLEIGH * air + Vec3::splat(MIE_SCATTERING * aerosol);
        let first = RAYLEIGH * (air * rayleigh) + Vec3::splat(MIE_SCATTERING * aerosol * mie);
        let again = scattering * (SECOND_ORDER * isotropic) * twilight(sun.y);
        let step = (-extinction(r) * (end - begin)).exp();
        let sigma = extinction(r).max(Vec3::splat(1e-9));
        radiance += through * (first * sunlight + again) * (Vec3::ONE - step) / sigma;
        through *= step;
    }
    if land.is_some() {
        radiance += through * land_radiance(sun);
    }
    radiance
}

/// Light scattered more than once fades slower than the sun sets.
fn twilight(sin_elevation: f32) -> Vec3 {
    let t = ((sin_elevation + 0.12) / 0.32).clamp(0.0, 1.0);
    Vec3::new(0.9, 0.95, 1.0) * (t * t * (3.0 - 2.0 * t))
}

/// Radiance of the land per unit of the sun's illuminance above the air.
pub fn land_radiance(sun: Vec3) -> Vec3 {
    let direct = sun_transmittance(sun.y) * sun.y.max(0.0);
    let diffuse = 0.12 * twilight(sun.y);
    LAND * (direct + diffuse) / PI
}

/// Mean radiance of the upper hemisphere per unit of the sun's illuminance above the air.
pub fn mean_sky_radiance(sun: Vec3) -> Vec3 {
    const COUNT: u32 = 48;
    const GOLDEN_ANGLE: f32 = 2.399_963_2;
    let sum: Vec3 = (0..COUNT)
        .map(|i| {
            // Fibonacci spiral on the hemisphere: equal solid angles.
            let y = (i as f32 + 0.5) / COUNT as f32;
            let (sin, cos) = (i as f32 * GOLDEN_ANGLE).sin_cos();
            let sideways = (1.0 - y * y).sqrt();
            sky_radiance(Vec3::new(cos * sideways, y, sin * sideways), sun)
        })
        .sum();
    sum / COUNT as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sun(elevation: f32) -> Vec3 {
        let (sin, cos) = elevation.to_radians().sin_cos();
        Vec3::new(0.0, sin, cos)
    }

    #[test]
    fn the_zenith_is_blue_at_noon() {
        let zenith = sky_radiance(Vec3::Y, sun(60.0));
        assert!(zenith.z > 2.0 * zenith.x, "{zenith}");
        // A clear zenith has some 3,000 to 8,000 cd/m² under 128 klx.
        let luminance = 128e3 * zenith.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        assert!((2e3..8e3).contains(&luminance), "{luminance} cd/m²");
    }

    #[test]
    fn the_horizon_towards_a_low_sun_is_red() {
        let glow = sky_radiance(Vec3::new(0.0, 0.02, 1.0).normalize(), sun(1.0));
        assert!(glow.x > 1.5 * glow.z, "{glow}");
    }

    #[test]
    fn the_air_is_never_negative_or_infinite() {
        for elevation in [-10.0, -1.0, 0.0, 0.3, 5.0, 90.0] {
            for i in 0..64 {
                let (sin, cos) = (i as f32 / 63.0 * PI - 0.5 * PI).sin_cos();
                let radiance = sky_radiance(Vec3::new(cos, sin, 0.0), sun(elevation));
                assert!(radiance.is_finite() && radiance.min_element() >= 0.0);
            }
        }
    }
}
