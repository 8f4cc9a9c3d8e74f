// Draws a fire: marches the view ray through the flame's envelope, gathering emission and absorption.
//
// Units: lengths in half edges; radiance in cd/m²; illuminance in lux. sigma is an extinction coefficient.

#import bevy_pbr::forward_io::VertexOutput
#import pyrocumulus::params::{FireParams, VolumeFrame}
#import pyrocumulus::math::intersect_box
#import pyrocumulus::march::{Ray, OPAQUE, add_emission, settle}
#import pyrocumulus::fire_light::{extinction, firelight, glow, skylight, sun_optical_depth, sunlight}
#import pyrocumulus::view::{jitter, shade, view_ray}
#import pyrocumulus::view_ray::{ViewRay, misses}
#import pyrocumulus::flame::{FlameNoise, clearance, fire_at, flame_box}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> params: FireParams;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var<storage, read> frame: VolumeFrame;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var tiling: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(5) var vectors: texture_3d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(6) var palettes: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(7) var palette_sampler: sampler;

// Light that reaches smoke at p, which lies `depth` inside.
fn light_at(p: vec3<f32>, depth: f32, cos_theta: f32, random: f32, noise: FlameNoise) -> vec3<f32> {
    var light = skylight(p, depth, frame.sky_radiance, frame.ground_radiance)
        + firelight(p, params, palettes, palette_sampler);
    if any(frame.sun_illuminance > vec3(0.0)) {
        let tau = sun_optical_depth(p, frame.sun_direction, random, params, noise, vectors, tiling);
        light += frame.sun_illuminance * sunlight(tau, cos_theta);
    }
    return light;
}

fn march_fire(view: ViewRay, enter: f32, exit: f32, random: f32) -> Ray {
    let noise = FlameNoise(frame.phase_a, frame.phase_b.x, frame.seed_offset);
    let cos_theta = dot(view.direction, frame.sun_direction);
    let ds = (exit - enter) / f32(params.steps);
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
        let sigma = extinction(fire, params);
        if sigma <= 0.0 {
            continue;
        }
        let glow = glow(fire, params, palettes, palette_sampler);
        var emission = glow.emission;
        if glow.scattering.x > 0.0 {
            emission += glow.scattering * light_at(p, fire.heat, cos_theta, random, noise);
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
