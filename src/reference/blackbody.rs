//! The colour of a black body.

use bevy::math::Vec3;

/// Linear Rec. 709 chromaticity of a black body of temperature `kelvin`, scaled so that the largest
/// channel is 1; channels outside the gamut are 0. Black at 0 K and below.
///
/// Planck's law under the CIE 1931 2° colour matching functions, in the analytic fit of Wyman, Sloan
/// and Shirley 2013, "Simple Analytic Approximations to the CIE XYZ Color Matching Functions", eq. 4.
pub fn chromaticity(kelvin: f32) -> Vec3 {
    if kelvin < 1.0 {
        return Vec3::ZERO;
    }
    // In f64: below 500 K Planck's exponential underflows f32 in the blue.
    let mut xyz = [0.0_f64; 3];
    for nanometre in (360..=830).step_by(5) {
        let lambda = f64::from(nanometre);
        let radiance = planck(lambda, f64::from(kelvin));
        for (sum, weight) in xyz.iter_mut().zip(matching_functions(lambda)) {
            *sum += radiance * weight;
        }
    }
    let [x, y, z] = xyz;
    let rgb = [
        3.240_454_2 * x - 1.537_138_5 * y - 0.498_531_4 * z,
        -0.969_266 * x + 1.876_010_8 * y + 0.041_556 * z,
        0.055_643_4 * x - 0.204_025_9 * y + 1.057_225_2 * z,
    ];
    let largest = rgb.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    Vec3::from_array(rgb.map(|channel| (channel / largest).max(0.0) as f32))
}

/// Spectral radiance up to a factor, relative to that at 830 nm so that cold bodies do not underflow.
fn planck(nanometre: f64, kelvin: f64) -> f64 {
    /// Second radiation constant, nm K.
    const C2: f64 = 1.438_776_877e7;
    let exponent = |lambda: f64| C2 / (lambda * kelvin);
    let relative = (exponent(830.0) - exponent(nanometre)).exp() / (1.0 - (-exponent(nanometre)).exp());
    relative / nanometre.powi(5)
}

fn matching_functions(lambda: f64) -> [f64; 3] {
    let lobe = |mean: f64, below: f64, above: f64| {
        let t = (lambda - mean) * if lambda < mean { below } else { above };
        (-0.5 * t * t).exp()
    };
    [
        1.056 * lobe(599.8, 0.0264, 0.0323) + 0.362 * lobe(442.0, 0.0624, 0.0374)
            - 0.065 * lobe(501.1, 0.0490, 0.0382),
        0.821 * lobe(568.8, 0.0213, 0.0247) + 0.286 * lobe(530.9, 0.0613, 0.0322),
        1.217 * lobe(437.0, 0.0845, 0.0278) + 0.681 * lobe(459.0, 0.0385, 0.0725),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE 1931 2° observer, tabulated functions.
    #[test]
    fn agrees_with_the_tabulated_observer() {
        for (kelvin, expected) in [
            (1000.0, Vec3::new(1.0, 0.0086, 0.0)),
            (1500.0, Vec3::new(1.0, 0.1330, 0.0)),
            (2000.0, Vec3::new(1.0, 0.2567, 0.0081)),
            (3000.0, Vec3::new(1.0, 0.4768, 0.1537)),
            (6500.0, Vec3::new(1.0, 0.9428, 0.9923)),
        ] {
            let got = chromaticity(kelvin);
            assert!(got.abs_diff_eq(expected, 0.02), "{kelvin} K: {got}, expected {expected}");
        }
    }

    #[test]
    fn is_finite_at_the_extremes() {
        for kelvin in [-5.0, 0.0, 1.0, 50.0, 1e6] {
            let color = chromaticity(kelvin);
            assert!(color.is_finite() && color.min_element() >= 0.0, "{kelvin} K: {color}");
        }
    }
}
