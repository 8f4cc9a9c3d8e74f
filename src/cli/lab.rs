//! `pyrocumulus lab`: pages of the noise lab as pictures, without a window.

use std::path::{Path, PathBuf};

use bevy::reflect::structs::Struct;
use clap::Args;
use serde_json::{Value as Json, json};

use super::shot::{check_target, parse_setting, parse_size};
use super::{Failure, list, print};
use crate::files;
use crate::lab::export::{Export, ExportError, Format, Shape};
use crate::lab::{Lab, LabError, LabParams, declarations_of, export, pages, picture};

/// What `lab` is told.
#[derive(Args)]
pub(super) struct LabArgs {
    /// Page to draw: a name from `pyrocumulus lab --list`
    #[arg(
        long,
        value_name = "NAME",
        required_unless_present = "list",
        requires = "out"
    )]
    page: Option<String>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Pixels across and down
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = parse_size)]
    size: (u32, u32),
    /// Sets a parameter of the page or of the lab, such as seed=7; may be given many times
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    set: Vec<(String, String)>,
    /// Shows milliseconds, too, which are others every time
    #[arg(long)]
    timed: bool,
    /// Saves a single field of the page instead, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    field: Option<u16>,
    /// What is saved of the field: plane, tile (its edges meet) or stack (slices along the lab's time)
    #[arg(long, value_name = "NAME", default_value = "plane", value_parser = Shape::NAMES, requires = "field")]
    shape: String,
    /// How the field is saved: png, png16, exr or raw (32-bit little-endian floats)
    #[arg(long, value_name = "NAME", default_value = "png", value_parser = Format::NAMES, requires = "field")]
    format: String,
    /// Samples along an edge of the field
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u16).range(1..=4096), requires = "field")]
    samples: u16,
    /// Lists the pages and their parameters
    #[arg(long, conflicts_with = "page")]
    list: bool,
    /// Lists them as JSON
    #[arg(long, requires = "list")]
    json: bool,
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Most pixels of a picture.
const MOST_PIXELS: u64 = 64 << 20;

/// Lists the pages, or draws one.
pub(super) fn lab(args: &LabArgs) -> Result<(), Failure> {
    let (Some(name), Some(out)) = (&args.page, &args.out) else {
        return list_pages(args.json);
    };
    let mut lab = Lab::open(name)?;
    for (name, value) in &args.set {
        lab.set(name, value)?;
    }
    let (width, height) = args.size;
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(Failure::Usage(format!(
            "a picture of {width}x{height} pixels is too large; up to {} million pixels can be drawn",
            MOST_PIXELS >> 20
        )));
    }
    if let Some(field) = args.field {
        return save_field(args, &lab, usize::from(field) - 1, out);
    }
    check_target(out, "png")?;
    let image = picture::picture(&lab, [width as usize, height as usize], args.timed);
    let write = || files::replace(out, &export::png8(&image)?);
    write().map_err(|error| {
        Failure::Failed(format!("{} cannot be written to: {error}", out.display()))
    })?;
    print(&format!("{}\n", out.display()))
}

/// Saves one field.
fn save_field(args: &LabArgs, lab: &Lab, field: usize, out: &Path) -> Result<(), Failure> {
    let index =
        |names: &[&str], name: &str| names.iter().position(|known| *known == name).unwrap_or(0);
    let what = Export {
        field,
        format: Format::ALL[index(&Format::NAMES, &args.format)],
        shape: Shape::ALL[index(&Shape::NAMES, &args.shape)],
        samples: usize::from(args.samples),
    };
    check_target(out, what.format.extension())?;
    let files = export::save(lab, &what, out).map_err(|error| match error {
        ExportError::Write { .. } => Failure::Failed(error.to_string()),
        ExportError::Field { .. } | ExportError::NoTile => Failure::Usage(error.to_string()),
    })?;
    print(
        &files
            .iter()
            .map(|file| format!("{}\n", file.display()))
            .collect::<String>(),
    )
}

fn list_pages(json: bool) -> Result<(), Failure> {
    let pages = pages::all();
    let shared = LabParams::default();
    if json {
        let listed: Vec<Json> = pages
            .iter()
            .map(|page| {
                let about = page.about();
                json!({
                    "name": about.name,
                    "title": about.title,
                    "text": about.text,
                    "formula": about.formula,
                    "source": about.source,
                    "parameters": parameters_json(about.name, &**page),
                })
            })
            .collect();
        let shared = parameters_json("lab", &shared);
        return print(&format!(
            "{:#}\n",
            json!({ "pages": listed, "parameters": shared })
        ));
    }
    let mut text = format!("Every page: lab.NAME\n{}", lines(&shared));
    for page in pages {
        let about = page.about();
        text += &format!("\n{}: {}.NAME\n{}", about.title, about.name, lines(&*page));
    }
    print(&text)
}

fn parameters_json(section: &str, set: &dyn Struct) -> Vec<Json> {
    declarations_of(set)
        .iter()
        .map(|declaration| list::parameter_json(section, declaration, declaration.get(set)))
        .collect()
}

fn lines(set: &dyn Struct) -> String {
    declarations_of(set)
        .iter()
        .map(|declaration| list::parameter_line(declaration, declaration.get(set)))
        .collect()
}
