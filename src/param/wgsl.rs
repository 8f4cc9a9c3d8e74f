//! Declarations to shader source: `shaders/params.wgsl` is generated from the Rust structs.
//!
//! `cargo test` fails when the committed file is stale and says how to renew it.

use std::fmt::Write;

use bevy::math::{Mat4, Vec3, Vec4};
use bevy::reflect::structs::StructInfo;
use bevy::reflect::{NamedField, TypeInfo, Typed};

use super::paragraph;

const HEADER: &str = "\
// GENERATED from the Rust declarations; do not edit. `PYROCUMULUS_WRITE=1 cargo test --release params_wgsl` renews it.

#define_import_path pyrocumulus::params
";

/// The WGSL type with the memory layout of a field.
fn wgsl_type(field: &NamedField) -> Option<&'static str> {
    [
        (field.is::<f32>(), "f32"),
        (field.is::<u32>(), "u32"),
        (field.is::<Vec3>(), "vec3<f32>"),
        (field.is::<Vec4>(), "vec4<f32>"),
        (field.is::<Mat4>(), "mat4x4<f32>"),
    ]
    .into_iter()
    .find_map(|(is, name)| is.then_some(name))
}

/// Appends one struct, each field with its doc comment.
fn write_struct(out: &mut String, info: &StructInfo) -> std::fmt::Result {
    writeln!(out, "\nstruct {} {{", info.type_path_table().short_path())?;
    for field in info.iter() {
        let kind = wgsl_type(field)
            .unwrap_or_else(|| panic!("{}.{} has no WGSL type", info.type_path(), field.name()));
        writeln!(
            out,
            "    // {}",
            paragraph(field.docs().unwrap_or_default())
        )?;
        writeln!(out, "    {}: {kind},", field.name())?;
    }
    writeln!(out, "}}")
}

/// The source of `shaders/params.wgsl`: every constant and struct that Rust and the
/// shaders share.
///
/// # Panics
/// If a struct has a field without a WGSL type: a mistake in the declaration, found by the tests.
pub fn source() -> String {
    let derived = [
        crate::volume::VolumeFrame::type_info(),
        crate::scene::SkyFrame::type_info(),
        crate::volume::fast::FastView::type_info(),
        crate::volume::fast::ResolveView::type_info(),
        crate::volume::fast::FieldStep::type_info(),
    ];
    let mut out = HEADER.to_owned();
    for (name, value, doc) in crate::volume::SHARED_CONSTANTS {
        write!(out, "\n// {doc}\nconst {name}: f32 = {value:?};\n")
            .expect("writing to a String succeeds");
    }
    for info in crate::volume::type_infos().into_iter().chain(derived) {
        let TypeInfo::Struct(info) = info else {
            panic!("{} is not a struct", info.type_path());
        };
        write_struct(&mut out, info).expect("writing to a String succeeds");
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The committed file is the generated one.
    #[test]
    fn params_wgsl_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/params.wgsl");
        if std::env::var_os("PYROCUMULUS_WRITE").is_some() {
            std::fs::write(&path, super::source()).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap();
        assert!(
            committed == super::source(),
            "shaders/params.wgsl is stale: run PYROCUMULUS_WRITE=1 cargo test --release params_wgsl"
        );
    }
}
