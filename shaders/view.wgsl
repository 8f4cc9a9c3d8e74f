// From a pixel to a ray in the volume's own space, and where the scene's geometry ends it.

#define_import_path pyrocumulus::view

#import bevy_pbr::mesh_view_bindings::view
#import bevy_pbr::mesh_functions::get_local_from_world
#import pyrocumulus::view_ray::{ViewRay, ray_through}
#ifdef DEPTH_PREPASS
#import bevy_pbr::prepass_utils::prepass_depth
#endif
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::tone_mapping
#endif
#ifdef BLUE_NOISE_TEXTURE
#import bevy_pbr::mesh_view_bindings::blue_noise_texture
#endif

// Position of a pixel in the view, -1..1, y up.
fn ndc(frag_coord: vec2<f32>) -> vec2<f32> {
    let uv = (frag_coord - view.viewport.xy) / view.viewport.zw;
    return uv * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
}

// The ray through the pixel at `frag_coord`. From the pixel alone: what a triangle interpolates is arbitrary
// in the pixels beside its edge that a GPU shades along with it, and a march must end there, too.
fn view_ray(frag_coord: vec4<f32>, instance: u32) -> ViewRay {
    var depth = 0.0;
#ifdef DEPTH_PREPASS
    // Of a multisampled pixel the first sample stands for all: shading each would cost as many marches.
    depth = prepass_depth(frag_coord, 0u);
#endif
    let local_from_view = get_local_from_world(instance) * view.world_from_view;
    return ray_through(ndc(frag_coord.xy), depth, view.view_from_clip, local_from_view);
}

// Where within its first step the march begins, 0..1, different from pixel to pixel and from `slice` to
// slice. Bevy's spatio-temporal blue noise, or interleaved gradient noise (Jimenez 2014) without it.
fn jitter(frag_coord: vec2<f32>, slice: u32) -> f32 {
    let pixel = vec2<u32>(frag_coord);
#ifdef BLUE_NOISE_TEXTURE
    let size = textureDimensions(blue_noise_texture);
    let layers = textureNumLayers(blue_noise_texture);
    return textureLoad(blue_noise_texture, pixel % size, slice % layers, 0).r;
#else
    let shifted = vec2<f32>(pixel) + 5.588238 * f32(slice % 64u);
    return fract(52.9829189 * fract(dot(shifted, vec2(0.06711056, 0.00583715))));
#endif
}

// The pixel to write for `radiance` (cd/m², premultiplied) in front of a background seen with
// `transmittance`: exposed, and tone mapped where the camera has no HDR target.
fn shade(radiance: vec3<f32>, transmittance: f32) -> vec4<f32> {
    var color = vec4(radiance * view.exposure, 1.0 - transmittance);
#ifdef TONEMAP_IN_SHADER
    color = tone_mapping(color, view.color_grading);
#endif
    return color;
}
