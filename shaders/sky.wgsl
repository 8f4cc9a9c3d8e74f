// The backdrop: a sky from a table of radiance made on the CPU, the sun's disc, and the ground, a plane at
// y = 0 lit by sun, sky and fire.
//
// Units: radiance in cd/m², illuminance in lux, luminous intensity in cd.

#import bevy_pbr::mesh_view_bindings::view
#import pyrocumulus::params::SkyFrame
#import pyrocumulus::math::PI
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::tone_mapping
#endif

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<storage, read> frame: SkyFrame;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var radiance: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var radiance_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var base: texture_3d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var tiling: sampler;

struct SkyVertex {
    @builtin(position) position: vec4<f32>,
    @location(0) ndc: vec2<f32>,
}

// The mesh is a triangle over the whole view, already in clip space at the far plane.
@vertex
fn vertex(@location(0) corner: vec3<f32>) -> SkyVertex {
    return SkyVertex(vec4(corner, 1.0), corner.xy);
}

// Coordinates in the table: azimuth from the sun, 0..pi, across; elevation up, spread around the horizon
// (Hillaire 2020, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique", section 5.3).
fn table_coordinates(direction: vec3<f32>) -> vec2<f32> {
    let elevation = asin(clamp(direction.y, -1.0, 1.0)) / (0.5 * PI);
    let sideways = normalize(direction.xz + vec2(1e-6, 0.0));
    let toward_sun = normalize(frame.sun_direction.xz + vec2(1e-6, 0.0));
    let azimuth = acos(clamp(dot(sideways, toward_sun), -1.0, 1.0)) / PI;
    return vec2(azimuth, 0.5 - 0.5 * sign(elevation) * sqrt(abs(elevation)));
}

// Radiance of the clear sky.
fn sky(direction: vec3<f32>) -> vec3<f32> {
    let air = textureSampleLevel(radiance, radiance_sampler, table_coordinates(direction), 0.0).rgb;
    // The disc has an angular radius of 0.267 degrees, softened over a few pixels.
    let angle = degrees(acos(clamp(dot(direction, frame.sun_direction), -1.0, 1.0)));
    let disc = (1.0 - smoothstep(0.24, 0.30, angle)) * step(0.0, direction.y);
    return air + disc * frame.disc_radiance;
}

// Share of sunlight that the cloud lets through to p, taken for a soft ball.
fn cloud_shadow(p: vec3<f32>) -> f32 {
    let to_cloud = frame.cloud_center - p;
    let along = dot(to_cloud, frame.sun_direction);
    let aside = length(to_cloud - along * frame.sun_direction);
    return 1.0 - frame.shadow * (1.0 - smoothstep(0.35, 1.1, aside / max(frame.shadow_radius, 1e-3)));
}

// Albedo of the ground: short grass, with drier patches.
fn ground_albedo(p: vec2<f32>) -> vec3<f32> {
    let patches = textureSampleLevel(base, tiling, vec3(0.017 * p.x, 0.3, 0.017 * p.y), 0.0).x;
    let grain = textureSampleLevel(base, tiling, vec3(0.21 * p.y, 0.7, 0.21 * p.x), 0.0).w;
    let dry = smoothstep(0.35, 0.75, patches + 0.3 * (grain - 0.5));
    return mix(vec3(0.04, 0.058, 0.026), vec3(0.078, 0.08, 0.046), dry) * (0.75 + 0.5 * grain);
}

// Radiance of the ground at p: a Lambertian plane.
fn ground(p: vec3<f32>) -> vec3<f32> {
    let sun = frame.sun_illuminance * max(frame.sun_direction.y, 0.0) * cloud_shadow(p);
    let to_fire = frame.fire_position - p;
    // An extended source: its radius keeps the illuminance finite beneath it.
    let squared = dot(to_fire, to_fire) + frame.fire_radius * frame.fire_radius;
    let fire = frame.fire_intensity * max(to_fire.y, 0.0) / (squared * sqrt(squared));
    return ground_albedo(p.xz) * ((sun + fire) / PI + frame.sky_radiance);
}

@fragment
fn fragment(in: SkyVertex) -> @location(0) vec4<f32> {
    let near = view.world_from_clip * vec4(in.ndc, 1.0, 1.0);
    let far = view.world_from_clip * vec4(in.ndc, 0.25, 1.0);
    let origin = near.xyz / near.w;
    let direction = normalize(far.xyz / far.w - origin);
    var color = frame.plain_color;
    if frame.sky != 0u {
        color = sky(direction) * view.exposure;
    }
    // From below, the ground is glass.
    if frame.ground != 0u && direction.y < 0.0 && origin.y > 0.0 {
        let distance = origin.y / -direction.y;
        let lit = ground(origin + direction * distance) * view.exposure;
        color = mix(color, lit, exp(-distance / frame.haze));
    }
    var pixel = vec4(color, 1.0);
#ifdef TONEMAP_IN_SHADER
    pixel = tone_mapping(pixel, view.color_grading);
#endif
    return pixel;
}
