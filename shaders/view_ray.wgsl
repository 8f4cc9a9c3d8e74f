// From a place in the picture to a ray in a volume's own space. Pure functions.

#define_import_path pyrocumulus::view_ray

// A ray in the volume's own space. Direction is a unit vector there.
struct ViewRay {
    origin: vec3<f32>,
    direction: vec3<f32>,
    // Distance at which opaque geometry ends the ray.
    limit: f32,
}

// Farther than anything, and safe to multiply.
const FAR: f32 = 1e9;

// The ray through a place in the view, -1..1, y up, that ends at `depth` of the depth buffer, where 0 is
// infinitely far. Directions are found in view space, where they keep their digits far from the origin.
fn ray_through(ndc: vec2<f32>, depth: f32, view_from_clip: mat4x4<f32>, local_from_view: mat4x4<f32>) -> ViewRay {
    let near = view_from_clip * vec4(ndc, 1.0, 1.0);
    var origin = vec3(0.0);
    var direction = normalize(near.xyz / near.w);
    let orthographic = view_from_clip[3].w == 1.0;
    if orthographic {
        origin = vec3(near.xy, 0.0);
        direction = vec3(0.0, 0.0, -1.0);
    }
    let local_direction = (local_from_view * vec4(direction, 0.0)).xyz;
    let scale = length(local_direction);
    var ray: ViewRay;
    ray.origin = (local_from_view * vec4(origin, 1.0)).xyz;
    ray.direction = local_direction / scale;
    ray.limit = FAR;
    if depth > 0.0 {
        let end = view_from_clip * vec4(ndc, depth, 1.0);
        ray.limit = max(dot(end.xyz / end.w - origin, direction), 0.0) * scale;
    }
    return ray;
}

// Whether there is nothing to march from `enter` to `exit` in a volume no longer than `longest`. A degenerate
// transform, which a mesh may have for a frame, gives distances beyond it, or NaN: no march would end.
fn misses(enter: f32, exit: f32, longest: f32) -> bool {
    let length = exit - enter;
    return !(length > 0.0 && length < longest + 0.01);
}
