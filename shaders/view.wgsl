// From a pixel to a ray in the volume's own space, and where the scene's geometry ends it.

#define_import_path pyrocumulus::view

#import bevy_pbr::mesh_view_bindings::view
#import bevy_pbr::mesh_functions::get_local_from_world
#ifdef DEPTH_PREPASS
#import bevy_pbr::prepass_utils::prepass_depth
#endif
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::tone_mapping
#endif
#ifdef BLUE_NOISE_TEXTURE
#import bevy_pbr::mesh_view_bindings::blue_noise_texture
#endif

// A ray in the volume's own space. Direction is a unit vector there.
struct ViewRay {
    origin: vec3<f32>,
    direction: vec3<f32>,
    // Distance at which opaque geometry ends the ray.
    limit: f32,
}

// Farther than anything, and safe to multiply.
const FAR: f32 = 1e9;

// Position of a pixel in the view, -1..1, y up.
fn ndc(frag_coord: vec2<f32>) -> vec2<f32> {
    let uv = (frag_coord - view.viewport.xy) / view.viewport.zw;
    return uv * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
}

// The ray through the pixel at `frag_coord`. From the pixel alone: what a triangle interpolates is arbitrary
// in the pixels beside its edge that a GPU shades along with it, and a march must end there, too.
fn view_ray(frag_coord: vec4<f32>, instance: u32) -> ViewRay {
    let local_from_world = get_local_from_world(instance);
    let pixel = ndc(frag_coord.xy);
    let near = view.view_from_clip * vec4(pixel, 1.0, 1.0);
    var origin = view.world_position;
    var direction = normalize(near.xyz / near.w);
    let orthographic = view.clip_from_view[3].w == 1.0;
    if orthographic {
        origin = (view.world_from_view * vec4(near.xy, 0.0, 1.0)).xyz;
        direction = vec3(0.0, 0.0, -1.0);
    }
    direction = (view.world_from_view * vec4(direction, 0.0)).xyz;
    let local_direction = (local_from_world * vec4(direction, 0.0)).xyz;
    let scale = length(local_direction);
    var ray: ViewRay;
    ray.origin = (local_from_world * vec4(origin, 1.0)).xyz;
    ray.direction = local_direction / scale;
    ray.limit = FAR;
#ifdef DEPTH_PREPASS
    // Of a multisampled pixel the first sample stands for all: shading each would cost as many marches.
    let depth = prepass_depth(frag_coord, 0u);
    if depth > 0.0 {
        let world = view.world_from_clip * vec4(pixel, depth, 1.0);
        ray.limit = max(dot(world.xyz / world.w - origin, direction), 0.0) * scale;
    }
#endif
    return ray;
}

// Whether there is nothing to march from `enter` to `exit` in a volume no longer than `longest`. A degenerate
// transform, which a mesh may have for a frame, gives distances beyond it, or NaN: no march would end.
fn misses(enter: f32, exit: f32, longest: f32) -> bool {
    let length = exit - enter;
    return !(length > 0.0 && length < longest + 0.01);
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
