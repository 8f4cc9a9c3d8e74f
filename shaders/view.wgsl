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

// The ray through the pixel at `frag_coord`, which also passes through `surface` (world space) on the
// volume's bounds.
fn view_ray(frag_coord: vec4<f32>, surface: vec3<f32>, instance: u32) -> ViewRay {
    let local_from_world = get_local_from_world(instance);
    var origin = view.world_position;
    var direction = surface - origin;
    let orthographic = view.clip_from_view[3].w == 1.0;
    if orthographic {
        direction = -view.world_from_view[2].xyz;
        // The surface's projection onto the plane of the camera.
        origin = surface - direction * dot(surface - origin, direction);
    }
    direction = normalize(direction);
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
        let uv = (frag_coord.xy - view.viewport.xy) / view.viewport.zw;
        let ndc = vec3(uv * vec2(2.0, -2.0) + vec2(-1.0, 1.0), depth);
        let world = view.world_from_clip * vec4(ndc, 1.0);
        ray.limit = max(dot(world.xyz / world.w - origin, direction), 0.0) * scale;
    }
#endif
    return ray;
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
