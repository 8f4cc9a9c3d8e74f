// The sky behind everything: a lookup table of radiance, made on the CPU, and the sun's disc.

#import bevy_pbr::mesh_view_bindings::view
#import pyrocumulus::params::SkyFrame
#import pyrocumulus::math::PI
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::tone_mapping
#endif

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<storage, read> sky: SkyFrame;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var radiance: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var radiance_sampler: sampler;

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
    let toward_sun = normalize(sky.sun_direction.xz + vec2(1e-6, 0.0));
    let azimuth = acos(clamp(dot(sideways, toward_sun), -1.0, 1.0)) / PI;
    return vec2(azimuth, 0.5 - 0.5 * sign(elevation) * sqrt(abs(elevation)));
}

@fragment
fn fragment(in: SkyVertex) -> @location(0) vec4<f32> {
    let near = view.world_from_clip * vec4(in.ndc, 1.0, 1.0);
    let far = view.world_from_clip * vec4(in.ndc, 0.25, 1.0);
    let direction = normalize(far.xyz / far.w - near.xyz / near.w);
    var color = textureSampleLevel(radiance, radiance_sampler, table_coordinates(direction), 0.0).rgb;
    // The disc has an angular radius of 0.267 degrees; its edge is darkened and softened over a few pixels.
    let angle = degrees(acos(clamp(dot(direction, sky.sun_direction), -1.0, 1.0)));
    let disc = 1.0 - smoothstep(0.24, 0.30, angle);
    color += disc * step(0.0, direction.y) * sky.disc_radiance;
    var pixel = vec4(color * view.exposure, 1.0);
#ifdef TONEMAP_IN_SHADER
    pixel = tone_mapping(pixel, view.color_grading);
#endif
    return pixel;
}
