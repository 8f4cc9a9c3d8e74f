//! `pyrocumulus bench`: what frames cost and how far they are from the truth.

use std::io::Write;

use clap::Args;

use super::shot::{name_runtime_folder, parse_quality, parse_size};
use super::{Failure, print};
use crate::PresetLibrary;
use crate::bench::{BenchError, Plan, draw_first_pictures, run};
use crate::param::preset::Preset;
use crate::volume::Setting;

/// What `bench` is told.
#[derive(Args)]
#[command(after_long_help = EXPLANATION)]
pub(super) struct BenchArgs {
    /// Preset to measure: a name from `pyrocumulus list`, or a file; may be given many times [default: all shipped]
    #[arg(long, value_name = "NAME|FILE")]
    preset: Vec<String>,
    /// Quality to measure: low, medium, high, ultra or reference; may be given many times [default: all but reference]
    #[arg(long, value_name = "NAME", value_parser = parse_quality)]
    quality: Vec<Setting>,
    /// Pixels across and down, or along each edge
    #[arg(long, value_name = "WxH|N", default_value = "512", value_parser = parse_square)]
    size: (u32, u32),
    /// Least number of frames that a median is taken of
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(15..=99))]
    frames: u32,
    /// Writes JSON
    #[arg(long, conflicts_with = "table")]
    json: bool,
    /// Writes the Markdown of docs/performance.md, and measures what steps, coverage and pixels cost, too
    #[arg(long)]
    table: bool,
}

const EXPLANATION: &str = "\
Each quality is compared with the brute march: 64 equal steps with 6 light steps each, everything evaluated at
every step. Both take turns in the same run. Times are of whole frames, from the start of the program's work to the
end of the adapter's, with nothing but the volume on stage; the median counts, and the spread is the distance between
the quartiles.

Errors are root mean squares of linear colour, 0 to 1, after the preset's own tone mapping, against the reference with
512 steps and 64 light steps, averaged over 2 to 16 frames of different jitter, until the standard error is below
0.0005. Modes: still is a single frame without history; accumulated is the 64th frame of a still view; moving is a
camera that has orbited at half a degree a frame for 24 frames, against the truth of the view where it is.

Field, empty volume and pixels are measured with the first preset of the list and medium quality; start-up and memory in
processes of their own. All presets at 512x512 take some 20 minutes on two cores without a GPU.";

/// What `first-pictures` is told.
#[derive(Args)]
pub(super) struct FirstPicturesArgs {
    /// Pixels across and down
    #[arg(long, value_parser = parse_size)]
    size: (u32, u32),
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Capture(error) => error.into(),
            BenchError::StartUp(_) => Self::Failed(error.to_string()),
        }
    }
}

/// Measures and reports.
pub(super) fn bench(library: &PresetLibrary, args: &BenchArgs) -> Result<(), Failure> {
    let plan = Plan {
        presets: presets(library, &args.preset)?,
        settings: if args.quality.is_empty() {
            vec![Setting::Low, Setting::Medium, Setting::High, Setting::Ultra]
        } else {
            args.quality.clone()
        },
        size: args.size,
        frames: args.frames as usize,
        probe: first(library)?,
        costs: args.table,
    };
    name_runtime_folder();
    let report = run(&plan, &mut |step| {
        // Progress that nobody can read is no failure.
        let _ = writeln!(std::io::stderr(), "{step}");
    })?;
    print(&if args.json {
        format!("{:#}\n", serde_json::json!(report))
    } else if args.table {
        report.to_markdown()
    } else {
        report.to_text()
    })
}

/// Draws the first preset and tells when: the process whose start-up `bench` measures.
pub(super) fn first_pictures(
    library: &PresetLibrary,
    args: &FirstPicturesArgs,
) -> Result<(), Failure> {
    let mut outcome = Ok(());
    draw_first_pictures(&first(library)?, args.size, &mut |line| {
        if outcome.is_ok() {
            outcome = print(&format!("{line}\n"));
        }
    })?;
    outcome
}

/// The presets asked for, and their names.
fn presets(library: &PresetLibrary, wanted: &[String]) -> Result<Vec<(String, Preset)>, Failure> {
    if wanted.is_empty() {
        let shipped = library.entries().iter().filter(|entry| entry.shipped);
        return shipped
            .map(|entry| Ok((entry.stem.clone(), library.load_entry(entry)?)))
            .collect();
    }
    let load = |name: &String| Ok((name.clone(), library.load(name)?));
    wanted.iter().map(load).collect()
}

fn first(library: &PresetLibrary) -> Result<Preset, Failure> {
    let Some(entry) = library.entries().first() else {
        return Err(Failure::Usage("there is no preset".to_owned()));
    };
    Ok(library.load_entry(entry)?)
}

/// `WIDTHxHEIGHT`, or the edge of a square.
fn parse_square(text: &str) -> Result<(u32, u32), String> {
    match text.parse() {
        Ok(0) => Err("width and height start at 1".to_owned()),
        Ok(edge) => Ok((edge, edge)),
        Err(_) => parse_size(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_is_a_square() {
        assert_eq!(parse_square("512"), Ok((512, 512)));
        assert_eq!(parse_square("160x90"), Ok((160, 90)));
        assert!(parse_square("0").is_err() && parse_square("big").is_err());
    }
}
