//! The shaders compose, are valid, and agree with the Rust side, without a graphics adapter.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bevy::math::{Mat4, Vec3, Vec4};
use bevy::reflect::structs::Struct;
use bevy::reflect::{Reflect, TypeInfo, Typed};
use bevy::render::render_resource::ShaderType;
use bevy::render::render_resource::encase::StorageBuffer;
use bevy::render::render_resource::encase::internal::WriteInto;
use naga::{Expression, TypeInner};
use pyrocumulus::param::{Declaration, Kind, Value, declarations};
use pyrocumulus::scene::SkyFrame;
use pyrocumulus::shaders::SHADERS;
use pyrocumulus::volume::{CloudParams, FireParams, Volume, VolumeFrame};

use crate::compose::{Composed, compose, defs, import_path};

/// What may be defined for the pipelines of a material, depending on quality, camera and device.
const SWITCHES: [&str; 7] = [
    "PLAIN_MARCH",
    "BAKED_LIGHT",
    "REFINED",
    "DEPTH_PREPASS",
    "MULTISAMPLED",
    "TONEMAP_IN_SHADER",
    "BLUE_NOISE_TEXTURE",
];

/// Of these, only one is ever on.
const EXCLUSIVE: [&str; 3] = ["PLAIN_MARCH", "BAKED_LIGHT", "REFINED"];

/// Every combination of the switches.
fn variants() -> impl Iterator<Item = Vec<&'static str>> {
    let all = (0..1_u32 << SWITCHES.len()).map(|bits| {
        let on = (0..SWITCHES.len()).filter(|i| bits >> i & 1 == 1);
        on.map(|i| SWITCHES[i]).collect::<Vec<_>>()
    });
    all.filter(|on| {
        on.iter()
            .filter(|switch| EXCLUSIVE.contains(switch))
            .count()
            <= 1
    })
}

#[test]
fn every_shader_composes_and_validates_in_every_variant() {
    let mut failures = BTreeMap::new();
    for switches in variants() {
        for file in SHADERS {
            if let Err(error) = compose(file.name, file.source, &defs(&switches)) {
                failures
                    .entry(error)
                    .or_insert_with(Vec::new)
                    .push(switches.join("+"));
            }
        }
    }
    let report: Vec<_> = failures
        .iter()
        .map(|(error, variants)| format!("with {}:\n{error}", variants.join(", ")))
        .collect();
    assert!(
        report.is_empty(),
        "{} failures\n{}",
        report.len(),
        report.join("\n")
    );
}

#[test]
fn every_volume_and_the_sky_has_an_entry_point() {
    let with_entry: Vec<_> = SHADERS
        .iter()
        .filter(|file| import_path(file.source).is_none())
        .collect();
    assert!(
        with_entry
            .iter()
            .any(|file| file.name == CloudParams::FRAGMENT_SHADER)
    );
    assert!(
        with_entry
            .iter()
            .any(|file| file.name == FireParams::FRAGMENT_SHADER)
    );
    for file in with_entry {
        let composed = compose(file.name, file.source, &defs(&[])).unwrap();
        assert!(
            !composed.module.entry_points.is_empty(),
            "{} does nothing",
            file.name
        );
    }
}

/// So that a file that is not embedded, or a misspelt path, is found before the program runs.
#[test]
fn import_paths_are_file_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let on_disk: BTreeSet<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let embedded: BTreeSet<_> = SHADERS.iter().map(|file| file.name.to_owned()).collect();
    assert_eq!(
        on_disk, embedded,
        "files in shaders/, and those listed in shaders.rs"
    );
    for file in SHADERS {
        let stem = file.name.trim_end_matches(".wgsl");
        if let Some(path) = import_path(file.source) {
            assert_eq!(path, format!("pyrocumulus::{stem}"), "{}", file.name);
        }
        let imports = file
            .source
            .lines()
            .filter_map(|line| line.strip_prefix("#import pyrocumulus::"));
        for import in imports {
            let module = import.split("::").next().unwrap();
            let target = format!("{module}.wgsl");
            assert!(
                embedded.contains(&target),
                "{} imports {target}, which does not exist",
                file.name
            );
        }
    }
}

/// The structs of `params.wgsl`, under their own names.
fn shared_structs() -> naga::Module {
    let source = SHADERS
        .iter()
        .find(|file| file.name == "params.wgsl")
        .unwrap()
        .source;
    let plain: Vec<_> = source
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    naga::front::wgsl::parse_str(&plain.join("\n")).unwrap()
}

/// Writes a distinct value into each field and returns the bytes that the field must have.
fn fill(set: &mut dyn Struct) -> Vec<(String, Vec<u8>)> {
    let mut expected = Vec::new();
    for index in 0..set.field_len() {
        let name = set.name_at(index).unwrap().to_owned();
        let field = set.field_at_mut(index).unwrap();
        let number = index as f32 + 1.5;
        let floats = |floats: &[f32]| {
            floats
                .iter()
                .flat_map(|x| x.to_le_bytes())
                .collect::<Vec<_>>()
        };
        let bytes = if let Some(field) = field.try_downcast_mut::<f32>() {
            *field = number;
            floats(&[number])
        } else if let Some(field) = field.try_downcast_mut::<u32>() {
            *field = 1000 + index as u32;
            field.to_le_bytes().to_vec()
        } else if let Some(field) = field.try_downcast_mut::<Vec3>() {
            *field = Vec3::new(number, -number, number + 0.25);
            floats(&field.to_array())
        } else if let Some(field) = field.try_downcast_mut::<Vec4>() {
            *field = Vec4::new(number, -number, number + 0.25, 0.125);
            floats(&field.to_array())
        } else if let Some(field) = field.try_downcast_mut::<Mat4>() {
            *field = Mat4::from_diagonal(Vec4::new(number, -number, number + 0.25, 0.125));
            floats(&field.to_cols_array())
        } else {
            panic!("{name} has a type that this test does not know");
        };
        expected.push((name, bytes));
    }
    expected
}

/// Where Rust writes a field, the shader reads it.
fn assert_same_layout<T: Struct + Reflect + Typed + Default + ShaderType + WriteInto>(
    module: &naga::Module,
) {
    let path = T::type_info().type_path_table().short_path();
    let ty = module
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some(path));
    let Some((
        _,
        naga::Type {
            inner: TypeInner::Struct { members, span },
            ..
        },
    )) = ty
    else {
        panic!("params.wgsl has no struct {path}");
    };
    let mut value = T::default();
    let expected = fill(&mut value);
    let mut buffer = StorageBuffer::new(Vec::<u8>::new());
    buffer.write(&value).unwrap();
    let bytes = buffer.into_inner();
    assert_eq!(bytes.len(), *span as usize, "size of {path}");
    assert_eq!(expected.len(), members.len(), "fields of {path}");
    for (member, (name, field)) in members.iter().zip(expected) {
        assert_eq!(member.name.as_deref(), Some(name.as_str()), "{path}");
        let at = member.offset as usize;
        assert_eq!(
            bytes[at..at + field.len()],
            field,
            "{path}.{name} is not at offset {at}"
        );
    }
}

#[test]
fn shader_and_rust_lay_out_structs_alike() {
    let module = shared_structs();
    assert_same_layout::<CloudParams>(&module);
    assert_same_layout::<FireParams>(&module);
    assert_same_layout::<VolumeFrame>(&module);
    assert_same_layout::<SkyFrame>(&module);
}

/// Names of the fields of the struct `name` that a composed shader reads.
fn fields_read(composed: &Composed, name: &str) -> BTreeSet<String> {
    let Composed { module, info } = composed;
    let entries = module.entry_points.iter().enumerate();
    let functions = module
        .functions
        .iter()
        .map(|(handle, function)| (function, &info[handle]))
        .chain(entries.map(|(i, entry)| (&entry.function, info.get_entry_point(i))));
    let mut read = BTreeSet::new();
    for (function, info) in functions {
        for (_, expression) in function.expressions.iter() {
            let Expression::AccessIndex { base, index } = *expression else {
                continue;
            };
            let inner = match *info[base].ty.inner_with(&module.types) {
                TypeInner::Pointer { base, .. } => &module.types[base],
                TypeInner::Struct { .. } => match info[base].ty.handle() {
                    Some(handle) => &module.types[handle],
                    None => continue,
                },
                _ => continue,
            };
            // naga_oil decorates imported names.
            if !inner
                .name
                .as_deref()
                .is_some_and(|decorated| decorated.starts_with(name))
            {
                continue;
            }
            if let TypeInner::Struct { members, .. } = &inner.inner {
                read.extend(members[index as usize].name.clone());
            }
        }
    }
    read
}

/// Another value than the default, within range.
fn other_value(declaration: &Declaration, default: Value) -> Value {
    let candidates = match &declaration.kind {
        Kind::Float { range, .. } => [Value::Float(*range.start()), Value::Float(*range.end())],
        Kind::Int { range } => [Value::Int(*range.start()), Value::Int(*range.end())],
        Kind::Switch => [Value::Switch(false), Value::Switch(true)],
        Kind::Choice(names) => [
            Value::Choice(names[0]),
            Value::Choice(names[names.len() - 1]),
        ],
        Kind::Color => [Value::Color(Vec3::ZERO), Value::Color(Vec3::ONE)],
    };
    candidates
        .into_iter()
        .find(|candidate| *candidate != default)
        .unwrap()
}

/// Whether the parameter acts through what the CPU derives for every frame.
fn acts_on_the_cpu<V: Volume>(declaration: &Declaration) -> bool {
    let mut changed = V::default();
    let other = other_value(declaration, declaration.get(&changed));
    declaration.set(&mut changed, other).unwrap();
    let default = V::default();
    default.seed() != changed.seed() || default.phase_rates() != changed.phase_rates()
}

/// Parameters of a kind of volume that do nothing.
fn idle_parameters<V: Volume>() -> Vec<String> {
    let file = SHADERS
        .iter()
        .find(|file| file.name == V::FRAGMENT_SHADER)
        .unwrap();
    let info: &'static TypeInfo = V::type_info();
    let composed = compose(file.name, file.source, &defs(&[])).unwrap();
    let read = fields_read(&composed, info.type_path_table().short_path());
    declarations(info)
        .into_iter()
        .filter(|declaration| {
            !read.contains(declaration.name) && !acts_on_the_cpu::<V>(declaration)
        })
        .map(|declaration| {
            format!(
                "{}.{}",
                info.type_path_table().short_path(),
                declaration.name
            )
        })
        .collect()
}

#[test]
fn every_parameter_does_something() {
    let idle = [
        idle_parameters::<CloudParams>(),
        idle_parameters::<FireParams>(),
    ]
    .concat();
    assert!(
        idle.is_empty(),
        "no shader and no frame uses {}",
        idle.join(", ")
    );
}
