//! Stand-ins for what the shaders import from Bevy, with Bevy's names, types and conditions.

/// Import path and source, imported ones before those that import them.
pub const STAND_INS: &[(&str, &str)] = &[
    ("bevy_render::view", VIEW),
    ("bevy_pbr::mesh_view_bindings", MESH_VIEW_BINDINGS),
    ("bevy_pbr::mesh_functions", MESH_FUNCTIONS),
    ("bevy_pbr::forward_io", FORWARD_IO),
    ("bevy_pbr::prepass_utils", PREPASS_UTILS),
    ("bevy_core_pipeline::tonemapping", TONEMAPPING),
];

const VIEW: &str = "
#define_import_path bevy_render::view
struct ColorGrading {
    balance: mat3x3<f32>,
    exposure: f32,
    hue: f32,
    post_saturation: f32,
}
struct View {
    clip_from_world: mat4x4<f32>,
    unjittered_clip_from_world: mat4x4<f32>,
    world_from_clip: mat4x4<f32>,
    world_from_view: mat4x4<f32>,
    view_from_world: mat4x4<f32>,
    clip_from_view: mat4x4<f32>,
    view_from_clip: mat4x4<f32>,
    world_position: vec3<f32>,
    exposure: f32,
    viewport: vec4<f32>,
    main_pass_viewport: vec4<f32>,
    color_grading: ColorGrading,
    frame_count: u32,
}
";

const MESH_VIEW_BINDINGS: &str = "
#define_import_path bevy_pbr::mesh_view_bindings
#import bevy_render::view::View
@group(0) @binding(0) var<uniform> view: View;
#ifdef MULTISAMPLED
@group(0) @binding(20) var depth_prepass_texture: texture_depth_multisampled_2d;
#else
@group(0) @binding(20) var depth_prepass_texture: texture_depth_2d;
#endif
@group(0) @binding(34) var blue_noise_texture: texture_2d_array<f32>;
";

const MESH_FUNCTIONS: &str = "
#define_import_path bevy_pbr::mesh_functions
@group(2) @binding(0) var<storage> meshes: array<mat4x4<f32>>;
fn get_local_from_world(instance_index: u32) -> mat4x4<f32> { return meshes[instance_index]; }
fn get_world_from_local(instance_index: u32) -> mat4x4<f32> { return meshes[instance_index]; }
";

const FORWARD_IO: &str = "
#define_import_path bevy_pbr::forward_io
struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec4<f32>,
    @location(1) world_normal: vec3<f32>,
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    @location(6) @interpolate(flat) instance_index: u32,
#endif
}
";

const PREPASS_UTILS: &str = "
#define_import_path bevy_pbr::prepass_utils
#import bevy_pbr::mesh_view_bindings as view_bindings
#ifdef DEPTH_PREPASS
fn prepass_depth(frag_coord: vec4<f32>, sample_index: u32) -> f32 {
#ifdef MULTISAMPLED
    return textureLoad(view_bindings::depth_prepass_texture, vec2<i32>(frag_coord.xy), i32(sample_index));
#else
    return textureLoad(view_bindings::depth_prepass_texture, vec2<i32>(frag_coord.xy), 0);
#endif
}
#endif
";

const TONEMAPPING: &str = "
#define_import_path bevy_core_pipeline::tonemapping
#import bevy_render::view::ColorGrading
fn tone_mapping(in: vec4<f32>, color_grading: ColorGrading) -> vec4<f32> {
    return vec4(in.rgb * color_grading.exposure, in.a);
}
";
