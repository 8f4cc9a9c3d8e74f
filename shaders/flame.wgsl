// What a fire is made of, point by point. Pure functions.
//
// Space is the volume's own: the cube from -1 to 1, the flame standing on its floor.
// Glossary: h height above the floor in units of the flame's height, 0..1; R largest radius of the envelope;
// d depth inside the envelope in units of R; field depth after erosion, positive inside the flame; heat 0..1
// indexes the palette; soot share of the flame that glows yellow rather than blue.

#define_import_path pyrocumulus::flame

#import pyrocumulus::params::{FireParams, MEAN_ABSOLUTE, ROUND, TALL}
#import pyrocumulus::math::{PI, rotate_y}

// What a sample of the fire needs beside its parameters.
struct FlameNoise {
    // Scroll of tongues, of the displacement, and of finer octaves against coarser ones, along y, tiles.
    rise: vec3<f32>,
    // Scroll of the sway along y, tiles.
    sway: f32,
    // Offset by seed, tiles.
    seed_offset: vec3<f32>,
}

// The fire at one point.
struct Fire {
    // Density of the flame, 0..1; it glows and absorbs in proportion.
    flame: f32,
    // Index into the palette.
    heat: f32,
    // Share of the flame that burns yellow; the rest burns blue.
    soot: f32,
    // Density of the smoke, 0..1.
    smoke: f32,
    // How deep inside flame or smoke the point lies, in units of R; negative outside.
    reach: f32,
}

const NOTHING: Fire = Fire(0.0, 0.0, 0.0, 0.0, -1.0);

// Most that a component of the noise vectors reaches.
const NOISE_BOUND: f32 = 0.8;
// Fields rise from 0 to full density over this part of R: flames have sharp silhouettes.
const EDGE: f32 = 0.11;
// How much turbulence shows inside the flame, where it does not cut.
const INNER: f32 = 0.6;
// Turbulence above which the flame is eroded; below it grows. The mean of turbulence is 1.
const NEUTRAL: f32 = 0.62;
// The same for billows.
const BILLOW_NEUTRAL: f32 = 0.75;

// Radius of the envelope at height h: zero at both ends, exactly params.radius at h = params.bulge.
// R (1-h)^a h^b (a+b)^(a+b) / (a^a b^b), with b / (a+b) = bulge.
fn envelope_radius(h: f32, params: FireParams) -> f32 {
    if h <= 0.0 || h >= 1.0 {
        return 0.0;
    }
    // A low bulge makes a pointed tongue, one in the middle an ellipse.
    let a = max(0.5, 1.7 - 2.4 * params.bulge);
    let b = a * params.bulge / (1.0 - params.bulge);
    let peak = pow(a + b, a + b) / (pow(a, a) * pow(b, b));
    return params.radius * pow(1.0 - h, a) * pow(h, b) * peak;
}

// How deep turbulence cuts at height h, per unit of turbulence: the root stays whole, the tip tears.
fn erosion(h: f32, params: FireParams) -> f32 {
    return params.tearing * (0.3 + 0.9 * min(h, 1.0));
}

// How far the smoke column reaches from the axis. It widens as it entrains air.
fn smoke_radius(h: f32, params: FireParams) -> f32 {
    return params.radius * (0.45 + 0.42 * h);
}

// How far beyond that its puffs swell, in units of R.
fn puff(h: f32) -> f32 {
    return 0.16 + 0.16 * min(h, 3.0);
}

// Farthest that sway and warp carry the fire sideways at height h.
fn displacement_bound(h: f32, params: FireParams) -> f32 {
    let warp = select(0.0, NOISE_BOUND, params.warp_levels > 0u) * params.warp_strength * warp_reach(h, params);
    return warp + NOISE_BOUND * params.sway * sway_reach(h);
}

fn warp_reach(h: f32, params: FireParams) -> f32 {
    return 1.2 * params.radius * smoothstep(0.0, 0.4, h);
}

fn sway_reach(h: f32) -> f32 {
    return min(h, 1.2) * (0.4 + 0.6 * min(h, 1.2));
}

// Distance from p to where there may be fire, at least, without reading a texture; negative inside.
fn clearance(p: vec3<f32>, params: FireParams) -> f32 {
    let h = (p.y + 1.0) / params.height;
    var reach = envelope_radius(h, params) + params.radius * erosion(h, params) * NEUTRAL;
    // The warp also carries fire up and down: look at the widest that it may bring here.
    if params.warp_strength > 0.0 {
        reach = max(reach, params.radius * (1.0 - smoothstep(0.5, 1.0, h)));
    }
    if params.smoke > 0.0 {
        reach = max(reach, smoke_radius(h, params) + puff(h) * params.radius);
    }
    let sideways = length(vec2(p.x / params.spread, p.z));
    return sideways - reach - displacement_bound(h, params);
}

// Half extents in x and z, and the top in y, of the box about all that may burn or smoke.
fn flame_box(params: FireParams) -> vec3<f32> {
    let burning = params.radius * (1.0 + erosion(1.0, params) * NEUTRAL);
    let smoking = select(0.0, smoke_radius(2.0 / params.height, params) + puff(3.0) * params.radius, params.smoke > 0.0);
    let sideways = max(burning, smoking) + displacement_bound(1.2, params);
    let top = select(params.height - 1.0, 1.0, params.smoke > 0.0);
    return vec3(min(sideways * params.spread, 1.0), top, min(sideways, 1.0));
}

// Frequency along y relative to that across: tongues are tall, billows round.
fn upright(params: FireParams) -> f32 {
    return mix(TALL, ROUND, params.billow);
}

// Three independent noises, -1..1, in xyz.
fn noise_vector(at: vec3<f32>, vectors: texture_3d<f32>, tiling: sampler) -> vec3<f32> {
    return 2.0 * textureSampleLevel(vectors, tiling, at, 0.0).xyz - 1.0;
}

// In x the sum of g^i |n(2^i p + o_i)| (Perlin 1985, "An Image Synthesizer", turbulence), divided by its mean,
// so that it is about 1 on average for any number of octaves; in y a smooth value, -1..1.
// Finer octaves rise faster, so that the pattern lives and does not merely slide.
fn turbulence(at: vec3<f32>, rise: f32, octaves: u32, vectors: texture_3d<f32>, tiling: sampler) -> vec2<f32> {
    var sum = 0.0;
    var weight = 0.0;
    var gain = 1.0;
    var scale = 1.0;
    var smooth_value = 0.0;
    for (var i = 0u; i < octaves; i += 1u) {
        // Offsets, so that the origin is not a fixed point of all octaves.
        let offset = f32(i) * vec3(0.137, rise, 0.291);
        let n = noise_vector(scale * at + offset, vectors, tiling);
        if i == 0u {
            smooth_value = n.y;
        }
        sum += gain * abs(n.x);
        weight += gain;
        gain *= 0.42;
        scale *= 2.0;
    }
    return vec2(sum / (MEAN_ABSOLUTE * weight), smooth_value);
}

// Domain warp f(p + w f(p + w f(p))) of `levels` levels (Quilez 2002, "Domain Warping"): the outermost vector.
fn warp(at: vec3<f32>, rise: f32, params: FireParams, vectors: texture_3d<f32>, tiling: sampler) -> vec3<f32> {
    var vector = vec3(0.0);
    for (var level = 0u; level < params.warp_levels; level += 1u) {
        let layer = vec3(0.31 * f32(level), f32(level + 1u) * rise, 0.17 * f32(level));
        vector = noise_vector(at + 0.3 * params.warp_strength * vector + layer, vectors, tiling);
    }
    return params.warp_strength * vector;
}

// What must be taken from the field so that nothing reaches the cube's sides, the floor and the tip: erosion
// that deepens towards them leaves no straight cut.
fn confinement(p: vec3<f32>, h: f32) -> f32 {
    let side = max(length(p.xz) - 0.6, 0.0) / 0.38;
    let tip = max(h - 0.8, 0.0) / 0.19;
    let floor_gap = 1.0 - smoothstep(0.0, 0.035, h);
    return 2.2 * (side * side + tip * tip + floor_gap * floor_gap);
}

// What the slow noises make of a place: smooth enough to be stored in a field volume.
struct Flow {
    // How far sway and warp carry the domain of the turbulence, tiles.
    displacement: vec3<f32>,
    // Distance from the bent axis.
    radial: f32,
}

// How far sway and warp carry the turbulence's domain, relative to each other.
const WARP_SHARE: f32 = 0.3;

// Where a place lies in the flow, without sway and warp. Hot gas accelerates: noise is stretched along the flow, the
// more the higher. Billows stay round.
fn risen(p: vec3<f32>, h: f32, params: FireParams) -> vec3<f32> {
    let climb = params.height * h * (1.0 - 0.22 * min(h, 1.5) * (1.0 - params.billow));
    return rotate_y(vec3(p.x, climb, p.z), 2.0 * PI * params.swirl * h);
}

// Frequencies of the turbulence.
fn frequencies(params: FireParams) -> vec3<f32> {
    return vec3(1.0, upright(params), 1.0) * params.frequency;
}

fn flow_at(
    p: vec3<f32>, h: f32, params: FireParams, noise: FlameNoise, vectors: texture_3d<f32>, tiling: sampler,
) -> Flow {
    let q = risen(p, h, params);
    // The axis bends with a slow vector that rises with the flow; the root stays put.
    let bend_at = vec3(0.0, 0.25 * q.y + noise.sway, 0.0) + noise.seed_offset;
    let sway = noise_vector(bend_at, vectors, tiling) * params.sway * sway_reach(h);
    let bend = rotate_y(vec3(sway.x, 0.0, sway.z), 2.0 * PI * params.swirl * h);
    // The warp moves tongues sideways and draws them out or holds them back.
    let tall = frequencies(params);
    let carried = warp((q - bend) * tall + noise.seed_offset, noise.rise.y, params, vectors, tiling);
    let shape = q.xz - bend.xz - carried.xz * warp_reach(h, params);
    return Flow(WARP_SHARE * carried - bend * tall, length(vec2(shape.x / params.spread, shape.y)));
}

// The fire at p.
fn fire_at(
    p: vec3<f32>, params: FireParams, noise: FlameNoise, vectors: texture_3d<f32>, tiling: sampler,
) -> Fire {
    let h = (p.y + 1.0) / params.height;
    if h <= 0.0 || clearance(p, params) > 0.0 {
        return NOTHING;
    }
    return fire_in(p, h, flow_at(p, h, params, noise, vectors, tiling), params, noise, vectors, tiling);
}

// The fire at p, where the flow is known.
fn fire_in(
    p: vec3<f32>, h: f32, flow: Flow, params: FireParams, noise: FlameNoise,
    vectors: texture_3d<f32>, tiling: sampler,
) -> Fire {
    // Sway has no y.
    let drawn_out = flow.displacement.y / WARP_SHARE;
    let shape_h = h * (1.0 + 0.7 * drawn_out * smoothstep(0.0, 0.5, h));
    let d = (envelope_radius(shape_h, params) - flow.radial) / params.radius;
    let domain = risen(p, h, params) * frequencies(params) + noise.seed_offset + flow.displacement
        + vec3(0.0, noise.rise.x, 0.0);
    var fire = flame(d, h, confinement(p, h), domain, params, noise, vectors, tiling);
    if params.smoke > 0.0 {
        let depth = (smoke_radius(h, params) - flow.radial) / params.radius;
        let smoke = smoke(p, depth, h, domain, params, noise, vectors, tiling);
        fire.smoke = (1.0 - fire.flame) * smoke.x;
        fire.reach = max(fire.reach, smoke.y);
    }
    return fire;
}

// The flame at depth d and height h, where `kept_out` is taken from the field.
fn flame(
    d: f32, h: f32, kept_out: f32, domain: vec3<f32>, params: FireParams, noise: FlameNoise,
    vectors: texture_3d<f32>, tiling: sampler,
) -> Fire {
    let cuts = erosion(h, params);
#ifndef PLAIN_MARCH
    // Too far out for any noise.
    if d + cuts * NEUTRAL - kept_out <= 0.0 {
        return NOTHING;
    }
#endif
    let n = turbulence(domain, noise.rise.z, params.octaves, vectors, tiling);
    // Tongues stand where turbulence is least, on its creases; billows where it is most.
    let cut = max(mix(n.x - NEUTRAL, BILLOW_NEUTRAL - n.x, params.billow), -NEUTRAL);
    let field = d - cuts * cut - kept_out;
    // Inside, turbulence shows even where it does not cut; a calm flame is even.
    let calm = min(1.0, 3.0 * params.tearing);
    let stirred = field - calm * max(INNER - cuts, 0.0) * cut;
    let cooled = (0.14 + 0.95 * saturate(stirred)) * (1.2 - 0.6 * h) * (1.0 + 0.35 * calm * n.y);
    // Between billows the eye looks deeper, to where it is hot.
    let crease = params.billow * (1.0 - smoothstep(0.1, 1.1, n.x));
    // Soot forms later on the axis, where the fuel finds no air: around a wick the flame is dark.
    let onset = params.root * (0.04 + 0.3 * saturate(d));
    let soot = smoothstep(0.35 * onset - 0.001, onset + 0.01, h);
    return Fire(smoothstep(0.0, EDGE, field), saturate(cooled + 0.7 * crease * (0.3 + field)), soot, 0.0, field);
}

// Density of the smoke at `depth` inside its column, and in y how deep inside the smoke that is, as for fire.
fn smoke(
    p: vec3<f32>, depth: f32, h: f32, domain: vec3<f32>, params: FireParams, noise: FlameNoise,
    vectors: texture_3d<f32>, tiling: sampler,
) -> vec2<f32> {
    let fade = max(p.y - 0.3, 0.0) / 0.68;
    let kept_out = 1.6 * fade * fade + confinement(p, 0.5);
    let begin = smoothstep(0.5, 1.0, h);
    if begin <= 0.0 || depth + puff(h) - kept_out <= 0.0 {
        return vec2(0.0, -1.0);
    }
    // Round, where the flame's noise is tall.
    let round = domain * vec3(1.0, 1.0 / upright(params), 1.0) + vec3(0.5, 0.0, 0.5);
    let n = turbulence(round, noise.rise.z, min(params.octaves, 4u), vectors, tiling);
    let swelling = clamp(1.2 * (n.x - 0.9), -1.5, 1.0);
    let inside = depth + puff(h) * swelling - kept_out;
    return vec2(begin * smoothstep(0.0, 0.3, inside), inside);
}
