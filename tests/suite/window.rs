//! The real program in a real window, on a virtual screen, used with mouse and keyboard.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::screen::{Program, Screen, Sight};

const WIDTH: u32 = 700;
const HEIGHT: u32 = 560;
// Colours of the theme.
const PANEL: [u8; 3] = [24, 26, 30];
const FILLED: [u8; 3] = [150, 78, 36];
const ERROR: [u8; 3] = [255, 138, 122];
const GRAPH: [u8; 3] = [14, 15, 18];

/// The viewer, running in a home of its own.
struct Viewer<'a> {
    screen: &'a Screen,
    program: Program,
    /// Left edge of the panel.
    panel: u32,
}

impl<'a> Viewer<'a> {
    fn start(screen: &'a Screen, home: &Path) -> Self {
        let program = Program::start(
            Command::new(env!("CARGO_BIN_EXE_pyrocumulus"))
                .args(["view", "--preset", "fair-weather-cumulus"])
                .env("DISPLAY", &screen.display)
                .env_remove("WAYLAND_DISPLAY")
                .env_remove("WAYLAND_SOCKET")
                .env("HOME", home)
                .env("XDG_CONFIG_HOME", home.join("config"))
                .stdin(Stdio::null()),
        );
        let mut viewer = Self {
            screen,
            program,
            panel: 0,
        };
        let begin = Instant::now();
        let window = loop {
            let windows = screen.hand("search --onlyvisible --name Pyrocumulus");
            if let Some(window) = windows.lines().next() {
                break window.to_owned();
            }
            assert!(
                !viewer.program.has_ended(),
                "the viewer ended before its window opened"
            );
            assert!(
                begin.elapsed() < Duration::from_secs(120),
                "no window opened within two minutes"
            );
            std::thread::sleep(Duration::from_millis(100));
        };
        screen.hand(&format!("windowmove {window} 0 0"));
        screen.hand(&format!("windowsize {window} {WIDTH} {HEIGHT}"));
        screen.hand(&format!("windowfocus {window}"));
        viewer.panel = screen.wait_for("the panel", |sight| {
            let margin = |x: u32| {
                (HEIGHT / 4..HEIGHT - 60)
                    .step_by(7)
                    .all(|y| sight.is(x, y, PANEL))
            };
            // The panel's left margin is a column of nothing but its colour.
            (WIDTH / 4..WIDTH - 220).find(|&x| margin(x + 2) && margin(x + 4))
        });
        viewer
    }

    /// The screen once nothing on it moves.
    fn settled(&mut self) -> Sight {
        let mut last = self.screen.look();
        let mut since = Instant::now();
        let begin = Instant::now();
        while since.elapsed() < Duration::from_secs(3) && begin.elapsed() < Duration::from_secs(90)
        {
            assert!(!self.program.has_ended(), "the viewer has ended");
            std::thread::sleep(Duration::from_millis(200));
            let now = self.screen.look();
            // The numbers in the status bar go on changing.
            if now.difference(&last, self.panel - 4) > 0.002 {
                since = Instant::now();
            }
            last = now;
        }
        last
    }

    /// Waits until the picture differs from `before` in this share of its pixels.
    fn expect_change(&mut self, what: &str, before: &Sight, share: f32) {
        let picture = self.panel - 4;
        self.screen.wait_for(what, |now| {
            (now.difference(before, picture) > share).then_some(())
        });
    }

    /// Right end of the filled part of the first slider below `top`.
    fn first_slider(&self, sight: &Sight) -> Option<(u32, u32)> {
        // A rail is thin, a selected line of the list is not.
        let thickness = |x: u32, y: u32| {
            (y..y + 14)
                .take_while(|&y| y < HEIGHT && sight.is(x, y, FILLED))
                .count()
        };
        let rail = (60..HEIGHT - 30)
            .flat_map(|y| (self.panel..WIDTH - 40).map(move |x| (x, y)))
            .find(|&(x, y)| {
                // Nor is there anything filled above a rail, as there is above what lies beneath a letter.
                let top = (y - 12..y).all(|y| !sight.is(x + 6, y, FILLED));
                top && (x..x + 12).all(|x| sight.is(x, y, FILLED)) && thickness(x + 6, y) <= 10
            })?;
        let end = (rail.0..WIDTH).find(|&x| !sight.is(x, rail.1, FILLED))?;
        Some((end, rail.1 + 2))
    }
}

fn prepare(home: &Path) {
    let presets = home.join("config/pyrocumulus/presets");
    fs::create_dir_all(&presets).unwrap();
    fs::create_dir_all(home.join("pictures")).unwrap();
    let folders = format!("XDG_PICTURES_DIR=\"{}\"\n", home.join("pictures").display());
    fs::write(home.join("config/user-dirs.dirs"), folders).unwrap();
    fs::write(
        presets.join("broken.ron"),
        "(\n    format: 1,\n    scene: \"cloud\",\n    cloud: (coverage: 7.0),\n)\n",
    )
    .unwrap();
}

#[test]
fn a_person_uses_the_window() {
    let home = tempfile::tempdir().unwrap();
    prepare(home.path());
    let screen = Screen::start(home.path(), WIDTH, HEIGHT);
    let mut viewer = Viewer::start(&screen, home.path());
    let picture = viewer.panel - 4;
    screen.wait_for("a picture", |sight| {
        let first = sight.at(picture / 2, 40);
        (0..HEIGHT / 2)
            .any(|y| sight.at(picture / 2, y) != first)
            .then_some(())
    });

    // Stopped, the picture rests.
    screen.hand("key space");
    let resting = viewer.settled();

    orbit(&mut viewer, &resting);
    let before = viewer.settled();
    drag_a_slider(&mut viewer, &before);
    let before = viewer.settled();
    screen.hand("key 2");
    viewer.expect_change("the fire after pressing 2", &before, 0.05);
    viewer.settled();
    screen.hand("key 1");
    viewer.settled();
    load_the_broken_preset(&mut viewer);
    screenshot(&mut viewer, &home.path().join("pictures"));
    show_frame_times(&mut viewer);
    change_the_quality(&mut viewer, &home.path().join("config/pyrocumulus"));
    use_the_lab(&mut viewer, &home.path().join("pictures"));
}

fn orbit(viewer: &mut Viewer, before: &Sight) {
    let screen = viewer.screen;
    screen.hand(&format!("mousemove {} {}", viewer.panel / 2, HEIGHT / 2));
    screen.hand("mousedown 1");
    std::thread::sleep(Duration::from_millis(500));
    // Only relative moves are raw motion, which turns the camera. One goes on until it has turned, however few frames
    // a second there are.
    let picture = viewer.panel - 4;
    screen.wait_for("the camera to orbit", |now| {
        screen.hand("mousemove_relative -- 8 0");
        (now.difference(before, picture) > 0.02).then_some(())
    });
    screen.hand("mouseup 1");
}

fn drag_a_slider(viewer: &mut Viewer, before: &Sight) {
    let screen = viewer.screen;
    let (x, y) = viewer
        .first_slider(before)
        .expect("the panel shows a slider");
    screen.hand(&format!("mousemove {x} {y}"));
    std::thread::sleep(Duration::from_millis(500));
    screen.hand("mousedown 1");
    for step in 1..=8 {
        std::thread::sleep(Duration::from_millis(150));
        screen.hand(&format!(
            "mousemove {} {y}",
            x.saturating_sub(6 * step).max(viewer.panel)
        ));
    }
    viewer.expect_change("the picture to follow the slider", before, 0.01);
    screen.hand("mouseup 1");
}

fn load_the_broken_preset(viewer: &mut Viewer) {
    let screen = viewer.screen;
    let panel = viewer.panel;
    let list = (panel + 60, 110);
    screen.hand(&format!("mousemove {} {}", list.0, list.1));
    let clear = viewer.settled();
    assert!(
        clear.find(ERROR, 0, panel - 4).len() < 20,
        "no message is shown yet"
    );
    // The user's presets come last in the list.
    let line = screen.wait_for("the broken preset in the list", |sight| {
        let letters = sight.find(ERROR, panel, WIDTH);
        if letters.len() > 10 {
            return letters.get(letters.len() / 2).copied();
        }
        screen.hand("click --repeat 10 --delay 20 5");
        std::thread::sleep(Duration::from_millis(800));
        None
    });
    screen.hand(&format!("mousemove {} {}", line.0, line.1));
    std::thread::sleep(Duration::from_millis(500));
    screen.hand("click 1");
    screen.wait_for("the message about the broken preset", |sight| {
        (sight.find(ERROR, 0, panel - 4).len() > 100).then_some(())
    });
    screen.hand("key Escape");
}

fn screenshot(viewer: &mut Viewer, folder: &Path) {
    viewer
        .screen
        .hand(&format!("mousemove {} {}", viewer.panel / 2, HEIGHT / 2));
    viewer.screen.hand("key F12");
    let png = viewer.screen.wait_for("the file of the picture", |_| {
        fs::read_dir(folder)
            .unwrap()
            .flatten()
            .map(|file| file.path())
            .find(|path| path.extension().is_some_and(|ending| ending == "png"))
    });
    let name = png.file_name().unwrap().to_string_lossy().into_owned();
    assert!(
        name.starts_with("pyrocumulus-"),
        "{name} tells where it comes from"
    );
    let image = image::open(&png)
        .expect("the file is whole as soon as it is there")
        .into_rgb8();
    assert_eq!(
        image.dimensions(),
        (WIDTH, HEIGHT),
        "it has the window's size"
    );
    let panel = (0..HEIGHT)
        .filter(|&y| image.get_pixel(WIDTH - 3, y).0 == PANEL)
        .count();
    assert!(panel < HEIGHT as usize / 2, "the panel is not in it");
}

fn show_frame_times(viewer: &mut Viewer) {
    let picture = viewer.panel - 4;
    let background = |sight: &Sight| sight.find(GRAPH, 0, picture).len();
    let before = background(&viewer.screen.look());
    viewer.screen.hand("key F3");
    viewer.screen.wait_for("the graph of frame times", |sight| {
        (background(sight) > before + 2000).then_some(())
    });
    viewer.screen.hand("key F3");
    viewer.screen.wait_for("the graph to go", |sight| {
        (background(sight) < before + 200).then_some(())
    });
}

fn change_the_quality(viewer: &mut Viewer, folder: &Path) {
    let preferences = folder.join("preferences.ron");
    assert!(!preferences.exists(), "nothing was changed yet");
    viewer.screen.hand("key q");
    viewer.screen.wait_for("the preferences to be kept", |_| {
        let text = fs::read_to_string(&preferences).ok()?;
        text.contains("quality: (").then_some(())
    });
}

fn use_the_lab(viewer: &mut Viewer, pictures: &Path) {
    let screen = viewer.screen;
    let picture = viewer.panel - 4;
    screen.hand(&format!("mousemove {} {}", viewer.panel + 40, HEIGHT - 40));
    let scene = viewer.settled();
    screen.hand("key 4");
    // The page's background where the sky was.
    screen.wait_for("the lab after pressing 4", |sight| {
        let paper = |y| (4..picture - 4).step_by(9).all(|x| sight.is(x, y, PANEL));
        paper(4).then_some(())
    });
    let first = viewer.settled();
    screen.hand("key Down");
    viewer.expect_change("the next page", &first, 0.1);
    let page = viewer.settled();
    // The lattice is the first thing in the column that is higher than letters are.
    let filled = |y: u32| (y..y + 40).all(|y| !page.is(60, y, PANEL));
    let lattice = (40..HEIGHT - 100).find(|&y| filled(y)).expect("a lattice");
    screen.hand(&format!("mousemove 60 {}", lattice + 20));
    screen.hand(&format!("mousemove 75 {}", lattice + 30));
    screen.wait_for("the point to follow", |sight| {
        // The ring is not where it was, and the lines to it neither.
        let around = (lattice..lattice + 120).flat_map(|y| (12..160).map(move |x| (x, y)));
        (around
            .filter(|&(x, y)| sight.at(x, y) != page.at(x, y))
            .count()
            > 60)
            .then_some(())
    });
    screen.hand("key F12");
    let is_page =
        |name: &str| name.starts_with("pyrocumulus-lab-perlin-") && name.ends_with(".png");
    screen.wait_for("a picture of the page", |_| {
        let mut names = fs::read_dir(pictures)
            .ok()?
            .flatten()
            .map(|file| file.file_name());
        names
            .any(|name| is_page(&name.to_string_lossy()))
            .then_some(())
    });
    screen.hand("key 1");
    viewer.expect_change("the cloud after pressing 1", &page, 0.3);
    assert!(
        viewer.settled().difference(&scene, picture) < 0.3,
        "the cloud is where it was"
    );
}
