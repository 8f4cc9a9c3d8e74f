//! The command line: `view`, `shot`, `gallery`, `lab`, `bench` and `list`.
//!
//! Every failure is one sentence on the standard error, after `error: `. The exit code is 0 if everything
//! was done, 1 if something failed, 2 if the command line or a preset is wrong.

mod bench;
mod lab;
mod list;
mod shot;

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::PresetLibrary;
use crate::capture::CaptureError;
use crate::param::preset::{PresetError, SetError};
use crate::viewer;

/// Volumetric clouds and fire: look at them, tune them, take pictures of them.
#[derive(Parser)]
#[command(name = "pyrocumulus", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Opens the window; this is also what happens without a command
    View {
        /// Preset to start with: a name from `pyrocumulus list`, or a file
        #[arg(long, value_name = "NAME|FILE")]
        preset: Option<String>,
    },
    /// Takes a picture without a window, the same bytes every time
    Shot(shot::ShotArgs),
    /// Takes a picture of every preset that ships with the program
    Gallery(shot::GalleryArgs),
    /// Takes a picture of a page of the noise lab, which shows where clouds and fire come from
    Lab(lab::LabArgs),
    /// Measures what frames cost and how far they are from the truth
    Bench(bench::BenchArgs),
    /// Draws the first preset and tells when: the process whose start-up `bench` measures
    #[command(name = crate::bench::START_UP_COMMAND, hide = true)]
    FirstPictures(bench::FirstPicturesArgs),
    /// Lists presets, and every parameter with its range, default, unit and meaning
    List {
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
}

/// Why a command did not do what it was asked to: one sentence.
#[derive(Debug)]
enum Failure {
    /// The command line or a preset is wrong.
    Usage(String),
    /// It was right, and something failed.
    Failed(String),
}

impl From<PresetError> for Failure {
    fn from(error: PresetError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<SetError> for Failure {
    fn from(error: SetError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<CaptureError> for Failure {
    fn from(error: CaptureError) -> Self {
        match error {
            CaptureError::Size { .. } | CaptureError::Pixels { .. } => {
                Self::Usage(error.to_string())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    report_panics_in_one_sentence();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(error) => explain(&error),
    }));
    match outcome {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(Failure::Usage(message))) => fail(&message, 2),
        Ok(Err(Failure::Failed(message))) => fail(&message, 1),
        // The hook has said why.
        Err(_) => ExitCode::from(1),
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    let library = PresetLibrary::open(crate::param_sets());
    match cli.command.unwrap_or(Command::View { preset: None }) {
        Command::View { preset } => view(&library, preset.as_deref()),
        Command::Shot(args) => shot::shot(&library, &args),
        Command::Gallery(args) => shot::gallery(&library, &args),
        Command::Lab(args) => lab::lab(&args),
        Command::Bench(args) => bench::bench(&library, &args),
        Command::FirstPictures(args) => bench::first_pictures(&library, &args),
        Command::List { json } => list::list(&library, json),
    }
}

fn view(library: &PresetLibrary, preset: Option<&str>) -> Result<(), Failure> {
    let preset = preset.map(|name| library.load(name)).transpose()?;
    viewer::run(preset).map_err(|error| Failure::Failed(error.to_string()))
}

fn fail(message: &str, code: u8) -> ExitCode {
    // Where nobody can be told, the exit code remains.
    let _ = writeln!(io::stderr(), "error: {message}");
    ExitCode::from(code)
}

/// Writes to the standard output. A reader that has seen enough, as in `pyrocumulus list | head`, is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Failed(format!(
            "the standard output could not be written to: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Prints the help that was asked for, or makes one sentence of clap's paragraphs.
fn explain(error: &clap::Error) -> Result<(), Failure> {
    let text = error.to_string();
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return print(&text);
    }
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty())
        .collect();
    let sentence = lines.join(" ").replace(" tip: ", "; ");
    Err(Failure::Usage(
        sentence.trim_start_matches("error: ").to_owned(),
    ))
}

/// A panic is a defect of the program or of a driver. It too ends in one sentence, without a backtrace, and
/// only the first of a chain is told.
fn report_panics_in_one_sentence() {
    static TOLD: AtomicBool = AtomicBool::new(false);
    panic::set_hook(Box::new(|info| {
        if TOLD.swap(true, Ordering::Relaxed) {
            return;
        }
        let message = info.payload_as_str().unwrap_or("unknown reason");
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let place = info
            .location()
            .map(|place| format!(" (at {place})"))
            .unwrap_or_default();
        let _ = writeln!(
            io::stderr(),
            "error: the program had to stop: {message}{place}"
        );
    }));
}
