//! A studio that measures: frames timed to their end on the GPU, and pictures in linear floating point.

use std::time::{Duration, Instant};

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::DebandDither;
use bevy::diagnostic::DiagnosticsStore;
use bevy::image::Image;
use bevy::prelude::*;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::render_resource::{PollType, TextureFormat};
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use half::f16;

use super::{CaptureError, Studio};
use crate::volume::{JitterFrame, VolumeClock};

/// What the screen shows, as linear light from 0 to 1, neither rounded to 8 bits nor dithered.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearPicture {
    /// Pixels across and down.
    pub size: (u32, u32),
    /// Linear Rec. 709, row by row from the top. What is no number is kept.
    pub pixels: Vec<Vec3>,
}

impl LinearPicture {
    /// Decodes `rgba16float`.
    fn decode(image: &Image) -> Result<Self, CaptureError> {
        let format = image.texture_descriptor.format;
        let Some(bytes) = image
            .data
            .as_ref()
            .filter(|_| format == TextureFormat::Rgba16Float)
        else {
            return Err(CaptureError::Format(format!("it came as {format:?}")));
        };
        let channel = |bytes: &[u8]| {
            f16::from_le_bytes([bytes[0], bytes[1]])
                .to_f32()
                .clamp(0.0, 1.0)
        };
        let pixels = bytes
            .chunks_exact(8)
            .map(|texel| {
                Vec3::new(
                    channel(&texel[0..2]),
                    channel(&texel[2..4]),
                    channel(&texel[4..6]),
                )
            })
            .collect();
        Ok(Self {
            size: (image.width(), image.height()),
            pixels,
        })
    }
}

/// Frames in the target's new format until every pipeline for it is compiled.
const FIRST_FRAMES: u32 = 2;

impl Studio {
    /// A studio that also measures the GPU time of each pass, where the adapter can.
    ///
    /// # Errors
    /// If there is no graphics adapter.
    pub fn for_measurement() -> Result<Self, CaptureError> {
        Self::with(|app| {
            app.add_plugins(RenderDiagnosticsPlugin);
        })
    }

    /// Name of the graphics adapter.
    pub fn adapter(&self) -> String {
        let info = self.app.world().get_resource::<RenderAdapterInfo>();
        info.map(|info| info.name.clone()).unwrap_or_default()
    }

    /// Gets everything ready to measure the scene as it is, at time 0, in pictures of this size. Call it again when
    /// stage or preset change.
    ///
    /// # Errors
    /// If the size is impossible, a shader does not compile, or the renderer fails.
    pub fn focus(&mut self, size: (u32, u32)) -> Result<(), CaptureError> {
        self.check_size(size)?;
        self.world().resource_mut::<VolumeClock>().seconds = 0.0;
        self.rewind();
        self.develop()?;
        self.aim(size, TextureFormat::Rgba16Float);
        // The stage dresses the camera in the next frame; dither is what a picture in floating point does not need.
        self.app.update();
        let camera = self.camera;
        self.world()
            .entity_mut(camera)
            .insert(DebandDither::Disabled);
        for frame in 0..FIRST_FRAMES {
            self.time_frame(frame)?;
        }
        Ok(())
    }

    /// Draws a frame with this jitter and gives the time until the GPU has finished it.
    ///
    /// # Errors
    /// If the renderer fails.
    pub fn time_frame(&mut self, jitter: u32) -> Result<Duration, CaptureError> {
        self.world().resource_mut::<JitterFrame>().0 = jitter;
        self.place_camera();
        let start = Instant::now();
        self.draw()?;
        self.finish()?;
        Ok(start.elapsed())
    }

    /// Waits for the GPU.
    fn finish(&self) -> Result<(), CaptureError> {
        let device = self.app.world().resource::<RenderDevice>();
        device
            .poll(PollType::wait_indefinitely())
            .map(drop)
            .map_err(|error| CaptureError::Renderer(error.to_string()))
    }

    /// Draws the scene in this size until there is a complete picture, whatever the noise.
    ///
    /// # Errors
    /// If the size is impossible, a shader does not compile, or the renderer fails.
    pub fn draw_until_compiled(&mut self, size: (u32, u32)) -> Result<(), CaptureError> {
        self.check_size(size)?;
        self.aim(size, TextureFormat::Rgba8UnormSrgb);
        self.switch_camera(true);
        self.wait_for_pipelines()?;
        self.finish()
    }

    /// Goes on drawing until the noise in the picture is baked in full.
    ///
    /// # Errors
    /// If the renderer fails.
    pub fn draw_until_baked(&mut self) -> Result<(), CaptureError> {
        self.wait_for_noise()?;
        // The textures are bound in the next frame.
        self.draw()?;
        self.finish()
    }

    /// Draws a frame with this jitter and reads it back, after [`focus`](Self::focus).
    ///
    /// # Errors
    /// If the renderer fails.
    pub fn read_frame(&mut self, jitter: u32) -> Result<LinearPicture, CaptureError> {
        self.world().resource_mut::<JitterFrame>().0 = jitter;
        self.place_camera();
        let target = match self.app.world().get(self.camera) {
            Some(RenderTarget::Image(target)) => target.handle.clone(),
            _ => return Err(CaptureError::Format("nothing is in focus".to_owned())),
        };
        LinearPicture::decode(&self.expose(&target)?)
    }

    /// Milliseconds of GPU time that the passes whose names begin with `pass` took, over all frames since
    /// [`forget_passes`](Self::forget_passes), of which there are at most 120. `None` where the adapter has no
    /// timestamps or there was no such pass.
    pub fn pass_milliseconds(&mut self, pass: &str) -> Option<f64> {
        // A frame's times arrive with the next.
        self.switch_camera(false);
        self.app.update();
        let store = self.app.world().resource::<DiagnosticsStore>();
        let times: Vec<f64> = store
            .iter()
            .filter(|diagnostic| is_gpu_time_of(pass, diagnostic.path().as_str()))
            .flat_map(|diagnostic| diagnostic.values().copied())
            .collect();
        (!times.is_empty()).then(|| times.iter().sum())
    }

    /// Starts [`pass_milliseconds`](Self::pass_milliseconds) anew.
    pub fn forget_passes(&mut self) {
        self.switch_camera(false);
        self.app.update();
        for diagnostic in self.world().resource_mut::<DiagnosticsStore>().iter_mut() {
            diagnostic.clear_history();
        }
    }
}

/// `render/<pass>/elapsed_gpu`; what lies deeper is part of its pass.
fn is_gpu_time_of(pass: &str, path: &str) -> bool {
    let name = path
        .strip_prefix("render/")
        .and_then(|path| path.strip_suffix("/elapsed_gpu"));
    name.is_some_and(|name| name.starts_with(pass) && !name.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::is_gpu_time_of;

    #[test]
    fn a_pass_is_told_from_its_parts() {
        assert!(is_gpu_time_of(
            "volume_field",
            "render/volume_field/elapsed_gpu"
        ));
        assert!(is_gpu_time_of(
            "volume_field",
            "render/volume_field_distance/elapsed_gpu"
        ));
        for other in [
            "render/volume_march/elapsed_gpu",
            "render/volume_field/elapsed_cpu",
            "render/volume_field/part/elapsed_gpu",
            "frame_time",
        ] {
            assert!(!is_gpu_time_of("volume_field", other), "{other}");
        }
    }
}
