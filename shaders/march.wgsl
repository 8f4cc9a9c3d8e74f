// Integrating light along a ray, step by step. Pure functions.
//
// Glossary: sigma_t extinction coefficient (1/length); T transmittance; L radiance; tau optical depth.

#define_import_path pyrocumulus::march

// A ray through a medium: what it has gathered and what is left of the light behind.
struct Ray {
    radiance: vec3<f32>,
    transmittance: f32,
}

// Below this transmittance nothing behind can be seen.
const OPAQUE: f32 = 0.01;

// Adds a step of length ds through a medium that is uniform over the step: extinction sigma_t, source
// radiance `source` = j / sigma_t. Exact for that medium: L += T S (1 - exp(-sigma_t ds))
// (Hillaire 2015, "Physically Based and Unified Volumetric Rendering in Frostbite", slide 28).
fn add_step(ray: Ray, source: vec3<f32>, sigma_t: f32, ds: f32) -> Ray {
    let through = exp(-sigma_t * ds);
    return Ray(ray.radiance + ray.transmittance * (1.0 - through) * source, ray.transmittance * through);
}

// As above for emission j in a medium that may be arbitrarily thin, where j / sigma_t has no value:
// (j / sigma) (1 - exp(-sigma ds)), by its series for a small exponent.
fn add_emission(ray: Ray, emission: vec3<f32>, sigma_t: f32, ds: f32) -> Ray {
    let tau = sigma_t * ds;
    let through = exp(-tau);
    let length = select((1.0 - through) / max(sigma_t, 1e-9), ds * (1.0 - tau * (0.5 - tau / 6.0)), tau < 1e-2);
    return Ray(ray.radiance + ray.transmittance * length * emission, ray.transmittance * through);
}

// Stretches transmittance from [OPAQUE, 1] to [0, 1], so that a ray that ended early hides what is behind.
fn settle(transmittance: f32) -> f32 {
    return clamp((transmittance - OPAQUE) / (1.0 - OPAQUE), 0.0, 1.0);
}
