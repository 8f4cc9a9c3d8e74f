// Small mathematics used everywhere. Pure functions.
//
// Notation: saturate(x) clamps to 0..1; all directions are unit vectors.

#define_import_path pyrocumulus::math

const PI: f32 = 3.14159265358979;

// Maps x from [a, b] to [c, d], linearly and unclamped.
fn remap(x: f32, a: f32, b: f32, c: f32, d: f32) -> f32 {
    return c + (x - a) / (b - a) * (d - c);
}

// Parameters along the ray at which it enters and leaves the unit sphere; x > y when it misses.
fn intersect_unit_sphere(origin: vec3<f32>, direction: vec3<f32>) -> vec2<f32> {
    // Distances from the point nearest the centre keep their digits when the camera is far away.
    let nearest = -dot(origin, direction);
    let offset = origin + nearest * direction;
    let half_chord_squared = 1.0 - dot(offset, offset);
    if half_chord_squared < 0.0 {
        return vec2(1.0, -1.0);
    }
    let half_chord = sqrt(half_chord_squared);
    return vec2(nearest - half_chord, nearest + half_chord);
}

// The same for an axis-aligned box, by slabs.
fn intersect_box(origin: vec3<f32>, direction: vec3<f32>, low: vec3<f32>, high: vec3<f32>) -> vec2<f32> {
    // A component of exactly 0 would give 0/0 on the slab itself.
    let safe = select(direction, vec3(1e-12), abs(direction) < vec3(1e-12));
    let a = (low - origin) / safe;
    let b = (high - origin) / safe;
    let near = min(a, b);
    let far = max(a, b);
    return vec2(max(max(near.x, near.y), near.z), min(min(far.x, far.y), far.z));
}

// Rotates about the y axis.
fn rotate_y(p: vec3<f32>, angle: f32) -> vec3<f32> {
    let s = sin(angle);
    let c = cos(angle);
    return vec3(c * p.x + s * p.z, p.y, c * p.z - s * p.x);
}
