use super::*;
use crate::param_sets;

fn library(folder: &Path) -> PresetLibrary {
    PresetLibrary::in_folder(param_sets(), Some(folder.to_owned()))
}

fn preset(name: &str) -> Preset {
    Preset::new(name, Scene::Fire, &param_sets())
}

#[test]
fn every_shipped_preset_loads_and_differs_from_the_others() {
    let library = PresetLibrary::in_folder(param_sets(), None);
    let presets: Vec<Preset> = library
        .entries()
        .iter()
        .map(|entry| {
            library
                .load_entry(entry)
                .unwrap_or_else(|error| panic!("{error}"))
        })
        .collect();
    for (i, a) in presets.iter().enumerate() {
        for b in &presets[..i] {
            assert!(
                !a.looks_like(b),
                "{} and {} are the same picture",
                a.name,
                b.name
            );
            assert_ne!(a.name, b.name);
        }
    }
    let count = |scene| {
        presets
            .iter()
            .filter(|preset| preset.scene == scene)
            .count()
    };
    assert!(count(Scene::Cloud) >= 8 && count(Scene::Fire) >= 9);
}

#[test]
fn every_preset_file_is_in_the_table() {
    for folder in ["cloud", "fire"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("assets/presets")
            .join(folder);
        for file in files_in(Some(&folder)) {
            let stem = file.path.file_stem().unwrap().to_str().unwrap();
            assert!(
                SHIPPED.iter().any(|shipped| shipped.stem == stem),
                "{stem} is not listed"
            );
        }
    }
}

#[test]
fn a_saved_preset_is_found_by_name_in_a_folder_that_did_not_exist() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("new").join("presets");
    let mut library = library(&folder);
    let mut saved = preset("Mein Lagerfeuer über dem See 火");
    saved.set("height", "1.25").unwrap();
    let path = library.save(&saved, false).unwrap();
    assert_eq!(path.parent(), Some(folder.as_path()));
    for wanted in [
        "Mein Lagerfeuer über dem See 火",
        "mein lagerfeuer ÜBER dem see 火",
        path.to_str().unwrap(),
    ] {
        assert_eq!(library.load(wanted).unwrap(), saved);
    }
    assert!(
        library
            .entries()
            .iter()
            .any(|entry| !entry.shipped && entry.name == saved.name)
    );
}

#[test]
fn saving_overwrites_only_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = library(folder.path());
    library.save(&preset("Mine"), false).unwrap();
    let mut second = preset("mine");
    second.set("height", "0.5").unwrap();
    assert!(matches!(
        library.save(&second, false),
        Err(PresetError::Exists { .. })
    ));
    assert_eq!(library.load("Mine").unwrap(), preset("Mine"));
    library.save(&second, true).unwrap();
    assert_eq!(library.load("Mine").unwrap(), second);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_name_cannot_leave_the_folder() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("presets");
    let mut library = library(&folder);
    for name in [
        "../escaped",
        "..",
        ".",
        "",
        "  ",
        "a/b",
        "a\\b",
        "/tmp/x",
        "con",
        "COM7",
        "x\ny",
        "c:x",
    ] {
        let error = library.save(&preset(name), true).unwrap_err();
        assert!(
            matches!(error, PresetError::Name { .. }),
            "{name:?}: {error}"
        );
    }
    assert_eq!(
        std::fs::read_dir(temporary.path()).unwrap().count(),
        0,
        "nothing was written"
    );
}

#[test]
fn a_broken_file_is_listed_with_its_error_and_the_others_still_load() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = library(folder.path());
    library.save(&preset("Good"), false).unwrap();
    std::fs::write(folder.path().join("half.ron"), "(format: 1, fire: (hei").unwrap();
    std::fs::write(folder.path().join("binary.ron"), [0xff, 0xfe, 0, 1]).unwrap();
    std::fs::create_dir(folder.path().join("folder.ron")).unwrap();
    library.refresh();
    let problem = |stem| {
        library
            .entries()
            .iter()
            .find(|entry| entry.stem == stem)
            .and_then(|e| e.problem.clone())
    };
    assert!(problem("half").unwrap().contains("half.ron:1"));
    assert!(problem("binary").unwrap().contains("UTF-8"));
    assert_eq!(library.load("Good").unwrap(), preset("Good"));
    assert!(library.load("half").is_err());
}

#[test]
fn files_that_come_change_and_go_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = library(folder.path());
    let shipped = library.entries().len();
    let path = folder.path().join("mine.ron");

    std::fs::write(&path, "(broken").unwrap();
    library.refresh_if_changed();
    assert!(library.entries()[shipped].problem.is_some());

    std::fs::write(&path, preset("Mended").to_ron()).unwrap();
    library.refresh_if_changed();
    assert_eq!(library.entries()[shipped].name, "Mended");
    assert_eq!(library.entries()[shipped].problem, None);

    std::fs::remove_file(&path).unwrap();
    library.refresh_if_changed();
    assert_eq!(library.entries().len(), shipped);
}

#[test]
fn a_users_preset_comes_before_the_shipped_one_of_that_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = library(folder.path());
    assert!(
        !library
            .load("candle")
            .unwrap()
            .looks_like(&preset("Candle"))
    );
    library.save(&preset("Candle"), false).unwrap();
    assert!(
        library
            .load("candle")
            .unwrap()
            .looks_like(&preset("Candle"))
    );
}

#[test]
fn an_unknown_name_suggests_the_nearest() {
    let error = PresetLibrary::in_folder(param_sets(), None)
        .load("towering-kongestus")
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no preset and no file \"towering-kongestus\"; did you mean \"towering-congestus\"?"
    );
}

#[test]
fn a_folder_that_is_a_file_is_one_clear_error() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("presets");
    std::fs::write(&folder, "in the way").unwrap();
    let error = library(&folder).save(&preset("Mine"), true).unwrap_err();
    assert!(matches!(error, PresetError::Write { .. }), "{error}");
}
