use bevy::tasks::TaskPool;
use bevy_egui::egui::{Context, Event, Pos2, RawInput, Rect, pos2, vec2};

use super::*;
use crate::PresetLibrary;
use crate::lab::{Carry, sheet::Sheet};
use crate::noise::NoiseParams;
use crate::param::ParamApp;
use crate::param::preset::Preset;
use crate::scene::{CameraParams, Scene, StageParams, SunParams};
use crate::ui::presets::PresetList;
use crate::volume::{CloudParams, FireParams};

/// Draws frames with the pointer at a place until nothing is left to sample.
fn settle(view: &mut LabView, pointer: Pos2) -> Sheet {
    AsyncComputeTaskPool::get_or_init(TaskPool::new);
    let ctx = Context::default();
    let begun = Instant::now();
    for frame in 0.. {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 800.0))),
            events: vec![Event::PointerMoved(pointer)],
            ..Default::default()
        };
        let _ = ctx.run_ui(input, |ui| view.show(ui));
        if frame > 3 && !view.worker.is_working() {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the page never settles"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    let painted = view.painted.as_ref().expect("a page is shown");
    painted.sheet().clone()
}

fn lab(page: &'static str) -> LabView {
    let mut view = LabView::default();
    view.set_open(true);
    view.open_page(page);
    view
}

fn table(sheet: &Sheet) -> Vec<Vec<String>> {
    let mut bodies = sheet.panels().map(|panel| &panel.body);
    let table = bodies.find_map(|body| match body {
        Body::Table(rows) => Some(rows.clone()),
        _ => None,
    });
    table.expect("a table")
}

fn read(text: &str) -> f64 {
    text.replace('−', "-").parse().expect("a number")
}

/// Where one points, the corners' numbers add up to the value of the noise there.
#[test]
fn pointing_at_the_lattice_shows_numbers_that_add_up() {
    let mut view = lab("perlin");
    let mut seen = Vec::new();
    for pointer in [pos2(150.0, 240.0), pos2(240.0, 330.0)] {
        let sheet = settle(&mut view, pointer);
        let rows = table(&sheet);
        let (sum, corners) = rows[1..].split_last().expect("rows");
        let added: f64 = corners.iter().map(|row| read(&row[5])).sum();
        assert!((added - read(&sum[5])).abs() < 4e-3, "{rows:?}");
        let point = view.lab.page.boxed();
        let declarations = crate::lab::declarations_of(&*point);
        let at = |name: &str| {
            let found = declarations
                .iter()
                .find(|declaration| declaration.name == name);
            match found.expect("a setting").get(&*point) {
                crate::param::Value::Float(value) => f64::from(value),
                other => panic!("{other}"),
            }
        };
        let place = [at("point_x"), at("point_y")];
        let value = sheet
            .fields()
            .next()
            .expect("the lattice")
            .value_at(place)
            .expect("on the lattice");
        assert!(
            (f64::from(value) - read(&sum[5])).abs() < 3e-3,
            "{value} at {place:?}"
        );
        seen.push(place);
    }
    assert!(
        seen[0][0] < seen[1][0] && seen[0][1] > seen[1][1],
        "the point follows: {seen:?}"
    );
}

#[test]
fn another_fade_shows_other_derivatives() {
    let mut view = lab("perlin");
    let nowhere = pos2(1000.0, 5.0);
    let smooth = settle(&mut view, nowhere);
    view.lab.set("fade", "linear").expect("a fade");
    view.worker.renew();
    let kinked = settle(&mut view, nowhere);
    let derivative = |sheet: &Sheet| sheet.fields().nth(1).expect("the view").values.clone();
    // Of a linear fade the derivative jumps from one sample to the next; of a quintic one it never does.
    let jump = |sheet: &Sheet| {
        let width = sheet.fields().nth(1).expect("the view").size[0];
        let values = derivative(sheet);
        let rows = values.chunks_exact(width);
        rows.flat_map(|row| row.windows(2))
            .map(|pair| (pair[1] - pair[0]).abs())
            .fold(0.0, f32::max)
    };
    assert!(
        jump(&kinked) > 3.0 * jump(&smooth),
        "{} and {}",
        jump(&kinked),
        jump(&smooth)
    );
    assert_ne!(table(&smooth), table(&kinked));
}

#[test]
fn pages_are_left_and_found_as_they_were() {
    let mut view = lab("fbm");
    view.lab.set("octaves", "3").expect("a setting");
    view.step_page(1);
    assert_eq!(view.lab.page.about().name, "shaping");
    view.step_page(-1);
    let code = view.lab.page.code(&view.lab.params).rust;
    assert!(code.contains("0..3"), "three octaves: {code}");
    view.step_page(-3);
    assert_eq!(view.lab.page.about().name, "time", "round the end");
    assert!(view.running, "time runs where it is the subject");
}

fn app(scene: Scene) -> App {
    let mut app = App::new();
    app.register_params::<NoiseParams>();
    crate::volume::register_params(&mut app);
    crate::scene::register_params(&mut app);
    app.insert_resource(scene)
        .init_resource::<SunParams>()
        .init_resource::<StageParams>()
        .init_resource::<CameraParams>()
        .init_resource::<NoiseParams>()
        .init_resource::<Toasts>()
        .init_resource::<PresetList>()
        .init_resource::<LabView>()
        .insert_resource(PresetLibrary::in_folder(crate::param_sets(), None));
    app.world_mut().spawn(CloudParams::default());
    app.world_mut().spawn(FireParams::default());
    app
}

/// What a page carries over is in the cloud or the fire that is then shown, from wherever one came.
#[test]
fn settings_arrive_in_cloud_and_fire() {
    let mut both = [false; 2];
    for scene in Scene::ALL {
        for page in pages::all() {
            let params = LabParams {
                seed: 4321,
                ..Default::default()
            };
            for Carry {
                label,
                scene: target,
                values,
            } in page.carry(&params)
            {
                let mut app = app(scene);
                app.world_mut().resource_mut::<LabView>().set_open(true);
                let wish = Carry {
                    label,
                    scene: target,
                    values: values.clone(),
                };
                carry(app.world_mut(), &wish);
                let shown = *app.world().resource::<Scene>();
                assert!(shown == target || shown == Scene::Both, "{label}");
                assert!(!app.world().resource::<LabView>().is_open());
                let preset = Preset::capture(app.world_mut(), "now");
                for (name, value) in values {
                    let (section, name) = name.split_once('.').expect("a section and a name");
                    let found = preset
                        .get(section, name)
                        .expect("the parameter")
                        .to_string();
                    assert_eq!(read(&found), read(&value), "{section}.{name}");
                }
                both[usize::from(target == Scene::Fire)] = true;
            }
        }
    }
    assert_eq!(both, [true; 2], "into clouds and fires");
}
