// Puts marched pixels into the picture: fills in those that were not marched, and adds up frames.
//
// While nothing changes, a pixel is the mean of all frames that marched it: a running mean that settles on the
// full picture. In a view that stays still, pixels are refined one after the other: what was marched with less care
// then gives way. While something moves, the past is looked up where the volume was (by its own depth), and limited
// to what the marched pixels around show now (Karis 2014, "High Quality Temporal Supersampling"), so that nothing
// trails behind.

#import pyrocumulus::params::ResolveView

@group(0) @binding(0) var<uniform> view: ResolveView;
@group(0) @binding(1) var marched_color: texture_2d<f32>;
@group(0) @binding(2) var marched_depth: texture_2d<f32>;
// Mean of past frames, and in the other how many frames it stands for.
@group(0) @binding(3) var past_color: texture_2d<f32>;
@group(0) @binding(4) var past_weight: texture_2d<f32>;
@group(0) @binding(5) var linear: sampler;
#ifdef DEPTH_PREPASS
#ifdef MULTISAMPLED
@group(0) @binding(6) var depth_prepass: texture_depth_multisampled_2d;
#else
@group(0) @binding(6) var depth_prepass: texture_depth_2d;
#endif
#endif

struct Resolved {
    // Goes over the picture.
    @location(0) picture: vec4<f32>,
    // Kept for the next frame.
    @location(1) color: vec4<f32>,
    @location(2) weight: f32,
}

// What the marched pixels say about one pixel of the picture.
struct Now {
    color: vec4<f32>,
    // Range of the marched pixels around.
    low: vec4<f32>,
    high: vec4<f32>,
    depth: f32,
    // Whether this very pixel was marched.
    exact: bool,
}

// Most frames that a mean of moving pictures stands for.
const MOVING_FRAMES: f32 = 12.0;
// Weight of a pixel that was filled in, relative to one that was marched.
const FILLED_IN: f32 = 0.12;
// Most frames that a mean of ordinary frames stands for.
const COARSE_FRAMES: f32 = 255.0;
// The weight of a refined pixel is this and the number of frames that refined it, at most as many again.
const REFINED: f32 = 1024.0;
// Largest value that the targets hold.
const BRIGHTEST: f32 = 60000.0;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // One triangle over the whole view.
    return vec4(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn scene_depth(pixel: vec2<f32>) -> f32 {
#ifdef DEPTH_PREPASS
    return textureLoad(depth_prepass, vec2<i32>(pixel + view.viewport.xy), 0);
#else
    return 0.0;
#endif
}

// The pixel that marched pixel `index` stands for.
fn marched_pixel(index: vec2<f32>) -> vec2<f32> {
    return min(floor((index + view.offset.xy) * view.spacing), view.viewport.zw - 1.0);
}

// NaN and infinities end here: they would spread from frame to frame.
fn sane(color: vec4<f32>) -> vec4<f32> {
    return select(vec4(0.0), clamp(color, vec4(0.0), vec4(BRIGHTEST)), color == color);
}

// One of the four marched pixels around, with its weight.
fn gather(now: ptr<function, Now>, index: vec2<f32>, weight: f32, own_depth: f32) -> f32 {
    let at = vec2<i32>(clamp(index, vec2(0.0), view.marched.xy - 1.0));
    let color = sane(textureLoad(marched_color, at, 0));
    (*now).low = min((*now).low, color);
    (*now).high = max((*now).high, color);
    (*now).depth = max((*now).depth, textureLoad(marched_depth, at, 0).x);
    // A marched pixel behind other scene geometry says little about this one. Depth is inverse distance.
    let scene = scene_depth(marched_pixel(vec2<f32>(at)));
    let apart = abs(scene - own_depth) / max(max(scene, own_depth), 1e-6);
    let trusted = weight * max(1.0 - 8.0 * apart, 1e-4);
    (*now).color += trusted * color;
    return trusted;
}

fn look_now(pixel: vec2<f32>) -> Now {
    var now = Now(vec4(0.0), vec4(BRIGHTEST), vec4(0.0), 0.0, false);
    // In marched pixels; whole numbers are where rays went through.
    let at = (pixel + 0.5) / view.spacing - view.offset.xy;
    let nearest = clamp(round(at), vec2(0.0), view.marched.xy - 1.0);
    now.exact = all(marched_pixel(nearest) == pixel);
    let first = floor(at);
    let part = at - first;
    let own_depth = scene_depth(pixel);
    var sum = gather(&now, first, (1.0 - part.x) * (1.0 - part.y), own_depth);
    sum += gather(&now, first + vec2(1.0, 0.0), part.x * (1.0 - part.y), own_depth);
    sum += gather(&now, first + vec2(0.0, 1.0), (1.0 - part.x) * part.y, own_depth);
    sum += gather(&now, first + vec2(1.0, 1.0), part.x * part.y, own_depth);
    now.color /= sum;
    if now.exact {
        now.color = sane(textureLoad(marched_color, vec2<i32>(nearest), 0));
    }
    return now;
}

// A pixel that stands still, with a past of at most so many frames.
fn add_still(pixel: vec2<i32>, now: Now, most: f32) -> Resolved {
    let past = sane(textureLoad(past_color, pixel, 0));
    let weight = min(textureLoad(past_weight, pixel, 0).x, most);
    if view.refined != 0u && now.exact {
        let frames = min(max(weight - REFINED, 0.0) + 1.0, REFINED);
        let color = mix(past, now.color, 1.0 / frames);
        return Resolved(color, color, REFINED + frames);
    }
    if weight > REFINED {
        return Resolved(past, past, weight);
    }
    if now.exact {
        // What was filled in gives way to the first march.
        let frames = min(floor(weight), COARSE_FRAMES) + 1.0;
        let color = mix(past, now.color, 1.0 / frames);
        return Resolved(color, color, frames);
    }
    if weight > 0.0 {
        return Resolved(past, past, weight);
    }
    return Resolved(now.color, now.color, 0.5);
}

// A pixel of what moves.
fn add_moving(pixel: vec2<f32>, now: Now) -> Resolved {
    let ndc = (pixel + 0.5) / view.viewport.zw * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    let clip = view.past_clip_from_clip * vec4(ndc, now.depth, 1.0);
    let uv = (clip.xy / clip.w) * vec2(0.5, -0.5) + 0.5;
    let weight_now = select(FILLED_IN, 1.0, now.exact);
    if clip.w <= 0.0 || any(uv != saturate(uv)) {
        return Resolved(now.color, now.color, weight_now);
    }
    let at = uv * view.viewport.zw + view.viewport.xy;
    // Half a pixel from the edge, or the past of what is beside the viewport would be mixed in.
    let inside = clamp(at, view.viewport.xy + 0.5, view.viewport.xy + view.viewport.zw - 0.5);
    let past = clamp(sane(textureSampleLevel(past_color, linear, inside / view.size.xy, 0.0)), now.low, now.high);
    let weight = min(textureLoad(past_weight, vec2<i32>(inside), 0).x, MOVING_FRAMES);
    let sum = weight + weight_now;
    let color = mix(past, now.color, weight_now / sum);
    return Resolved(color, color, sum);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> Resolved {
    let pixel = floor(position.xy) - view.viewport.xy;
    let now = look_now(pixel);
    switch view.past {
        case 0u: {
            return Resolved(now.color, now.color, select(0.5, 1.0, now.exact));
        }
        case 1u: {
            return add_still(vec2<i32>(position.xy), now, 2.0 * REFINED);
        }
        case 2u: {
            return add_still(vec2<i32>(position.xy), now, 1.0);
        }
        default: {
            return add_moving(pixel, now);
        }
    }
}
