//! The colour of a black body.

use bevy::math::Vec3;

/// Linear Rec. 709 chromaticity of a black body of temperature `kelvin`, scaled so that the largest
/// channel is 1; channels outside the gamut are 0. Black below 1 K.
///
/// Planck's law under the CIE 1931 2° colour matching functions. Their analytic fits are too coarse in
/// the far red, which is all that a body below 1500 K has.
pub fn chromaticity(kelvin: f32) -> Vec3 {
    if kelvin < 1.0 {
        return Vec3::ZERO;
    }
    // In f64: below 500 K Planck's exponential underflows f32 in the blue.
    let mut xyz = [0.0_f64; 3];
    for (i, weights) in OBSERVER.iter().enumerate() {
        let radiance = planck(FIRST_NANOMETRE + STEP * i as f64, f64::from(kelvin));
        for (sum, weight) in xyz.iter_mut().zip(weights) {
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
    let relative =
        (exponent(830.0) - exponent(nanometre)).exp() / (1.0 - (-exponent(nanometre)).exp());
    relative / nanometre.powi(5)
}

/// Wavelength of the first row of [`OBSERVER`], and the distance of the rows.
const FIRST_NANOMETRE: f64 = 380.0;
const STEP: f64 = 10.0;

/// CIE 1931 2° colour matching functions x, y, z (CIE 15:2004, table T.4).
const OBSERVER: [[f64; 3]; 40] = [
    [0.0014, 0.0000, 0.0065],
    [0.0042, 0.0001, 0.0201],
    [0.0143, 0.0004, 0.0679],
    [0.0435, 0.0012, 0.2074],
    [0.1344, 0.0040, 0.6456],
    [0.2839, 0.0116, 1.3856],
    [0.3483, 0.0230, 1.7471],
    [0.3362, 0.0380, 1.7721],
    [0.2908, 0.0600, 1.6692],
    [0.1954, 0.0910, 1.2876],
    [0.0956, 0.1390, 0.8130],
    [0.0320, 0.2080, 0.4652],
    [0.0049, 0.3230, 0.2720],
    [0.0093, 0.5030, 0.1582],
    [0.0633, 0.7100, 0.0782],
    [0.1655, 0.8620, 0.0422],
    [0.2904, 0.9540, 0.0203],
    [0.4334, 0.9950, 0.0087],
    [0.5945, 0.9950, 0.0039],
    [0.7621, 0.9520, 0.0021],
    [0.9163, 0.8700, 0.0017],
    [1.0263, 0.7570, 0.0011],
    [1.0622, 0.6310, 0.0008],
    [1.0026, 0.5030, 0.0003],
    [0.8544, 0.3810, 0.0002],
    [0.6424, 0.2650, 0.0000],
    [0.4479, 0.1750, 0.0000],
    [0.2835, 0.1070, 0.0000],
    [0.1649, 0.0610, 0.0000],
    [0.0874, 0.0320, 0.0000],
    [0.0468, 0.0170, 0.0000],
    [0.0227, 0.0082, 0.0000],
    [0.0114, 0.0041, 0.0000],
    [0.0058, 0.0021, 0.0000],
    [0.0029, 0.0010, 0.0000],
    [0.0014, 0.0005, 0.0000],
    [0.0007, 0.0002, 0.0000],
    [0.0003, 0.0001, 0.0000],
    [0.0002, 0.0001, 0.0000],
    [0.0001, 0.0000, 0.0000],
];

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
            assert!(
                got.abs_diff_eq(expected, 0.005),
                "{kelvin} K: {got}, expected {expected}"
            );
        }
    }

    #[test]
    fn is_finite_at_the_extremes() {
        for kelvin in [-5.0, 0.0, 1.0, 50.0, 1e6] {
            let color = chromaticity(kelvin);
            assert!(
                color.is_finite() && color.min_element() >= 0.0,
                "{kelvin} K: {color}"
            );
        }
    }
}
