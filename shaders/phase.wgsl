// How light turns when a droplet scatters it. Pure functions.
//
// cos_theta is the cosine between the direction of view and the direction to the light: 1 looks into the
// sun. g is the mean cosine of the scattering angle: g > 0 scatters forward.

#define_import_path pyrocumulus::phase

// Henyey and Greenstein 1941, eq. 2, normalised over the sphere, 1/sr.
fn henyey_greenstein(cos_theta: f32, g: f32) -> f32 {
    let g2 = g * g;
    let base = max(1.0 + g2 - 2.0 * g * cos_theta, 1e-6);
    return 0.0795774715 * (1.0 - g2) / (base * sqrt(base));
}

// A forward and a backward lobe, the second with weight mix_backward.
fn dual_lobe(cos_theta: f32, g_forward: f32, g_backward: f32, mix_backward: f32) -> f32 {
    return mix(henyey_greenstein(cos_theta, g_forward), henyey_greenstein(cos_theta, g_backward), mix_backward);
}
