//! The table of shaders: embeds every file of `shaders/`, so that the program needs none beside it.

use std::path::{Path, PathBuf};

use bevy::asset::AssetPath;
use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::prelude::*;
use bevy::shader::{Shader, ShaderRef};

/// One file of `shaders/`.
pub struct ShaderFile {
    /// File name, which is also the last part of the import path.
    pub name: &'static str,
    /// Contents.
    pub source: &'static str,
}

macro_rules! shader_files {
    ($($name:literal),* $(,)?) => {
        &[$(ShaderFile {
            name: $name,
            source: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $name)),
        }),*]
    };
}

/// Every shader, imported ones before those that import them.
pub const SHADERS: &[ShaderFile] = shader_files![
    "params.wgsl",
    "math.wgsl",
    "phase.wgsl",
    "density.wgsl",
    "flame.wgsl",
    "march.wgsl",
    "view.wgsl",
    "cloud.wgsl",
    "fire.wgsl",
    "sky.wgsl",
];

/// Where the asset server finds a shader, for example `embedded://pyrocumulus/shaders/cloud.wgsl`.
fn asset_path(name: &str) -> AssetPath<'static> {
    format!("embedded://pyrocumulus/shaders/{name}").into()
}

/// The shader as materials ask for it.
pub fn shader_ref(name: &str) -> ShaderRef {
    ShaderRef::Path(asset_path(name))
}

/// Keeps the imported shaders loaded.
#[derive(Resource)]
struct ImportedShaders {
    _handles: Vec<Handle<Shader>>,
}

/// Embeds and loads the shaders.
pub struct ShaderPlugin;

impl Plugin for ShaderPlugin {
    fn build(&self, app: &mut App) {
        let registry = app.world().resource::<EmbeddedAssetRegistry>();
        for file in SHADERS {
            let path = Path::new("pyrocumulus/shaders").join(file.name);
            let source = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                .join("shaders")
                .join(file.name);
            registry.insert_asset(source, &path, file.source.as_bytes());
        }
        let assets = app.world().resource::<AssetServer>();
        let handles = SHADERS
            .iter()
            .map(|file| assets.load(asset_path(file.name)))
            .collect();
        app.insert_resource(ImportedShaders { _handles: handles });
    }
}
