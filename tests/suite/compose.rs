//! Composes the shaders as Bevy does at run time, without a graphics adapter.

use std::collections::HashMap;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga_oil::compose::{
    ComposableModuleDescriptor, Composer, NagaModuleDescriptor, ShaderDefValue, ShaderLanguage,
    ShaderType,
};
use pyrocumulus::shaders::SHADERS;

use crate::stand_ins::STAND_INS;

/// Definitions that a pipeline sets.
pub type Defs = HashMap<String, ShaderDefValue>;

/// The definitions that every pipeline sets, and these switches.
pub fn defs(switches: &[&str]) -> Defs {
    let switches = switches
        .iter()
        .map(|name| ((*name).to_owned(), ShaderDefValue::Bool(true)));
    let mut defs: Defs = switches.collect();
    defs.insert("MATERIAL_BIND_GROUP".to_owned(), ShaderDefValue::UInt(3));
    defs.insert(
        "VERTEX_OUTPUT_INSTANCE_INDEX".to_owned(),
        ShaderDefValue::Bool(true),
    );
    defs
}

/// The import path that a file defines, if it does.
pub fn import_path(source: &str) -> Option<&str> {
    source
        .lines()
        .find_map(|line| line.strip_prefix("#define_import_path "))
        .map(str::trim)
}

/// A composer that knows every importable file. Each file that does not fit is an error.
fn composer(defs: &Defs) -> Result<Composer, String> {
    let mut composer = Composer::default();
    let ours = SHADERS.iter().map(|file| (file.name, file.source));
    for (name, source) in STAND_INS.iter().copied().chain(ours) {
        if import_path(source).is_none() {
            continue;
        }
        let added = composer.add_composable_module(ComposableModuleDescriptor {
            source,
            file_path: name,
            language: ShaderLanguage::Wgsl,
            shader_defs: defs.clone(),
            ..Default::default()
        });
        if let Err(error) = added.map(|_| ()) {
            return Err(format!("{name}: {}", error.emit_to_string(&composer)));
        }
    }
    Ok(composer)
}

/// A composed shader and what naga found out about it.
pub struct Composed {
    pub module: naga::Module,
    pub info: ModuleInfo,
}

/// Composes `source` with everything it imports and validates the result.
pub fn compose(name: &str, source: &str, defs: &Defs) -> Result<Composed, String> {
    let mut composer = composer(defs)?;
    let module = composer
        .make_naga_module(NagaModuleDescriptor {
            source,
            file_path: name,
            shader_type: ShaderType::Wgsl,
            shader_defs: defs.clone(),
            ..Default::default()
        })
        .map_err(|error| format!("{name}: {}", error.emit_to_string(&composer)))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| format!("{name}: {}", error.emit_to_string(source)))?;
    Ok(Composed { module, info })
}
