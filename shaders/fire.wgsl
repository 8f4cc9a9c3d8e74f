// Draws a fire: marches the view ray through the cube, gathering emission and absorption.
//
// Units: lengths in half edges; radiance in cd/m².

#import bevy_pbr::forward_io::VertexOutput
#import pyrocumulus::params::{FireParams, VolumeFrame}
#import pyrocumulus::math::{intersect_box}
#import pyrocumulus::march::{Ray, OPAQUE, add_emission, settle}
#import pyrocumulus::view::{ViewRay, jitter, shade, view_ray}
#import pyrocumulus::flame::{FlameNoise, heat}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> params: FireParams;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var<storage, read> frame: VolumeFrame;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var tiling: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(5) var vectors: texture_3d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(6) var palettes: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(7) var palette_sampler: sampler;

// Temperature at the right end of a blackbody row.
const MAX_KELVIN: f32 = 12000.0;

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
    return vec4(black.rgb * heat, 0.0);
}

fn march_fire(view: ViewRay, enter: f32, exit: f32, random: f32) -> Ray {
    let noise = FlameNoise(frame.phase_a, frame.phase_b.xy, frame.seed_offset);
    let ds = (exit - enter) / f32(params.steps);
    var ray = Ray(vec3(0.0), 1.0);
    for (var i = 0u; i < params.steps; i += 1u) {
        let p = view.origin + view.direction * (enter + (f32(i) + random) * ds);
        let f = heat(p, params, noise, vectors, tiling);
        if f <= 0.0 {
            continue;
        }
        let color = palette(f);
        let sigma = params.absorption * f;
        let glow = 1000.0 * params.intensity * color.rgb * (1.0 - color.a);
        let ambient = frame.sky_radiance + frame.sun_illuminance * 0.0795774715;
        ray = add_emission(ray, sigma * (glow + ambient * color.rgb * color.a), sigma, ds);
        if ray.transmittance < OPAQUE {
            break;
        }
    }
    return ray;
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let view = view_ray(in.position, in.world_position.xyz, in.instance_index);
    let span = intersect_box(view.origin, view.direction, vec3(-1.0), vec3(1.0));
    let enter = max(span.x, 0.0);
    let exit = min(span.y, view.limit);
    if enter >= exit {
        discard;
    }
    let ray = march_fire(view, enter, exit, jitter(in.position.xy, frame.jitter));
    return shade(ray.radiance, settle(ray.transmittance));
}
