//! A virtual screen, hands, and eyes: Xvfb, xdotool, and the frame buffer that Xvfb keeps in a file.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const NEEDS: &str = "the window test needs it: run scripts/setup.sh --tests";

/// A program that ends with the test.
pub struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Program {
    /// Starts it.
    pub fn start(command: &mut Command) -> Self {
        Self(
            command
                .spawn()
                .unwrap_or_else(|error| panic!("{command:?}: {error}; {NEEDS}")),
        )
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.0
            .try_wait()
            .expect("the program can be asked")
            .is_some()
    }
}

/// A virtual screen of its own.
pub struct Screen {
    _server: Program,
    /// Its name, as `DISPLAY` wants it.
    pub display: String,
    frame_buffer: std::path::PathBuf,
}

impl Screen {
    /// Starts one of this size on a display that is free. `folder` keeps its frame buffer.
    pub fn start(folder: &Path, width: u32, height: u32) -> Self {
        let mut server = Program::start(
            Command::new("Xvfb")
                .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"])
                .arg(format!("{width}x{height}x24"))
                .arg("-fbdir")
                .arg(folder)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        );
        let mut number = String::new();
        let stdout = server.0.stdout.take().expect("the output is piped");
        BufReader::new(stdout)
            .read_line(&mut number)
            .expect("Xvfb names its display");
        let display = format!(":{}", number.trim());
        Self {
            _server: server,
            display,
            frame_buffer: folder.join("Xvfb_screen0"),
        }
    }

    /// What is on it now.
    pub fn look(&self) -> Sight {
        let dump = fs::read(&self.frame_buffer).expect("Xvfb keeps its frame buffer in a file");
        Sight::from_xwd(&dump)
    }

    /// Does something with mouse, keyboard or windows; returns what xdotool says.
    pub fn hand(&self, arguments: &str) -> String {
        let output = Command::new("xdotool")
            .args(arguments.split_whitespace())
            .env("DISPLAY", &self.display)
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("xdotool: {error}; {NEEDS}"));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Looks again and again until `wanted` gives something, for a software renderer is slow.
    pub fn wait_for<T>(&self, what: &str, mut wanted: impl FnMut(&Sight) -> Option<T>) -> T {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(120) {
            if let Some(found) = wanted(&self.look()) {
                return found;
            }
            std::thread::sleep(Duration::from_millis(150));
        }
        panic!("waited two minutes for {what}");
    }
}

/// A picture of the screen.
#[derive(Clone, PartialEq)]
pub struct Sight {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    rgb: Vec<[u8; 3]>,
}

impl Sight {
    /// Reads the X Window dump format (`XWDFile.h`): a header of big-endian words, a colour map, rows.
    fn from_xwd(dump: &[u8]) -> Self {
        let word = |index: usize| {
            let bytes = dump[4 * index..4 * index + 4]
                .try_into()
                .expect("four bytes");
            u32::from_be_bytes(bytes) as usize
        };
        let (header, width, height, row, colors) = (word(0), word(4), word(5), word(12), word(19));
        assert_eq!(word(11), 32, "bits a pixel");
        let pixels = &dump[header + 12 * colors..];
        let at = |x: usize, y: usize| {
            let p = &pixels[y * row + 4 * x..];
            [p[2], p[1], p[0]]
        };
        let rgb = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| at(x, y))
            .collect();
        Self {
            width: width as u32,
            height: height as u32,
            rgb,
        }
    }

    /// The colour of a pixel.
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.rgb[(y * self.width + x) as usize]
    }

    /// Whether a pixel has about this colour.
    pub fn is(&self, x: u32, y: u32, color: [u8; 3]) -> bool {
        self.at(x, y)
            .iter()
            .zip(color)
            .all(|(a, b)| a.abs_diff(b) <= 8)
    }

    /// The pixels of about this colour right of `left` and left of `right`, from the top.
    pub fn find(&self, color: [u8; 3], left: u32, right: u32) -> Vec<(u32, u32)> {
        (0..self.height)
            .flat_map(|y| (left..right).map(move |x| (x, y)))
            .filter(|&(x, y)| self.is(x, y, color))
            .collect()
    }

    /// Share of the pixels left of `right` that differ visibly from `other`.
    pub fn difference(&self, other: &Self, right: u32) -> f32 {
        let differs = |x, y| {
            self.at(x, y)
                .iter()
                .zip(other.at(x, y))
                .any(|(a, b)| a.abs_diff(b) > 6)
        };
        let count = (0..self.height)
            .flat_map(|y| (0..right).map(move |x| (x, y)))
            .filter(|&(x, y)| differs(x, y));
        count.count() as f32 / (right * self.height) as f32
    }
}
