// Second part of filling a field volume: how far each coarse cell is from one that may hold anything.
//
// `occupy` marks coarse cells, and `spread` works out distances to them, an axis at a time (Saito and Toriwaki 1994,
// "New Algorithms for Euclidean Distance Transformation", here for the largest coordinate difference).

#import pyrocumulus::params::{COARSE, FieldStep}

@group(1) @binding(0) var<uniform> step: FieldStep;
// In x, positive where the cell may hold anything.
@group(1) @binding(1) var marks: texture_3d<f32>;
@group(1) @binding(2) var distances: texture_3d<f32>;
@group(1) @binding(4) var result: texture_storage_3d<rgba16float, write>;

// Distance beyond which the field does not tell.
const FARTHEST: i32 = 10;

@compute @workgroup_size(4, 4, 4)
fn occupy(@builtin(global_invocation_id) id: vec3<u32>) {
    let edge = i32(COARSE);
    let first = vec3<i32>(id) * edge - 1;
    let last = vec3(i32(step.cells) - 1);
    // With one cell more on each side: what the march reads is interpolated.
    let width = edge + 2;
    var occupied = false;
    for (var i = 0; i < width * width * width; i += 1) {
        let at = clamp(first + vec3(i % width, i / width % width, i / (width * width)), vec3(0), last);
        occupied |= textureLoad(marks, at, 0).x > 0.0;
    }
    textureStore(result, id, vec4(select(f32(FARTHEST), 0.0, occupied)));
}

@compute @workgroup_size(4, 4, 4)
fn spread(@builtin(global_invocation_id) id: vec3<u32>) {
    let axis = vec3<i32>(vec3(0u, 1u, 2u) == vec3(step.axis));
    let last = i32(step.cells / u32(COARSE)) - 1;
    let own = dot(vec3<i32>(id), axis);
    var nearest = FARTHEST;
    for (var offset = max(-FARTHEST, -own); offset <= min(FARTHEST, last - own); offset += 1) {
        let across = i32(textureLoad(distances, vec3<i32>(id) + axis * offset, 0).x);
        nearest = min(nearest, max(across, abs(offset)));
    }
    textureStore(result, id, vec4(f32(nearest)));
}
