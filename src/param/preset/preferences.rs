//! What belongs to the program and not to a picture: the parameter sets marked
//! [`Preference`](crate::param::Preference), in a file like a preset's without name and scene.

use bevy::prelude::*;

use super::{FORMAT, PresetError, Section, fill, read};
use crate::param::ParamSets;
use crate::scene::Scene;

/// The values of all preferences.
#[derive(Clone)]
pub struct Preferences(Vec<Section>);

impl Preferences {
    /// Reads a file's contents. `file` is what errors call it.
    ///
    /// # Errors
    /// At the first thing that is wrong, with file, line, key and what was expected.
    pub fn parse(source: &str, file: &str, sets: &ParamSets) -> Result<Self, PresetError> {
        read::header(source, file)?;
        // No preference belongs to a scene.
        let given = read::sections(source, file, Scene::Both, sets)?;
        let mut sections: Vec<_> = sets.iter().map(Section::with_defaults).collect();
        fill(&mut sections, given);
        Ok(Self(sections))
    }

    /// The present preferences in `world`.
    pub fn capture(world: &mut World) -> Self {
        let sets = ParamSets::in_world(world).preferences();
        let mut sections: Vec<_> = sets.iter().map(Section::with_defaults).collect();
        for section in &mut sections {
            section.capture(world);
        }
        Self(sections)
    }

    /// Puts them into effect. Only what differs counts as changed.
    pub fn apply(&self, world: &mut World) {
        for section in &self.0 {
            section.apply(world);
        }
    }

    /// The file's contents.
    pub fn to_ron(&self) -> String {
        let mut out = format!("(\n    format: {FORMAT},\n");
        for section in &self.0 {
            section.write(&mut out);
        }
        out + ")\n"
    }
}

impl PartialEq for Preferences {
    fn eq(&self, other: &Self) -> bool {
        let values = |this: &Self| -> Vec<_> {
            let sections = this.0.iter();
            sections.map(|s| (s.key(), s.values.clone())).collect()
        };
        values(self) == values(other)
    }
}
