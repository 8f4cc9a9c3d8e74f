//! One declaration per parameter, and everything made from it.
//!
//! A *parameter set* is a plain struct that derives [`Reflect`]. Each field is one slider: its
//! doc comment is the tooltip, its attributes give range, unit, scale and group, and its
//! `#[default]` is the value that the reset button returns to. From that one declaration come the
//! panel rows ([`panel`]), the shader struct ([`wgsl`]), the preset files ([`preset`]), the
//! command line's `--set` and the output of `pyrocumulus list`.
//!
//! | field type | kind | needs |
//! |---|---|---|
//! | `f32` | [`Kind::Float`] | `@0.0..=1.0_f32`; optional [`Scale::Log`] |
//! | `u32` | [`Kind::Int`] | `@1..=8_u32` |
//! | `u32` | [`Kind::Switch`] | [`Switch`] |
//! | `u32` | [`Kind::Choice`] | [`Choices`] |
//! | `Vec3` | [`Kind::Color`] | nothing; sRGB in 0..=1 |

pub mod panel;
pub mod preset;
mod registry;
mod value;
pub mod wgsl;

use std::ops::RangeInclusive;

use bevy::math::Vec3;
use bevy::reflect::{NamedField, Reflect, TypeInfo, Typed, structs::Struct};

pub use registry::{ParamApp, ParamSets, ReflectParamSet};
pub use value::{Value, ValueError};

/// Physical or conventional unit of a parameter, shown beside its value.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit(pub &'static str);

/// How a slider spreads its range.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances are equal differences.
    #[default]
    Linear,
    /// Equal distances are equal ratios; the range must not contain zero.
    Log,
}

/// Heading under which the panel shows the parameter.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group(pub &'static str);

/// The parameter is one of these names, stored as their index.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(opaque)]
pub struct Choices(pub &'static [&'static str]);

/// The parameter is on (1) or off (0).
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch;

/// Names a parameter set: its key in preset files and in `--set key.name=value`, and its title on
/// the panel. An attribute of the struct itself.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Key in files and on the command line.
    pub key: &'static str,
    /// Title on the panel.
    pub title: &'static str,
}

/// The parameter set belongs to the program and not to the picture: presets leave it alone, and the viewer keeps it
/// from run to run. An attribute of the struct itself.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preference;

/// A struct whose fields are declared parameters.
///
/// Implemented for every type that derives what is listed here and carries a [`Section`].
pub trait ParamSet: Struct + Reflect + Typed + Default + Clone + PartialEq {}

impl<T: Struct + Reflect + Typed + Default + Clone + PartialEq> ParamSet for T {}

/// What values a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A real number within a closed range.
    Float {
        /// Smallest and largest value.
        range: RangeInclusive<f32>,
        /// How the slider spreads the range.
        scale: Scale,
    },
    /// A whole number within a closed range.
    Int {
        /// Smallest and largest value.
        range: RangeInclusive<u32>,
    },
    /// On or off.
    Switch,
    /// One of several names.
    Choice(&'static [&'static str]),
    /// A colour, sRGB, each channel 0 to 1.
    Color,
}

impl Kind {
    /// What a value of this kind looks like, in words that fit after "expected".
    pub fn expectation(&self) -> String {
        match self {
            Kind::Float { range, .. } => {
                format!("a number from {} to {}", range.start(), range.end())
            }
            Kind::Int { range } => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Kind::Switch => "true or false".to_owned(),
            Kind::Choice(names) => format!("one of {}", names.join(", ")),
            Kind::Color => {
                "a colour of three numbers from 0 to 1, such as (0.2, 0.4, 0.8)".to_owned()
            }
        }
    }
}

/// Everything that one field's declaration says.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Position in the struct.
    pub index: usize,
    /// Field name: the key in files, the name in the shader and in `--set`.
    pub name: &'static str,
    /// Doc comment, one paragraph.
    pub doc: String,
    /// Unit, or an empty string.
    pub unit: &'static str,
    /// Panel heading, or an empty string.
    pub group: &'static str,
    /// Permitted values.
    pub kind: Kind,
}

impl Declaration {
    /// Reads the declaration of one field; `None` if its type or attributes fit no [`Kind`].
    fn of(index: usize, field: &'static NamedField) -> Option<Self> {
        let kind = if field.is::<f32>() {
            Kind::Float {
                range: field.get_attribute::<RangeInclusive<f32>>()?.clone(),
                scale: field.get_attribute::<Scale>().copied().unwrap_or_default(),
            }
        } else if field.is::<Vec3>() {
            Kind::Color
        } else if !field.is::<u32>() {
            return None;
        } else if field.has_attribute::<Switch>() {
            Kind::Switch
        } else if let Some(choices) = field.get_attribute::<Choices>() {
            Kind::Choice(choices.0)
        } else {
            Kind::Int {
                range: field.get_attribute::<RangeInclusive<u32>>()?.clone(),
            }
        };
        Some(Self {
            index,
            name: field.name(),
            doc: paragraph(field.docs().unwrap_or_default()),
            unit: field.get_attribute::<Unit>().map_or("", |unit| unit.0),
            group: field.get_attribute::<Group>().map_or("", |group| group.0),
            kind,
        })
    }

    /// The field's name as a label: `base_frequency` reads "Base frequency".
    pub fn label(&self) -> String {
        panel::capitalized(&self.name.replace('_', " "))
    }
}

/// Joins the lines of a doc comment into one paragraph.
fn paragraph(doc: &str) -> String {
    doc.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The declarations of a parameter set, in field order.
///
/// # Panics
/// If `info` is not a struct whose every field fits a [`Kind`]: a mistake in the declaration, which
/// the tests of this module look for in every registered set.
pub fn declarations(info: &'static TypeInfo) -> Vec<Declaration> {
    let TypeInfo::Struct(info) = info else {
        panic!("{} is not a struct with named fields", info.type_path());
    };
    info.iter()
        .enumerate()
        .map(|(index, field)| {
            Declaration::of(index, field).unwrap_or_else(|| {
                panic!("{}.{} declares no range", info.type_path(), field.name())
            })
        })
        .collect()
}

/// The range of a real parameter, for what moves it besides its slider.
///
/// # Panics
/// If `T` declares no real parameter of that name: a mistake where this is called.
pub fn range<T: ParamSet>(name: &str) -> RangeInclusive<f32> {
    match T::type_info() {
        TypeInfo::Struct(info) => info
            .field(name)
            .and_then(|field| field.get_attribute::<RangeInclusive<f32>>())
            .cloned(),
        _ => None,
    }
    .unwrap_or_else(|| panic!("{} declares no range of {name}", T::type_path()))
}

/// Key and title of a parameter set.
///
/// # Panics
/// If the struct carries no [`Section`] attribute: a mistake in the declaration.
pub fn section(info: &'static TypeInfo) -> Section {
    match info {
        TypeInfo::Struct(info) => info.get_attribute::<Section>().copied(),
        _ => None,
    }
    .unwrap_or_else(|| panic!("{} carries no Section attribute", info.type_path()))
}

/// Whether a parameter set carries [`Preference`].
fn is_preference(info: &'static TypeInfo) -> bool {
    matches!(info, TypeInfo::Struct(info) if info.has_attribute::<Preference>())
}
