//! The shaders' physics on the graphics adapter against closed forms and quadrature.

use std::f64::consts::PI;

use bevy::math::{DVec3, Vec3, Vec4};
use pyrocumulus::reference::march::{
    HomogeneousSphere, emitted, intersect_unit_sphere, transmittance,
};
use pyrocumulus::reference::phase::{dual_lobe, henyey_greenstein};

use crate::gpu::{Bindings, gpu};

fn evaluate(source: &str, inputs: &[Vec4]) -> Vec<Vec4> {
    gpu().evaluate(source, inputs, inputs.len(), &Bindings::default())
}

/// Cosines at the midpoints of `count` equal intervals of -1..1.
fn cosines(count: u32) -> impl Iterator<Item = f32> {
    (0..count).map(move |i| (2.0 * (f64::from(i) + 0.5) / f64::from(count) - 1.0) as f32)
}

/// Integral over the sphere, and mean cosine, of a phase function given at [`cosines`].
fn moments(values: &[Vec4]) -> (f64, f64) {
    let width = 2.0 / values.len() as f64;
    let ring = |v: &Vec4| 2.0 * PI * f64::from(v.x) * width;
    let total = values.iter().map(ring).sum();
    let mean = values
        .iter()
        .zip(cosines(values.len() as u32))
        .map(|(v, cos)| ring(v) * f64::from(cos))
        .sum();
    (total, mean)
}

const HENYEY_GREENSTEIN: &str = "
#import pyrocumulus::phase::henyey_greenstein
fn evaluate(i: u32) -> vec4<f32> {
    return vec4(henyey_greenstein(inputs[i].x, inputs[i].y));
}
";

#[test]
fn henyey_greenstein_is_normalised_with_mean_cosine_g() {
    for g in [-0.95, -0.5, 0.0, 0.3, 0.8, 0.95_f32] {
        let inputs: Vec<_> = cosines(40_000)
            .map(|cos| Vec4::new(cos, g, 0.0, 0.0))
            .collect();
        let values = evaluate(HENYEY_GREENSTEIN, &inputs);
        let (total, mean) = moments(&values);
        assert!((total - 1.0).abs() < 2e-3, "g = {g}: integrates to {total}");
        assert!(
            (mean - f64::from(g)).abs() < 2e-3,
            "g = {g}: mean cosine {mean}"
        );
        for (input, value) in inputs.iter().zip(&values) {
            let expected = henyey_greenstein(f64::from(input.x), f64::from(g));
            assert!(
                (f64::from(value.x) / expected - 1.0).abs() < 2e-3,
                "g = {g}, cos = {}: {}",
                input.x,
                value.x
            );
        }
    }
}

#[test]
fn dual_lobe_is_normalised_and_shares_its_mean() {
    let source = "
#import pyrocumulus::phase::dual_lobe
fn evaluate(i: u32) -> vec4<f32> {
    return vec4(dual_lobe(inputs[i].x, inputs[i].y, inputs[i].z, inputs[i].w));
}
";
    for (forward, backward, share) in [(0.8, -0.25, 0.35), (0.9, -0.6, 0.0), (0.5, -0.9, 1.0_f32)] {
        let inputs: Vec<_> = cosines(20_000)
            .map(|cos| Vec4::new(cos, forward, backward, share))
            .collect();
        let values = evaluate(source, &inputs);
        let (total, mean) = moments(&values);
        assert!((total - 1.0).abs() < 2e-3, "integrates to {total}");
        let expected = f64::from(forward * (1.0 - share) + backward * share);
        assert!(
            (mean - expected).abs() < 2e-3,
            "mean cosine {mean} and not {expected}"
        );
        let looking_at_sun = f64::from(values[values.len() - 1].x);
        let truth = dual_lobe(
            f64::from(inputs[inputs.len() - 1].x),
            forward.into(),
            backward.into(),
            share.into(),
        );
        assert!((looking_at_sun / truth - 1.0).abs() < 1e-3);
    }
}

/// inputs: sigma_t, thickness, number of steps.
const SLAB: &str = "
#import pyrocumulus::march::{Ray, add_step, add_emission}
fn evaluate(i: u32) -> vec4<f32> {
    let sigma = inputs[i].x;
    let steps = u32(inputs[i].z);
    let ds = inputs[i].y / inputs[i].z;
    var scattering = Ray(vec3(0.0), 1.0);
    var glowing = Ray(vec3(0.0), 1.0);
    for (var step = 0u; step < steps; step += 1u) {
        scattering = add_step(scattering, vec3(0.7), sigma, ds);
        glowing = add_emission(glowing, vec3(2.0), sigma, ds);
    }
    return vec4(scattering.transmittance, scattering.radiance.x, glowing.transmittance, glowing.radiance.x);
}
";

#[test]
fn a_slab_obeys_beer_and_lambert_at_any_step_count() {
    let mut inputs = Vec::new();
    for sigma in [0.01, 0.5, 3.0, 20.0_f32] {
        for steps in [1.0, 2.0, 3.0, 10.0, 64.0, 256.0] {
            inputs.push(Vec4::new(sigma, 1.5, steps, 0.0));
        }
    }
    for (input, value) in inputs.iter().zip(evaluate(SLAB, &inputs)) {
        let (sigma, length) = (f64::from(input.x), f64::from(input.y));
        let through = transmittance(sigma, length);
        let expected = [
            through,
            0.7 * (1.0 - through),
            through,
            emitted(2.0, sigma, length),
        ];
        for (got, expected) in value.to_array().into_iter().zip(expected) {
            assert!(
                (f64::from(got) - expected).abs() < 2e-5 * expected.max(1.0),
                "{input}: {value}, expected {expected}"
            );
        }
    }
}

#[test]
fn emission_with_absorption_has_the_known_value() {
    let inputs: Vec<_> = [1.0, 4.0, 100.0]
        .map(|steps| Vec4::new(3.0, 1.5, steps, 0.0))
        .to_vec();
    for value in evaluate(SLAB, &inputs) {
        assert!((value.w - 0.659_261).abs() < 2e-6, "{}", value.w);
    }
}

/// The series for thin media meets the closed form without a jump, and nothing is lost in rounding.
#[test]
fn thin_media_emit_smoothly() {
    let inputs: Vec<_> = (0..4000)
        .map(|i| Vec4::new(10_f32.powf(-9.0 + 10.0 * i as f32 / 4000.0), 0.5, 1.0, 0.0))
        .collect();
    for (input, value) in inputs.iter().zip(evaluate(SLAB, &inputs)) {
        let expected = emitted(2.0, f64::from(input.x), 0.5);
        let error = (f64::from(value.w) / expected - 1.0).abs();
        assert!(error < 3e-5, "sigma = {:e}: off by {error:e}", input.x);
    }
}

#[test]
fn a_settled_ray_hides_or_shows_what_is_behind() {
    let source = "
#import pyrocumulus::march::{OPAQUE, settle}
fn evaluate(i: u32) -> vec4<f32> {
    return vec4(settle(OPAQUE), settle(0.0), settle(1.0), settle(inputs[i].x));
}
";
    let inputs: Vec<_> = (0..=100).map(|i| Vec4::splat(i as f32 / 100.0)).collect();
    let values = evaluate(source, &inputs);
    assert_eq!(
        values[0].truncate(),
        Vec3::new(0.0, 0.0, 1.0),
        "ended early, black, clear"
    );
    assert!(
        values.windows(2).all(|pair| pair[0].w <= pair[1].w),
        "brighter behind is brighter in front"
    );
    assert!(values.iter().all(|v| (0.0..=1.0).contains(&v.w)));
}

/// inputs: pairs of origin and direction.
fn ray_inputs(rays: &[(Vec3, Vec3)]) -> Vec<Vec4> {
    rays.iter()
        .flat_map(|(origin, direction)| [origin.extend(0.0), direction.extend(0.0)])
        .collect()
}

fn evaluate_rays(source: &str, rays: &[(Vec3, Vec3)]) -> Vec<Vec4> {
    gpu().evaluate(source, &ray_inputs(rays), rays.len(), &Bindings::default())
}

/// Directions spread evenly over the sphere.
fn directions(count: u32) -> impl Iterator<Item = Vec3> {
    let golden_angle = std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
    (0..count).map(move |i| {
        let y = 1.0 - 2.0 * (i as f32 + 0.5) / count as f32;
        let (sin, cos) = (golden_angle * i as f32).sin_cos();
        let r = (1.0 - y * y).sqrt();
        Vec3::new(r * cos, y, r * sin).normalize()
    })
}

const SPHERE: &str = "
#import pyrocumulus::math::intersect_unit_sphere
fn evaluate(i: u32) -> vec4<f32> {
    return vec4(intersect_unit_sphere(inputs[2u * i].xyz, inputs[2u * i + 1u].xyz), 0.0, 0.0);
}
";

#[test]
fn the_sphere_is_hit_from_inside_and_from_its_surface() {
    let inside = directions(500)
        .zip(directions(577).skip(77))
        .map(|(o, d)| (0.7 * o, d));
    let surface = directions(500).zip(directions(623).skip(123));
    let rays: Vec<_> = inside.chain(surface).collect();
    for ((origin, direction), value) in rays.iter().zip(evaluate_rays(SPHERE, &rays)) {
        let Some((enter, exit)) = intersect_unit_sphere(origin.as_dvec3(), direction.as_dvec3())
        else {
            continue;
        };
        // Grazing rays are as uncertain as the square root of the rounding.
        let tolerance = 1e-3 / (exit - enter).max(1e-2);
        let error = (f64::from(value.x) - enter)
            .abs()
            .max((f64::from(value.y) - exit).abs());
        assert!(
            error < tolerance,
            "{origin} along {direction}: {value}, expected {enter}..{exit}"
        );
        assert!(value.x <= value.y);
    }
}

#[test]
fn the_sphere_is_hit_from_far_away_and_missed_beside_it() {
    for distance in [10.0, 1e3, 1e6_f32] {
        let rays: Vec<_> = directions(200).map(|d| (distance * d, -d)).collect();
        for value in evaluate_rays(SPHERE, &rays) {
            let chord = value.y - value.x;
            assert!(
                value.is_finite() && (chord - 2.0).abs() < 0.5_f32.max(distance * 5e-7),
                "{distance}: {value}"
            );
        }
        let beside: Vec<_> = directions(200)
            .map(|d| (distance * d + 1.5 * d.any_orthonormal_vector(), -d))
            .collect();
        for value in evaluate_rays(SPHERE, &beside) {
            assert!(
                value.x > value.y,
                "a ray 1.5 radii beside the centre misses: {value}"
            );
        }
    }
}

#[test]
fn a_tangent_ray_is_finite_and_short() {
    let rays: Vec<_> = directions(200)
        .map(|d| {
            (
                d + 5.0 * d.any_orthonormal_vector(),
                -d.any_orthonormal_vector(),
            )
        })
        .collect();
    for value in evaluate_rays(SPHERE, &rays) {
        assert!(value.is_finite() && value.y - value.x < 0.01, "{value}");
    }
}

#[test]
fn the_box_is_hit_as_its_slabs_say() {
    let source = "
#import pyrocumulus::math::intersect_box
fn evaluate(i: u32) -> vec4<f32> {
    return vec4(intersect_box(inputs[2u * i].xyz, inputs[2u * i + 1u].xyz, vec3(-1.0), vec3(1.0)), 0.0, 0.0);
}
";
    let rays = [
        (Vec3::new(0.0, 0.0, 5.0), -Vec3::Z, Some((4.0, 6.0))),
        (Vec3::ZERO, Vec3::X, Some((-1.0, 1.0))),
        (Vec3::new(1.0, 0.0, 0.0), Vec3::X, Some((-2.0, 0.0))),
        // Close under a face, with two components of exactly 0.
        (Vec3::new(0.5, 0.999, 3.0), -Vec3::Z, Some((2.0, 4.0))),
        (
            Vec3::new(0.0, 0.0, 1e6),
            -Vec3::Z,
            Some((999_999.0, 1_000_001.0)),
        ),
        (Vec3::new(3.0, 0.0, 5.0), -Vec3::Z, None),
        (Vec3::new(0.0, -4.0, 0.0), Vec3::new(0.6, 0.8, 0.0), None),
    ];
    let plain: Vec<_> = rays.iter().map(|(o, d, _)| (*o, *d)).collect();
    for ((origin, direction, expected), value) in rays.iter().zip(evaluate_rays(source, &plain)) {
        match expected {
            Some((enter, exit)) => {
                let error = (value.x - enter).abs().max((value.y - exit).abs());
                assert!(
                    error < 1e-4 * exit.abs().max(1.0),
                    "{origin} along {direction}: {value}"
                );
            }
            None => assert!(
                value.x > value.y,
                "{origin} along {direction} misses: {value}"
            ),
        }
    }
}

#[test]
fn single_scattering_in_a_sphere_equals_quadrature() {
    let to_light = Vec3::new(0.6, 0.8, 0.0);
    let source = "
#import pyrocumulus::math::intersect_unit_sphere
#import pyrocumulus::march::{Ray, add_step}
#import pyrocumulus::phase::henyey_greenstein
const LIGHT: vec3<f32> = vec3(0.6, 0.8, 0.0);
fn evaluate(i: u32) -> vec4<f32> {
    let origin = inputs[2u * i].xyz;
    let direction = inputs[2u * i + 1u].xyz;
    let sigma = inputs[2u * i].w;
    let g = inputs[2u * i + 1u].w;
    let span = intersect_unit_sphere(origin, direction);
    let enter = max(span.x, 0.0);
    // So many, because the way to the light grows like a square root behind the terminator.
    let ds = max(span.y - enter, 0.0) / 4096.0;
    let phase = henyey_greenstein(dot(direction, LIGHT), g);
    var ray = Ray(vec3(0.0), 1.0);
    for (var step = 0u; step < 4096u; step += 1u) {
        let p = origin + direction * (enter + (f32(step) + 0.5) * ds);
        let shade = exp(-sigma * intersect_unit_sphere(p, LIGHT).y);
        ray = add_step(ray, vec3(0.9 * phase * shade), sigma, ds);
    }
    return vec4(ray.radiance, ray.transmittance);
}
";
    for (sigma_t, g) in [(0.2, 0.0), (2.0, 0.8), (10.0, -0.4_f32)] {
        let sphere = HomogeneousSphere {
            sigma_t: sigma_t.into(),
            albedo: 0.9,
            g: g.into(),
            to_light: to_light.as_dvec3(),
        };
        let rays: Vec<_> = directions(60)
            .map(|d| {
                (
                    3.0 * d,
                    (0.6 * d.any_orthonormal_vector() - 3.0 * d).normalize(),
                )
            })
            .chain(directions(60).map(|d| (0.5 * d, d.any_orthonormal_vector())))
            .collect();
        let inputs: Vec<_> = rays
            .iter()
            .flat_map(|(o, d)| [o.extend(sigma_t), d.extend(g)])
            .collect();
        for ((origin, direction), value) in
            rays.iter()
                .zip(gpu().evaluate(source, &inputs, rays.len(), &Bindings::default()))
        {
            let d: DVec3 = direction.as_dvec3();
            let expected = sphere.single_scattering(origin.as_dvec3(), d, 20_000);
            let error = (f64::from(value.x) / expected - 1.0).abs();
            assert!(
                error < 5e-3,
                "sigma {sigma_t}, g {g}, {origin} along {direction}: {} and not {expected}",
                value.x
            );
        }
    }
}
