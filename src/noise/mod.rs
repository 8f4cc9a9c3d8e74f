//! Tileable noise, and the textures baked from it in the background.
//!
//! | file | what it holds |
//! |---|---|
//! | [`params`] | [`NoiseParams`]: what can be tuned |
//! | [`perlin`] | gradient noise (Perlin 2002) |
//! | [`worley`] | cellular noise (Worley 1996) |
//! | [`fractal`] | sums of octaves: fBm, turbulence, Worley fBm |
//! | [`lattice`] | gradient noise laid open, corner by corner |
//! | [`layers`] | layers of it: fBm, turbulence, ridges, marble, warps |
//! | [`cells`] | cellular noise in the plane, with its points |
//! | [`spectra`] | power over frequencies |
//! | [`perlin_worley`] | the recipes of the textures (Schneider 2015) |
//! | [`bake`] | recipes to bytes, on any number of threads |
//! | [`plugin`] | [`NoisePlugin`]: bytes to [`NoiseTextures`], whenever the parameters change |
//!
//! All but the plugin is pure: the same parameters give the same bytes on every machine. Every
//! noise repeats after a whole number of lattice cells, negative coordinates included, so every
//! texture tiles.

pub mod bake;
pub mod cells;
pub mod fractal;
mod grid;
pub(crate) mod hash;
pub mod lattice;
pub mod layers;
pub mod params;
pub mod perlin;
pub mod perlin_worley;
pub mod plugin;
pub mod spectra;
pub mod worley;

pub use grid::Block;
pub use params::NoiseParams;
pub use plugin::{NoiseBake, NoisePlugin, NoiseSystems, NoiseTextures};
