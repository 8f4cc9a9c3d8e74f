//! `pyrocumulus shot` and `pyrocumulus gallery`: pictures without a window.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Failure, print};
use crate::PresetLibrary;
use crate::capture::{Picture, Shot, Studio};
use crate::files;
use crate::param::preset::Preset;
use crate::suggest;
use crate::volume::{QualityParams, Setting};

/// What `shot` is told.
#[derive(Args)]
pub(super) struct ShotArgs {
    /// Preset to take: a name from `pyrocumulus list`, or a file [default: the first]
    #[arg(long, value_name = "NAME|FILE")]
    preset: Option<String>,
    /// PNG file to write
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    /// Pixels across and down
    #[arg(long, value_name = "WxH", default_value = "960x540", value_parser = parse_size)]
    size: (u32, u32),
    /// Time that the volume has been moving for, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = parse_seconds, allow_hyphen_values = true)]
    time: f64,
    /// Camera's angle about the vertical, in degrees
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    yaw: Option<String>,
    /// Camera's angle above the horizon, in degrees
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    pitch: Option<String>,
    /// Camera's distance from the centre, in radii
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    distance: Option<String>,
    /// Sets a parameter, such as coverage=0.8 or sun.elevation=5; may be given many times
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    set: Vec<(String, String)>,
    /// Draws neither sky nor ground, and keeps the alpha channel
    #[arg(long)]
    transparent: bool,
    /// Frames with different jitter that make the picture: more is smoother
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    frames_accumulated: u32,
    /// How much work goes into it: low, medium, high, ultra, or reference, the plain march of every pixel
    #[arg(long, value_name = "NAME", default_value = "reference", value_parser = parse_quality)]
    quality: Setting,
}

/// What `gallery` is told.
#[derive(Args)]
pub(super) struct GalleryArgs {
    /// Folder to write to; it is made if it does not exist
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// Pixels across and down of each picture
    #[arg(long, value_name = "WxH", default_value = "640x360", value_parser = parse_size)]
    size: (u32, u32),
    /// Frames with different jitter that make the picture: more is smoother
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=4096))]
    frames_accumulated: u32,
    /// How much work goes into it: low, medium, high, ultra, or reference, the plain march of every pixel
    #[arg(long, value_name = "NAME", default_value = "reference", value_parser = parse_quality)]
    quality: Setting,
}

/// Takes one picture.
pub(super) fn shot(library: &PresetLibrary, args: &ShotArgs) -> Result<(), Failure> {
    // Everything that can be wrong is found before the renderer starts.
    let preset = dressed_preset(library, args)?;
    check_target(&args.out, "png")?;
    let mut studio = open_studio()?;
    studio
        .world()
        .insert_resource(QualityParams::of(args.quality));
    let shot = Shot {
        size: args.size,
        seconds: args.time,
        frames: args.frames_accumulated,
    };
    let picture = photograph(&mut studio, &preset, &shot)?;
    picture.save_png(&args.out, args.transparent)?;
    print(&format!("{}\n", args.out.display()))
}

/// Takes a picture of every shipped preset.
pub(super) fn gallery(library: &PresetLibrary, args: &GalleryArgs) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.out).map_err(|error| unwritable(&args.out, &error))?;
    check_folder(&args.out)?;
    let mut studio = open_studio()?;
    studio
        .world()
        .insert_resource(QualityParams::of(args.quality));
    let shot = Shot {
        size: args.size,
        seconds: 0.0,
        frames: args.frames_accumulated,
    };
    for entry in library.entries().iter().filter(|entry| entry.shipped) {
        let path = args.out.join(&entry.stem).with_extension("png");
        photograph(&mut studio, &library.load_entry(entry)?, &shot)?.save_png(&path, false)?;
        print(&format!("{}\n", path.display()))?;
    }
    Ok(())
}

fn open_studio() -> Result<Studio, Failure> {
    name_runtime_folder();
    Ok(Studio::new()?)
}

/// Starts the program anew with `XDG_RUNTIME_DIR` set, if it is not.
///
/// Mesa's Vulkan driver looks for a Wayland display on its own account, and the Wayland library complains on the
/// standard error where that variable is missing, as it is on servers.
#[cfg(all(unix, not(target_os = "macos")))]
pub(super) fn name_runtime_folder() {
    use std::os::unix::process::CommandExt;
    const VARIABLE: &str = "XDG_RUNTIME_DIR";
    if std::env::var_os(VARIABLE).is_none()
        && let Ok(program) = std::env::current_exe()
    {
        // It returns only if it fails, and then the picture comes with the complaint.
        let _ = std::process::Command::new(program)
            .args(std::env::args_os().skip(1))
            .env(VARIABLE, std::env::temp_dir())
            .exec();
    }
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
pub(super) fn name_runtime_folder() {}

fn photograph(studio: &mut Studio, preset: &Preset, shot: &Shot) -> Result<Picture, Failure> {
    preset.apply(studio.world());
    Ok(studio.take(shot)?)
}

/// The preset with everything that the command line changes about it.
fn dressed_preset(library: &PresetLibrary, args: &ShotArgs) -> Result<Preset, Failure> {
    let mut preset = match (&args.preset, library.entries().first()) {
        (Some(wanted), _) => library.load(wanted)?,
        (None, Some(first)) => library.load_entry(first)?,
        (None, None) => return Err(Failure::Usage("there is no preset".to_owned())),
    };
    for (name, value) in [
        ("camera.yaw", &args.yaw),
        ("camera.pitch", &args.pitch),
        ("camera.distance", &args.distance),
    ] {
        if let Some(value) = value {
            preset.set(name, value)?;
        }
    }
    for (name, value) in &args.set {
        preset.set(name, value)?;
    }
    if args.transparent {
        preset.set("stage.background", "none")?;
    }
    Ok(preset)
}

/// Finds out whether a picture can be written, without writing it.
pub(super) fn check_target(target: &Path, ending: &str) -> Result<(), Failure> {
    if !target
        .extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(ending))
    {
        return Err(Failure::Usage(format!(
            "{} does not end with .{ending}",
            target.display()
        )));
    }
    files::check_replaceable(target).map_err(|error| unwritable(target, &error))?;
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => check_folder(folder),
        _ => check_folder(Path::new(".")),
    }
}

fn check_folder(folder: &Path) -> Result<(), Failure> {
    tempfile::tempfile_in(folder)
        .map(drop)
        .map_err(|error| unwritable(folder, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{} cannot be written to: {error}", path.display()))
}

/// `WIDTHxHEIGHT`.
pub(super) fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let size = text
        .split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match size {
        Some((0, _) | (_, 0)) => Err("width and height start at 1".to_owned()),
        Some(size) => Ok(size),
        None => Err("expected width and height in pixels, such as 960x540".to_owned()),
    }
}

/// A setting that draws without a window.
pub(super) fn parse_quality(text: &str) -> Result<Setting, String> {
    match Setting::from_name(text) {
        Some(Setting::Auto) => {
            Err("auto holds the frame time of a window, and there is none".to_owned())
        }
        Some(setting) => Ok(setting),
        None => Err(format!(
            "expected low, medium, high, ultra or reference{}",
            suggest::hint(text, Setting::NAMES)
        )),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite())
        .ok_or_else(|| "expected a number of seconds".to_owned())
}

pub(super) fn parse_setting(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .ok_or_else(|| "expected NAME=VALUE, such as coverage=0.8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_but_auto_draws_without_a_window() {
        for setting in Setting::ALL {
            let expected = (setting != Setting::Auto).then_some(setting);
            assert_eq!(parse_quality(setting.name()).ok(), expected);
        }
        let refused = parse_quality("hihg").unwrap_err();
        assert!(refused.contains("did you mean \"high\"?"), "{refused}");
    }

    #[test]
    fn sizes_are_two_positive_numbers() {
        assert_eq!(parse_size("160x90"), Ok((160, 90)));
        for text in [
            "0x90",
            "160x0",
            "160",
            "x",
            "-1x5",
            "1.5x2",
            "99999999999x1",
            "",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
