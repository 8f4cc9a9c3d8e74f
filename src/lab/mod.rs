//! The noise lab: where clouds and fire come from, one idea a page.
//!
//! | file | what it holds |
//! |---|---|
//! | [`pages`] | the pages, and the table of them |
//! | [`sheet`] | what a page shows, as data |
//! | [`sampler`] | noise to values on a grid, on all cores |
//! | [`color_map`] | values to colours |
//! | [`paint`] | a sheet to shapes, for the window and for pictures |
//! | [`picture`] | shapes to pixels without a GPU |
//! | [`export`] | fields as files |
//!
//! A page is a parameter set, so its sliders, `--set` and ranges come from its declaration. It answers with a
//! [`Sheet`], text and code; it never draws.

pub mod color_map;

pub mod export;
pub mod pages;
pub mod paint;
pub mod picture;

pub mod sampler;
pub mod sheet;

use bevy::reflect::{Reflect, TypeInfo, structs::Struct};
use smart_default::SmartDefault;

use crate::param::{Choices, Declaration, Scale, Section, Unit, declarations};
use color_map::ColorMap;
use sampler::Sampler;
use sheet::Sheet;

/// What all pages share.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "lab", title: "Lab" })]
pub struct LabParams {
    /// Which of all noises of a kind. The same seed gives the same noise on every machine.
    #[default(0)]
    #[reflect(@0..=u32::MAX)]
    pub seed: u32,
    /// Width of a picture.
    #[default(8.0)]
    #[reflect(@1e-6..=1e6_f32, @Scale::Log, @Unit("cells"))]
    pub scale: f32,
    /// How values become colours.
    #[default(0)]
    #[reflect(@Choices(&ColorMap::NAMES))]
    pub color_map: u32,
    /// Place on the axis that no picture shows: the third, or where there are four the last.
    #[default(0.5)]
    #[reflect(@0.0..=256.0_f32, @Unit("cells"))]
    pub time: f32,
}

impl LabParams {
    /// The colour map chosen.
    pub fn map(&self) -> ColorMap {
        ColorMap::ALL[(self.color_map as usize).min(ColorMap::ALL.len() - 1)]
    }

    /// Width of a picture, in cells.
    pub fn width(&self) -> f64 {
        f64::from(self.scale)
    }

    /// A warning where the scale leaves nothing to see, for pictures of so many samples across.
    fn note(&self, samples: usize) -> Option<String> {
        if self.width() < 0.01 {
            return Some(
                "A picture this small lies within a sliver of one cell: the noise is smooth, so all of it has nearly \
                 one value."
                    .to_owned(),
            );
        }
        (2.0 * self.width() > samples as f64).then(|| {
            "A cell is smaller than two pixels: what is seen is chance, not the noise (aliasing).".to_owned()
        })
    }
}

/// What a page says about itself.
#[derive(Debug)]
pub struct About {
    /// On the command line.
    pub name: &'static str,
    /// Above the page.
    pub title: &'static str,
    /// The idea.
    pub text: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// Who found it.
    pub source: &'static str,
}

/// One idea. A parameter set whose values say what is shown of it.
pub trait Page: Struct + Send + Sync {
    /// What it is about.
    fn about(&self) -> &'static About;

    /// Samples everything the page shows.
    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet;

    /// Programs that sample one of the page's fields.
    fn code(&self, lab: &LabParams) -> Code;

    /// What the page's setting is in a cloud or a fire.
    fn carry(&self, lab: &LabParams) -> Vec<Carry>;

    /// A copy.
    fn boxed(&self) -> Box<dyn Page>;

    /// The page with every setting at its default.
    fn default_page(&self) -> Box<dyn Page>;

    /// Turns what can be turned by so many degrees to the side and up, and says whether there is anything.
    fn turn(&mut self, _by: [f32; 2]) -> bool {
        false
    }

    /// Sets what a point that somebody points at sets, if anything, and says whether it did.
    fn point_at(&mut self, _point: [f64; 2]) -> bool {
        false
    }
}

/// Programs that give the same values as one of a page's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Which of the page's fields, from 0.
    pub field: usize,
    /// With the noise crate: `fn noise() -> impl Fn(f64, f64) -> f64` over lattice cells.
    pub rust: String,
    /// `fn value(p: vec2<f32>) -> f32` over lattice cells.
    pub wgsl: String,
}

/// A setting that a page carries over into a cloud or a fire.
#[derive(Clone, Debug, PartialEq)]
pub struct Carry {
    /// What the button says.
    pub label: &'static str,
    /// Scene that is shown.
    pub scene: crate::scene::Scene,
    /// Parameters as on the command line, and their values.
    pub values: Vec<(&'static str, String)>,
}

/// The declarations of any set of parameters.
///
/// # Panics
/// If the type is no parameter set.
pub fn declarations_of(set: &dyn Struct) -> Vec<Declaration> {
    declarations(type_info(set))
}

fn type_info(set: &dyn Struct) -> &'static TypeInfo {
    set.get_represented_type_info()
        .expect("a parameter set is a static type")
}

/// Why a setting of the lab could not be changed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LabError {
    /// There is no such page.
    #[error("there is no page {name:?} in the lab; there are {}{hint}", pages::names().join(", "))]
    Page {
        /// What was asked for.
        name: String,
        /// A page that may have been meant.
        hint: String,
    },
    /// There is no such setting.
    #[error("the page {page} has no setting {name:?}; it has {known}{hint}")]
    Setting {
        /// The page.
        page: &'static str,
        /// What was asked for.
        name: String,
        /// All of its settings.
        known: String,
        /// One that may have been meant.
        hint: String,
    },
    /// The setting does not take this.
    #[error(transparent)]
    Value(#[from] crate::param::ValueError),
}

/// A page and its settings, as somebody left them.
pub struct Lab {
    /// What all pages share.
    pub params: LabParams,
    /// The page.
    pub page: Box<dyn Page>,
}

impl Lab {
    /// Opens a page, with every setting at its default.
    ///
    /// # Errors
    /// If there is no such page.
    pub fn open(name: &str) -> Result<Self, LabError> {
        let page = pages::all()
            .into_iter()
            .find(|page| page.about().name == name);
        Ok(Self {
            params: LabParams::default(),
            page: page.ok_or_else(|| LabError::Page {
                name: name.to_owned(),
                hint: crate::suggest::hint(name, pages::names()),
            })?,
        })
    }

    /// Changes a setting of the page or of the lab.
    ///
    /// # Errors
    /// If there is no such setting, or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), LabError> {
        let page = self.page.about().name;
        let bare = name
            .strip_prefix("lab.")
            .or_else(|| name.strip_prefix(&format!("{page}.")))
            .unwrap_or(name);
        let sets: [&mut dyn Struct; 2] = [&mut self.params, &mut *self.page];
        let mut known = Vec::new();
        for set in sets {
            for declaration in declarations_of(set) {
                if declaration.name == bare {
                    let value = declaration.parse(value)?;
                    return Ok(declaration.set(set, value)?);
                }
                known.push(declaration.name);
            }
        }
        Err(LabError::Setting {
            page,
            name: name.to_owned(),
            hint: crate::suggest::hint(bare, known.iter().copied()),
            known: known.join(", "),
        })
    }

    /// Samples the page.
    pub fn sheet(&self, sampler: &Sampler) -> Sheet {
        let mut sheet = self.page.sheet(&self.params, sampler);
        if sheet.note.is_none() {
            sheet.note = self.params.note(sampler.resolution);
        }
        sheet
    }
}
