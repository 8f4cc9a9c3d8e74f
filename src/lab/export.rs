//! Fields as files: PNG of 8 or 16 bits, EXR and raw floats; as they are, as a tile, or as a stack of slices.

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::Lab;
use super::sampler::Sampler;
use super::sheet::{Field, Image};
use crate::files;

/// What a file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Colours as on the page, 8 bits each.
    #[default]
    Png,
    /// Gray of 16 bits: 0 and 65535 are the ends of the page's range.
    Png16,
    /// The values themselves, one 32-bit channel `Y`.
    Exr,
    /// The values themselves, 32-bit little-endian floats from the top left, x fastest, then y, then z.
    Raw,
}

impl Format {
    /// All of them, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 4] = [Self::Png, Self::Png16, Self::Exr, Self::Raw];
    /// Their names.
    pub const NAMES: [&str; 4] = ["png", "png16", "exr", "raw"];

    /// How the names of such files end.
    pub fn extension(self) -> &'static str {
        ["png", "png", "exr", "raw"][self as usize]
    }
}

/// Which values are saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// The field as it is seen.
    #[default]
    Plane,
    /// The same, blended so that its edges meet.
    Tile,
    /// As many slices as a slice has rows, along the lab's time: a cube, in one file if that is raw.
    Stack,
}

impl Shape {
    /// All of them, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 3] = [Self::Plane, Self::Tile, Self::Stack];
    /// Their names.
    pub const NAMES: [&str; 3] = ["plane", "tile", "stack"];
}

/// Most samples along an edge of a plane and of a stack.
pub const MOST: [usize; 2] = [4096, 256];

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// Which of the page's fields, from 0.
    pub field: usize,
    /// Kind of file.
    pub format: Format,
    /// Which values.
    pub shape: Shape,
    /// Samples along an edge.
    pub samples: usize,
}

/// Why nothing was saved.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// There is no such field.
    #[error("the page {page} has {count} fields and no field {field}")]
    Field {
        /// The page.
        page: &'static str,
        /// How many it has.
        count: usize,
        /// What was asked for, from 1.
        field: usize,
    },
    /// The field's extent is its own.
    #[error(
        "this field does not widen with the lab's scale, so that its edges cannot be blended to a tile"
    )]
    NoTile,
    /// The disk did not take it.
    #[error("{path} cannot be written to: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Samples a field of a page anew and saves it; returns the files. A stack of pictures is saved as
/// `name_000.png` and so on.
///
/// # Errors
/// If there is no such field, it cannot be tiled, or a file cannot be written.
pub fn save(lab: &Lab, what: &Export, path: &Path) -> Result<Vec<PathBuf>, ExportError> {
    let edge = what
        .samples
        .clamp(1, MOST[usize::from(what.shape == Shape::Stack)]);
    let slices = match what.shape {
        Shape::Plane => vec![sample(lab, what.field, edge)?],
        Shape::Tile => vec![tile(lab, what.field, edge)?],
        Shape::Stack => stack(lab, what.field, edge)?,
    };
    if what.format == Format::Raw {
        let bytes: Vec<u8> = slices.iter().flat_map(raw).collect();
        return write(path, Ok(bytes)).map(|path| vec![path]);
    }
    let several = slices.len() > 1;
    let save = |(index, slice): (usize, &Field)| {
        let path = if several {
            numbered(path, index)
        } else {
            path.to_owned()
        };
        let bytes = match what.format {
            Format::Png => png8(&super::paint::colored(slice)),
            Format::Png16 => png16(slice),
            Format::Exr | Format::Raw => exr(slice),
        };
        write(&path, bytes)
    };
    slices.iter().enumerate().map(save).collect()
}

fn write(path: &Path, bytes: io::Result<Vec<u8>>) -> Result<PathBuf, ExportError> {
    let written = bytes.and_then(|bytes| files::replace(path, &bytes));
    written.map_err(|source| ExportError::Write {
        path: path.to_owned(),
        source,
    })?;
    Ok(path.to_owned())
}

fn numbered(path: &Path, index: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}_{index:03}.{ending}"))
}

fn sample(lab: &Lab, field: usize, edge: usize) -> Result<Field, ExportError> {
    let sheet = lab.sheet(&Sampler::new(edge));
    let count = sheet.fields().count();
    sheet
        .fields()
        .nth(field)
        .cloned()
        .ok_or(ExportError::Field {
            page: lab.page.about().name,
            count,
            field: field + 1,
        })
}

/// The same page with other shared parameters.
fn with(lab: &Lab, change: impl FnOnce(&mut super::LabParams)) -> Lab {
    let mut params = lab.params;
    change(&mut params);
    Lab {
        params,
        page: lab.page.boxed(),
    }
}

/// Slices one sample apart in time, as they are in the plane.
fn stack(lab: &Lab, field: usize, edge: usize) -> Result<Vec<Field>, ExportError> {
    let step = lab.params.scale / edge as f32;
    (0..edge)
        .map(|slice| {
            sample(
                &with(lab, |params| params.time += slice as f32 * step),
                field,
                edge,
            )
        })
        .collect()
}

/// Share of a tile in which the field's far side is blended in.
const BLEND: usize = 4;

/// A field that goes on at its other side. A quarter more is sampled, and what hangs over is blended into the
/// beginning with weights whose squares add up to 1, so that the contrast stays (Heitz and Neyret 2018,
/// "High-Performance By-Example Noise", section 2).
fn tile(lab: &Lab, field: usize, edge: usize) -> Result<Field, ExportError> {
    let hang = edge.div_ceil(BLEND);
    let whole = edge + hang;
    let plain = sample(lab, field, edge.min(8))?;
    let wide = sample(
        &with(lab, |params| params.scale *= whole as f32 / edge as f32),
        field,
        whole,
    )?;
    let widened = wide.extent[0] / plain.extent[0] * edge as f64 / whole as f64;
    if (widened - 1.0).abs() > 1e-3 || wide.size != [whole; 2] {
        return Err(ExportError::NoTile);
    }
    let mean = wide.statistics().mean as f32;
    let blend = |from: f32, to: f32, place: usize| {
        let angle = (place as f32 + 0.5) / hang as f32 * std::f32::consts::FRAC_PI_2;
        mean + (from - mean) * angle.cos() + (to - mean) * angle.sin()
    };
    let mut values = wide.values.clone();
    for row in values.chunks_exact_mut(whole) {
        for x in 0..hang {
            row[x] = blend(row[edge + x], row[x], x);
        }
    }
    for y in 0..hang {
        for x in 0..edge {
            values[y * whole + x] = blend(values[(edge + y) * whole + x], values[y * whole + x], y);
        }
    }
    Ok(Field {
        size: [edge; 2],
        values: values
            .chunks_exact(whole)
            .take(edge)
            .flat_map(|row| row[..edge].to_vec())
            .collect(),
        extent: plain.extent,
        marks: Vec::new(),
        ..wide
    })
}

/// A picture as a PNG file.
///
/// # Errors
/// If the picture is too large for the format.
pub fn png8(image: &Image) -> io::Result<Vec<u8>> {
    png(
        image.size,
        image.pixels.as_flattened(),
        ExtendedColorType::Rgb8,
    )
}

fn png16(field: &Field) -> io::Result<Vec<u8>> {
    let [low, high] = field.range;
    let scale = f32::from(u16::MAX) / (high - low).max(f32::MIN_POSITIVE);
    let gray = |value: &f32| {
        (((value - low) * scale)
            .round()
            .clamp(0.0, f32::from(u16::MAX)) as u16)
            .to_ne_bytes()
    };
    let bytes: Vec<u8> = field.values.iter().flat_map(gray).collect();
    png(field.size, &bytes, ExtendedColorType::L16)
}

fn png([width, height]: [usize; 2], bytes: &[u8], color: ExtendedColorType) -> io::Result<Vec<u8>> {
    let mut png = Vec::new();
    PngEncoder::new(&mut png)
        .write_image(bytes, width as u32, height as u32, color)
        .map_err(io::Error::other)?;
    Ok(png)
}

fn exr(field: &Field) -> io::Result<Vec<u8>> {
    use exr::prelude::*;
    let samples = FlatSamples::F32(field.values.clone());
    let channels = AnyChannels::sort(SmallVec::from_iter([AnyChannel::new("Y", samples)]));
    let mut bytes = Cursor::new(Vec::new());
    exr::prelude::Image::from_channels((field.size[0], field.size[1]), channels)
        .write()
        .to_buffered(&mut bytes)
        .map_err(io::Error::other)?;
    Ok(bytes.into_inner())
}

fn raw(field: &Field) -> Vec<u8> {
    field
        .values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab(page: &str) -> Lab {
        Lab::open(page).unwrap()
    }

    fn want(field: usize, format: Format, shape: Shape) -> Export {
        Export {
            field,
            format,
            shape,
            samples: 32,
        }
    }

    #[test]
    fn every_format_holds_the_values() {
        let folder = tempfile::tempdir().unwrap();
        let lab = lab("smooth");
        let field = sample(&lab, 3, 32).unwrap();
        for format in Format::ALL {
            let path = folder.path().join("a").with_extension(format.extension());
            let files = save(&lab, &want(3, format, Shape::Plane), &path).unwrap();
            assert_eq!(files, std::slice::from_ref(&path));
            let bytes = std::fs::read(&path).unwrap();
            match format {
                Format::Png => {
                    let read = image::load_from_memory(&bytes).unwrap().into_rgb8();
                    let shown = super::super::paint::colored(&field).pixels;
                    assert!(read.pixels().map(|pixel| pixel.0).eq(shown));
                }
                Format::Png16 => {
                    let read = image::load_from_memory(&bytes).unwrap().into_luma16();
                    for (pixel, value) in read.pixels().zip(&field.values) {
                        let back = f32::from(pixel.0[0]) / 65535.0 * 2.0 - 1.0;
                        assert!((back - value).abs() < 3e-5);
                    }
                }
                Format::Exr => {
                    use exr::prelude::*;
                    let read = read_first_flat_layer_from_file(&path).unwrap();
                    let channel = &read.layer_data.channel_data.list[0];
                    let values: Vec<f32> = channel.sample_data.values_as_f32().collect();
                    assert_eq!(
                        (channel.name.to_string(), values),
                        ("Y".to_owned(), field.values.clone())
                    );
                }
                Format::Raw => {
                    let floats = bytes
                        .as_chunks::<4>()
                        .0
                        .iter()
                        .map(|bytes| f32::from_le_bytes(*bytes));
                    assert!(floats.eq(field.values.iter().copied()));
                }
            }
        }
    }

    /// Across a tile's edge values change no more than inside it, and its contrast is the field's.
    #[test]
    fn tiles_have_no_seam() {
        for page in ["smooth", "fbm", "shaping", "warp"] {
            let lab = lab(page);
            let index = usize::from(page == "smooth") * 3;
            let tile = tile(&lab, index, 128).unwrap();
            let plain = sample(&lab, index, 128).unwrap();
            let at = |x: usize, y: usize| tile.values[(y % 128) * 128 + x % 128];
            let step = |x: usize| -> f32 {
                (0..128)
                    .map(|i| (at(x, i) - at(x + 1, i)).abs() + (at(i, x) - at(i, x + 1)).abs())
                    .sum()
            };
            let inside = (0..127).map(step).fold(0.0, f32::max);
            assert!(
                step(127) <= 1.2 * inside,
                "{page}: {} against {inside}",
                step(127)
            );
            let ratio = tile.statistics().deviation / plain.statistics().deviation;
            assert!((0.8..1.25).contains(&ratio), "{page}: {ratio}");
            let untiled: f32 = (0..128)
                .map(|i| (plain.values[i * 128 + 127] - plain.values[i * 128]).abs())
                .sum();
            assert!(untiled > inside, "{page}: a plain field has a seam");
        }
    }

    #[test]
    fn stacks_are_cubes_of_slices_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let mut lab = lab("fbm");
        lab.set("octaves", "2").unwrap();
        let path = folder.path().join("cube.raw");
        let what = Export {
            samples: 8,
            ..want(0, Format::Raw, Shape::Stack)
        };
        save(&lab, &what, &path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap().len(), 8 * 8 * 8 * 4);
        let pictures = Export {
            format: Format::Png16,
            ..what
        };
        let files = save(&lab, &pictures, &folder.path().join("slice.png")).unwrap();
        assert_eq!(files.len(), 8);
        assert!(files[7].ends_with("slice_007.png"));
    }

    #[test]
    fn what_cannot_be_saved_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let told = |page: &str, what: Export, path: &Path| {
            save(&lab(page), &what, path).unwrap_err().to_string()
        };
        let field = told("fbm", want(4, Format::Png, Shape::Plane), &path);
        assert_eq!(field, "the page fbm has 1 fields and no field 5");
        assert!(
            told("perlin", want(0, Format::Png, Shape::Tile), &path).contains("cannot be blended")
        );
        let missing = folder.path().join("missing").join("a.png");
        assert!(
            told("fbm", want(0, Format::Png, Shape::Plane), &missing)
                .contains("cannot be written to")
        );
        assert!(!path.exists());
    }
}
