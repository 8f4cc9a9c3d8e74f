//! The pages of the lab, in the order in which one idea leads to the next. To add one: a file here, and a line in
//! [`all`].

mod code;
mod fbm;
mod perlin;
mod shaping;
mod simplex;
mod smooth;
mod sphere;
mod terrain;
mod time;
mod warp;
mod worley;

use super::{LabParams, Page};

pub use fbm::FbmPage;
pub use perlin::PerlinPage;
pub use shaping::ShapingPage;
pub use simplex::SimplexPage;
pub use smooth::SmoothPage;
pub use time::TimePage;
pub use warp::WarpPage;
pub use worley::WorleyPage;

/// All pages, with every setting at its default.
pub fn all() -> [Box<dyn Page>; 8] {
    [
        Box::new(SmoothPage::default()),
        Box::new(PerlinPage::default()),
        Box::new(FbmPage::default()),
        Box::new(ShapingPage::default()),
        Box::new(WarpPage::default()),
        Box::new(WorleyPage::default()),
        Box::new(SimplexPage::default()),
        Box::new(TimePage::default()),
    ]
}

/// Their names.
pub fn names() -> [&'static str; 8] {
    all().map(|page| page.about().name)
}

/// The lab's seed as a cloud's noise takes it.
fn seed(lab: &LabParams) -> String {
    (lab.seed % 10_000).to_string()
}

/// The parts of [`Page`](super::Page) that are the same for all.
macro_rules! same_for_all {
    ($about:expr) => {
        fn about(&self) -> &'static About {
            &$about
        }

        fn boxed(&self) -> Box<dyn Page> {
            Box::new(*self)
        }

        fn default_page(&self) -> Box<dyn Page> {
            Box::new(Self::default())
        }
    };
}
use same_for_all;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::sampler::Sampler;
    use super::super::sheet::Body;
    use super::super::{Lab, declarations_of};
    use super::*;

    #[test]
    fn every_setting_is_declared_with_a_meaning() {
        let mut names = HashSet::new();
        for page in all() {
            let about = page.about();
            assert!(names.insert(about.name));
            for text in [about.title, about.text, about.formula, about.source] {
                assert!(!text.is_empty(), "{}", about.name);
            }
            for declaration in declarations_of(&*page) {
                assert!(
                    !declaration.doc.is_empty(),
                    "{}.{}",
                    about.name,
                    declaration.name
                );
                let value = declaration.get(&*page);
                assert_eq!(
                    declaration.check(value),
                    Ok(value),
                    "{}.{}",
                    about.name,
                    declaration.name
                );
            }
        }
    }

    /// Every setting at both of its ends, one at a time, and all that pages share at once.
    #[test]
    fn extremes_give_finite_values_or_a_reason() {
        use crate::param::{Kind, Value};
        for name in super::names() {
            let check = |lab: &Lab, what: &str| {
                let sheet = lab.sheet(&Sampler::new(16));
                for field in sheet.fields() {
                    assert!(
                        field.values.iter().all(|value| value.is_finite()),
                        "{name}, {what}"
                    );
                }
                sheet
            };
            for (scale, seed) in [("1e-6", "4294967295"), ("1e6", "4294967295"), ("8", "0")] {
                let mut lab = Lab::open(name).unwrap();
                lab.set("scale", scale).unwrap();
                lab.set("seed", seed).unwrap();
                let sheet = check(&lab, scale);
                assert_eq!(sheet.note.is_some(), scale != "8", "{name}, scale {scale}");
            }
            for declaration in declarations_of(&*Lab::open(name).unwrap().page) {
                let ends = match &declaration.kind {
                    Kind::Float { range, .. } => {
                        vec![Value::Float(*range.start()), Value::Float(*range.end())]
                    }
                    Kind::Int { range } => {
                        vec![Value::Int(*range.start()), Value::Int(*range.end())]
                    }
                    Kind::Switch => vec![Value::Switch(false), Value::Switch(true)],
                    Kind::Choice(names) => names.iter().map(|name| Value::Choice(name)).collect(),
                    Kind::Color => Vec::new(),
                };
                for end in ends {
                    let mut lab = Lab::open(name).unwrap();
                    declaration.set(&mut *lab.page, end).unwrap();
                    check(&lab, &format!("{} = {end}", declaration.name));
                }
            }
        }
    }

    /// The roughest fBm from far away and from near: eight octaves at lacunarity 4.
    #[test]
    fn the_roughest_layers_are_finite_at_any_scale() {
        for (page, settings) in [
            (
                "fbm",
                [("octaves", "8"), ("lacunarity", "4"), ("gain", "1")],
            ),
            (
                "warp",
                [("octaves", "8"), ("strength", "6"), ("lab.time", "256")],
            ),
        ] {
            for scale in ["1e-6", "1e6"] {
                let mut lab = Lab::open(page).unwrap();
                for (name, value) in settings {
                    lab.set(name, value).unwrap();
                }
                lab.set("seed", "4294967295").unwrap();
                lab.set("scale", scale).unwrap();
                let sheet = lab.sheet(&Sampler::new(32));
                assert!(
                    sheet.note.is_some(),
                    "{page}, scale {scale}: a reason is shown"
                );
                for field in sheet.fields() {
                    assert!(
                        field.values.iter().all(|value| value.is_finite()),
                        "{page}, {scale}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_page_shows_something_else_with_another_seed() {
        for name in super::names() {
            let fields = |seed: &str| {
                let mut lab = Lab::open(name).unwrap();
                lab.set("seed", seed).unwrap();
                let sheet = lab.sheet(&Sampler::new(16));
                assert!(
                    sheet
                        .panels()
                        .any(|panel| matches!(panel.body, Body::Field(_)))
                );
                sheet
                    .fields()
                    .map(|field| field.values.clone())
                    .collect::<Vec<_>>()
            };
            assert_eq!(fields("1"), fields("1"), "{name}");
            assert!(
                fields("1").iter().zip(fields("2")).all(|(a, b)| *a != b),
                "{name}"
            );
        }
    }

    #[test]
    fn what_a_page_carries_over_is_a_parameter() {
        let library = crate::PresetLibrary::open(crate::param_sets());
        let presets: Vec<_> = library
            .entries()
            .iter()
            .map(|entry| library.load_entry(entry).unwrap())
            .collect();
        for page in all() {
            for carry in page.carry(&Default::default()) {
                let mut of_scene = presets.iter().filter(|preset| preset.scene == carry.scene);
                let mut preset = of_scene.next().unwrap().clone();
                for (name, value) in carry.values {
                    preset.set(name, &value).unwrap_or_else(|error| {
                        panic!("{}: {name} = {value}: {error}", page.about().name)
                    });
                }
            }
        }
    }
}
