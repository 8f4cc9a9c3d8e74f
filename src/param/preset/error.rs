//! What can be wrong with a preset.

use std::io;
use std::path::PathBuf;

use crate::param::ValueError;

/// Why a preset could not be read or written: one sentence.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    /// The contents of a file are wrong.
    #[error("{}{key}{}{problem}", place(file, *line), if key.is_empty() { "" } else { ": " })]
    Contents {
        /// The file, as it was given.
        file: String,
        /// Line, from 1; `None` if something is missing.
        line: Option<usize>,
        /// Section and key, such as `cloud.coverage`; empty if no key is concerned.
        key: String,
        /// What was expected and what was found.
        problem: String,
    },
    /// No preset and no file has this name.
    #[error("there is no preset and no file {name:?}{hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// A suggestion.
        hint: String,
    },
    /// A file cannot be read.
    #[error("{path} could not be read: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("{path} could not be written: {source}", path = path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Saving would replace a preset.
    #[error("a preset named {name:?} exists already")]
    Exists {
        /// The name.
        name: String,
    },
    /// A name that no file can have.
    #[error("{name:?} is no name for a preset: {problem}")]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The system names no folder for configuration.
    #[error("presets cannot be saved: this user has no home folder")]
    NoFolder,
}

fn place(file: &str, line: Option<usize>) -> String {
    line.map_or_else(|| format!("{file}: "), |line| format!("{file}:{line}: "))
}

/// Why a parameter could not be set by name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// The scene has no such parameter.
    #[error("the scene {scene:?} has no parameter {name:?}{hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The preset's scene.
        scene: &'static str,
        /// A suggestion.
        hint: String,
    },
    /// Several sections have it.
    #[error("{name:?} may mean {}: name the section too", candidates.join(" or "))]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The full names.
        candidates: Vec<String>,
    },
    /// It does not take the value.
    #[error(transparent)]
    Value(#[from] ValueError),
}
