// GENERATED from the Rust declarations; do not edit. `PYROCUMULUS_WRITE=1 cargo test --release params_wgsl` renews it.

#define_import_path pyrocumulus::params

// Temperature at the right end of a blackbody row, K.
const MAX_KELVIN: f32 = 12000.0;

// Frequency of a flame's noise along the flow, relative to that across, for tongues.
const TALL: f32 = 0.36;

// The same for billows.
const ROUND: f32 = 0.9;

// Cells of a field volume along an edge of a coarse cell.
const COARSE: f32 = 3.0;

// Height of the middle of a fire's light above the floor, relative to the flame's height.
const FIRELIGHT_MIDDLE: f32 = 0.35;

// Mean of |n|, for n anywhere in Perlin noise.
const MEAN_ABSOLUTE: f32 = 0.22;

struct CloudParams {
    // Fraction of its profile that the cloud fills: 0 is clear air, 1 is solid overcast.
    coverage: f32,
    // How far the cloud reaches sideways before its profile thins out.
    width: f32,
    // How far the cloud towers above its base.
    height: f32,
    // How level the base is: 0 leaves it as round as the top, 1 cuts it at the condensation level.
    base_flatness: f32,
    // How much the top spreads wider than the middle, as under the tropopause.
    anvil: f32,
    // How strongly the large lobes bulge out of the profile and cut into it.
    billow: f32,
    // Tiles of the base noise per radius: higher makes more and smaller lobes.
    base_frequency: f32,
    // Stretches the lobes along the wind: 1 is round, 6 draws them into fibres.
    stretch: f32,
    // Which part of the noise the cloud is cut from.
    seed: u32,
    // Erodes the surface with small-scale noise.
    detail: u32,
    // How deep the small-scale noise cuts.
    detail_strength: f32,
    // Tiles of the detail noise per radius.
    detail_frequency: f32,
    // Character of the small scale: 0 is billowy like a cauliflower, 1 wispy like torn wool.
    wispiness: f32,
    // How gradually density rises behind the surface: 0 is a crisp edge, 1 is haze.
    softness: f32,
    // Extinction coefficient at full density: how much light a straight path loses.
    extinction: f32,
    // Single-scattering albedo: the share of lost light that is scattered and not absorbed. Water droplets are close to 1; less is smoke.
    albedo: f32,
    // Asymmetry g of the forward Henyey-Greenstein lobe, which makes the silver lining.
    forward_g: f32,
    // Asymmetry g of the backward lobe, which brightens the side away from the sun.
    backward_g: f32,
    // Share of the backward lobe in the mix of both.
    lobe_mix: f32,
    // Strength of light scattered more than once: 0 leaves hard black shadows.
    multiple_scattering: f32,
    // Strength of light from the sky above and the ground below.
    ambient: f32,
    // Darkens creases that face away from the sun's glare, where little light has yet built up.
    powder: f32,
    // Direction that the wind blows to: 0 is +x, 90 is +z.
    wind_direction: f32,
    // How fast the noise drifts through the profile.
    wind_speed: f32,
    // Samples along the view ray through the whole sphere.
    steps: u32,
    // Samples from each lit point towards the sun.
    light_steps: u32,
}

struct FireParams {
    // Height of the flame's envelope above the floor.
    height: f32,
    // Largest radius of the envelope.
    radius: f32,
    // Where along its height the envelope is widest: low is a tongue, 0.5 a ball.
    bulge: f32,
    // Draws the envelope out along x: 1 is round, more is a wall.
    spread: f32,
    // How much the turbulence tears the flame: 0 is a smooth drop, 1 leaves detached licks.
    tearing: f32,
    // Character of the turbulence: 0 draws it into tongues, 1 rolls it into billows with glowing creases.
    billow: f32,
    // Which part of the noise the fire is cut from.
    seed: u32,
    // Octaves of turbulence: each halves the size of the smallest tongue.
    octaves: u32,
    // Tiles of noise per half edge: higher makes more and smaller tongues.
    frequency: f32,
    // How fast the flame rises.
    speed: f32,
    // How far the noise displaces itself: 0 shows plain layers rising.
    warp_strength: f32,
    // How often the displaced noise displaces itself again.
    warp_levels: u32,
    // How far the flame's axis bends and sways.
    sway: f32,
    // Turns of the flame about its axis from floor to tip.
    swirl: f32,
    // Colours from the flame's edge to its core.
    palette: u32,
    // Temperature of the core, for the blackbody palette only.
    temperature: f32,
    // Radiance of the core, whether the flame is clear or opaque.
    intensity: f32,
    // Absorption coefficient at full density: low is a clear flame, high hides what is behind.
    absorption: f32,
    // Blue glow at the root, where fuel burns before soot forms.
    root: f32,
    // Smoke above the flame: 1 is a thick column.
    smoke: f32,
    // Samples along the view ray.
    steps: u32,
}

struct VolumeFrame {
    // Unit vector towards the sun.
    sun_direction: vec3<f32>,
    // Illuminance of the sun on a surface facing it, lux, linear Rec. 709.
    sun_illuminance: vec3<f32>,
    // Mean radiance of the sky, cd/m².
    sky_radiance: vec3<f32>,
    // Mean radiance of the ground, cd/m².
    ground_radiance: vec3<f32>,
    // First three noise phases, tiles.
    phase_a: vec3<f32>,
    // Further noise phases, tiles.
    phase_b: vec3<f32>,
    // Offset into the noise from the seed, tiles.
    seed_offset: vec3<f32>,
    // Which slice of the blue noise jitters the march.
    jitter: u32,
}

struct SkyFrame {
    // Unit vector towards the sun.
    sun_direction: vec3<f32>,
    // 1 draws the sky, 0 leaves the plain colour.
    sky: u32,
    // Radiance of the sun's disc, cd/m², dimmed to what bloom and tone mapping can show.
    disc_radiance: vec3<f32>,
    // 1 draws the ground.
    ground: u32,
    // Illuminance of the sun on a surface facing it, lux.
    sun_illuminance: vec3<f32>,
    // Share of sunlight that the cloud keeps from the ground in the middle of its shadow.
    shadow: f32,
    // Mean radiance of the sky, cd/m².
    sky_radiance: vec3<f32>,
    // Radius of the cloud's shadow.
    shadow_radius: f32,
    // Middle of the cloud.
    cloud_center: vec3<f32>,
    // Distance over which the air hides the ground.
    haze: f32,
    // Middle of the fire's light.
    fire_position: vec3<f32>,
    // Radius of the fire's light.
    fire_radius: f32,
    // Luminous intensity of the fire, cd.
    fire_intensity: vec3<f32>,
    // Linear colour of the plain background, as the camera's clear colour.
    plain_color: vec3<f32>,
}

struct FastView {
    // From view space to the volume's own space.
    local_from_view: mat4x4<f32>,
    // From clip space to view space.
    view_from_clip: mat4x4<f32>,
    // From the volume's own space to clip space.
    clip_from_local: mat4x4<f32>,
    // Corner and size of the viewport, pixels.
    viewport: vec4<f32>,
    // In x and y, 0..1: which pixel of its block is marched.
    offset: vec4<f32>,
    // In x and y: the view's share of the marched pixels, of which the last may lie partly beyond its edges.
    share: vec4<f32>,
    // Pixels along an edge of a block of which one is marched.
    spacing: f32,
    // Luminance to picture value.
    exposure: f32,
    // Steps along the ray, relative to those the parameters ask for.
    steps: f32,
    // Steps towards the sun, relative to those the parameters ask for.
    light_steps: f32,
    // Cells of the field along an edge.
    cells: f32,
    // How far the noise may have drifted since the field was made.
    drift: f32,
    // Which slice of the blue noise jitters the march.
    slice: u32,
}

struct ResolveView {
    // From this frame's clip space to that of the frame before.
    past_clip_from_clip: mat4x4<f32>,
    // Corner and size of the viewport, pixels.
    viewport: vec4<f32>,
    // In x and y, 0..1: which pixel of its block was marched.
    offset: vec4<f32>,
    // In x and y: marched pixels across and down.
    marched: vec4<f32>,
    // In x and y: size of the whole target, pixels.
    size: vec4<f32>,
    // Pixels along an edge of a block of which one was marched.
    spacing: f32,
    // What the past is good for: 0 nothing, 1 nothing has moved since, 2 begin to stand still, 3 something moves.
    past: u32,
    // 1 if the marched pixels were refined: they replace what was marched with less care.
    refined: u32,
}

struct FieldStep {
    // Cells along an edge.
    cells: u32,
    // First layer of cells of this step.
    first_layer: u32,
    // Axis along which distances spread.
    axis: u32,
}
