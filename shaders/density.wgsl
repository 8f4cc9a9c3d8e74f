// Where a cloud is, and how dense. Pure functions.
//
// Space is the volume's own: the unit sphere. The *field* is a rough signed distance in radii, positive
// inside the cloud: a profile (what kind of cloud), displaced by low-frequency lobes, lowered by
// the coverage threshold, eroded by detail. Density is 0..1, steep at the field's zero.

#define_import_path pyrocumulus::density

#import pyrocumulus::params::CloudParams
#import pyrocumulus::math::remap

// What a sample of the cloud needs beside its parameters.
struct CloudNoise {
    // Scroll of the base noise, tiles.
    base_phase: vec3<f32>,
    // Scroll of the detail noise, tiles.
    detail_phase: vec3<f32>,
    // Offset by seed, tiles.
    seed_offset: vec3<f32>,
}

// The cloud without its lobes: 1 at its heart, 0 on its outline, negative outside.
fn profile(p: vec3<f32>, params: CloudParams) -> f32 {
    let h = p.y / params.height + 0.5;
    // The widest level sinks from the middle towards the base as the base gets flatter.
    let waist = mix(0.5, 0.12, params.base_flatness);
    let rise = select((waist - h) / waist, (h - waist) / (1.0 - waist), h > waist);
    // An anvil widens upwards and ends in a lid: a superellipse of higher exponent.
    let lid = params.anvil * smoothstep(0.45, 0.95, h);
    let width = params.width * mix(1.0, 0.62 + 0.55 * smoothstep(0.35, 0.9, h), params.anvil);
    let exponent = 2.0 + 6.0 * lid;
    let sideways = length(p.xz) / width;
    return 1.0 - pow(pow(sideways, exponent) + pow(max(rise, 0.0), exponent), 1.0 / exponent);
}

// What no cloud crosses: the condensation level below, by as much as the base is flat, and the bounding
// sphere. Both are bumpy with the lobes' displacement (-1..1), or they would look cut with a knife.
fn enclosure(p: vec3<f32>, displacement: f32, params: CloudParams) -> f32 {
    let above_base = p.y + 0.5 * params.height + (1.0 - params.base_flatness);
    let below_sphere = 0.86 - length(p);
    // At the sphere itself this is at most -0.02, whatever the displacement.
    return min(3.0 * above_base + 0.15 * params.billow * displacement, 3.0 * below_sphere + 0.4 * displacement);
}

// Stretches the noise along the wind.
fn stretched(p: vec3<f32>, params: CloudParams) -> vec3<f32> {
    let angle = radians(params.wind_direction);
    let along = vec3(cos(angle), 0.0, sin(angle));
    return p - along * (dot(p, along) * (1.0 - 1.0 / params.stretch));
}

// Upper bound of the field, before any texture is read. s is the profile at p.
fn field_bound(p: vec3<f32>, s: f32, params: CloudParams) -> f32 {
    return min(s + params.billow - threshold(params), enclosure(p, 1.0, params));
}

// Corners of a box outside which the field is nowhere positive; low is not below high where there is no cloud.
struct CloudBox {
    low: vec3<f32>,
    high: vec3<f32>,
}

fn cloud_box(params: CloudParams) -> CloudBox {
    // Where the field is positive, the profile's distance from its heart, 1 - s, is at most this.
    let reach = max(1.0 + params.billow - threshold(params), 0.0);
    let waist = mix(0.5, 0.12, params.base_flatness);
    let top = params.height * (waist - 0.5 + reach * (1.0 - waist));
    let bottom = params.height * (waist - 0.5 - reach * waist);
    // Both limits of `enclosure`, with the displacement at its most.
    let base = -0.5 * params.height - (1.0 - params.base_flatness) - 0.05 * params.billow;
    let sphere = 0.86 + 0.4 / 3.0;
    let side = min(params.width * (1.0 + 0.17 * params.anvil) * reach, sphere);
    return CloudBox(vec3(-side, max(max(bottom, base), -sphere), -side), vec3(side, min(top, sphere), side));
}

// Coverage moves the level at which cloud begins: 0 lies above all of the field, 1 below all of the
// profile.
fn threshold(params: CloudParams) -> f32 {
    return mix(1.0 + params.billow, -params.billow, params.coverage);
}

// The field with its large lobes, and in yzw the low-frequency Worley channels that steer the detail.
fn lobed_field(
    p: vec3<f32>, s: f32, params: CloudParams, noise: CloudNoise,
    base: texture_3d<f32>, tiling: sampler,
) -> vec4<f32> {
    let at = stretched(p, params) * params.base_frequency + noise.base_phase + noise.seed_offset;
    let n = textureSampleLevel(base, tiling, at, 0.0);
    let worley = dot(n.yzw, vec3(0.625, 0.25, 0.125));
    // Schneider 2015 ("The Real-Time Volumetric Cloudscapes of Horizon Zero Dawn", slide 60): Worley
    // dilates Perlin, so that connected shapes get rounded lobes.
    let lobes = saturate(remap(n.x, worley - 1.0, 1.0, 0.0, 1.0));
    // The lobes have mean 0.86, deviation 0.07 and seldom fall below 0.62: they swell the profile, and only
    // their deepest creases cut into it. Chosen by eye.
    let displacement = clamp(2.6 * (lobes - 0.62), -1.0, 1.0);
    let field = s + params.billow * displacement - threshold(params);
    return vec4(min(field, enclosure(p, displacement, params)), n.yzw);
}

// Erodes the field with small-scale noise, only to be called near the surface.
fn detailed_field(
    p: vec3<f32>, field: vec4<f32>, params: CloudParams, noise: CloudNoise,
    detail: texture_3d<f32>, tiling: sampler,
) -> f32 {
    // The base noise bends the detail's domain, as large eddies carry small ones.
    let bent = stretched(p, params) * params.detail_frequency + 0.35 * (field.yzw - 0.5)
        + noise.detail_phase + noise.seed_offset;
    let coarse = textureSampleLevel(detail, tiling, bent, 0.0).xyz;
    let fine = textureSampleLevel(detail, tiling, 2.0 * bent + vec3(0.37), 0.0).xyz;
    let weights = vec3(0.55, 0.3, 0.15);
    let worley = 0.65 * dot(coarse, weights) + 0.35 * dot(fine, weights);
    // Billows bulge where Worley is high; wisps are what is left between the cells.
    let erosion = mix(1.0 - worley, worley, params.wispiness);
    return field.x - 0.45 * params.detail_strength * erosion;
}

// Depth over which density rises from 0 to 1.
fn soft_depth(params: CloudParams) -> f32 {
    return mix(0.02, 0.7, params.softness * params.softness);
}

// Density of a field: 0 outside, rising to 1.
fn density_of(field: f32, params: CloudParams) -> f32 {
    return saturate(field / soft_depth(params));
}

// Mean density around a point, over about `width`: what a long step sees, where a point sample would
// be all or nothing.
fn filtered_density(field: f32, width: f32, params: CloudParams) -> f32 {
    let slope = max(soft_depth(params), width);
    return saturate((field + 0.5 * (slope - soft_depth(params))) / slope);
}
