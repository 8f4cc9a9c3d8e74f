//! Declarations to preset files and back.
//!
//! A preset is a RON file with a format version, a name, a scene and one section for each parameter set:
//!
//! ```ron
//! (
//!     format: 1,
//!     name: "Fair-weather cumulus",
//!     scene: "cloud",
//!     cloud: (coverage: 0.6, detail: true),
//!     sun: (elevation: 30.0),
//!     stage: (tone_mapping: "agx", background_color: (0.1, 0.2, 0.3)),
//! )
//! ```
//!
//! Keys are the fields of the declared structs, so that a new field is read and written without a line here.
//! Whatever a file leaves out takes its default. A section named like a scene belongs to that scene; the
//! others, such as the sun, belong to every scene.

mod error;
mod preferences;
mod read;

use std::fmt::Write;
use std::path::Path;

use bevy::prelude::*;

pub use error::{PresetError, SetError};
pub use preferences::Preferences;

use super::{Declaration, ParamSets, ReflectParamSet, Value};
use crate::scene::Scene;
use crate::suggest;

/// The version of the file format that this program reads and writes.
pub const FORMAT: u32 = 1;

/// The values of one parameter set.
#[derive(Clone)]
struct Section {
    set: ReflectParamSet,
    declarations: Vec<Declaration>,
    /// One for each declaration.
    values: Vec<Value>,
}

impl Section {
    fn new(set: &ReflectParamSet, values: &dyn bevy::reflect::structs::Struct) -> Self {
        let declarations = set.declarations();
        let values = declarations
            .iter()
            .map(|declaration| declaration.get(values))
            .collect();
        Self {
            set: set.clone(),
            declarations,
            values,
        }
    }

    fn with_defaults(set: &ReflectParamSet) -> Self {
        Self::new(set, &*set.default_set())
    }

    /// Takes the values that the set has in `world`, if it is there.
    fn capture(&mut self, world: &mut World) {
        if let Some(values) = self.set.read(world) {
            *self = Self::new(&self.set, &*values);
        }
    }

    /// Gives the values to the set in `world`, if it is there.
    fn apply(&self, world: &mut World) {
        self.set.edit(world, |target| {
            for (declaration, value) in self.declarations.iter().zip(&self.values) {
                // Values are checked where they enter a section.
                let _ = declaration.set(target, *value);
            }
        });
    }

    /// Appends the section to a file.
    fn write(&self, out: &mut String) {
        *out += &format!("    {}: (\n", self.key());
        for (declaration, value) in self.declarations.iter().zip(&self.values) {
            let _ = writeln!(out, "        {}: {value},", declaration.name);
        }
        *out += "    ),\n";
    }

    fn key(&self) -> &'static str {
        self.set.section.key
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.declarations
            .iter()
            .position(|declaration| declaration.name == name)
    }

    fn qualified(&self, name: &str) -> String {
        format!("{}.{name}", self.key())
    }
}

/// A named state of a scene: everything that a preset file holds.
#[derive(Clone)]
pub struct Preset {
    /// What the list shows.
    pub name: String,
    /// Which volumes are on stage.
    pub scene: Scene,
    sections: Vec<Section>,
}

impl Preset {
    /// A preset with every parameter at its default.
    pub fn new(name: &str, scene: Scene, sets: &ParamSets) -> Self {
        let sections = sets
            .iter()
            .filter(|set| belongs(scene, set.section.key))
            .map(Section::with_defaults)
            .collect();
        Self {
            name: name.to_owned(),
            scene,
            sections,
        }
    }

    /// Reads a preset file's contents. `file` is what errors call it, and its stem is the name of a preset
    /// that has none.
    ///
    /// # Errors
    /// At the first thing that is wrong, with file, line, key and what was expected.
    pub fn parse(source: &str, file: &str, sets: &ParamSets) -> Result<Self, PresetError> {
        let header = read::header(source, file)?;
        let given = read::sections(source, file, header.scene, sets)?;
        let stem = || {
            Path::new(file)
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let mut preset = Self::new(&header.name.unwrap_or_else(stem), header.scene, sets);
        fill(&mut preset.sections, given);
        Ok(preset)
    }

    /// The present state of the scene in `world`.
    pub fn capture(world: &mut World, name: &str) -> Self {
        let sets = ParamSets::in_world(world).kept();
        let scene = *world.resource::<Scene>();
        let mut preset = Self::new(name, scene, &sets);
        for section in &mut preset.sections {
            section.capture(world);
        }
        preset
    }

    /// Puts the scene in `world` into this state. Only what differs counts as changed.
    pub fn apply(&self, world: &mut World) {
        world.resource_mut::<Scene>().set_if_neq(self.scene);
        for section in &self.sections {
            section.apply(world);
        }
    }

    /// The value of a parameter, such as `get("cloud", "coverage")`.
    pub fn get(&self, section: &str, name: &str) -> Option<Value> {
        let section = self.sections.iter().find(|s| s.key() == section)?;
        section.position(name).map(|index| section.values[index])
    }

    /// Sets a parameter by its name, or by section and name with a dot between: `coverage`,
    /// `cloud.coverage`. A bare name that several sections have means the volume's.
    ///
    /// # Errors
    /// If there is no such parameter, if it is not clear which is meant, or if it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        let (section, index) = self.find(name)?;
        let section = &mut self.sections[section];
        section.values[index] = section.declarations[index].parse(value)?;
        Ok(())
    }

    /// Section and position of the parameter that `name` means.
    fn find(&self, name: &str) -> Result<(usize, usize), SetError> {
        let wanted = name.split_once('.');
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (at, section) in self.sections.iter().enumerate() {
            let field = match wanted {
                Some((key, field)) if key == section.key() => field,
                Some(_) => continue,
                None => name,
            };
            found.extend(section.position(field).map(|index| (at, index)));
        }
        if found.len() > 1 {
            let volumes: Vec<_> = found
                .iter()
                .copied()
                .filter(|(at, _)| is_volume(self.sections[*at].key()))
                .collect();
            if volumes.len() == 1 {
                return Ok(volumes[0]);
            }
        }
        match found[..] {
            [only] => Ok(only),
            [] => Err(self.unknown(name)),
            _ => Err(SetError::Ambiguous {
                name: name.to_owned(),
                candidates: found
                    .iter()
                    .map(|(at, _)| self.sections[*at].qualified(name))
                    .collect(),
            }),
        }
    }

    fn unknown(&self, name: &str) -> SetError {
        let names = self.sections.iter().flat_map(|section| {
            section
                .declarations
                .iter()
                .map(move |declaration| match name.contains('.') {
                    true => section.qualified(declaration.name),
                    false => declaration.name.to_owned(),
                })
        });
        SetError::Unknown {
            name: name.to_owned(),
            scene: self.scene.name(),
            hint: suggest::hint(name, names),
        }
    }

    /// The preset as a file's contents, with every parameter.
    pub fn to_ron(&self) -> String {
        let mut out = format!(
            "(\n    format: {FORMAT},\n    name: {:?},\n    scene: {:?},\n",
            self.name,
            self.scene.name()
        );
        for section in &self.sections {
            section.write(&mut out);
        }
        out + ")\n"
    }

    /// Whether both look the same, whatever they are called.
    pub fn looks_like(&self, other: &Self) -> bool {
        self.scene == other.scene
            && self.sections.len() == other.sections.len()
            && self
                .sections
                .iter()
                .zip(&other.sections)
                .all(|(a, b)| a.key() == b.key() && a.values == b.values)
    }
}

impl PartialEq for Preset {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.looks_like(other)
    }
}

impl std::fmt::Debug for Preset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_ron())
    }
}

/// Puts the values read from a file into their sections.
fn fill(sections: &mut [Section], given: Vec<read::Given>) {
    for (key, index, value) in given {
        if let Some(section) = sections.iter_mut().find(|section| section.key() == key) {
            section.values[index] = value;
        }
    }
}

/// Whether a section holds the parameters of a volume: it is then named like the scene that shows it alone.
fn is_volume(section: &str) -> bool {
    Scene::from_name(section).is_some()
}

/// Whether presets of `scene` have this section.
pub(crate) fn belongs(scene: Scene, section: &str) -> bool {
    !is_volume(section) || scene == Scene::Both || scene.name() == section
}

#[cfg(test)]
mod tests;
