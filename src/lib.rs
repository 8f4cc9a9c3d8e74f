//! Volumetric clouds and fire for Bevy, and the viewer built on them.
//!
//! In an app of your own, add [`VolumePlugins`] and spawn [`CloudParams`] or [`FireParams`] like any other
//! component. A [`DirectionalLight`](bevy::light::DirectionalLight) lights them, and they end where
//! opaque meshes begin.
//!
//! # The map of the house
//!
//! | module | what it holds |
//! |---|---|
//! | [`param`] | one declaration per parameter, and the panel, shader struct, preset file and command line made from it |
//! | [`noise`] | tileable Perlin and Worley noise, and the textures baked from it |
//! | [`volume`] | [`VolumePlugins`]: cloud and fire, their parameters, material and time |
//! | [`reference`](mod@reference) | the shaders' physics on the CPU |
//! | [`scene`] | the viewer's stage: sun, sky, ground, camera |
//! | [`library`] | the presets there are: shipped ones and the user's |
//! | [`viewer`] | the desktop window |
//! | [`ui`] | panel, status bar, keys, mouse |
//! | [`lab`] | where the noises come from, page by page |
//! | [`capture`] | pictures without a window |
//! | [`bench`](mod@bench) | what frames cost, and how far they are from the truth |
//! | [`cli`] | the command line |
//! | [`shaders`] | the table of `shaders/*.wgsl` |
//!
//! # How one slider travels
//!
//! `coverage` is a field of [`CloudParams`]. The panel finds the struct in the type registry, makes a row from the
//! field's declaration and edits the component. A change assigns the whole struct into the
//! material's uniform, where `density.wgsl` reads `params.coverage`. No other line names it.

pub mod bench;
pub mod capture;
pub mod cli;
mod files;
pub mod lab;
pub mod library;
mod lookup;
pub mod noise;
pub mod param;
pub mod reference;
pub mod scene;
pub mod shaders;
mod suggest;
mod timing;
pub mod ui;
pub mod viewer;
pub mod volume;

pub use library::PresetLibrary;
pub use noise::NoisePlugin;
pub use volume::{CloudParams, FireParams, SkyLight, VolumeClock, VolumePlugins};

/// The program in `README.md` compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Every parameter set that presets keep, without a running app: what presets, `--set` and `pyrocumulus list`
/// go by before the renderer starts.
pub fn param_sets() -> param::ParamSets {
    use param::ParamApp;
    let mut app = bevy::app::App::empty();
    app.init_resource::<bevy::ecs::reflect::AppTypeRegistry>()
        .register_params::<noise::NoiseParams>();
    volume::register_params(&mut app);
    scene::register_params(&mut app);
    param::ParamSets::in_world(app.world()).kept()
}
