// How sun, sky and ground light a cloud. Pure functions.
//
// Sources are radiance (cd/m²) scattered towards the eye per unit of extinction. tau is the optical depth towards
// the sun; depth is how far inside the cloud the sample lies, in radii.

#define_import_path pyrocumulus::cloud_light

#import pyrocumulus::params::{CloudParams, VolumeFrame}
#import pyrocumulus::math::PI
#import pyrocumulus::phase::dual_lobe

// How far towards the sun the light steps reach.
const LIGHT_REACH: f32 = 1.4;
// How far of it sees the small scale; farther away the lobes alone cast the shade.
const DETAIL_REACH: f32 = 0.11;
// Heights above a sample at which the cloud is asked how much of the sky it hides.
const SKY_NEAR: f32 = 0.10;
const SKY_FAR: f32 = 0.30;

// Where step i of n towards the sun begins. Steps lengthen geometrically: shadows nearby are sharp, far ones
// blurred.
fn light_step(i: u32, n: f32) -> f32 {
    let growth = 30.0;
    return LIGHT_REACH * (pow(growth, f32(i) / n) - 1.0) / (growth - 1.0);
}

// Light of the sun.
fn sun_source(tau: f32, cos_theta: f32, depth: f32, params: CloudParams, illuminance: vec3<f32>) -> vec3<f32> {
    // Octaves of ever softer light stand for light scattered a few times (Wrenninge 2013, "Oz: The Great
    // and Volumetric"). Their constants are chosen by eye, not derived.
    var sum = 0.0;
    var brightness = 1.0;
    var reach = 1.0;
    var directedness = 1.0;
    for (var octave = 0u; octave < 3u; octave += 1u) {
        let phase = dual_lobe(
            cos_theta, params.forward_g * directedness, params.backward_g * directedness, params.lobe_mix);
        let weight = select(brightness * params.multiple_scattering, 1.0, octave == 0u);
        sum += weight * exp(-tau * reach) * phase;
        brightness *= 0.68;
        reach *= 0.33;
        directedness *= 0.55;
    }
    // Light scattered many times diffuses: through a thick layer it falls with 1 / tau and not
    // exponentially (van de Hulst 1980, "Multiple Light Scattering", two-stream limit).
    let g = mix(params.forward_g, params.backward_g, params.lobe_mix);
    let diffuse = params.multiple_scattering * 0.4 / (1.0 + 0.75 * (1.0 - g) * tau);
    sum += diffuse * pow(params.albedo, min(tau, 40.0)) / (4.0 * PI);
    // Light needs depth to build up: creases near the surface stay darker, except against the glare.
    let built_up = 1.0 - exp(-14.0 * depth);
    let powder = mix(1.0, built_up, params.powder * (0.5 - 0.5 * cos_theta));
    return illuminance * params.albedo * sum * powder;
}

// How much cloud lies above, from the field at SKY_NEAR and SKY_FAR.
fn overcast(near: f32, far: f32) -> f32 {
    return max(near, 0.0) + 2.0 * max(far, 0.0);
}

// Light of sky and ground at p below `above` of cloud.
fn ambient_source(
    p: vec3<f32>, depth: f32, above: f32, params: CloudParams, sky_radiance: vec3<f32>, ground_radiance: vec3<f32>,
) -> vec3<f32> {
    let h = saturate(p.y / params.height + 0.5);
    // How much cloud lies above decides how much of the sky is seen; the rest diffuses through.
    let sky = mix(0.65, 1.0, h) / (1.0 + 2.5 * above);
    let ground = exp(-3.0 * depth) * (1.0 - h);
    return params.ambient * params.albedo * (sky_radiance * sky + 0.4 * ground_radiance * ground);
}
