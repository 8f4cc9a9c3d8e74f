// Draws a fire fast: leaps through clear air by the field volume, and reads the flow from it.
//
// BAKED_LIGHT: light from the field; otherwise every sample looks towards the sun. REFINED: nothing from the field
// but where there is clear air.
//
// Units: lengths in half edges; radiance in cd/m²; illuminance in lux. sigma is an extinction coefficient.

#import pyrocumulus::params::{FireParams, VolumeFrame}
#import pyrocumulus::math::intersect_box
#import pyrocumulus::march::{Ray, OPAQUE, add_emission, settle}
#import pyrocumulus::fire_light::{extinction, firelight, glow, skylight, sun_optical_depth, sunlight}
#import pyrocumulus::view_ray::{ViewRay, misses}
#import pyrocumulus::fast::{Grid, LEAST_LEAP, Marched, cell_length, depth_at, jitter, marched_pixel, marched_ray, view}
#import pyrocumulus::flame::{Flow, FlameNoise, fire_in, flame_box, flow_at}

@group(1) @binding(0) var<uniform> params: FireParams;
@group(1) @binding(1) var<storage, read> frame: VolumeFrame;
@group(1) @binding(3) var tiling: sampler;
@group(1) @binding(5) var vectors: texture_3d<f32>;
@group(1) @binding(6) var palettes: texture_2d<f32>;
@group(1) @binding(7) var palette_sampler: sampler;
// Made by fire_field.wgsl: optical depth towards the sun in x, clear air in coarse cells in w; and the flow.
@group(1) @binding(8) var field: texture_3d<f32>;
@group(1) @binding(9) var clamping: sampler;
@group(1) @binding(10) var flows: texture_3d<f32>;

// A marched ray, and the distance of what is seen along it.
struct Seen {
    ray: Ray,
    distance: f32,
}

// The first sample from `first` on, in steps, that may hold fire. A loop of its own: a SIMD processor runs a
// loop's whole body while one lane needs it.
fn leap(grid: Grid, ray: ViewRay, enter: f32, ds: f32, first: f32, last: f32) -> f32 {
    let cell = cell_length(grid, ray.direction);
    var i = first;
    while i < last {
        let p = ray.origin + ray.direction * (enter + i * ds);
        let clear = textureSampleLevel(field, clamping, (p - grid.low) * grid.rate, 0.0).w;
        if clear <= LEAST_LEAP {
            break;
        }
        // Whole steps, so that samples stay where they would have been.
        i += max(1.0, floor(clear * cell / ds));
    }
    return i;
}

fn march_fire(grid: Grid, view_ray: ViewRay, enter: f32, exit: f32, random: f32) -> Seen {
    let noise = FlameNoise(frame.phase_a, frame.phase_b.x, frame.seed_offset);
    let cos_theta = dot(view_ray.direction, frame.sun_direction);
    let steps = ceil(f32(params.steps) * view.steps);
    let ds = (exit - enter) / steps;
    let sun = any(frame.sun_illuminance > vec3(0.0));
    var ray = Ray(vec3(0.0), 1.0);
    var distance = 0.0;
    // What glows is seen, too, however clear.
    var weights = 1e-9;
    var i = random;
    while i < steps && ray.transmittance >= OPAQUE {
        i = leap(grid, view_ray, enter, ds, i, steps);
        if i >= steps {
            break;
        }
        let at = enter + i * ds;
        i += 1.0;
        let p = view_ray.origin + view_ray.direction * at;
        let uvw = (p - grid.low) * grid.rate;
        let h = (p.y + 1.0) / params.height;
#ifdef REFINED
        let flow = flow_at(p, h, params, noise, vectors, tiling);
#else
        let stored = textureSampleLevel(flows, clamping, uvw, 0.0);
        let flow = Flow(stored.xyz, stored.w);
#endif
        let fire = fire_in(p, h, flow, params, noise, vectors, tiling);
        let sigma = extinction(fire, params);
        if sigma <= 0.0 {
            continue;
        }
        let glow = glow(fire, params, palettes, palette_sampler);
        var emission = glow.emission;
        if glow.scattering.x > 0.0 {
            var light = skylight(p, fire.heat, frame.sky_radiance, frame.ground_radiance)
                + firelight(p, params, palettes, palette_sampler);
            if sun {
#ifdef BAKED_LIGHT
                let tau = textureSampleLevel(field, clamping, uvw, 0.0).x;
#else
                let tau = sun_optical_depth(p, frame.sun_direction, random, params, noise, vectors, tiling);
#endif
                light += frame.sun_illuminance * sunlight(tau, cos_theta);
            }
            emission += glow.scattering * light;
        }
        let weight = ray.transmittance * (fire.flame + fire.smoke);
        distance += weight * at;
        weights += weight;
        ray = add_emission(ray, emission, sigma, ds);
    }
    return Seen(ray, distance / weights);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> Marched {
    let index = vec2<u32>(position.xy);
    let ray = marched_ray(marched_pixel(index));
    let high = flame_box(params);
    let low = vec3(-high.x, -1.0, -high.z);
    let span = intersect_box(ray.origin, ray.direction, low, high);
    let enter = max(span.x, 0.0);
    let exit = min(span.y, ray.limit);
    if misses(enter, exit, 2.0 * sqrt(3.0)) {
        discard;
    }
    let seen = march_fire(Grid(low, 1.0 / (high - low)), ray, enter, exit, jitter(index));
    if seen.ray.transmittance >= 1.0 {
        discard;
    }
    let color = vec4(seen.ray.radiance * view.exposure, 1.0 - settle(seen.ray.transmittance));
    return Marched(color, depth_at(ray, seen.distance));
}
