//! Tables that shaders look up.

use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

/// Largest number that `rgba16float` holds, rounded down.
const MAX: f32 = 65_000.0;

/// A table of `rgba16float`, interpolated inside and constant beyond its edges. `texel` gives the value in a column
/// and a row.
pub fn table(size: UVec2, texel: impl Fn(u32, u32) -> [f32; 4]) -> Image {
    let texel = &texel;
    let bytes = (0..size.y)
        .flat_map(|y| (0..size.x).flat_map(move |x| texel(x, y)))
        .flat_map(|channel| half::f16::from_f32(channel.min(MAX)).to_le_bytes())
        .collect();
    let mut image = Image::new(
        Extent3d {
            width: size.x,
            height: size.y,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        bytes,
        TextureFormat::Rgba16Float,
        RenderAssetUsages::RENDER_WORLD,
    );
    // Clamping to the edge is the descriptor's default.
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}
