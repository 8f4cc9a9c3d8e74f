//! What the program draws, as somebody looking at it would judge.

use bevy::prelude::*;
use pyrocumulus::capture::{CaptureError, Picture, Shot, Studio};
use pyrocumulus::param::{Kind, ParamSets, Value};
use pyrocumulus::scene::{CameraParams, Scene, StageParams, SunParams};
use pyrocumulus::volume::{CloudParams, FireParams};

use crate::studio::{bare_stage, edit, in_studio, luminance, shot, small};

/// Share of the picture that the volume covers.
fn covered(picture: &Picture) -> f32 {
    let pixels: Vec<_> = picture.pixels().collect();
    pixels.iter().map(|pixel| pixel.w).sum::<f32>() / pixels.len() as f32
}

fn same(a: &Picture, b: &Picture) -> bool {
    a.to_rgba8(true) == b.to_rgba8(true)
}

#[test]
fn a_cloud_without_coverage_is_the_empty_sky() {
    in_studio(|studio| {
        let cloudy = small(studio);
        edit::<CloudParams>(studio, |cloud| cloud.coverage = 0.0);
        let clear = small(studio);
        edit::<CloudParams>(studio, |cloud| cloud.extinction = 1.0);
        let still_clear = small(studio);
        assert!(!same(&cloudy, &clear), "the cloud is visible");
        assert!(same(&clear, &still_clear), "nothing of it is left");
        bare_stage(studio);
        assert!(covered(&small(studio)) == 0.0, "clear air covers nothing");
    });
}

#[test]
fn the_same_shot_twice_is_the_same_picture() {
    in_studio(|studio| {
        for scene in Scene::ALL {
            *studio.world().resource_mut::<Scene>() = scene;
            let first = small(studio);
            let other_time = Shot {
                size: (64, 36),
                seconds: 4.0,
                frames: 1,
            };
            let later = studio.take(&other_time).unwrap();
            assert!(!same(&first, &later), "{} moves", scene.name());
            assert!(
                same(&first, &small(studio)),
                "{} comes back with its time",
                scene.name()
            );
        }
    });
}

/// Sun behind and to one side of the cloud.
#[test]
fn the_silver_lining_is_on_the_sunward_side() {
    let sides = in_studio(|studio| {
        bare_stage(studio);
        let mut rim = |azimuth: f32| {
            edit::<SunParams>(studio, |sun| (sun.azimuth, sun.elevation) = (azimuth, 12.0));
            let picture = shot(studio, 96, 54);
            let half = |left: bool| luminance(&picture, |x, _| (x < 0.5) == left);
            (half(true), half(false))
        };
        // 180 lies straight behind the cloud; 90 is to the camera's right.
        (rim(140.0), rim(-140.0))
    });
    // The cloud's own shape is lopsided: compare each half with itself under the other sun.
    let ((right_sun_left, right_sun_right), (left_sun_left, left_sun_right)) = sides;
    assert!(
        right_sun_right > 1.1 * left_sun_right,
        "right half: {right_sun_right} with the sun at the right, {left_sun_right} at the left"
    );
    assert!(
        left_sun_left > 1.1 * right_sun_left,
        "left half: {left_sun_left} with the sun at the left, {right_sun_left} at the right"
    );
}

/// Forward scattering: a thin cloud is brightest against the sun.
#[test]
fn thin_cloud_glows_against_the_sun() {
    in_studio(|studio| {
        bare_stage(studio);
        edit::<CloudParams>(studio, |cloud| {
            (cloud.extinction, cloud.softness, cloud.powder) = (1.5, 0.8, 0.0);
            (cloud.ambient, cloud.lobe_mix, cloud.coverage) = (0.0, 0.0, 0.8);
        });
        let mut brightness = |azimuth: f32| {
            edit::<SunParams>(studio, |sun| (sun.azimuth, sun.elevation) = (azimuth, 10.0));
            luminance(&small(studio), |_, _| true)
        };
        let (against, with) = (brightness(180.0), brightness(0.0));
        assert!(
            against > 2.0 * with,
            "against the sun {against}, with it {with}"
        );
    });
}

#[test]
fn the_camera_may_be_anywhere() {
    in_studio(|studio| {
        for scene in [Scene::Cloud, Scene::Fire] {
            *studio.world().resource_mut::<Scene>() = scene;
            let mut empty = Vec::new();
            for (distance, field_of_view) in [
                (0.05, 45.0),
                (1.0, 120.0),
                (3.4, 5.0),
                (40.0, 45.0),
                (1e3, 5.0),
            ] {
                for pitch in [-20.0, 0.0, 90.0] {
                    edit::<CameraParams>(studio, |camera| {
                        *camera = CameraParams {
                            yaw: 33.0,
                            pitch,
                            distance,
                            field_of_view,
                        };
                    });
                    let picture = shot(studio, 24, 16);
                    let finite = picture.pixels().all(bevy::prelude::Vec4::is_finite);
                    // A bright scene is not black, wherever one stands; only below the ground it may be.
                    let above_ground = pitch >= 0.0;
                    if !finite
                        || (above_ground
                            && scene == Scene::Cloud
                            && luminance(&picture, |_, _| true) == 0.0)
                    {
                        empty.push(format!(
                            "distance {distance}, pitch {pitch}, field of view {field_of_view}"
                        ));
                    }
                }
            }
            assert!(
                empty.is_empty(),
                "{}: nothing is seen from\n{}",
                scene.name(),
                empty.join("\n")
            );
        }
    });
}

#[test]
fn a_camera_inside_the_cloud_sees_cloud() {
    in_studio(|studio| {
        bare_stage(studio);
        edit::<CloudParams>(studio, |cloud| {
            (cloud.coverage, cloud.extinction) = (1.0, 100.0);
        });
        edit::<CameraParams>(studio, |camera| camera.distance = 0.05);
        let coverage = covered(&small(studio));
        assert!(coverage > 0.98, "{coverage} of the view is cloud");
    });
}

#[test]
fn a_far_cloud_keeps_its_shape() {
    in_studio(|studio| {
        bare_stage(studio);
        let near = covered(&shot(studio, 64, 64));
        // The same angle: distance and field of view undo each other.
        edit::<CameraParams>(studio, |camera| {
            let half = (0.5 * camera.field_of_view).to_radians().tan() * camera.distance;
            camera.distance = 40.0;
            camera.field_of_view = 2.0 * (half / 40.0).atan().to_degrees();
        });
        let far = covered(&shot(studio, 64, 64));
        assert!(near > 0.05, "{near} of the picture is cloud");
        assert!(
            (far / near - 1.0).abs() < 0.25,
            "near it covers {near}, far {far}"
        );
    });
}

#[test]
fn any_size_gives_a_picture_of_that_size() {
    in_studio(|studio| {
        for (width, height) in [(1, 1), (1, 40), (40, 1), (33, 17), (127, 3)] {
            assert_eq!(shot(studio, width, height).size(), (width, height));
        }
        let limit = studio.size_limit();
        for size in [(0, 10), (10, 0), (limit + 1, 10)] {
            let result = studio.take(&Shot { size, ..default() });
            assert!(
                matches!(result, Err(CaptureError::Size { .. })),
                "{size:?} is refused"
            );
        }
    });
}

/// A box of `edge` at `center` that shines in pure green.
fn spawn_box(studio: &mut Studio, center: Vec3, edge: f32) -> Entity {
    let world = studio.world();
    let mesh = world
        .resource_mut::<Assets<Mesh>>()
        .add(Cuboid::from_length(edge));
    let material = world
        .resource_mut::<Assets<StandardMaterial>>()
        .add(StandardMaterial {
            base_color: Color::BLACK,
            // Not exposed, and not so bright that tone mapping bleaches it.
            emissive: LinearRgba::rgb(0.0, 0.5, 0.0),
            ..default()
        });
    world
        .spawn((
            Mesh3d(mesh),
            MeshMaterial3d(material),
            Transform::from_translation(center),
        ))
        .id()
}

/// How green the middle of the picture is: 1 is the bare box.
fn greenness(studio: &mut Studio) -> f32 {
    let picture = small(studio);
    let (width, height) = picture.size();
    let middle = picture
        .pixels()
        .nth((height / 2 * width + width / 2) as usize)
        .unwrap();
    (middle.y - 0.5 * (middle.x + middle.z)).max(0.0)
}

#[test]
fn geometry_hides_the_cloud_behind_it_and_is_hidden_by_the_cloud_before_it() {
    in_studio(|studio| {
        bare_stage(studio);
        edit::<CloudParams>(studio, |cloud| {
            (cloud.coverage, cloud.extinction) = (1.0, 200.0);
        });
        edit::<CameraParams>(studio, |camera| camera.pitch = 0.0);
        let (center, _) = Scene::Cloud.frame();
        let mut with_box = |z: f32, coverage: f32| {
            edit::<CloudParams>(studio, |cloud| cloud.coverage = coverage);
            let entity = spawn_box(studio, center + z * Vec3::Z, 0.5);
            let green = greenness(studio);
            studio.world().despawn(entity);
            green
        };
        let bare = with_box(0.0, 0.0);
        assert!(bare > 0.1, "the box itself is green: {bare}");
        for (place, z) in [("before", 1.5), ("inside", 0.0), ("behind", -1.6)] {
            let green = with_box(z, 1.0) / bare;
            if place == "before" {
                assert!(green > 0.8, "a box {place} the cloud is seen: {green}");
            } else {
                assert!(green < 0.1, "a box {place} the cloud is hidden: {green}");
            }
        }
        // And through clear air the one behind is seen.
        let behind = with_box(-1.6, 0.0) / bare;
        assert!(behind > 0.5, "a box behind clear air is seen: {behind}");
    });
}

#[test]
fn the_fire_lights_the_ground_around_it() {
    in_studio(|studio| {
        *studio.world().resource_mut::<Scene>() = Scene::Fire;
        edit::<StageParams>(studio, |stage| (stage.exposure, stage.bloom) = (9.0, 0.0));
        edit::<SunParams>(studio, |sun| sun.intensity = 0.0);
        edit::<CameraParams>(studio, |camera| camera.pitch = 25.0);
        // Below the flame's foot, where nothing but ground is seen.
        let mut ground = |intensity: f32| {
            edit::<FireParams>(studio, |fire| fire.intensity = intensity);
            luminance(&small(studio), |x, y| (x - 0.5).abs() < 0.25 && y > 0.88)
        };
        let (dark, lit, brighter) = (ground(0.0), ground(40.0), ground(120.0));
        assert!(lit > dark + 0.002, "without fire {dark}, with it {lit}");
        assert!(
            brighter > lit,
            "a stronger fire lights more: {lit} {brighter}"
        );
    });
}

/// Both ends of every slider, one at a time.
#[test]
fn no_slider_breaks_the_picture() {
    in_studio(|studio| {
        let mut faults = Vec::new();
        for set in ParamSets::in_world(studio.world()).iter() {
            let scene = if set.section.key == "fire" {
                Scene::Fire
            } else {
                Scene::Cloud
            };
            *studio.world().resource_mut::<Scene>() = scene;
            for declaration in set.declarations() {
                let ends = match &declaration.kind {
                    Kind::Float { range, .. } => {
                        vec![Value::Float(*range.start()), Value::Float(*range.end())]
                    }
                    Kind::Int { range } => {
                        vec![Value::Int(*range.start()), Value::Int(*range.end())]
                    }
                    Kind::Switch => vec![Value::Switch(false), Value::Switch(true)],
                    Kind::Choice(names) => names.iter().map(|name| Value::Choice(name)).collect(),
                    Kind::Color => vec![Value::Color(Vec3::ZERO), Value::Color(Vec3::ONE)],
                };
                let default = declaration.get(set.default_set().as_ref());
                for value in ends {
                    let name = format!("{}.{} = {value}", set.section.key, declaration.name);
                    set.edit(studio.world(), |values| {
                        declaration.set(values, value).unwrap();
                    });
                    let picture = shot(studio, 24, 16);
                    if let Some(fault) = fault(&picture) {
                        faults.push(format!("{name}: {fault}"));
                    }
                }
                set.edit(studio.world(), |values| {
                    declaration.set(values, default).unwrap();
                });
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    });
}

/// What is wrong with a picture of a lit scene whatever its parameters, if anything is. NaN reaches the screen as
/// black pixels or, through bloom and tone mapping, as a picture of one colour.
fn fault(picture: &Picture) -> Option<&'static str> {
    let pixels: Vec<_> = picture.pixels().map(Vec4::truncate).collect();
    if !pixels.iter().all(|pixel| pixel.is_finite()) {
        return Some("not finite");
    }
    let pink = |p: &Vec3| p.x > 0.9 && p.z > 0.9 && p.y < 0.1;
    pixels
        .iter()
        .any(pink)
        .then_some("the pink of a failed shader")
}

/// The extremes that must still show something.
#[test]
fn extreme_clouds_stay_between_black_and_white() {
    in_studio(|studio| {
        let extremes: [(&str, fn(&mut CloudParams)); 8] = [
            ("thick", |c| c.extinction = 400.0),
            ("thin", |c| c.extinction = 1.0),
            ("overcast", |c| c.coverage = 1.0),
            ("few steps", |c| c.steps = 8),
            ("one light step", |c| c.light_steps = 1),
            ("strong multiple scattering", |c| {
                c.multiple_scattering = 2.0;
            }),
            ("sharp forward lobe", |c| {
                (c.forward_g, c.lobe_mix) = (0.95, 0.0);
            }),
            ("flat", |c| c.height = 0.1),
        ];
        for elevation in [-10.0, 90.0] {
            for (name, change) in extremes {
                edit::<SunParams>(studio, |sun| sun.elevation = elevation);
                edit::<CloudParams>(studio, |cloud| {
                    *cloud = CloudParams::default();
                    change(cloud);
                });
                let mean = luminance(&shot(studio, 32, 18), |_, _| true);
                assert!(
                    mean < 0.95,
                    "{name}, sun at {elevation}°: white-out ({mean})"
                );
                assert!(
                    elevation < 45.0 || mean > 0.01,
                    "{name}, sun at {elevation}°: black ({mean})"
                );
            }
        }
    });
}
