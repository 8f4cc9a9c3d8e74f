//! The mouse in the picture: orbit, pan and zoom, and the sun; and where in the window the picture is.

use std::time::Duration;

use bevy::camera::Viewport;
use bevy::input::mouse::{MouseButtonInput, MouseMotion};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::EguiContexts;
use bevy_egui::egui;
use bevy_panorbit_camera::PanOrbitCamera;

use super::lab::LabView;
use super::{Action, Actions, UiState};
use crate::param;
use crate::scene::{CameraParams, Scene, SunParams};

/// Longest time between the two presses of a double-click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// What a drag moves; decided where it begins and kept until it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drag {
    /// It began on the user interface.
    Interface,
    Camera,
    /// The sun stands before or behind the camera, so that it follows the mouse one way or the other.
    Sun {
        before: bool,
    },
}

/// The pointer's business.
#[derive(Resource, Default)]
pub struct Pointer {
    drag: Option<Drag>,
    last_press: Option<(Duration, Vec2)>,
}

/// What the orbit was when it last agreed with [`CameraParams`].
#[derive(Component, Default)]
pub struct Agreed {
    params: CameraParams,
    /// Target yaw, pitch and radius.
    orbit: [f32; 3],
}

/// A camera's controls, with `params` for a start.
pub fn controls(params: &CameraParams, focus: Vec3) -> (PanOrbitCamera, Agreed) {
    let orbit = orbit_of(params);
    let distance = param::range::<CameraParams>("distance");
    let controls = PanOrbitCamera {
        focus,
        target_focus: focus,
        yaw: Some(orbit[0]),
        pitch: Some(orbit[1]),
        radius: Some(orbit[2]),
        zoom_lower_limit: *distance.start(),
        zoom_upper_limit: Some(*distance.end()),
        use_real_time: true,
        ..default()
    };
    (
        controls,
        Agreed {
            params: *params,
            orbit,
        },
    )
}

fn orbit_of(params: &CameraParams) -> [f32; 3] {
    [
        params.yaw.to_radians(),
        params.pitch.to_radians(),
        params.distance,
    ]
}

/// Decides whether the mouse moves the camera, the sun or neither. Nothing that begins on the user interface
/// does.
pub fn gate(
    mouse: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    mut contexts: EguiContexts,
    (ui, lab): (Res<UiState>, Res<LabView>),
    (sun, params): (Res<SunParams>, Res<CameraParams>),
    mut pointer: ResMut<Pointer>,
    mut camera: Single<&mut PanOrbitCamera>,
) -> Result {
    let over_ui = lab.is_open() || ui.covers_pointer(contexts.ctx_mut()?);
    let pressed = mouse.get_just_pressed().next().copied();
    if let Some(button) = pressed.filter(|_| pointer.drag.is_none()) {
        let sun_key = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight, KeyCode::KeyL]);
        pointer.drag = Some(if over_ui {
            Drag::Interface
        } else if sun_key && button == MouseButton::Left {
            Drag::Sun {
                before: (sun.azimuth - params.yaw).to_radians().cos() < 0.0,
            }
        } else {
            Drag::Camera
        });
        if matches!(button, MouseButton::Middle | MouseButton::Right) {
            camera.button_pan = button;
        }
    } else if mouse.get_pressed().next().is_none() && mouse.get_just_released().next().is_none() {
        pointer.drag = None;
    }
    let enabled = pointer.drag.map_or(!over_ui, |drag| drag == Drag::Camera);
    if camera.enabled != enabled {
        camera.enabled = enabled;
    }
    Ok(())
}

/// Moves the sun while it is dragged.
pub fn drag_sun(
    mut motion: MessageReader<MouseMotion>,
    pointer: Res<Pointer>,
    window: Single<&Window, With<PrimaryWindow>>,
    mut sun: ResMut<SunParams>,
) {
    let delta: Vec2 = motion.read().map(|motion| motion.delta).sum();
    let Some(Drag::Sun { before }) = pointer.drag else {
        return;
    };
    if delta == Vec2::ZERO {
        return;
    }
    let turn = delta.x / window.width().max(1.0) * if before { -180.0 } else { 180.0 };
    let azimuth = wrapped(sun.azimuth + turn);
    let range = param::range::<SunParams>("elevation");
    let height = range.end() - range.start();
    let elevation = sun.elevation - delta.y / window.height().max(1.0) * height;
    let elevation = elevation.clamp(*range.start(), *range.end());
    sun.set_if_neq(SunParams {
        azimuth,
        elevation,
        ..*sun
    });
}

/// An angle in degrees, brought into -180..=180.
pub fn wrapped(degrees: f32) -> f32 {
    let wrapped = (degrees + 180.0).rem_euclid(360.0) - 180.0;
    if wrapped == -180.0 && degrees > 0.0 {
        180.0
    } else {
        wrapped
    }
}

/// Frames the scene at a double-click in the picture.
pub fn double_click(
    mut presses: MessageReader<MouseButtonInput>,
    time: Res<Time<Real>>,
    window: Single<&Window, With<PrimaryWindow>>,
    mut pointer: ResMut<Pointer>,
    mut actions: ResMut<Actions>,
) {
    for press in presses.read() {
        if press.button != MouseButton::Left || !press.state.is_pressed() {
            continue;
        }
        let Some(at) = window
            .cursor_position()
            .filter(|_| pointer.drag == Some(Drag::Camera))
        else {
            pointer.last_press = None;
            continue;
        };
        let now = time.elapsed();
        // A slow frame must not make a double-click impossible.
        let longest = DOUBLE_CLICK.max(time.delta() * 2);
        if pointer
            .last_press
            .is_some_and(|(when, place)| now - when <= longest && place.distance(at) < 6.0)
        {
            actions.push(Action::FrameScene);
            pointer.last_press = None;
        } else {
            pointer.last_press = Some((now, at));
        }
    }
}

/// Moves the camera to where panel or preset want it.
pub fn follow_params(
    params: Res<CameraParams>,
    scene: Res<Scene>,
    mut camera: Single<(&mut PanOrbitCamera, &mut Projection, &mut Agreed)>,
) {
    let (orbit, projection, agreed) = &mut *camera;
    if scene.is_changed() {
        orbit.target_focus = scene.frame().0;
    }
    if *params == agreed.params {
        return;
    }
    let wanted = orbit_of(&params);
    // The short way round.
    let turn = (wanted[0] - orbit.target_yaw).to_degrees();
    orbit.target_yaw += wrapped(turn).to_radians();
    orbit.target_pitch = wanted[1];
    orbit.target_radius = wanted[2];
    agreed.params = *params;
    agreed.orbit = [orbit.target_yaw, orbit.target_pitch, orbit.target_radius];
    if let Projection::Perspective(perspective) = &mut **projection {
        perspective.fov = params.field_of_view.to_radians();
    }
}

/// Tells panel and presets where the mouse has moved the camera.
pub fn follow_orbit(
    mut params: ResMut<CameraParams>,
    mut camera: Single<(&PanOrbitCamera, &mut Agreed)>,
) {
    let (orbit, agreed) = &mut *camera;
    let now = [orbit.target_yaw, orbit.target_pitch, orbit.target_radius];
    if now == agreed.orbit {
        return;
    }
    agreed.orbit = now;
    let within = |name, value: f32| {
        let range = param::range::<CameraParams>(name);
        value.clamp(*range.start(), *range.end())
    };
    agreed.params = CameraParams {
        yaw: wrapped(now[0].to_degrees()),
        pitch: within("pitch", now[1].to_degrees()),
        distance: within("distance", now[2]),
        ..*params
    };
    params.set_if_neq(agreed.params);
}

/// Gives the camera the part of the window that no panel covers, so that the picture is centred in what one
/// sees and no hidden pixel is drawn.
pub fn place_picture(
    window: Single<&Window, With<PrimaryWindow>>,
    ui: Res<UiState>,
    mut camera: Single<&mut Camera, With<PanOrbitCamera>>,
) {
    let viewport = ui
        .picture
        .and_then(|picture| viewport(picture, ui.pixels_per_point, window.physical_size()));
    let same = match (&camera.viewport, &viewport) {
        (Some(a), Some(b)) => {
            a.physical_position == b.physical_position && a.physical_size == b.physical_size
        }
        (None, None) => true,
        _ => false,
    };
    if !same {
        camera.viewport = viewport;
    }
}

/// The viewport of a rectangle in points; `None`, the whole window, if next to nothing of it is left.
fn viewport(picture: egui::Rect, pixels_per_point: f32, window: UVec2) -> Option<Viewport> {
    let corner = |point: egui::Pos2| {
        (Vec2::new(point.x, point.y) * pixels_per_point)
            .round()
            .max(Vec2::ZERO)
            .as_uvec2()
            .min(window)
    };
    let (min, max) = (corner(picture.min), corner(picture.max));
    let size = max.saturating_sub(min);
    let whole = min == UVec2::ZERO && size == window;
    (!whole && size.min_element() >= 16).then(|| Viewport {
        physical_position: min,
        physical_size: size,
        ..default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_wrap_at_the_back() {
        assert!((wrapped(190.0) + 170.0).abs() < 1e-3);
        assert!((wrapped(-541.0) - 179.0).abs() < 1e-3);
        assert_eq!(wrapped(180.0), 180.0);
        assert_eq!(wrapped(-180.0), -180.0);
    }

    #[test]
    fn the_viewport_stays_within_the_window() {
        let picture = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(500.0, 700.0));
        let at = |window| viewport(picture, 2.0, window);
        assert_eq!(
            at(UVec2::new(1600, 1500)).unwrap().physical_size,
            UVec2::new(1000, 1400)
        );
        // The panel was laid out for a larger window than there is now.
        assert_eq!(
            at(UVec2::new(800, 1500)).unwrap().physical_size,
            UVec2::new(800, 1400)
        );
        assert!(at(UVec2::new(10, 10)).is_none());
        assert!(at(UVec2::ZERO).is_none());
    }
}
