//! Spectra: how the power of a noise is spread over frequencies.

use std::f64::consts::TAU;

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
            .map(|(k, &power)| [k as f64, power])
            .filter(|&[k, power]| (low..2.0 * low).contains(&k) && power > 0.0);
        let (x, y, count) = band.fold((0.0, 0.0, 0.0), |(x, y, count), [k, power]| {
            (x + k.log2(), y + power.log2(), count + 1.0)
        });
        if count > 0.0 {
            points.push((x / count, y / count));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::hash::{pcg3d, unit};

    #[test]
    fn a_wave_shows_at_its_frequency() {
        let n = 128;
        let wave: Vec<f32> = (0..n * n)
            .map(|i| {
                (TAU * (12.0 * (i % n) as f64 + 12.0 * (i / n) as f64) / n as f64).sin() as f32
            })
            .collect();
        let lines = of_lines(wave.chunks_exact(n));
        let peak = (0..lines.len()).max_by(|&a, &b| lines[a].total_cmp(&lines[b]));
        assert_eq!(peak, Some(12));
    }

    #[test]
    fn white_noise_is_flat_and_its_sum_is_steep() {
        let white: Vec<f32> = (0..256 * 64)
            .map(|i| unit(pcg3d([i, 0, 1])[0]) - 0.5)
            .collect();
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
        assert!(
            (steep + 2.0).abs() < 0.2,
            "a random walk falls with the square: {steep}"
        );
    }

    #[test]
    fn nothing_has_no_slope() {
        assert_eq!(slope(&[0.0; 65], 1.0, 64.0), None);
        assert_eq!(slope(&[1.0; 65], 10.0, 12.0), None);
        assert!(of_lines([].into_iter()).is_empty());
    }
}
