//! What was measured, as JSON, as a table and as Markdown.

use std::fmt::Write;

use serde::{Serialize, Serializer};

use super::bake::BakeTimes;
use super::stats::{median, rounded, spread};
use super::{BRUTE_LIGHT_STEPS, BRUTE_STEPS, Mode, PROBE, PageTime};
use crate::volume::Setting;

/// Everything that `bench` measures.
#[derive(Serialize, Clone, Debug)]
pub struct Report {
    /// Name of the graphics adapter.
    pub adapter: String,
    /// Every preset with every setting in every mode.
    pub rows: Vec<Row>,
    /// What the field costs while the wind blows.
    pub field: FieldCost,
    /// What the noise costs.
    pub bake: BakeTimes,
    /// What the pages of the noise lab cost.
    pub lab: Vec<PageTime>,
    /// How soon there is a picture.
    pub startup: StartUp,
    /// A frame with a cloud of coverage 0, relative to one without a cloud.
    pub empty: Ratio,
    /// How time grows with pixels.
    pub pixels: Vec<SizeTime>,
    /// Most memory that a process had which drew one preset, in megabytes.
    pub peak_memory_mb: Option<f64>,
    /// What steps, coverage and pixels cost, if asked for.
    #[serde(skip)]
    pub costs: Vec<Cost>,
}

/// One setting against the brute march.
#[derive(Serialize, Clone, Debug)]
pub struct Row {
    /// The preset.
    pub preset: String,
    /// The setting.
    pub quality: &'static str,
    /// Name of the [`Mode`].
    pub mode: &'static str,
    /// Pixels across and down, written as on the command line.
    #[serde(serialize_with = "size_as_on_the_command_line")]
    pub size: (u32, u32),
    /// Median time of a frame.
    pub ms: f64,
    /// Distance between the quartiles of that time.
    pub ms_spread: f64,
    /// Error against the converged reference.
    pub rmse: f64,
    /// Median time of the brute march.
    pub brute_ms: f64,
    /// Error of the brute march.
    pub brute_rmse: f64,
    /// How many times longer the brute march takes.
    pub ratio: f64,
}

impl Row {
    /// Compares the times of frames in milliseconds.
    pub fn new(
        preset: &str,
        setting: Setting,
        mode: Mode,
        size: (u32, u32),
        times: &[f64],
        rmse: f64,
        brute_times: &[f64],
        brute_rmse: f64,
    ) -> Self {
        let (ms, brute_ms) = (median(times), median(brute_times));
        Self {
            preset: preset.to_owned(),
            quality: setting.name(),
            mode: mode.name(),
            size,
            ms: rounded(ms),
            ms_spread: rounded(spread(times)),
            rmse: rounded(rmse),
            brute_ms: rounded(brute_ms),
            brute_rmse: rounded(brute_rmse),
            ratio: rounded(brute_ms / ms),
        }
    }
}

/// A number for a square, and otherwise `WxH`.
fn size_as_on_the_command_line<S: Serializer>(
    &(width, height): &(u32, u32),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if width == height {
        serializer.serialize_u32(width)
    } else {
        serializer.collect_str(&format_args!("{width}x{height}"))
    }
}

/// What rebuilding the field costs.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct FieldCost {
    /// Milliseconds a frame.
    pub ms: f64,
    /// Share of the frame's time.
    pub share: f64,
}

/// From the start of the process to its pictures.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct StartUp {
    /// The first picture, whose noise may be coarse.
    pub first_picture_ms: f64,
    /// The first picture with the full noise.
    pub full_picture_ms: f64,
}

/// One time relative to another.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Ratio {
    /// Their ratio.
    pub ratio: f64,
}

/// Time of a square picture.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct SizeTime {
    /// Pixels along an edge.
    pub size: u32,
    /// Median time of a frame.
    pub ms: f64,
}

/// Time at one value of something.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// What has the value.
    pub of: &'static str,
    /// The value.
    pub value: f32,
    /// Median time of a frame with [`PROBE`].
    pub ms: f64,
    /// Median time of the brute march.
    pub brute_ms: f64,
}

impl Report {
    /// A table for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n\n", self.adapter);
        text += "preset                  quality    mode          size        ms  spread    brute  ratio     rmse    brute\n";
        for row in &self.rows {
            let (width, height) = row.size;
            let _ = writeln!(
                text,
                "{:<23} {:<10} {:<12} {:>9} {:>7.2} {:>7.2} {:>8.2} {:>6.2} {:>8.5} {:>8.5}",
                row.preset,
                row.quality,
                row.mode,
                format!("{width}x{height}"),
                row.ms,
                row.ms_spread,
                row.brute_ms,
                row.ratio,
                row.rmse,
                row.brute_rmse,
            );
        }
        text += "\n";
        for (what, value) in self.summary() {
            let _ = writeln!(text, "{what:<58} {value}");
        }
        text
    }

    /// Markdown for `docs/performance.md`.
    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "{}. Times are medians in milliseconds, ± the distance between the quartiles. \"Brute\" is the march of \
             {BRUTE_STEPS} equal steps with {BRUTE_LIGHT_STEPS} light steps each.\n\n",
            machine(&self.adapter)
        );
        text +=
            "| preset | quality | mode | ms | brute ms | times faster | error | brute's error |\n";
        text += "|---|---|---|---:|---:|---:|---:|---:|\n";
        for row in &self.rows {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {:.1} ± {:.1} | {:.1} | {:.1} | {:.4} | {:.4} |",
                row.preset,
                row.quality,
                row.mode,
                row.ms,
                row.ms_spread,
                row.brute_ms,
                row.ratio,
                row.rmse,
                row.brute_rmse,
            );
        }
        text += "\n| | |\n|---|---:|\n";
        for (what, value) in self.summary() {
            let _ = writeln!(text, "| {what} | {value} |");
        }
        let mut of = "";
        for cost in &self.costs {
            if cost.of != of {
                of = cost.of;
                let _ = writeln!(
                    text,
                    "\n| {of} | {} ms | brute ms |\n|---:|---:|---:|",
                    PROBE.name()
                );
            }
            let _ = writeln!(
                text,
                "| {} | {:.1} | {:.1} |",
                cost.value, cost.ms, cost.brute_ms
            );
        }
        text
    }

    /// What is beside the rows: a description and a value each.
    fn summary(&self) -> Vec<(String, String)> {
        let line = |what: &str, value: String| (what.to_owned(), value);
        let mut lines = vec![
            line(
                "field, while the wind blows",
                format!(
                    "{:.2} ms, {:.0}% of a frame",
                    self.field.ms,
                    100.0 * self.field.share
                ),
            ),
            line(
                "noise bake",
                format!("{:.0} ms on {} threads", self.bake.ms, self.bake.threads),
            ),
            line(
                "the same voxel by voxel with the noise crate",
                format!(
                    "{:.0} ms, {:.1} times as long",
                    self.bake.noise_crate_ms, self.bake.ratio
                ),
            ),
            line(
                "start to first picture",
                format!("{:.0} ms", self.startup.first_picture_ms),
            ),
            line(
                "start to full picture",
                format!("{:.0} ms", self.startup.full_picture_ms),
            ),
            line(
                "frame with an empty cloud, relative to one without a cloud",
                format!("{:.2}", self.empty.ratio),
            ),
        ];
        for SizeTime { size, ms } in &self.pixels {
            lines.push(line(
                &format!("{size}x{size} pixels with {}", PROBE.name()),
                format!("{ms:.1} ms"),
            ));
        }
        for PageTime { page, ms } in &self.lab {
            let what = format!(
                "page {page} of the lab, fields of {0}x{0}",
                super::lab::SAMPLES
            );
            lines.push(line(&what, format!("{ms:.0} ms")));
        }
        if let Some(megabytes) = self.peak_memory_mb {
            lines.push(line("peak memory", format!("{megabytes:.0} MB")));
        }
        lines
    }
}

/// Adapter, processor and operating system.
fn machine(adapter: &str) -> String {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
    let processor = processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!(
        "{adapter}; {processor}, {threads} threads; {}",
        std::env::consts::OS
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_as_they_are_given() {
        let json = |size| {
            let row = Row::new(
                "storm",
                Setting::High,
                Mode::Still,
                size,
                &[2.0],
                0.1,
                &[8.0],
                0.2,
            );
            serde_json::to_value(&row).unwrap()
        };
        assert_eq!(json((512, 512))["size"], 512);
        assert_eq!(json((160, 90))["size"], "160x90");
        assert_eq!(json((1, 1))["ratio"], 4.0);
    }
}
