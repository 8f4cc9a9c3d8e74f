// Fills a cloud's field volume: N cells along each edge of the box about the cloud.
//
// `shape` evaluates profile and lobes in every cell, `mark` marks those that may hold cloud; then clearance.wgsl finds
// how far it is to them; `light` looks towards the sun and up from each of them, and writes the field: x profile, y optical depth towards the sun beyond
// the first cell's length, z cloud above, w clear air around, in coarse cells.

#import pyrocumulus::params::{CloudParams, COARSE, FieldStep, VolumeFrame}
#import pyrocumulus::cloud_light::{DETAIL_REACH, LIGHT_REACH, SKY_FAR, SKY_NEAR, overcast}
#import pyrocumulus::density::{CloudNoise, cloud_box, profile, lobed_field, detailed_field, filtered_density}

@group(0) @binding(0) var<uniform> params: CloudParams;
@group(0) @binding(1) var<storage, read> frame: VolumeFrame;
@group(0) @binding(2) var base: texture_3d<f32>;
@group(0) @binding(3) var tiling: sampler;
@group(0) @binding(4) var detail: texture_3d<f32>;
@group(1) @binding(0) var<uniform> step: FieldStep;
@group(1) @binding(1) var shapes: texture_3d<f32>;
@group(1) @binding(2) var distances: texture_3d<f32>;
@group(1) @binding(3) var clamping: sampler;
@group(1) @binding(4) var result: texture_storage_3d<rgba16float, write>;

fn noise() -> CloudNoise {
    return CloudNoise(frame.phase_a, frame.phase_b, frame.seed_offset);
}

// Centre of a cell.
fn center(cell: vec3<u32>) -> vec3<f32> {
    let bound = cloud_box(params);
    return mix(bound.low, bound.high, (vec3<f32>(cell) + 0.5) / f32(step.cells));
}

// Field coordinates of p, 0..1 within the box about the cloud.
fn coordinates(p: vec3<f32>) -> vec3<f32> {
    let bound = cloud_box(params);
    return (p - bound.low) / (bound.high - bound.low);
}

@compute @workgroup_size(4, 4, 4)
fn shape(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = id + vec3(0u, 0u, step.first_layer);
    let p = center(cell);
    let s = profile(p, params);
    let lobed = lobed_field(p, s, params, noise(), base, tiling).x;
    textureStore(result, cell, vec4(s, lobed, 0.0, 0.0));
}

@compute @workgroup_size(4, 4, 4)
fn mark(@builtin(global_invocation_id) cell: vec3<u32>) {
    // Between the centres of cells the lobes may rise higher.
    let margin = 0.02 + 0.06 * params.billow;
    textureStore(result, cell, vec4(textureLoad(shapes, cell, 0).y + margin));
}

// Lobes at p, from the cells. Beyond the outermost cells the field is not positive.
fn lobes(p: vec3<f32>) -> f32 {
    return textureSampleLevel(shapes, clamping, coordinates(p), 0.0).y;
}

// The field with its detail at p.
fn detailed(p: vec3<f32>) -> f32 {
    let lobed = lobed_field(p, profile(p, params), params, noise(), base, tiling);
    if params.detail == 0u || lobed.x <= 0.0 {
        return lobed.x;
    }
    return detailed_field(p, lobed, params, noise(), detail, tiling);
}

// Optical depth from p towards the sun beyond the first cell's length.
fn sun_optical_depth(p: vec3<f32>) -> f32 {
    var tau = 0.0;
    var begin = 2.0 / f32(step.cells);
    var ds = 0.5 * begin;
    while begin < LIGHT_REACH {
        let q = p + frame.sun_direction * (begin + 0.5 * ds);
        let at = coordinates(q);
        if any(at != saturate(at)) {
            break;
        }
        var depth = 0.0;
        if begin < DETAIL_REACH {
            depth = detailed(q);
        } else {
            depth = lobes(q);
        }
        tau += filtered_density(depth, ds, params) * ds;
        begin += ds;
        ds *= 1.3;
    }
    return tau * params.extinction;
}

@compute @workgroup_size(4, 4, 4)
fn light(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = id + vec3(0u, 0u, step.first_layer);
    let s = textureLoad(shapes, cell, 0).x;
    let clear = textureLoad(distances, cell / u32(COARSE), 0).x;
    var tau = 0.0;
    var above = 0.0;
    // The cells beside those that may hold cloud take part in interpolation.
    if clear < 1.5 {
        let p = center(cell);
        tau = sun_optical_depth(p);
        above = overcast(lobes(p + vec3(0.0, SKY_NEAR, 0.0)), lobes(p + vec3(0.0, SKY_FAR, 0.0)));
    }
    textureStore(result, cell, vec4(s, tau, above, clear - 1.0));
}
