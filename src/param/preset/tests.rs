use super::*;
use crate::param_sets;

fn parse(source: &str) -> Result<Preset, String> {
    Preset::parse(source, "my.ron", &param_sets()).map_err(|error| error.to_string())
}

/// The error of a cloud preset with these lines after `format`.
fn error(lines: &str) -> String {
    let error = parse(&format!("(\n    format: 1,\n{lines}\n)")).unwrap_err();
    assert!(!error.contains('\n'), "one line: {error}");
    error
}

#[test]
fn what_is_written_reads_back_the_same() {
    for scene in Scene::ALL {
        let mut preset = Preset::new("Größe \"7\" \\ ☁", scene, &param_sets());
        for (name, value) in [
            ("camera.yaw", "-12.125"),
            ("stage.tone_mapping", "blender filmic"),
            ("stage.background_color", "#102030"),
            ("stage.ground", "off"),
        ] {
            preset.set(name, value).unwrap();
        }
        let again = parse(&preset.to_ron()).unwrap();
        assert_eq!(again, preset);
        assert_eq!(again.to_ron(), preset.to_ron());
    }
}

#[test]
fn every_parameter_of_the_scene_is_written() {
    let sets = param_sets();
    let ron = Preset::new("All", Scene::Both, &sets).to_ron();
    for set in sets.iter() {
        assert!(ron.contains(&format!("    {}: (", set.section.key)));
        for declaration in set.declarations() {
            assert!(
                ron.contains(&format!("        {}: ", declaration.name)),
                "{}",
                declaration.name
            );
        }
    }
    assert!(
        !Preset::new("Cloud", Scene::Cloud, &sets)
            .to_ron()
            .contains("fire: (")
    );
}

#[test]
fn what_a_file_leaves_out_is_default() {
    let preset = parse("(format: 1, scene: \"fire\", fire: (height: 1, octaves: 2))").unwrap();
    let mut expected = Preset::new("my", Scene::Fire, &param_sets());
    expected.set("height", "1").unwrap();
    expected.set("octaves", "2").unwrap();
    assert_eq!(preset, expected);
}

#[test]
fn sections_may_stand_before_the_scene() {
    let preset = parse("(fire: (height: 1.0), sun: (), scene: \"fire\", format: 1)").unwrap();
    assert_eq!(preset.get("fire", "height"), Some(Value::Float(1.0)));
}

#[test]
fn a_bad_value_is_named_with_its_line_and_what_was_expected() {
    for (lines, expected) in [
        (
            "    cloud: (\n        coverage: 7,\n)",
            "my.ron:4: cloud.coverage: expected a number from 0 to 1, found 7",
        ),
        (
            "cloud: (coverage: -0.5)",
            "my.ron:3: cloud.coverage: expected a number from 0 to 1, found -0.5",
        ),
        (
            "cloud: (coverage: NaN)",
            "my.ron:3: cloud.coverage: expected a number from 0 to 1, found NaN",
        ),
        (
            "cloud: (coverage: inf)",
            "my.ron:3: cloud.coverage: expected a number from 0 to 1, found inf",
        ),
        (
            "cloud: (coverage: \"much\")",
            "my.ron:3: cloud.coverage: expected a number from 0 to 1, found \"much\"",
        ),
        (
            "cloud: (steps: 96.5)",
            "my.ron:3: cloud.steps: expected a whole number from 8 to 512, found 96.5",
        ),
        (
            "cloud: (steps: -9)",
            "my.ron:3: cloud.steps: expected a whole number from 8 to 512, found -9",
        ),
        (
            "cloud: (detail: 1)",
            "my.ron:3: cloud.detail: expected true or false, found 1",
        ),
        (
            "stage: (background: \"sea\")",
            "my.ron:3: stage.background: expected one of sky, plain, none, found \"sea\"",
        ),
        (
            "stage: (background: sky)",
            "my.ron:3: stage.background: expected one of sky, plain, none, found a word that is neither a number nor in quotes",
        ),
        (
            "stage: (background_color: (0.1, 2.0, 0.3))",
            "my.ron:3: stage.background_color: expected a colour of three numbers from 0 to 1, such as (0.2, 0.4, 0.8), found (0.1, 2.0, 0.3)",
        ),
        (
            "stage: (background_color: (0.1, 0.2))",
            "my.ron:3: stage.background_color: expected a colour of three numbers from 0 to 1, such as (0.2, 0.4, 0.8), found (0.1, 0.2)",
        ),
    ] {
        assert_eq!(error(lines), expected);
    }
}

#[test]
fn a_bad_key_is_named_and_the_nearest_suggested() {
    for (lines, expected) in [
        (
            "cloud: (\n covrage: 0.5)",
            "my.ron:4: cloud.covrage: there is no such key; did you mean \"coverage\"?",
        ),
        (
            "clout: (coverage: 0.5)",
            "my.ron:3: clout: there is no such key; did you mean \"cloud\"?",
        ),
        (
            "fire: (height: 1.0)",
            "my.ron:3: fire: is no section of the scene \"cloud\"",
        ),
        (
            "cloud: (\ncoverage: 0.5,\ncoverage: 0.6)",
            "my.ron:5: cloud.coverage: is given twice",
        ),
        ("sun: (),\nsun: ()", "my.ron:4: sun: is given twice"),
        (
            "cloud: 3",
            "my.ron:3: cloud: expected keys and values in parentheses, such as (key: 1.0)",
        ),
        (
            "scene: \"sea\"",
            "my.ron:3: scene: expected one of cloud, fire, both, found \"sea\"",
        ),
        (
            "name: \"\"",
            "my.ron:3: name: expected a name in one line, found \"\"",
        ),
    ] {
        assert_eq!(error(lines), expected);
    }
}

#[test]
fn another_format_is_refused_before_anything_else() {
    let newer = parse("(\n  scene: \"cloud\",\n  cloud: (glitter: 4),\n  format: 2)").unwrap_err();
    assert_eq!(
        newer,
        "my.ron:4: format: expected 1, which this version of the program reads, found 2"
    );
    let missing = parse("(scene: \"cloud\")").unwrap_err();
    assert_eq!(
        missing,
        "my.ron: format: expected `format: 1`, found nothing"
    );
}

#[test]
fn a_file_that_is_no_preset_is_refused_and_never_panics() {
    let whole = Preset::new("Whole", Scene::Both, &param_sets()).to_ron();
    for end in (0..whole.trim_end().len()).filter(|end| whole.is_char_boundary(*end)) {
        let error = parse(&whole[..end]).unwrap_err();
        assert!(error.starts_with("my.ron:"), "{error}");
    }
    for source in [
        "",
        "()",
        "[]",
        "{}",
        "7",
        "\u{0}\u{1}",
        "(format)",
        "(format: 1) x",
        "((((((((",
    ] {
        assert!(parse(source).is_err(), "{source:?}");
    }
    assert!(parse(&"(a:".repeat(100_000)).is_err(), "deep nesting");
}

#[test]
fn a_parameter_is_set_by_name_or_by_section_and_name() {
    let mut preset = Preset::new("Both", Scene::Both, &param_sets());
    preset.set("coverage", "0.8").unwrap();
    preset.set("fire.seed", "5").unwrap();
    assert_eq!(preset.get("cloud", "coverage"), Some(Value::Float(0.8)));
    assert_eq!(preset.get("fire", "seed"), Some(Value::Int(5)));
    assert_eq!(preset.get("cloud", "seed"), Some(Value::Int(0)));
    let ambiguous = preset.set("seed", "5").unwrap_err().to_string();
    assert!(ambiguous.contains("cloud.seed or fire.seed"), "{ambiguous}");
    for (name, suggestion) in [
        ("covrage", "\"coverage\""),
        ("cloud.covrage", "\"cloud.coverage\""),
    ] {
        let unknown = preset.set(name, "1").unwrap_err().to_string();
        assert!(unknown.contains(suggestion), "{unknown}");
    }
    let value = preset.set("coverage", "7").unwrap_err().to_string();
    assert!(value.contains("from 0 to 1"), "{value}");
}

#[test]
fn a_bare_name_means_the_volume_of_the_scene() {
    let mut preset = Preset::new("Cloud", Scene::Cloud, &param_sets());
    preset.set("seed", "9").unwrap();
    assert_eq!(preset.get("cloud", "seed"), Some(Value::Int(9)));
    assert!(matches!(
        preset.set("fire.seed", "9"),
        Err(SetError::Unknown { .. })
    ));
}

#[test]
fn a_world_takes_on_a_preset_and_gives_it_back() {
    use crate::param::ParamApp;
    use crate::scene::{CameraParams, StageParams, SunParams};
    let mut app = App::new();
    app.init_resource::<Scene>()
        .init_resource::<SunParams>()
        .init_resource::<StageParams>()
        .init_resource::<CameraParams>()
        .register_params::<crate::CloudParams>()
        .register_params::<SunParams>()
        .register_params::<StageParams>()
        .register_params::<CameraParams>();
    app.world_mut().spawn(crate::CloudParams::default());
    let sets = ParamSets::in_world(app.world());
    let mut preset = Preset::new("Mine", Scene::Cloud, &sets);
    preset.set("coverage", "0.25").unwrap();
    preset.set("elevation", "-3").unwrap();
    preset.apply(app.world_mut());
    assert_eq!(app.world().resource::<SunParams>().elevation, -3.0);
    assert_eq!(Preset::capture(app.world_mut(), "Mine"), preset);
}
