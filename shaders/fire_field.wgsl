// Fills a fire's field volume: N cells along each edge of the box about the fire.
//
// `shape` stores the flow in every cell, xyz displacement and w distance from the axis: the slow noises, which the
// march then need not read. `mark` marks cells that may hold fire or smoke, clearance.wgsl finds how far it is to
// them, and `light` looks towards the sun from those near smoke. The field: x optical depth towards the sun, w clear
// air around, in coarse cells.

#import pyrocumulus::params::{COARSE, FieldStep, FireParams, VolumeFrame}
#import pyrocumulus::flame::{Flow, FlameNoise, fire_in, flame_box, flow_at}
#import pyrocumulus::fire_light::sun_optical_depth

@group(0) @binding(0) var<uniform> params: FireParams;
@group(0) @binding(1) var<storage, read> frame: VolumeFrame;
@group(0) @binding(3) var tiling: sampler;
@group(0) @binding(5) var vectors: texture_3d<f32>;
@group(1) @binding(0) var<uniform> step: FieldStep;
@group(1) @binding(1) var shapes: texture_3d<f32>;
@group(1) @binding(2) var distances: texture_3d<f32>;
@group(1) @binding(4) var result: texture_storage_3d<rgba16float, write>;

// What the fire may reach beyond the centres of marked cells, in units of R.
const MARGIN: f32 = 0.12;

fn noise() -> FlameNoise {
    return FlameNoise(frame.phase_a, frame.phase_b.x, frame.seed_offset);
}

// Centre of a cell.
fn center(cell: vec3<u32>) -> vec3<f32> {
    let high = flame_box(params);
    let low = vec3(-high.x, -1.0, -high.z);
    return mix(low, high, (vec3<f32>(cell) + 0.5) / f32(step.cells));
}

fn height(p: vec3<f32>) -> f32 {
    return (p.y + 1.0) / params.height;
}

@compute @workgroup_size(4, 4, 4)
fn shape(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = id + vec3(0u, 0u, step.first_layer);
    let p = center(cell);
    let flow = flow_at(p, height(p), params, noise(), vectors, tiling);
    textureStore(result, cell, vec4(flow.displacement, flow.radial));
}

@compute @workgroup_size(4, 4, 4)
fn mark(@builtin(global_invocation_id) cell: vec3<u32>) {
    let p = center(cell);
    let stored = textureLoad(shapes, cell, 0);
    let fire = fire_in(p, height(p), Flow(stored.xyz, stored.w), params, noise(), vectors, tiling);
    textureStore(result, cell, vec4(fire.reach + MARGIN));
}

@compute @workgroup_size(4, 4, 4)
fn light(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = id + vec3(0u, 0u, step.first_layer);
    let clear = textureLoad(distances, cell / u32(COARSE), 0).x;
    var tau = 0.0;
    // The cells beside marked ones take part in interpolation.
    if clear < 1.5 && any(frame.sun_illuminance > vec3(0.0)) {
        tau = sun_optical_depth(center(cell), frame.sun_direction, 0.5, params, noise(), vectors, tiling);
    }
    textureStore(result, cell, vec4(tau, 0.0, 0.0, clear - 1.0));
}
