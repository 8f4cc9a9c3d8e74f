//! Twin of `shaders/phase.wgsl`: how light turns when a droplet scatters it.

use std::f64::consts::PI;

/// Phase function of Henyey and Greenstein 1941, eq. 2, in 1/sr. `cos_theta` is the cosine between the
/// direction of view and that to the light, `g` the mean cosine of the scattering angle.
pub fn henyey_greenstein(cos_theta: f64, g: f64) -> f64 {
    (1.0 - g * g) / (4.0 * PI * (1.0 + g * g - 2.0 * g * cos_theta).powf(1.5))
}

/// A forward and a backward lobe, the second with weight `mix_backward`.
pub fn dual_lobe(cos_theta: f64, g_forward: f64, g_backward: f64, mix_backward: f64) -> f64 {
    (1.0 - mix_backward) * henyey_greenstein(cos_theta, g_forward)
        + mix_backward * henyey_greenstein(cos_theta, g_backward)
}
