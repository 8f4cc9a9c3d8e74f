//! Every shipped preset and every page of the lab looks as it did: pictures against `tests/golden/`, by mean FLIP
//! (Andersson et al. 2020, "FLIP: A Difference Evaluator for Alternating Images").

use std::fs;
use std::path::{Path, PathBuf};

use nv_flip::{DEFAULT_PIXELS_PER_DEGREE, FlipImageRgb8, FlipPool};
use pyrocumulus::PresetLibrary;
use pyrocumulus::capture::{Picture, Shot};
use pyrocumulus::lab::pages;

use crate::studio::in_studio;

/// Largest mean FLIP. The same driver gives 0; other drivers round otherwise at the steps' jitter.
const TOLERANCE: f32 = 0.03;
const SIZE: (u32, u32) = (160, 90);
pub const HOW_TO_ACCEPT: &str =
    "if the new pictures are better: PYROCUMULUS_WRITE=1 cargo test --release golden";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn flip_image(rgb: &image::RgbImage) -> FlipImageRgb8 {
    FlipImageRgb8::with_data(rgb.width(), rgb.height(), rgb)
}

fn rgb(picture: &Picture) -> image::RgbImage {
    let (width, height) = picture.size();
    let pixels: Vec<u8> = picture
        .to_rgba8(false)
        .chunks_exact(4)
        .flat_map(|p| [p[0], p[1], p[2]])
        .collect();
    image::RgbImage::from_raw(width, height, pixels)
        .expect("a picture has as many pixels as its size says")
}

/// What is wrong with the picture called `name`, if anything is.
pub fn compare(name: &str, new: &image::RgbImage) -> Result<(), String> {
    let golden = folder("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("PYROCUMULUS_WRITE").is_some() {
        return new
            .save(&golden)
            .map_err(|error| format!("{name}: {error}"));
    }
    let failed = |what: String, difference: Option<image::RgbImage>| {
        let failures = folder("target/golden-failures");
        let written = fs::create_dir_all(&failures)
            .map_err(image::ImageError::from)
            .and_then(|()| {
                new.save(failures.join(format!("{name}.png")))?;
                difference.map_or(Ok(()), |image| {
                    image.save(failures.join(format!("{name}-difference.png")))
                })
            });
        let place = written.map_or_else(
            |error| error.to_string(),
            |()| failures.display().to_string(),
        );
        format!("{name}: {what}; see {place}")
    };
    let old = match image::open(&golden) {
        Ok(old) => old.into_rgb8(),
        Err(error) => {
            return Err(failed(
                format!("{} cannot be read ({error})", golden.display()),
                None,
            ));
        }
    };
    if old.dimensions() != new.dimensions() {
        return Err(failed(
            format!(
                "the size is {:?} and not {:?}",
                new.dimensions(),
                old.dimensions()
            ),
            None,
        ));
    }
    let errors = nv_flip::flip(flip_image(&old), flip_image(new), DEFAULT_PIXELS_PER_DEGREE);
    let mean = FlipPool::from_image(&errors).mean();
    if mean <= TOLERANCE {
        return Ok(());
    }
    let colored = errors.apply_color_lut(&nv_flip::magma_lut());
    let difference = image::RgbImage::from_raw(colored.width(), colored.height(), colored.to_vec());
    Err(failed(
        format!("mean FLIP is {mean:.3}, more than {TOLERANCE}"),
        difference,
    ))
}

#[test]
fn golden_pictures_of_every_preset() {
    let names: Vec<_> = in_studio(|studio| {
        let library = PresetLibrary::in_folder(pyrocumulus::param_sets(), None);
        let mut faults = Vec::new();
        let mut names = Vec::new();
        for entry in library.entries() {
            let preset = library
                .load_entry(entry)
                .unwrap_or_else(|error| panic!("{error}"));
            preset.apply(studio.world());
            let seconds = 2.0;
            let picture = studio
                .take(&Shot {
                    size: SIZE,
                    seconds,
                    frames: 4,
                })
                .unwrap_or_else(|e| panic!("{e}"));
            faults.extend(compare(&entry.stem, &rgb(&picture)).err());
            names.push(entry.stem.clone());
        }
        assert!(faults.is_empty(), "{}\n{HOW_TO_ACCEPT}", faults.join("\n"));
        names
    });
    let pages = pages::names().map(|name| format!("lab-{name}"));
    assert!(
        names.len() >= 17,
        "eight clouds and nine fires ship: {names:?}"
    );
    // A picture of a preset that is gone would never be looked at again.
    for file in fs::read_dir(folder("tests/golden"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let stem = file
            .path()
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        assert!(
            names.contains(&stem) || pages.contains(&stem),
            "tests/golden/{stem}.png belongs to no preset"
        );
    }
}
