//! What the fast passes get beside the volumes' own parameters.

use bevy::math::{Mat4, Vec4};
use bevy::reflect::Reflect;
use bevy::render::render_resource::ShaderType;

/// One volume in one view, for the march.
#[derive(Reflect, ShaderType, Clone, Copy, Debug, Default)]
pub struct FastView {
    /// From view space to the volume's own space.
    pub local_from_view: Mat4,
    /// From clip space to view space.
    pub view_from_clip: Mat4,
    /// From the volume's own space to clip space.
    pub clip_from_local: Mat4,
    /// Corner and size of the viewport, pixels.
    pub viewport: Vec4,
    /// In x and y, 0..1: which pixel of its block is marched.
    pub offset: Vec4,
    /// In x and y: the view's share of the marched pixels, of which the last may lie partly beyond its edges.
    pub share: Vec4,
    /// Pixels along an edge of a block of which one is marched.
    pub spacing: f32,
    /// Luminance to picture value.
    pub exposure: f32,
    /// Steps along the ray, relative to those the parameters ask for.
    pub steps: f32,
    /// Steps towards the sun, relative to those the parameters ask for.
    pub light_steps: f32,
    /// Cells of the field along an edge.
    pub cells: f32,
    /// How far the noise may have drifted since the field was made.
    pub drift: f32,
    /// Which slice of the blue noise jitters the march.
    pub slice: u32,
}

/// One view, for the pass that puts marched pixels into the picture.
#[derive(Reflect, ShaderType, Clone, Copy, Debug, Default)]
pub struct ResolveView {
    /// From this frame's clip space to that of the frame before.
    pub past_clip_from_clip: Mat4,
    /// Corner and size of the viewport, pixels.
    pub viewport: Vec4,
    /// In x and y, 0..1: which pixel of its block was marched.
    pub offset: Vec4,
    /// In x and y: marched pixels across and down.
    pub marched: Vec4,
    /// In x and y: size of the whole target, pixels.
    pub size: Vec4,
    /// Pixels along an edge of a block of which one was marched.
    pub spacing: f32,
    /// What the past is good for: 0 nothing, 1 nothing has moved since, 2 begin to stand still, 3 something moves.
    pub past: u32,
    /// 1 if the marched pixels were refined: they replace what was marched with less care.
    pub refined: u32,
}

/// One step of filling the field.
#[derive(Reflect, ShaderType, Clone, Copy, Debug, Default)]
pub struct FieldStep {
    /// Cells along an edge.
    pub cells: u32,
    /// First layer of cells of this step.
    pub first_layer: u32,
    /// Axis along which distances spread.
    pub axis: u32,
}
