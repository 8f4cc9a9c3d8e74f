// Draws a cloud: marches the view ray through the unit sphere, and from each lit sample towards the sun.
//
// Units: lengths in radii; radiance in cd/m²; illuminance in lux.

#import bevy_pbr::forward_io::VertexOutput
#import pyrocumulus::params::{CloudParams, VolumeFrame}
#import pyrocumulus::math::intersect_unit_sphere
#import pyrocumulus::cloud_light::{DETAIL_REACH, SKY_FAR, SKY_NEAR, ambient_source, light_step, overcast, sun_source}
#import pyrocumulus::march::{Ray, OPAQUE, add_step, settle}
#import pyrocumulus::view::{jitter, shade, view_ray}
#import pyrocumulus::view_ray::{ViewRay, misses}
#import pyrocumulus::density::{CloudNoise, profile, field_bound, lobed_field, detailed_field, density_of, filtered_density}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> params: CloudParams;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var<storage, read> frame: VolumeFrame;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var base: texture_3d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var tiling: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var detail: texture_3d<f32>;

// The field at p. Detail costs two more fetches and matters only near the surface.
fn cloud_field(p: vec3<f32>, with_detail: bool) -> f32 {
    let s = profile(p, params);
    let bound = field_bound(p, s, params);
    if bound <= 0.0 {
        return bound;
    }
    let noise = CloudNoise(frame.phase_a, frame.phase_b, frame.seed_offset);
    let field = lobed_field(p, s, params, noise, base, tiling);
    if !with_detail || params.detail == 0u || field.x <= 0.0 {
        return field.x;
    }
    return detailed_field(p, field, params, noise, detail, tiling);
}

// Optical depth from p towards the sun. Jittered, or each step would cast its own shell of shade.
fn sun_optical_depth(p: vec3<f32>, random: f32) -> f32 {
    let n = f32(params.light_steps);
    var tau = 0.0;
    var begin = 0.0;
    for (var i = 0u; i < params.light_steps; i += 1u) {
        let end = light_step(i + 1u, n);
        let q = p + frame.sun_direction * mix(begin, end, random);
        if dot(q, q) > 1.0 {
            break;
        }
        tau += filtered_density(cloud_field(q, begin < DETAIL_REACH), end - begin, params) * (end - begin);
        begin = end;
    }
    return tau * params.extinction;
}

// Radiance scattered towards the eye per unit of extinction, at p, which lies `depth` inside the cloud.
fn source(p: vec3<f32>, depth: f32, cos_theta: f32, random: f32) -> vec3<f32> {
    let tau = sun_optical_depth(p, random);
    let above = overcast(
        cloud_field(p + vec3(0.0, SKY_NEAR, 0.0), false), cloud_field(p + vec3(0.0, SKY_FAR, 0.0), false));
    return sun_source(tau, cos_theta, depth, params, frame.sun_illuminance)
        + ambient_source(p, depth, above, params, frame.sky_radiance, frame.ground_radiance);
}

// The first place from `start` on that is inside the cloud, and in y the last one in clear air before it. In
// clear air the field says how far the cloud is at least. A loop of its own: a SIMD processor runs a loop's
// whole body while one lane needs it, and clear air should not cost the lighting.
fn leap(view: ViewRay, start: f32, exit: f32, full: f32) -> vec2<f32> {
    var clear = start;
    var t = start;
    var field = cloud_field(view.origin + view.direction * t, true);
    while field <= 0.0 && t < exit {
        clear = t;
        t += clamp(-0.45 * field, 0.4 * full, 6.0 * full);
        field = cloud_field(view.origin + view.direction * t, true);
    }
    return vec2(t, clear);
}

#ifdef PLAIN_MARCH
// Marches from enter to exit as a textbook does: equal steps, each evaluated in full.
fn march_cloud(view: ViewRay, enter: f32, exit: f32, random: f32) -> Ray {
    let cos_theta = dot(view.direction, frame.sun_direction);
    let ds = 2.0 / f32(params.steps);
    var ray = Ray(vec3(0.0), 1.0);
    for (var t = enter + ds * random; t < exit && ray.transmittance >= OPAQUE; t += ds) {
        let p = view.origin + view.direction * t;
        let field = cloud_field(p, true);
        if field <= 0.0 {
            continue;
        }
        ray = add_step(ray, source(p, field, cos_theta, random), density_of(field, params) * params.extinction, ds);
    }
    return ray;
}
#else
// Marches from enter to exit: leaps to the cloud, finds its surface by bisection, so that the edge is crisp
// and free of the jitter's grain, and from there takes steps that grow from a quarter to their full length.
fn march_cloud(view: ViewRay, enter: f32, exit: f32, random: f32) -> Ray {
    let cos_theta = dot(view.direction, frame.sun_direction);
    let full = 2.0 / f32(params.steps);
    var ray = Ray(vec3(0.0), 1.0);
    var t = enter + full * random;
    var ds = 0.0;
    var jitter = random;
    while t < exit && ray.transmittance >= OPAQUE {
        let ahead = leap(view, t, exit, full);
        if ahead.x >= exit {
            break;
        }
        if ahead.x > t || ds == 0.0 {
            t = surface(view, ahead.y, ahead.x);
            ds = 0.25 * full;
        }
        jitter = fract(jitter + 0.618034);
        let p = view.origin + view.direction * (t + ds * jitter);
        let field = cloud_field(p, true);
        let density = density_of(field, params);
        let lit = source(p, max(field, 0.0), cos_theta, jitter);
        ray = add_step(ray, lit, density * params.extinction, min(ds, exit - t));
        t += ds;
        ds = min(1.35 * ds, full);
    }
    return ray;
}

// Where along the ray, between `clear` and `cloudy`, the field crosses zero.
fn surface(view: ViewRay, clear: f32, cloudy: f32) -> f32 {
    var a = clear;
    var b = cloudy;
    for (var i = 0; i < 4; i += 1) {
        let middle = 0.5 * (a + b);
        if cloud_field(view.origin + view.direction * middle, true) > 0.0 {
            b = middle;
        } else {
            a = middle;
        }
    }
    return a;
}

#endif

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let view = view_ray(in.position, in.instance_index);
    let span = intersect_unit_sphere(view.origin, view.direction);
    let enter = max(span.x, 0.0);
    let exit = min(span.y, view.limit);
    if misses(enter, exit, 2.0) {
        return vec4(0.0);
    }
    let ray = march_cloud(view, enter, exit, jitter(in.position.xy, frame.jitter));
    return shade(ray.radiance, settle(ray.transmittance));
}
