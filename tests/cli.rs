//! The command line as a user meets it: files, bytes, exit codes, sentences.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in `folder`, which is also its home.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments)
        .output()
        .expect("the program starts")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pyrocumulus"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("RUST_LOG")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    command
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    // The driver may keep its shader cache in the home folder.
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.'))
        .collect()
}

/// Asserts that the command fails with this code and one sentence that contains `words`, and writes no file.
#[track_caller]
fn assert_fails(folder: &Path, arguments: &[&str], code: i32, words: &str) {
    let before = names_in(folder);
    let output = run(folder, arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    assert!(
        stderr.starts_with("error: ") && stderr.contains(words),
        "{arguments:?}: {stderr}"
    );
    assert_eq!(stderr.lines().count(), 1, "one sentence: {stderr}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(names_in(folder), before, "nothing is written");
}

fn png(path: &Path) -> image::RgbaImage {
    image::open(path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .into_rgba8()
}

const SMALL: [&str; 4] = ["--size", "96x54", "--frames-accumulated", "1"];

fn shot(folder: &Path, out: &str, more: &[&str]) -> Output {
    let arguments = [&["shot", "--out", out], SMALL.as_slice(), more].concat();
    let output = run(folder, &arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && stderr.is_empty(),
        "{more:?}: {stderr}"
    );
    output
}

#[test]
fn wrong_use_is_one_sentence_and_exit_code_2() {
    let folder = folder();
    std::fs::write(
        folder.path().join("bad.ron"),
        "(\n format: 1,\n cloud: (\n  coverage: 7,\n ),\n)",
    )
    .unwrap();
    std::fs::create_dir(folder.path().join("folder.ron")).unwrap();
    let deep = format!("(format: 1, cloud: {}", "(".repeat(20_000));
    std::fs::write(folder.path().join("deep.ron"), deep).unwrap();
    for (arguments, words) in [
        (vec!["shot"], "--out"),
        (vec!["shto"], "'shot'"),
        (vec!["shot", "--out", "a.jpg"], ".png"),
        (
            vec!["shot", "--out", "a.png", "--size", "0x90"],
            "start at 1",
        ),
        (vec!["shot", "--out", "a.png", "--size", "big"], "960x540"),
        (vec!["shot", "--out", "a.png", "--time", "NaN"], "seconds"),
        (
            vec!["shot", "--out", "a.png", "--quality", "auto"],
            "there is none",
        ),
        (
            vec!["gallery", "--quality", "hihg"],
            "did you mean \"high\"",
        ),
        (
            vec!["shot", "--out", "a.png", "--preset", "candel"],
            "did you mean \"candle\"",
        ),
        (
            vec!["shot", "--out", "a.png", "--preset", "missing.ron"],
            "missing.ron",
        ),
        (
            vec!["shot", "--out", "a.png", "--preset", "bad.ron"],
            "bad.ron:4: cloud.coverage: expected a number from 0 to 1, found 7",
        ),
        (
            vec!["shot", "--out", "a.png", "--set", "covrage=0.5"],
            "did you mean \"coverage\"",
        ),
        (
            vec!["shot", "--out", "a.png", "--set", "coverage=7"],
            "from 0 to 1, found 7",
        ),
        (
            vec!["shot", "--out", "a.png", "--set", "coverage"],
            "NAME=VALUE",
        ),
        (
            vec!["shot", "--out", "a.png", "--yaw", "500"],
            "from -180 to 180",
        ),
        (
            vec!["shot", "--out", "a.png", "--preset", "folder.ron"],
            "it is not a file",
        ),
        (
            vec!["shot", "--out", "a.png", "--preset", "deep.ron"],
            "deep.ron:1: cloud: brackets are nested too deep",
        ),
        (
            vec!["view", "--preset", "nothing like it"],
            "there is no preset",
        ),
    ] {
        assert_fails(folder.path(), &arguments, 2, words);
    }
}

#[test]
fn what_cannot_be_done_is_one_sentence_and_exit_code_1() {
    let folder = folder();
    std::fs::write(folder.path().join("file"), "").unwrap();
    assert_fails(
        folder.path(),
        &["shot", "--out", "no/folder/a.png"],
        1,
        "cannot be written",
    );
    assert_fails(
        folder.path(),
        &["shot", "--out", "file/a.png"],
        1,
        "cannot be written",
    );
    assert_fails(
        folder.path(),
        &["gallery", "--out", "file"],
        1,
        "cannot be written",
    );
    assert_fails(folder.path(), &["view"], 1, "no display");
    assert_fails(folder.path(), &[], 1, "no display");
}

#[test]
fn without_a_driver_the_sentence_says_what_to_install() {
    let folder = folder();
    let output = command(folder.path(), &["shot", "--out", "a.png"])
        .env("VK_ICD_FILENAMES", "/nonexistent")
        .env("VK_DRIVER_FILES", "/nonexistent")
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("no graphics adapter") && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert!(names_in(folder.path()).is_empty());
}

#[test]
fn a_size_beyond_the_adapter_is_wrong_use() {
    let folder = folder();
    assert_fails(
        folder.path(),
        &["shot", "--out", "a.png", "--size", "999999x9"],
        2,
        "999999x9",
    );
    let arguments = ["shot", "--out", "a.png", "--size", "16384x16384"];
    // An adapter with smaller textures says so first.
    assert_fails(folder.path(), &arguments, 2, "16384x16384 is not possible");
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let folder = folder();
    for out in ["a.png", "b.png"] {
        let output = shot(
            folder.path(),
            out,
            &["--preset", "storm", "--time", "3.5", "--yaw", "-20"],
        );
        assert_eq!(
            String::from_utf8(output.stdout).unwrap().trim(),
            out,
            "the path is printed"
        );
    }
    let read = |name| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.png") == read("b.png"), "two runs differ");
    assert_eq!(png(&folder.path().join("a.png")).dimensions(), (96, 54));
}

/// Waiting for a pipe would never end, and replacing one would break whatever uses it.
#[cfg(unix)]
#[test]
fn pipes_are_neither_read_nor_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder();
    for name in ["pipe.ron", "pipe.png"] {
        let made = Command::new("mkfifo")
            .arg(folder.path().join(name))
            .status();
        assert!(made.unwrap().success());
    }
    let path = folder.path();
    let preset = ["shot", "--out", "a.png", "--preset", "pipe.ron"];
    assert_fails(path, &preset, 2, "it is not a file");
    let out = ["shot", "--out", "pipe.png"];
    assert_fails(path, &out, 1, "it exists and is not a file");
    let pipe = std::fs::symlink_metadata(path.join("pipe.png")).unwrap();
    assert!(pipe.file_type().is_fifo());
}

#[cfg(unix)]
#[test]
fn a_picture_goes_where_a_link_points_to() {
    let folder = folder();
    let (picture, link) = (folder.path().join("a.png"), folder.path().join("link.png"));
    std::fs::write(&picture, "old").unwrap();
    std::os::unix::fs::symlink("a.png", &link).unwrap();
    shot(folder.path(), "link.png", &[]);
    assert!(link.is_symlink());
    assert_eq!(png(&picture).dimensions(), (96, 54));
}

/// Bloom works at a fixed height, and a very wide picture must not exceed the adapter with it.
#[test]
fn pictures_of_any_shape_can_be_taken() {
    let folder = folder();
    for size in ["1x1", "1x400", "2000x3"] {
        let arguments = [
            "shot",
            "--out",
            "a.png",
            "--frames-accumulated",
            "1",
            "--size",
            size,
        ];
        let output = run(folder.path(), &arguments);
        assert!(output.status.success(), "{size}: {output:?}");
        let (width, height) = png(&folder.path().join("a.png")).dimensions();
        assert_eq!(format!("{width}x{height}"), size);
    }
}

#[test]
fn options_change_the_picture() {
    let folder = folder();
    std::fs::write(
        folder.path().join("Wölkchen eins.ron"),
        "(format: 1, cloud: (coverage: 0.3))",
    )
    .unwrap();
    let sets: [&[&str]; 6] = [
        &[],
        &["--quality", "low"],
        &["--set", "coverage=0.2"],
        &["--set", "sun.elevation=5"],
        &["--pitch", "60"],
        &["--preset", "Wölkchen eins.ron"],
    ];
    let mut pictures = Vec::new();
    for (i, more) in sets.into_iter().enumerate() {
        let out = format!("{i}.png");
        shot(folder.path(), &out, more);
        let picture = png(&folder.path().join(&out));
        assert!(!pictures.contains(&picture), "{more:?} changes nothing");
        pictures.push(picture);
    }
}

#[test]
fn a_transparent_picture_has_clear_corners_and_an_opaque_cloud() {
    let folder = folder();
    shot(
        folder.path(),
        "a.png",
        &["--transparent", "--preset", "fair-weather-cumulus"],
    );
    let picture = png(&folder.path().join("a.png"));
    for (x, y) in [(0, 0), (95, 0), (0, 53), (95, 53)] {
        assert_eq!(picture.get_pixel(x, y).0[3], 0, "sky or ground at {x}, {y}");
    }
    let solid = picture.pixels().filter(|pixel| pixel.0[3] > 240).count();
    assert!(solid > 100, "{solid} opaque pixels");
}

#[test]
fn list_tells_scripts_and_people_everything() {
    let folder = folder();
    let config = folder.path().join(".config/pyrocumulus/presets");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(
        config.join("mine.ron"),
        "(format: 1, name: \"My own\", scene: \"fire\")",
    )
    .unwrap();
    let output = run(folder.path(), &["list", "--json"]);
    assert!(output.status.success());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let parameters = json["parameters"].as_array().unwrap();
    let coverage = parameters
        .iter()
        .find(|p| p["section"] == "cloud" && p["name"] == "coverage")
        .expect("coverage is listed");
    assert_eq!(coverage["range"], serde_json::json!([0.0, 1.0]));
    assert!(
        parameters
            .iter()
            .all(|p| !p["doc"].as_str().unwrap().is_empty() && !p["default"].is_null())
    );
    let text = String::from_utf8(run(folder.path(), &["list"]).stdout).unwrap();
    for parameter in parameters {
        assert!(text.contains(parameter["doc"].as_str().unwrap()));
    }
    assert!(json["presets"].as_array().unwrap().len() >= 17);
    if cfg!(target_os = "linux") {
        assert!(text.contains("My own"), "the user's presets are listed");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = folder();
    let mut child = command(folder.path(), &["list", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn the_gallery_has_a_picture_of_every_shipped_preset() {
    let folder = folder();
    let output = run(
        folder.path(),
        &[
            "gallery",
            "--out",
            "a/b",
            "--size",
            "48x27",
            "--frames-accumulated",
            "1",
        ],
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.lines().count() >= 17);
    for path in printed.lines() {
        assert_eq!(png(&folder.path().join(path)).dimensions(), (48, 27));
    }
}

#[test]
fn the_lab_draws_pages_and_saves_fields() {
    let folder = folder();
    let picture = |name: &str, settings: &[&str]| {
        let mut arguments = vec!["lab", "--page", "fbm", "--size", "320x200", "--out", name];
        arguments.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        let output = run(folder.path(), &arguments);
        assert!(output.status.success(), "{output:?}");
        std::fs::read(folder.path().join(name)).unwrap()
    };
    let plain = picture("a.png", &[]);
    assert_eq!(
        plain,
        picture("b.png", &["seed=0", "fbm.octaves=8"]),
        "the defaults"
    );
    assert_ne!(plain, picture("c.png", &["gain=0.7"]));
    assert_eq!(png(&folder.path().join("a.png")).dimensions(), (320, 200));

    let arguments = [
        "lab",
        "--page",
        "smooth",
        "--field",
        "4",
        "--samples",
        "16",
        "--shape",
        "stack",
    ];
    let raw = [&arguments[..], &["--format", "raw", "--out", "cube.raw"]].concat();
    assert!(run(folder.path(), &raw).status.success());
    let cube = std::fs::read(folder.path().join("cube.raw")).unwrap();
    assert_eq!(cube.len(), 16 * 16 * 16 * 4);
}

#[test]
fn the_lab_lists_its_pages_to_scripts_and_people() {
    let folder = folder();
    let listed = run(folder.path(), &["lab", "--list", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let pages = json["pages"].as_array().unwrap();
    assert_eq!(pages.len(), 8);
    let perlin = pages.iter().find(|page| page["name"] == "perlin").unwrap();
    let fade = &perlin["parameters"][0];
    assert_eq!(
        (&fade["name"], &fade["default"]),
        (&"fade".into(), &"quintic".into())
    );
    let text = String::from_utf8(run(folder.path(), &["lab", "--list"]).stdout).unwrap();
    assert!(text.contains("Domain warp: warp.NAME") && text.contains("lacunarity"));
}

#[test]
fn what_the_lab_cannot_do_is_one_sentence() {
    let folder = folder();
    let fails = |arguments: &[&str], words: &str| {
        let arguments = [&["lab"], arguments].concat();
        assert_fails(folder.path(), &arguments, 2, words);
    };
    fails(
        &["--page", "perlim", "--out", "a.png"],
        "did you mean \"perlin\"?",
    );
    fails(
        &["--page", "fbm", "--set", "octave=3", "--out", "a.png"],
        "did you mean \"octaves\"?",
    );
    fails(
        &["--page", "fbm", "--set", "octaves=9", "--out", "a.png"],
        "octaves",
    );
    fails(
        &["--page", "fbm", "--out", "a.jpg"],
        "does not end with .png",
    );
    fails(
        &["--page", "fbm", "--out", "a.png", "--size", "90000x90000"],
        "too large",
    );
    fails(
        &["--page", "fbm", "--field", "9", "--out", "a.png"],
        "no field 9",
    );
    fails(
        &[
            "--page", "perlin", "--field", "1", "--shape", "tile", "--out", "a.png",
        ],
        "cannot be blended",
    );
    fails(&["--page", "fbm"], "--out");
    fails(&[], "--page");
}
