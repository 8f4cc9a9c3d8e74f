//! `pyrocumulus list`: presets and parameters, for people and for scripts.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use super::{Failure, print};
use crate::PresetLibrary;
use crate::library::PresetEntry;
use crate::param::{Declaration, Kind, ReflectParamSet, Value};

/// Prints the list.
pub(super) fn list(library: &PresetLibrary, as_json: bool) -> Result<(), Failure> {
    let sets = crate::param_sets();
    if as_json {
        let parameters: Vec<Json> = sets.iter().flat_map(parameters_json).collect();
        let presets: Vec<Json> = library.entries().iter().map(preset_json).collect();
        return print(&format!(
            "{:#}\n",
            json!({ "presets": presets, "parameters": parameters })
        ));
    }
    let mut text = "Presets\n".to_owned();
    for entry in library.entries() {
        text += &preset_line(entry);
    }
    for set in sets.iter() {
        let _ = writeln!(text, "\n{}: {}.NAME", set.section.title, set.section.key);
        let default = set.default_set();
        for declaration in set.declarations() {
            text += &parameter_line(&declaration, declaration.get(&*default));
        }
    }
    print(&text)
}

fn preset_line(entry: &PresetEntry) -> String {
    let scene = entry.scene.map_or("broken", crate::scene::Scene::name);
    let origin = match (&entry.problem, &entry.path) {
        (Some(problem), _) => format!(" ({problem})"),
        (None, Some(path)) => format!(" ({})", path.display()),
        (None, None) => String::new(),
    };
    format!("  {:<24} {scene:<6} {}{origin}\n", entry.stem, entry.name)
}

/// A parameter as people read it.
pub(super) fn parameter_line(declaration: &Declaration, default: Value) -> String {
    let range = match &declaration.kind {
        Kind::Float { range, .. } => format!("{} to {}", range.start(), range.end()),
        Kind::Int { range } => format!("{} to {}", range.start(), range.end()),
        Kind::Switch => "true or false".to_owned(),
        Kind::Choice(names) => names.join(", "),
        Kind::Color => "r,g,b or #rrggbb".to_owned(),
    };
    let unit = if declaration.unit.is_empty() {
        String::new()
    } else {
        format!(" {}", declaration.unit)
    };
    format!(
        "  {:<20} {range}{unit}, default {}\n                       {}\n",
        declaration.name, default, declaration.doc
    )
}

fn preset_json(entry: &PresetEntry) -> Json {
    json!({
        "id": entry.stem,
        "name": entry.name,
        "scene": entry.scene.map(crate::scene::Scene::name),
        "shipped": entry.shipped,
        "path": entry.path.as_ref().map(|path| path.display().to_string()),
        "problem": entry.problem,
    })
}

fn parameters_json(set: &ReflectParamSet) -> Vec<Json> {
    let default = set.default_set();
    set.declarations()
        .iter()
        .map(|declaration| parameter_json(set.section.key, declaration, declaration.get(&*default)))
        .collect()
}

/// A parameter as scripts read it.
pub(super) fn parameter_json(section: &str, declaration: &Declaration, default: Value) -> Json {
    let (kind, range, choices) = match &declaration.kind {
        Kind::Float { range, .. } => (
            "float",
            json!([decimal(*range.start()), decimal(*range.end())]),
            Json::Null,
        ),
        Kind::Int { range } => ("int", json!([range.start(), range.end()]), Json::Null),
        Kind::Switch => ("switch", Json::Null, Json::Null),
        Kind::Choice(names) => ("choice", Json::Null, json!(names)),
        Kind::Color => ("color", Json::Null, Json::Null),
    };
    json!({
        "section": section,
        "name": declaration.name,
        "kind": kind,
        "range": range,
        "choices": choices,
        "default": value_json(default),
        "unit": declaration.unit,
        "group": declaration.group,
        "doc": declaration.doc,
    })
}

fn value_json(value: Value) -> Json {
    match value {
        Value::Float(value) => json!(decimal(value)),
        Value::Int(value) => json!(value),
        Value::Switch(value) => json!(value),
        Value::Choice(name) => json!(name),
        Value::Color(color) => json!(color.to_array().map(decimal)),
    }
}

/// The number that prints like `value`: 0.1 and not 0.10000000149.
fn decimal(value: f32) -> f64 {
    value
        .to_string()
        .parse()
        .unwrap_or_else(|_| f64::from(value))
}
