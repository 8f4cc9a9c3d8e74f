// The cube about a volume, from which the march of its pixels starts.

#import pyrocumulus::params::FastView

@group(0) @binding(0) var<uniform> view: FastView;

// Corner of the cube about a volume. The back faces are drawn: they are on screen even with the camera inside.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // Bits of a triangle strip around a cube, x, y, z in turn.
    let corner = vec3<f32>((vec3(0x287au, 0x02afu, 0x31e3u) >> vec3(index)) & vec3(1u));
    return view.clip_from_local * vec4(2.0 * corner - 1.0, 1.0);
}
