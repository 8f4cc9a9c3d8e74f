//! Noise to values on a grid, on all cores.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::LabParams;
use super::sheet::Field;

/// How finely a sheet is sampled, and whether anybody still wants it.
pub struct Sampler<'a> {
    /// Samples along an edge of a field.
    pub resolution: usize,
    /// Whether what takes different times on different machines may be shown.
    pub timed: bool,
    /// Set by whoever no longer wants the sheet; what is not sampled yet stays 0.
    pub cancelled: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Sampler<'static> {
    /// A sampler that nobody cancels and that gives the same on every machine.
    pub fn new(resolution: usize) -> Self {
        Self {
            resolution: resolution.max(1),
            timed: false,
            cancelled: &NEVER,
        }
    }
}

impl Sampler<'_> {
    /// A square field of `lab`'s width with its left lower corner at the lattice's origin.
    pub fn field(&self, lab: &LabParams, noise: impl Fn([f64; 2]) -> f64 + Sync) -> Field {
        self.field_at([0.0; 2], lab.width(), lab, noise)
    }

    /// A square field anywhere.
    pub fn field_at(
        &self,
        origin: [f64; 2],
        width: f64,
        lab: &LabParams,
        noise: impl Fn([f64; 2]) -> f64 + Sync,
    ) -> Field {
        self.field_over(origin, [width; 2], self.resolution, lab, noise)
    }

    /// A field of any extent, `rows` high. Its values are coloured from -1 to 1.
    pub fn field_over(
        &self,
        origin: [f64; 2],
        extent: [f64; 2],
        rows: usize,
        lab: &LabParams,
        noise: impl Fn([f64; 2]) -> f64 + Sync,
    ) -> Field {
        let size = [self.resolution, rows];
        let begun = Instant::now();
        let values = self.grid(size, |x, y| {
            let u = (x as f64 + 0.5) / size[0] as f64;
            let v = ((rows - 1 - y) as f64 + 0.5) / rows as f64;
            noise([origin[0] + u * extent[0], origin[1] + v * extent[1]]) as f32
        });
        Field {
            size,
            values,
            origin,
            extent,
            range: [-1.0, 1.0],
            map: lab.map(),
            marks: Vec::new(),
            histogram: true,
            milliseconds: self.timed.then(|| 1e3 * begun.elapsed().as_secs_f64()),
        }
    }

    /// Values by column and row, on all cores.
    pub fn grid<T: Default + Clone + Send>(
        &self,
        [width, height]: [usize; 2],
        value: impl Fn(usize, usize) -> T + Sync,
    ) -> Vec<T> {
        let mut values = vec![T::default(); width * height];
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let rows = height.div_ceil(threads).max(1);
        std::thread::scope(|scope| {
            for (band, values) in values.chunks_mut((rows * width).max(1)).enumerate() {
                let value = &value;
                scope.spawn(move || {
                    for (row, values) in values.chunks_mut(width).enumerate() {
                        if self.cancelled.load(Ordering::Relaxed) {
                            return;
                        }
                        for (x, target) in values.iter_mut().enumerate() {
                            *target = value(x, band * rows + row);
                        }
                    }
                });
            }
        });
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_as_they_say() {
        let lab = LabParams {
            scale: 4.0,
            ..Default::default()
        };
        let field = Sampler::new(8).field(&lab, |[x, y]| x + 10.0 * y);
        assert_eq!(field.value_at([0.1, 0.1]), Some(0.25 + 2.5));
        assert_eq!(field.value_at([3.9, 0.1]), Some(3.75 + 2.5));
        assert_eq!(field.value_at([0.1, 3.9]), Some(0.25 + 37.5));
    }

    #[test]
    fn a_cancelled_sampler_stops() {
        let cancelled = AtomicBool::new(true);
        let sampler = Sampler {
            resolution: 16,
            timed: false,
            cancelled: &cancelled,
        };
        let field = sampler.field(&LabParams::default(), |_| panic!("nobody wants this"));
        assert!(field.values.iter().all(|&value| value == 0.0));
    }
}
