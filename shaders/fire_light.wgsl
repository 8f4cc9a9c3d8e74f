// How a fire glows, and how light reaches it. Pure functions.
//
// Units: lengths in half edges; radiance in cd/m²; illuminance in lux. sigma is an extinction coefficient.

#define_import_path pyrocumulus::fire_light

#import pyrocumulus::params::{FIRELIGHT_MIDDLE, FireParams, MAX_KELVIN, VolumeFrame}
#import pyrocumulus::phase::henyey_greenstein
#import pyrocumulus::flame::{Fire, FlameNoise, fire_at}

// Glow of hydrocarbon radicals, CH at 431 nm and C2 at 517 nm, relative to glowing soot.
const RADICALS: vec3<f32> = vec3(0.006, 0.05, 0.28);
// Extinction of dense smoke, and the share of it that scatters.
const SMOKE_EXTINCTION: f32 = 26.0;
const SMOKE_ALBEDO: vec3<f32> = vec3(0.34, 0.325, 0.31);
// Lengths of the steps from a sample of smoke towards the sun: they grow, near shadows are the sharpest.
const SUN_STEPS: array<f32, 4> = array(0.05, 0.1, 0.2, 0.4);

// Colour and share of scattering of the palette for `heat`.
fn palette_color(heat: f32, params: FireParams, palettes: texture_2d<f32>, palette_sampler: sampler) -> vec4<f32> {
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

// Extinction coefficient of fire.
fn extinction(fire: Fire, params: FireParams) -> f32 {
    return params.absorption * fire.flame + params.smoke * SMOKE_EXTINCTION * fire.smoke;
}

// Optical depth from p towards the sun, with coarse noise: what casts the shade is large.
fn sun_optical_depth(
    p: vec3<f32>, sun_direction: vec3<f32>, random: f32, params: FireParams, noise: FlameNoise,
    vectors: texture_3d<f32>, tiling: sampler,
) -> f32 {
    var coarse = params;
    coarse.octaves = min(params.octaves, 2u);
    coarse.warp_levels = min(params.warp_levels, 1u);
    var tau = 0.0;
    var begin = 0.0;
    for (var i = 0u; i < 4u; i += 1u) {
        // Every step has its own jitter, by the golden ratio, or the grain would add up.
        let q = p + sun_direction * (begin + SUN_STEPS[i] * fract(random + 0.618 * f32(i)));
        tau += extinction(fire_at(q, coarse, noise, vectors, tiling), params) * SUN_STEPS[i];
        begin += SUN_STEPS[i];
    }
    return tau;
}

// What a sample of fire sends out by itself, and how much of the light that reaches it, each per unit of length.
struct Glow {
    emission: vec3<f32>,
    scattering: vec3<f32>,
}

fn glow(fire: Fire, params: FireParams, palettes: texture_2d<f32>, palette_sampler: sampler) -> Glow {
    // Thin flames glow as bright as thick ones: a path of 2R through a clear flame gives the intensity.
    let clear_glow = 0.5 / params.radius;
    let color = palette_color(fire.heat, params, palettes, palette_sampler);
    let radiance = 1000.0 * params.intensity
        * mix(params.root * RADICALS, color.rgb * (1.0 - color.a), fire.soot);
    let scattering = params.absorption * fire.flame * color.a * color.rgb
        + params.smoke * SMOKE_EXTINCTION * fire.smoke * SMOKE_ALBEDO;
    return Glow(radiance * fire.flame * (params.absorption + clear_glow), scattering);
}

// Mean radiance that smoke at p receives from the flame below it: that of a sphere of half the flame's size,
// by its solid angle.
fn firelight(p: vec3<f32>, params: FireParams, palettes: texture_2d<f32>, palette_sampler: sampler) -> vec3<f32> {
    let color = palette_color(0.6, params, palettes, palette_sampler);
    let from_flame = p - vec3(0.0, FIRELIGHT_MIDDLE * params.height - 1.0, 0.0);
    let size = params.radius * params.radius;
    let share = 0.25 * size / (size + dot(from_flame, from_flame));
    return 1000.0 * params.intensity * color.rgb * (1.0 - color.a) * share;
}

// Light of the sun, seen through an optical depth, that a scattering medium sends to the eye.
fn sunlight(tau: f32, cos_theta: f32) -> f32 {
    // A second, softer octave stands for light scattered more than once (Wrenninge 2013).
    return exp(-tau) * henyey_greenstein(cos_theta, 0.35) + 0.5 * exp(-0.25 * tau) * henyey_greenstein(cos_theta, 0.1);
}

// Light of sky and ground at p. The sky is hidden by what lies around: less of it reaches the depth, and the
// underside sees ground.
fn skylight(p: vec3<f32>, depth: f32, sky_radiance: vec3<f32>, ground_radiance: vec3<f32>) -> vec3<f32> {
    let up = saturate(0.5 + 0.5 * p.y);
    return exp(-2.0 * depth) * mix(0.5 * ground_radiance, sky_radiance, up);
}
