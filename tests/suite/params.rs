//! Every declared parameter is complete.

use std::collections::BTreeSet;

use pyrocumulus::param::{Kind, ParamSets, Scale};

use crate::studio::in_studio;

/// Units that the panel shows: SI and photometric units, angles, and lengths of the volumes.
const UNITS: [&str; 17] = [
    "",
    "°",
    "%",
    "s",
    "K",
    "EV",
    "m",
    "lx",
    "klx",
    "cd/m²",
    "kcd/m²",
    "turns",
    "cells",
    "cells/tile",
    "radius",
    "half edge",
    "tiles",
];

/// Whether the unit is known, or a quotient of known ones.
fn is_unit(unit: &str) -> bool {
    UNITS.contains(&unit)
        || unit.split_once('/').is_some_and(|(a, b)| {
            (a == "1" || UNITS.contains(&a)) && !b.is_empty() && UNITS.contains(&b)
        })
}

#[test]
fn every_declaration_is_complete() {
    let mut faults = Vec::new();
    let mut keys = BTreeSet::new();
    for set in pyrocumulus::param_sets().iter() {
        let key = set.section.key;
        if !keys.insert(key) {
            faults.push(format!("two sets are called {key}"));
        }
        let default = set.default_set();
        let mut names = BTreeSet::new();
        for declaration in set.declarations() {
            let name = format!("{key}.{}", declaration.name);
            let mut demand = |holds: bool, what: &str| {
                if !holds {
                    faults.push(format!("{name}: {what}"));
                }
            };
            demand(names.insert(declaration.name), "the name is taken");
            demand(declaration.doc.len() > 10, "has no doc comment");
            demand(
                declaration.doc.ends_with('.'),
                "its doc comment is no sentence",
            );
            demand(!declaration.group.is_empty(), "has no group");
            demand(
                is_unit(declaration.unit),
                "its unit is not among the known ones",
            );
            let value = declaration.get(default.as_ref());
            if let Err(error) = declaration.check(value) {
                faults.push(format!("{key}: the default is out of range: {error}"));
            }
            if let Kind::Float { range, scale } = &declaration.kind {
                let finite = range.start().is_finite() && range.end().is_finite();
                let mut demand = |holds: bool, what: &str| {
                    if !holds {
                        faults.push(format!("{name}: {what}"));
                    }
                };
                demand(finite && range.start() < range.end(), "its range is empty");
                demand(
                    *scale == Scale::Linear || *range.start() > 0.0,
                    "a logarithmic range contains zero",
                );
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What a preset file and `--set` write is what they read.
#[test]
fn every_default_survives_the_way_through_text() {
    for set in pyrocumulus::param_sets().iter() {
        let default = set.default_set();
        for declaration in set.declarations() {
            let value = declaration.get(default.as_ref());
            let text = value.to_string();
            assert_eq!(
                declaration.parse(text.trim_matches('"')),
                Ok(value),
                "{}.{}",
                set.section.key,
                declaration.name
            );
        }
    }
}

/// What a person may type into a number field by mistake.
#[test]
fn impossible_values_are_refused_and_change_nothing() {
    for set in pyrocumulus::param_sets().iter() {
        for declaration in set.declarations() {
            for text in ["NaN", "inf", "-inf", "1e30", "-1e30", "", "0,5", "many"] {
                let error = declaration
                    .parse(text)
                    .expect_err(&format!("{}={text:?}", declaration.name));
                assert!(error.to_string().contains(declaration.name), "{error}");
                assert!(error.to_string().contains("expected"), "{error}");
            }
        }
    }
}

/// A set that only one of them knows would be on the panel but not in presets, or the other way round.
#[test]
fn the_command_line_knows_the_parameters_of_the_running_program() {
    fn names(sets: &ParamSets) -> Vec<String> {
        sets.iter()
            .flat_map(|set| {
                let key = set.section.key;
                set.declarations()
                    .into_iter()
                    .map(move |declaration| format!("{key}.{}", declaration.name))
            })
            .collect()
    }
    let running = in_studio(|studio| names(&ParamSets::in_world(studio.world()).kept()));
    assert_eq!(names(&pyrocumulus::param_sets()), running);
}
