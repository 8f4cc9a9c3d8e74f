// Where a flame is, and how hot. Pure functions.
//
// Space is the volume's own: the cube from -1 to 1, the flame standing on its floor. h runs from 0 at the
// floor to 1 at the envelope's tip. Heat is 0..1 and indexes the palette.

#define_import_path pyrocumulus::flame

#import pyrocumulus::params::FireParams
#import pyrocumulus::math::{PI, remap, rotate_y}

// What a sample of the fire needs beside its parameters.
struct FlameNoise {
    // Scroll of tongues, displacement and fine displacement along y, tiles.
    rise: vec3<f32>,
    // Scroll of the sway and of the flicker along y, tiles.
    sway: vec2<f32>,
    // Offset by seed, tiles.
    seed_offset: vec3<f32>,
}

// Exponent with which the envelope closes towards its tip.
const TAPER: f32 = 0.9;

// Radius of the envelope at height h: zero at both ends, exactly params.radius at h = params.bulge.
// R (1-h)^a h^b (a+b)^(a+b) / (a^a b^b), with b / (a+b) = bulge.
fn envelope_radius(h: f32, params: FireParams) -> f32 {
    if h <= 0.0 || h >= 1.0 {
        return 0.0;
    }
    let a = TAPER;
    let b = a * params.bulge / (1.0 - params.bulge);
    let peak = pow(a + b, a + b) / (pow(a, a) * pow(b, b));
    return params.radius * pow(1.0 - h, a) * pow(h, b) * peak;
}

// Three independent Perlin values, -1..1, in xyz.
fn noise_vector(at: vec3<f32>, vectors: texture_3d<f32>, tiling: sampler) -> vec3<f32> {
    return 2.0 * textureSampleLevel(vectors, tiling, at, 0.0).xyz - 1.0;
}

// Sum of g^i |n(2^i p + o_i)|, divided by its mean, so that it is about 1 on average for any number of octaves.
fn turbulence(at: vec3<f32>, octaves: u32, vectors: texture_3d<f32>, tiling: sampler) -> f32 {
    var sum = 0.0;
    var weight = 0.0;
    var gain = 1.0;
    var scale = 1.0;
    for (var i = 0u; i < octaves; i += 1u) {
        let offset = f32(i) * vec3(0.137, 0.0, 0.291);
        sum += gain * abs(noise_vector(scale * at + offset, vectors, tiling).x);
        weight += gain;
        gain *= 0.55;
        scale *= 2.0;
    }
    return sum / (0.22 * weight);
}

// Heat at p, 0 outside.
fn heat(
    p: vec3<f32>, params: FireParams, noise: FlameNoise, vectors: texture_3d<f32>, tiling: sampler,
) -> f32 {
    let h = (p.y + 1.0) / params.height;
    if h <= 0.0 || h >= 1.0 {
        return 0.0;
    }
    // The axis bends with a slow vector that rises with the flow; the root stays put.
    let tall = vec3(1.0, 0.5, 1.0) * params.frequency;
    let bend_at = vec3(0.0, p.y, 0.0) * tall * 0.5 + vec3(0.0, noise.sway.x, 0.0) + noise.seed_offset;
    let bend = noise_vector(bend_at, vectors, tiling);
    var q = p - vec3(bend.x, 0.0, bend.z) * params.sway * h * (0.4 + 0.6 * h);
    q = rotate_y(q, 2.0 * PI * params.swirl * h);

    let flat_q = vec3(q.x / params.spread, q.y, q.z);
    let reach = envelope_radius(h, params);
    let core = 1.0 - length(flat_q.xz) / max(reach, 1e-4);
    // Nothing glows this far outside the envelope, whatever the noise.
    if core < -1.6 {
        return 0.0;
    }
    // Domain warp: each level displaces the next by a finer and faster vector (Quilez 2002).
    var at = q * tall + noise.seed_offset;
    var warp = vec3(0.0);
    for (var level = 0u; level < params.warp_levels; level += 1u) {
        let rise = vec3(0.0, mix(noise.rise.y, noise.rise.z, f32(level & 1u)), 0.0);
        warp = noise_vector(2.0 * at + params.warp_strength * warp * 0.5 + rise, vectors, tiling);
    }
    at += params.warp_strength * 0.35 * warp + vec3(0.0, noise.rise.x, 0.0);
    let n = turbulence(at, params.octaves, vectors, tiling);
    let torn = params.tearing * (0.25 + 1.3 * h);
    let mask = smoothstep(0.0, 0.04, h) * (1.0 - smoothstep(0.85, 1.0, h));
    return saturate(1.35 * core + 0.3 - 0.55 * torn * (n - 0.35)) * mask;
}
