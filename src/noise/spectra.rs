//! Spectra: how the power of a noise is spread over frequencies and directions.

use std::f64::consts::{PI, TAU};

use phastft::fft_f64_dit;
use phastft::planner::Direction;

/// Mean power spectrum of lines of equal length, a power of two: entry `k` is the power at `k` cycles a line, from 0
/// up to half the length. Lines are freed of their mean and windowed (Hann), or their ends would leak into everything.
pub fn of_lines<'a>(lines: impl Iterator<Item = &'a [f32]>) -> Vec<f64> {
    let mut sum = Vec::new();
    let mut count = 0.0_f64;
    for line in lines.filter(|line| line.len().is_power_of_two() && line.len() > 2) {
        let n = line.len();
        let mean = line.iter().map(|&v| f64::from(v)).sum::<f64>() / n as f64;
        let mut re: Vec<f64> = line
            .iter()
            .enumerate()
            .map(|(i, &v)| (f64::from(v) - mean) * hann(i, n))
            .collect();
        let mut im = vec![0.0; n];
        fft_f64_dit(&mut re, &mut im, Direction::Forward);
        sum.resize(n / 2 + 1, 0.0);
        for (sum, (re, im)) in sum.iter_mut().zip(re.iter().zip(&im)) {
            *sum += (re * re + im * im) / (n * n) as f64;
        }
        count += 1.0;
    }
    sum.iter().map(|power| power / count.max(1.0)).collect()
}

fn hann(i: usize, n: usize) -> f64 {
    0.5 - 0.5 * (TAU * (i as f64 + 0.5) / n as f64).cos()
}

/// The exponent of a power law that fits a spectrum between two frequencies: the slope of log power over log
/// frequency. Each octave is one point of the fit, or the many high frequencies would outweigh the rest. `None` if
/// there are fewer than two octaves, or no power.
pub fn slope(spectrum: &[f64], from: f64, to: f64) -> Option<f64> {
    let mut points = Vec::new();
    let mut low = from;
    while 2.0 * low <= to * 1.0001 {
        let band = spectrum
            .iter()
            .enumerate()
            .filter(|(k, _)| (low..2.0 * low).contains(&(*k as f64)));
        let (sum, count) = band.fold((0.0, 0.0), |(sum, count), (_, power)| (sum + power, count + 1.0));
        if sum > 0.0 && count > 0.0 {
            points.push((low.log2(), (sum / count).log2()));
        }
        low *= 2.0;
    }
    let n = points.len() as f64;
    if n < 2.0 {
        return None;
    }
    let mean_x = points.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = points.iter().map(|p| p.1).sum::<f64>() / n;
    let covariance: f64 = points.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    Some(covariance / variance)
}

/// Power of a square field, `n` by `n` with `n` a power of two, by direction: entry `i` of `count` is the mean power
/// of waves whose direction lies `i`·180°/`count` from the x axis, of those with `low` to `high` cycles a field.
/// Their mean is 1.
pub fn by_direction(field: &[f32], n: usize, low: f64, high: f64, count: usize) -> Vec<f64> {
    let power = of_field(field, n);
    let mut sums = vec![0.0; count];
    let mut weights = vec![0.0; count];
    for (index, power) in power.iter().enumerate() {
        let [x, y] = [index % n, index / n].map(|k| if k < n / 2 { k as f64 } else { k as f64 - n as f64 });
        if !(low..high).contains(&x.hypot(y)) {
            continue;
        }
        let turn = (y.atan2(x) / PI).rem_euclid(1.0);
        let bin = (turn * count as f64).round() as usize % count;
        sums[bin] += power;
        weights[bin] += 1.0;
    }
    let by_bin: Vec<f64> = sums.iter().zip(&weights).map(|(sum, weight)| sum / f64::max(*weight, 1.0)).collect();
    let mean = by_bin.iter().sum::<f64>() / count as f64;
    by_bin.iter().map(|power| if mean > 0.0 { power / mean } else { 0.0 }).collect()
}

/// Power spectrum of a square field, zero frequency first along either axis.
fn of_field(field: &[f32], n: usize) -> Vec<f64> {
    assert!(n.is_power_of_two() && field.len() == n * n, "a square field of a power of two");
    let mean = field.iter().map(|&v| f64::from(v)).sum::<f64>() / field.len() as f64;
    let mut re: Vec<f64> = field
        .iter()
        .enumerate()
        .map(|(i, &v)| (f64::from(v) - mean) * hann(i % n, n) * hann(i / n, n))
        .collect();
    let mut im = vec![0.0; n * n];
    for _ in 0..2 {
        for (re, im) in re.chunks_exact_mut(n).zip(im.chunks_exact_mut(n)) {
            fft_f64_dit(re, im, Direction::Forward);
        }
        // Columns become rows; twice, and all is as it was.
        transpose(&mut re, n);
        transpose(&mut im, n);
    }
    re.iter().zip(&im).map(|(re, im)| re * re + im * im).collect()
}

fn transpose(field: &mut [f64], n: usize) {
    for y in 0..n {
        for x in 0..y {
            field.swap(y * n + x, x * n + y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::hash::{pcg3d, unit};

    #[test]
    fn a_wave_shows_at_its_frequency_and_direction() {
        let n = 128;
        let wave: Vec<f32> = (0..n * n)
            .map(|i| (TAU * (12.0 * (i % n) as f64 + 12.0 * (i / n) as f64) / n as f64).sin() as f32)
            .collect();
        let lines = of_lines(wave.chunks_exact(n));
        let peak = (0..lines.len()).max_by(|&a, &b| lines[a].total_cmp(&lines[b]));
        assert_eq!(peak, Some(12));
        let directions = by_direction(&wave, n, 4.0, 40.0, 8);
        let peak = (0..8).max_by(|&a, &b| directions[a].total_cmp(&directions[b]));
        assert_eq!(peak, Some(2), "45 degrees of {directions:?}");
    }

    #[test]
    fn white_noise_is_flat_and_its_sum_is_steep() {
        let white: Vec<f32> = (0..256 * 64).map(|i| unit(pcg3d([i, 0, 1])[0]) - 0.5).collect();
        let flat = slope(&of_lines(white.chunks_exact(256)), 4.0, 64.0).expect("five octaves");
        assert!(flat.abs() < 0.1, "{flat}");
        let walk: Vec<f32> = white
            .iter()
            .scan(0.0, |sum, step| {
                *sum += step;
                Some(*sum)
            })
            .collect();
        let steep = slope(&of_lines(walk.chunks_exact(256)), 4.0, 32.0).expect("four octaves");
        assert!((steep + 2.0).abs() < 0.2, "a random walk falls with the square: {steep}");
    }

    #[test]
    fn nothing_has_no_slope() {
        assert_eq!(slope(&[0.0; 65], 1.0, 64.0), None);
        assert_eq!(slope(&[1.0; 65], 10.0, 12.0), None);
        assert!(of_lines([].into_iter()).is_empty());
    }
}
