//! From the start of the program to its pictures, and the memory that takes.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::stats::{median, rounded};
use super::{BenchError, PROBE, StartUp};
use crate::capture::{CaptureError, Studio};
use crate::param::preset::Preset;
use crate::volume::QualityParams;

/// Starts that the medians are taken of.
const STARTS: usize = 3;

/// The line after the first picture, whose noise may be coarse.
const FIRST: &str = "first";
/// The line after the picture with the full noise.
const FULL: &str = "full";
/// Start of the line with the most megabytes that the process had in memory.
const MEMORY: &str = "memory";

/// The command of [`draw_first_pictures`].
pub const START_UP_COMMAND: &str = "first-pictures";

/// Starts the program a few times and watches it. Also gives the most megabytes that it had in memory, where the
/// system keeps account of it.
pub(super) fn measure(size: (u32, u32)) -> Result<(StartUp, Option<f64>), BenchError> {
    let (mut first, mut full, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let start = Instant::now();
        let failed = |error: std::io::Error| BenchError::StartUp(error.to_string());
        let mut child = Command::new(std::env::current_exe().map_err(failed)?)
            .args([
                START_UP_COMMAND,
                "--size",
                &format!("{}x{}", size.0, size.1),
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        if let Some(lines) = child.stdout.take() {
            for line in BufReader::new(lines).lines() {
                let line = line.map_err(failed)?;
                let milliseconds = 1e3 * start.elapsed().as_secs_f64();
                match line.split_once(' ').unwrap_or((&line, "")) {
                    (FIRST, _) => first.push(milliseconds),
                    (FULL, _) => full.push(milliseconds),
                    (MEMORY, megabytes) => memory.extend(megabytes.parse::<f64>()),
                    _ => (),
                }
            }
        }
        let status = child.wait().map_err(failed)?;
        if !status.success() || first.len() != full.len() || full.is_empty() {
            return Err(BenchError::StartUp(format!(
                "the program ended with {status}"
            )));
        }
    }
    let times = StartUp {
        first_picture_ms: rounded(median(&first)),
        full_picture_ms: rounded(median(&full)),
    };
    Ok((
        times,
        (!memory.is_empty()).then(|| rounded(median(&memory))),
    ))
}

/// Draws a preset as soon as possible and again with the full noise, and tells `say` when: what a process does
/// whose start-up is measured.
///
/// # Errors
/// If the renderer fails.
pub fn draw_first_pictures(
    preset: &Preset,
    size: (u32, u32),
    say: &mut dyn FnMut(&str),
) -> Result<(), CaptureError> {
    let mut studio = Studio::new()?;
    studio.world().insert_resource(QualityParams::of(PROBE));
    preset.apply(studio.world());
    studio.draw_until_compiled(size)?;
    say(FIRST);
    studio.draw_until_baked()?;
    say(FULL);
    if let Some(megabytes) = peak_memory() {
        say(&format!("{MEMORY} {megabytes}"));
    }
    Ok(())
}

/// The most megabytes of physical memory that this process had, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}
