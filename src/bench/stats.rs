//! Medians, spreads and errors.

use bevy::math::Vec3;

/// The middle value, or the mean of the two middle ones. Nothing has the median 0.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Distance between the quartiles: half of the values lie within it.
pub fn spread(values: &[f64]) -> f64 {
    quantile(values, 0.75) - quantile(values, 0.25)
}

/// The value below which a share of all lies, interpolated between neighbours (Hyndman and Fan 1996, "Sample
/// Quantiles in Statistical Packages", definition 7).
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let position = share * last as f64;
    let (below, above) = (position.floor() as usize, position.ceil() as usize);
    sorted[below] + (sorted[above] - sorted[below]) * position.fract()
}

/// Root mean square of the difference over all pixels and channels.
pub fn rmse(a: &[Vec3], b: &[Vec3]) -> f64 {
    mean_square(a, b).sqrt()
}

/// Mean square of the difference over all pixels and channels.
pub fn mean_square(a: &[Vec3], b: &[Vec3]) -> f64 {
    let sum: f64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| f64::from(a.distance_squared(*b)))
        .sum();
    sum / (3 * a.len().max(1)) as f64
}

/// A value with the four digits that mean something.
pub fn rounded(value: f64) -> f64 {
    let digits = 3 - value.abs().max(1e-9).log10().floor() as i32;
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_frame_moves_neither_median_nor_spread() {
        let calm = [10.0, 11.0, 12.0, 13.0, 14.0];
        let disturbed = [10.0, 11.0, 12.0, 13.0, 900.0];
        assert_eq!(median(&calm), 12.0);
        assert_eq!(median(&disturbed), 12.0);
        assert_eq!(spread(&calm), 2.0);
        assert_eq!(spread(&disturbed), 2.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!((median(&[7.0]), spread(&[7.0])), (7.0, 0.0));
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn the_error_is_the_root_of_the_mean_of_squares() {
        let black = [Vec3::ZERO; 4];
        assert_eq!(rmse(&black, &black), 0.0);
        assert!((rmse(&black, &[Vec3::splat(0.25); 4]) - 0.25).abs() < 1e-7);
        // One channel of one of four pixels: sqrt(0.6^2 / 12).
        let one = [Vec3::X * 0.6, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO];
        assert!((rmse(&black, &one) - 0.03_f64.sqrt()).abs() < 1e-7);
    }

    #[test]
    fn four_digits_are_kept() {
        assert_eq!(rounded(123.456), 123.5);
        assert_eq!(rounded(0.001_234_56), 0.001_235);
        assert_eq!(rounded(0.0), 0.0);
        assert_eq!(rounded(-45_678.0), -45_680.0);
    }
}
