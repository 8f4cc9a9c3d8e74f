// Draws a fire: marches the view ray through the flame's envelope, gathering emission and absorption.
//
// Units: lengths in half edges; radiance in cd/m²; illuminance in lux. sigma is an extinction coefficient.

#import bevy_pbr::forward_io::VertexOutput
#import pyrocumulus::params::{FIRELIGHT_MIDDLE, FireParams, MAX_KELVIN, VolumeFrame}
#import pyrocumulus::math::{intersect_box}
#import pyrocumulus::march::{Ray, OPAQUE, add_emission, settle}
#import pyrocumulus::phase::henyey_greenstein
#import pyrocumulus::view::{ViewRay, jitter, misses, shade, view_ray}
#import pyrocumulus::flame::{Fire, FlameNoise, clearance, fire_at, flame_box}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> params: FireParams;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var<storage, read> frame: VolumeFrame;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var tiling: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(5) var vectors: texture_3d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(6) var palettes: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(7) var palette_sampler: sampler;

// Glow of hydrocarbon radicals, CH at 431 nm and C2 at 517 nm, relative to glowing soot.
const RADICALS: vec3<f32> = vec3(0.006, 0.05, 0.28);
// Extinction of dense smoke, and the share of it that scatters.
const SMOKE_EXTINCTION: f32 = 26.0;
const SMOKE_ALBEDO: vec3<f32> = vec3(0.34, 0.325, 0.31);
// Lengths of the steps from a sample of smoke towards the sun: they grow, near shadows are the sharpest.
const SUN_STEPS: array<f32, 4> = array(0.05, 0.1, 0.2, 0.4);

// Colour and share of scattering of the palette for `heat`.
fn palette(heat: f32) -> vec4<f32> {
    let row = (f32(params.palette) + 0.5) / f32(textureDimensions(palettes).y);
    let color = textureSampleLevel(palettes, palette_sampler, vec2(heat, row), 0.0);
    if color.a >= 0.0 {
        return color;
    }
    // A blackbody row: the edge is cooler than the core. Chromaticity comes from the row, intensity from
    // heat; Planck's own ratio of 1e5 between 1000 and 2000 K would leave nothing but the core.
    let kelvin = params.temperature * mix(0.55, 1.0, heat);
    let black = textureSampleLevel(palettes, palette_sampler, vec2(kelvin / MAX_KELVIN, row), 0.0);
    return vec4(black.rgb * heat * heat, 0.0);
}

fn flame_noise() -> FlameNoise {
    return FlameNoise(frame.phase_a, frame.phase_b.x, frame.seed_offset);
}

// Extinction coefficient of fire.
fn extinction(fire: Fire) -> f32 {
    return params.absorption * fire.flame + params.smoke * SMOKE_EXTINCTION * fire.smoke;
}

// Optical depth from p towards the sun, with coarse noise: what casts the shade is large.
fn sun_optical_depth(p: vec3<f32>, random: f32) -> f32 {
    var coarse = params;
    coarse.octaves = min(params.octaves, 2u);
    coarse.warp_levels = min(params.warp_levels, 1u);
    let noise = flame_noise();
    var tau = 0.0;
    var begin = 0.0;
    for (var i = 0u; i < 4u; i += 1u) {
        // Every step has its own jitter, by the golden ratio, or the grain would add up.
        let q = p + frame.sun_direction * (begin + SUN_STEPS[i] * fract(random + 0.618 * f32(i)));
        tau += extinction(fire_at(q, coarse, noise, vectors, tiling)) * SUN_STEPS[i];
        begin += SUN_STEPS[i];
    }
    return tau;
}

// Mean radiance that smoke at p receives from the flame below it: that of a sphere of half the flame's size,
// by its solid angle.
fn firelight(p: vec3<f32>) -> vec3<f32> {
    let color = palette(0.6);
    let from_flame = p - vec3(0.0, FIRELIGHT_MIDDLE * params.height - 1.0, 0.0);
    let size = params.radius * params.radius;
    let share = 0.25 * size / (size + dot(from_flame, from_flame));
    return 1000.0 * params.intensity * color.rgb * (1.0 - color.a) * share;
}

// Radiance that a scattering medium of albedo 1 sends to the eye per unit of extinction: sun, sky and ground.
fn scattered(p: vec3<f32>, depth: f32, cos_theta: f32, random: f32) -> vec3<f32> {
    var source = vec3(0.0);
    if max(frame.sun_illuminance.x, frame.sun_illuminance.y) > 0.0 {
        let tau = sun_optical_depth(p, random);
        // A second, softer octave stands for light scattered more than once (Wrenninge 2013).
        let once = exp(-tau) * henyey_greenstein(cos_theta, 0.35);
        let more = 0.5 * exp(-0.25 * tau) * henyey_greenstein(cos_theta, 0.1);
        source = frame.sun_illuminance * (once + more);
    }
    // The sky is hidden by what lies around: less of it reaches the depth, and the underside sees ground.
    let up = saturate(0.5 + 0.5 * p.y);
    let open = exp(-2.0 * depth);
    return source + open * mix(0.5 * frame.ground_radiance, frame.sky_radiance, up);
}

fn march_fire(view: ViewRay, enter: f32, exit: f32, random: f32) -> Ray {
    let noise = flame_noise();
    let cos_theta = dot(view.direction, frame.sun_direction);
    let ds = (exit - enter) / f32(params.steps);
    // Thin flames glow as bright as thick ones: a path of 2R through a clear flame gives the intensity.
    let clear_glow = 0.5 / params.radius;
    var ray = Ray(vec3(0.0), 1.0);
    var i = 0.0;
    while i < f32(params.steps) {
        let p = view.origin + view.direction * (enter + (i + random) * ds);
#ifndef PLAIN_MARCH
        let gap = clearance(p, params);
        if gap > 0.0 {
            // Whole steps, so that samples stay where they would have been.
            i += max(1.0, floor(0.8 * gap / ds));
            continue;
        }
#endif
        i += 1.0;
        let fire = fire_at(p, params, noise, vectors, tiling);
        let sigma = extinction(fire);
        if sigma <= 0.0 {
            continue;
        }
        let color = palette(fire.heat);
        let glow = 1000.0 * params.intensity
            * mix(params.root * RADICALS, color.rgb * (1.0 - color.a), fire.soot);
        var emission = glow * fire.flame * (params.absorption + clear_glow);
        let albedo = params.absorption * fire.flame * color.a * color.rgb
            + params.smoke * SMOKE_EXTINCTION * fire.smoke * SMOKE_ALBEDO;
        if albedo.x > 0.0 {
            emission += albedo * (scattered(p, fire.heat, cos_theta, random) + firelight(p));
        }
        ray = add_emission(ray, emission, sigma, ds);
        if ray.transmittance < OPAQUE {
            break;
        }
    }
    return ray;
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let view = view_ray(in.position, in.instance_index);
    let bound = flame_box(params);
    let low = vec3(-bound.x, -1.0, -bound.z);
    let span = intersect_box(view.origin, view.direction, low, vec3(bound.x, bound.y, bound.z));
    let enter = max(span.x, 0.0);
    let exit = min(span.y, view.limit);
    if misses(enter, exit, 2.0 * sqrt(3.0)) {
        return vec4(0.0);
    }
    let ray = march_fire(view, enter, exit, jitter(in.position.xy, frame.jitter));
    return shade(ray.radiance, settle(ray.transmittance));
}
