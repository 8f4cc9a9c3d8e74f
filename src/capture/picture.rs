//! A finished picture: accumulated, encoded, written.

use std::io::{self, Write};
use std::path::Path;

use bevy::image::Image;
use bevy::math::Vec4;

use super::CaptureError;

/// A picture of one or more frames, averaged in linear light.
pub struct Picture {
    width: u32,
    height: u32,
    /// Sum of the frames: linear colour as the renderer gives it (premultiplied), and coverage.
    sum: Vec<Vec4>,
    frames: u32,
}

impl Picture {
    /// An empty picture.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            sum: vec![Vec4::ZERO; width as usize * height as usize],
            frames: 0,
        }
    }

    /// Pixels across and down.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Adds a frame: `rgba8unorm-srgb` or `bgra8unorm-srgb`.
    ///
    /// # Errors
    /// If the frame has another size or format.
    pub fn add(&mut self, frame: Image) -> Result<(), CaptureError> {
        let rgba = frame
            .try_into_dynamic()
            .map_err(|error| CaptureError::Format(error.to_string()))?
            .into_rgba8();
        if rgba.dimensions() != self.size() {
            return Err(CaptureError::Format(format!(
                "it is {:?} pixels large and not {:?}",
                rgba.dimensions(),
                self.size()
            )));
        }
        let linear: [f32; 256] = std::array::from_fn(|byte| linear(byte as u8));
        for (sum, pixel) in self.sum.iter_mut().zip(rgba.pixels()) {
            let [r, g, b, a] = pixel.0;
            let [r, g, b] = [r, g, b].map(|byte| linear[usize::from(byte)]);
            *sum += Vec4::new(r, g, b, f32::from(a) / 255.0);
        }
        self.frames += 1;
        Ok(())
    }

    /// Mean linear colour, premultiplied, and coverage, row by row from the top.
    pub fn pixels(&self) -> impl Iterator<Item = Vec4> + '_ {
        let scale = 1.0 / self.frames.max(1) as f32;
        self.sum.iter().map(move |sum| *sum * scale)
    }

    /// The picture as 8-bit sRGB with straight alpha; opaque unless `transparent`.
    pub fn to_rgba8(&self, transparent: bool) -> Vec<u8> {
        self.pixels()
            .flat_map(|pixel| encode(pixel, transparent))
            .collect()
    }

    /// Writes a PNG to a temporary file beside `path` and renames it, so that `path` is either whole or as
    /// it was.
    ///
    /// # Errors
    /// If the folder is missing or cannot be written to.
    pub fn save_png(&self, path: &Path, transparent: bool) -> Result<(), CaptureError> {
        let write = || -> io::Result<()> {
            let png = self.to_png(transparent)?;
            crate::files::replace(path, &png)
        };
        write().map_err(|source| CaptureError::Write {
            path: path.to_owned(),
            source,
        })
    }

    fn to_png(&self, transparent: bool) -> io::Result<Vec<u8>> {
        use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
        let mut png = Vec::new();
        let rgba = self.to_rgba8(transparent);
        let (bytes, color) = if transparent {
            (rgba, ExtendedColorType::Rgba8)
        } else {
            (
                rgba.chunks_exact(4)
                    .flat_map(|p| [p[0], p[1], p[2]])
                    .collect(),
                ExtendedColorType::Rgb8,
            )
        };
        PngEncoder::new(&mut png)
            .write_image(&bytes, self.width, self.height, color)
            .map_err(io::Error::other)?;
        png.flush()?;
        Ok(png)
    }
}

/// sRGB to linear, IEC 61966-2-1.
fn linear(byte: u8) -> f32 {
    let x = f32::from(byte) / 255.0;
    if x <= 0.04045 {
        x / 12.92
    } else {
        ((x + 0.055) / 1.055).powf(2.4)
    }
}

/// Linear to sRGB, IEC 61966-2-1.
fn srgb(x: f32) -> u8 {
    let y = if x <= 0.003_130_8 {
        12.92 * x
    } else {
        1.055 * x.powf(1.0 / 2.4) - 0.055
    };
    (y.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn encode(pixel: Vec4, transparent: bool) -> [u8; 4] {
    let color = pixel.truncate();
    if !transparent {
        return [srgb(color.x), srgb(color.y), srgb(color.z), 255];
    }
    // Light that glows without covering, as a flame does, has more colour than straight alpha can hold:
    // let it cover as much as it shines.
    let alpha = pixel.w.max(color.max_element()).clamp(0.0, 1.0);
    let straight = if alpha > 0.0 { color / alpha } else { color };
    [
        srgb(straight.x),
        srgb(straight.y),
        srgb(straight.z),
        (alpha * 255.0).round() as u8,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_way_to_linear_and_back() {
        assert!((0..=255).all(|byte| srgb(linear(byte)) == byte));
    }

    #[test]
    fn a_glow_without_coverage_becomes_coverage() {
        let [r, _, _, a] = encode(Vec4::new(0.5, 0.1, 0.0, 0.0), true);
        assert_eq!((r, a), (255, 128));
    }
}
