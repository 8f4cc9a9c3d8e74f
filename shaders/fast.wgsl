// What the fast march of every kind of volume shares: the view, the ray of a marched pixel, and the targets.
//
// Only some of the picture's pixels are marched, one in each block of `spacing` by `spacing`: that which `offset`
// points at. Its ray is exactly that of the full picture, so that frames with other offsets add up to it.

#define_import_path pyrocumulus::fast

#import pyrocumulus::params::{COARSE, FastView}
#import pyrocumulus::view_ray::{ViewRay, ray_through}

@group(0) @binding(0) var<uniform> view: FastView;
@group(0) @binding(1) var blue_noise: texture_2d_array<f32>;
#ifdef DEPTH_PREPASS
#ifdef MULTISAMPLED
@group(0) @binding(2) var depth_prepass: texture_depth_multisampled_2d;
#else
@group(0) @binding(2) var depth_prepass: texture_depth_2d;
#endif
#endif

// What a marched pixel holds.
struct Marched {
    // Exposed radiance, premultiplied, and opacity.
    @location(0) color: vec4<f32>,
    // Depth of what is seen, as in the depth buffer: 0 is infinitely far.
    @location(1) depth: f32,
}

// The pixel of the picture that marched pixel `index` stands for, counted from the viewport's corner.
fn marched_pixel(index: vec2<u32>) -> vec2<f32> {
    let pixel = floor((vec2<f32>(index) + view.offset.xy) * view.spacing);
    return min(pixel, view.viewport.zw - 1.0);
}

// Depth of the scene at a pixel of the picture.
fn scene_depth(pixel: vec2<f32>) -> f32 {
#ifdef DEPTH_PREPASS
    return textureLoad(depth_prepass, vec2<i32>(pixel + view.viewport.xy), 0);
#else
    return 0.0;
#endif
}

// The ray through a marched pixel, in the volume's own space.
fn marched_ray(pixel: vec2<f32>) -> ViewRay {
    let ndc = (pixel + 0.5) / view.viewport.zw * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    return ray_through(ndc, scene_depth(pixel), view.view_from_clip, view.local_from_view);
}

// Depth, as in the depth buffer, of the point at distance t along a ray.
fn depth_at(ray: ViewRay, t: f32) -> f32 {
    let clip = view.clip_from_local * vec4(ray.origin + ray.direction * t, 1.0);
    return clip.z / clip.w;
}

// Where within its first step the march begins, 0..1: spatio-temporal blue noise (Wolfe et al. 2022), moved by
// the golden ratio each time its slices are through.
fn jitter(index: vec2<u32>) -> f32 {
    let layers = textureNumLayers(blue_noise);
    let noise = textureLoad(blue_noise, index % textureDimensions(blue_noise), view.slice % layers, 0).r;
    return fract(noise + 0.618034 * f32(view.slice / layers));
}

// Clear air, in coarse cells, above which it is worth leaping.
const LEAST_LEAP: f32 = 0.25;

// The box that a field covers.
struct Grid {
    low: vec3<f32>,
    // Field coordinates, 0..1, per unit of length.
    rate: vec3<f32>,
}

// The length along a ray for which it stays within the width of a coarse cell, along every axis.
fn cell_length(grid: Grid, direction: vec3<f32>) -> f32 {
    let rates = abs(direction) * grid.rate;
    return COARSE / (view.cells * max(max(rates.x, rates.y), rates.z));
}
