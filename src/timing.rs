//! What the passes of a frame take on the graphics adapter, as Bevy's render diagnostics have it.

use std::time::Duration;

use bevy::diagnostic::{Diagnostic, DiagnosticsStore};

/// A pass that has not been measured for so long is no longer drawn.
const FORGOTTEN: Duration = Duration::from_secs(2);

/// The passes that are measured, by name, in the order of their names. Empty where the adapter has no timestamps.
pub fn gpu_passes(diagnostics: &DiagnosticsStore) -> Vec<(&str, &Diagnostic)> {
    let mut passes: Vec<_> = diagnostics
        .iter()
        .filter_map(|diagnostic| Some((pass(diagnostic.path().as_str())?, diagnostic)))
        .filter(|(_, diagnostic)| {
            diagnostic
                .measurement()
                .is_some_and(|last| last.time.elapsed() < FORGOTTEN)
        })
        .collect();
    passes.sort_by_key(|(name, _)| *name);
    passes
}

/// Time of all passes, ms, by what `of` says of each; `None` where the adapter has no timestamps.
pub fn gpu_milliseconds(
    diagnostics: &DiagnosticsStore,
    of: impl Fn(&Diagnostic) -> Option<f64>,
) -> Option<f64> {
    let times: Vec<f64> = gpu_passes(diagnostics)
        .iter()
        .filter_map(|(_, diagnostic)| of(diagnostic))
        .collect();
    (!times.is_empty()).then(|| times.iter().sum())
}

/// The name in `render/<pass>/elapsed_gpu`. What lies deeper is part of its pass.
fn pass(path: &str) -> Option<&str> {
    path.strip_prefix("render/")?
        .strip_suffix("/elapsed_gpu")
        .filter(|name| !name.contains('/'))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use bevy::diagnostic::{DiagnosticMeasurement, DiagnosticPath};

    use super::*;

    fn store(times: &[(&'static str, f64)]) -> DiagnosticsStore {
        let mut store = DiagnosticsStore::default();
        for (path, value) in times {
            let mut diagnostic = Diagnostic::new(DiagnosticPath::const_new(path));
            diagnostic.add_measurement(DiagnosticMeasurement {
                time: Instant::now(),
                value: *value,
            });
            store.add(diagnostic);
        }
        store
    }

    #[test]
    fn passes_add_up_once_each() {
        let store = store(&[
            ("render/volume_march/elapsed_gpu", 3.0),
            ("render/bloom/elapsed_gpu", 1.0),
            ("render/bloom/downsampling/elapsed_gpu", 0.75),
            ("render/bloom/elapsed_cpu", 0.1),
            ("frame_time", 16.0),
        ]);
        let passes = gpu_passes(&store);
        let names: Vec<_> = passes.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["bloom", "volume_march"]);
        assert_eq!(gpu_milliseconds(&store, Diagnostic::value), Some(4.0));
    }

    #[test]
    fn no_timestamps_are_no_time() {
        assert_eq!(
            gpu_milliseconds(
                &store(&[("render/bloom/elapsed_cpu", 0.1)]),
                Diagnostic::value
            ),
            None
        );
    }
}
