// Draws a cloud fast: leaps through clear air by the field volume, marches the real density near the surface,
// and takes light from the field.
//
// BAKED_LIGHT: light from the field; otherwise every sample looks towards the sun. REFINED: nothing from the field
// but where there is clear air.
//
// Units: lengths in radii; radiance in cd/m²; illuminance in lux.

#import pyrocumulus::params::{CloudParams, VolumeFrame}
#import pyrocumulus::math::intersect_box
#import pyrocumulus::cloud_light::{DETAIL_REACH, SKY_FAR, SKY_NEAR, ambient_source, light_step, overcast, sun_source}
#import pyrocumulus::march::{Ray, OPAQUE, add_step, settle}
#import pyrocumulus::view_ray::{ViewRay, misses}
#import pyrocumulus::fast::{Grid, LEAST_LEAP, Marched, cell_length, depth_at, jitter, marched_pixel, marched_ray, view}
#import pyrocumulus::density::{CloudBox, CloudNoise, cloud_box, profile, lobed_field, detailed_field, density_of, filtered_density}

@group(1) @binding(0) var<uniform> params: CloudParams;
@group(1) @binding(1) var<storage, read> frame: VolumeFrame;
@group(1) @binding(2) var base: texture_3d<f32>;
@group(1) @binding(3) var tiling: sampler;
@group(1) @binding(4) var detail: texture_3d<f32>;
// Made by cloud_field.wgsl: profile, optical depth towards the sun, cloud above, clear air in cells.
@group(1) @binding(8) var field: texture_3d<f32>;
@group(1) @binding(9) var clamping: sampler;

fn cells(grid: Grid, p: vec3<f32>) -> vec4<f32> {
    return textureSampleLevel(field, clamping, (p - grid.low) * grid.rate, 0.0);
}

// Signed depth at p, where the profile is s.
fn cloud_field(p: vec3<f32>, s: f32, with_detail: bool) -> f32 {
    let noise = CloudNoise(frame.phase_a, frame.phase_b, frame.seed_offset);
    let lobed = lobed_field(p, s, params, noise, base, tiling);
    if !with_detail || params.detail == 0u || lobed.x <= 0.0 {
        return lobed.x;
    }
    return detailed_field(p, lobed, params, noise, detail, tiling);
}

// Signed depth at p, in the cells `here`.
fn cloud_in(here: vec4<f32>, p: vec3<f32>, with_detail: bool) -> f32 {
#ifdef REFINED
    return cloud_field(p, profile(p, params), with_detail);
#else
    return cloud_field(p, here.x, with_detail);
#endif
}

fn cloud_at(grid: Grid, p: vec3<f32>, with_detail: bool) -> f32 {
    return cloud_in(cells(grid, p), p, with_detail);
}

// How much cloud lies above p.
fn above(grid: Grid, p: vec3<f32>, here: vec4<f32>) -> f32 {
#ifdef REFINED
    return overcast(
        cloud_at(grid, p + vec3(0.0, SKY_NEAR, 0.0), false), cloud_at(grid, p + vec3(0.0, SKY_FAR, 0.0), false));
#else
    return here.z;
#endif
}

// The first place from `start` on that is inside the cloud, and in y the last one in clear air before it.
fn leap(grid: Grid, ray: ViewRay, start: f32, exit: f32, full: f32) -> vec2<f32> {
    let cell = cell_length(grid, ray.direction);
    var clear = start;
    var t = start;
    var depth = -1.0;
    while t < exit {
        let p = ray.origin + ray.direction * t;
        let here = cells(grid, p);
        let air = here.w * cell - view.drift;
        if here.w > LEAST_LEAP && air > 0.0 {
            clear = t;
            t += max(air, 0.25 * full);
            continue;
        }
        depth = cloud_in(here, p, true);
        if depth > 0.0 {
            break;
        }
        clear = t;
        t += clamp(-0.45 * depth, 0.4 * full, 6.0 * full);
    }
    return vec2(t, clear);
}

// Where along the ray, between `clear` and `cloudy`, the field crosses zero.
fn surface(grid: Grid, ray: ViewRay, clear: f32, cloudy: f32) -> f32 {
    var a = clear;
    var b = cloudy;
    for (var i = 0; i < 3; i += 1) {
        let middle = 0.5 * (a + b);
        if cloud_at(grid, ray.origin + ray.direction * middle, true) > 0.0 {
            b = middle;
        } else {
            a = middle;
        }
    }
    return a;
}

#ifdef BAKED_LIGHT
// Optical depth towards the sun: what lies beyond a cell is baked, the first cell's length is the sample's own
// density, with all its detail.
fn sun_optical_depth(here: vec4<f32>, depth: f32) -> f32 {
    let first = 2.0 / view.cells;
    return here.y + filtered_density(depth, first, params) * params.extinction * first;
}
#else
fn sun_optical_depth(grid: Grid, p: vec3<f32>, random: f32) -> f32 {
    let n = f32(params.light_steps) * view.light_steps;
    var tau = 0.0;
    var begin = 0.0;
    for (var i = 0u; f32(i) < n; i += 1u) {
        let end = light_step(i + 1u, n);
        let q = p + frame.sun_direction * mix(begin, end, random);
        let uvw = (q - grid.low) * grid.rate;
        if any(uvw != saturate(uvw)) {
            break;
        }
        tau += filtered_density(cloud_at(grid, q, begin < DETAIL_REACH), end - begin, params) * (end - begin);
        begin = end;
    }
    return tau * params.extinction;
}
#endif

// A marched ray, and the distance of what is seen along it.
struct Seen {
    ray: Ray,
    distance: f32,
}

// Marches from enter to exit.
fn march_cloud(grid: Grid, view_ray: ViewRay, enter: f32, exit: f32, random: f32) -> Seen {
    let cos_theta = dot(view_ray.direction, frame.sun_direction);
    let full = 2.0 / (f32(params.steps) * view.steps);
    var ray = Ray(vec3(0.0), 1.0);
    var t = enter + full * random;
    var ds = 0.0;
    var jitter = random;
    var distance = 0.0;
    while t < exit && ray.transmittance >= OPAQUE {
        let ahead = leap(grid, view_ray, t, exit, full);
        if ahead.x >= exit {
            break;
        }
        if ahead.x > t || ds == 0.0 {
            t = surface(grid, view_ray, ahead.y, ahead.x);
            ds = 0.25 * full;
        }
        jitter = fract(jitter + 0.618034);
        let at = t + ds * jitter;
        let p = view_ray.origin + view_ray.direction * at;
        let here = cells(grid, p);
        let depth = cloud_in(here, p, true);
#ifdef BAKED_LIGHT
        let tau = sun_optical_depth(here, depth);
#else
        let tau = sun_optical_depth(grid, p, jitter);
#endif
        let inside = max(depth, 0.0);
        let source = sun_source(tau, cos_theta, inside, params, frame.sun_illuminance)
            + ambient_source(p, inside, above(grid, p, here), params, frame.sky_radiance, frame.ground_radiance);
        let before = ray.transmittance;
        ray = add_step(ray, source, density_of(depth, params) * params.extinction, min(ds, exit - t));
        distance += (before - ray.transmittance) * at;
        t += ds;
        ds = min(1.35 * ds, full);
    }
    return Seen(ray, distance / max(1.0 - ray.transmittance, 1e-6));
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> Marched {
    let index = vec2<u32>(position.xy);
    let ray = marched_ray(marched_pixel(index));
    let bound = cloud_box(params);
    let span = intersect_box(ray.origin, ray.direction, bound.low, bound.high);
    let enter = max(span.x, 0.0);
    let exit = min(span.y, ray.limit);
    if misses(enter, exit, 2.0 * sqrt(3.0)) {
        discard;
    }
    let grid = Grid(bound.low, 1.0 / (bound.high - bound.low));
    let seen = march_cloud(grid, ray, enter, exit, jitter(index));
    if seen.ray.transmittance >= 1.0 {
        discard;
    }
    let color = vec4(seen.ray.radiance * view.exposure, 1.0 - settle(seen.ray.transmittance));
    return Marched(color, depth_at(ray, seen.distance));
}
