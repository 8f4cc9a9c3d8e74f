// The cube about a volume, from which the march of its pixels starts.

#import pyrocumulus::params::FastView

@group(0) @binding(0) var<uniform> view: FastView;

// Corner of a cube about a volume. The back faces are drawn: they are on screen even with the camera inside.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // Bits of a triangle strip around a cube, x, y, z in turn.
    let bits = vec3<f32>((vec3(0x287au, 0x02afu, 0x31e3u) >> vec3(index)) & vec3(1u));
    let corner = 2.0 * bits - 1.0;
    // The ray of a marched pixel goes through any place of its block, up to half a block from where it is drawn.
    let m = view.clip_from_local;
    let distance = max((m * vec4(corner, 1.0)).w, 0.0);
    let block = view.spacing / view.viewport.w * distance / length(vec3(m[0].y, m[1].y, m[2].y));
    let clip = m * vec4((1.0 + block) * corner, 1.0);
    // The view begins at the first marched pixel and ends within the last.
    let first = vec2(-1.0, 1.0) * clip.w;
    return vec4(mix(first, clip.xy, view.share.xy), clip.zw);
}
