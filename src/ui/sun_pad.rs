//! A pad to drag the sun on: the dome of the sky seen from above, with the camera at the foot of its own
//! direction.

use bevy_egui::egui::{self, Color32, Pos2, Sense, Stroke, Ui, Vec2, vec2};

use super::theme;
use crate::param;
use crate::scene::SunParams;

/// Elevation at the edge of the pad, a little below the horizon: the lowest that the sun may have.
fn edge() -> f32 {
    *param::range::<SunParams>("elevation").start()
}

/// Where on the pad (centre 0, edge 1, y down) a sun stands. Azimuth 0 is at the bottom, 90 at the right;
/// the zenith is the centre.
pub fn to_pad(azimuth: f32, elevation: f32) -> Vec2 {
    let radius = (90.0 - elevation) / (90.0 - edge());
    let (sin, cos) = azimuth.to_radians().sin_cos();
    radius * vec2(sin, cos)
}

/// The sun (azimuth, elevation in degrees) that stands at a point of the pad. Points beyond the edge mean
/// the edge.
pub fn from_pad(point: Vec2) -> (f32, f32) {
    let elevation = 90.0 - point.length().min(1.0) * (90.0 - edge());
    let azimuth = if point.length() > 1e-4 {
        point.x.atan2(point.y).to_degrees()
    } else {
        0.0
    };
    (azimuth, elevation)
}

/// Shows the pad. Returns azimuth and elevation if the user moved the sun.
pub fn show(ui: &mut Ui, azimuth: f32, elevation: f32, camera_yaw: f32) -> Option<(f32, f32)> {
    let size = ui.available_width().clamp(40.0, 112.0);
    let (response, painter) = ui.allocate_painter(Vec2::splat(size), Sense::click_and_drag());
    let center = response.rect.center();
    let radius = 0.5 * size - 6.0;
    let at = |point: Vec2| center + radius * point;
    draw_dome(&painter, center, radius);
    // Where the camera stands, looking to the centre.
    let foot = at(to_pad(camera_yaw, 0.0));
    let inward = (center - foot).normalized();
    let wedge =
        |turn: f32, length: f32| foot + length * (egui::emath::Rot2::from_angle(turn) * inward);
    painter.add(egui::Shape::convex_polygon(
        vec![foot, wedge(0.5, 13.0), wedge(-0.5, 13.0)],
        Color32::from_white_alpha(50),
        Stroke::NONE,
    ));
    let sun = at(to_pad(azimuth, elevation));
    let color = if elevation > 0.0 {
        Color32::from_rgb(255, 214, 130)
    } else {
        theme::ACCENT
    };
    painter.circle_filled(sun, 5.0, color);
    painter.circle_stroke(sun, 7.5, Stroke::new(1.0, Color32::from_white_alpha(90)));
    let pointer: Option<Pos2> = response.interact_pointer_pos();
    let moved = response.dragged() || response.clicked();
    response.on_hover_text(
        "Drag the sun: the centre is the zenith, the ring the horizon. The wedge is the camera.",
    );
    pointer
        .filter(|_| moved)
        .map(|pointer| from_pad((pointer - center) / radius))
}

fn draw_dome(painter: &egui::Painter, center: Pos2, radius: f32) {
    let horizon = radius * to_pad(0.0, 0.0).length();
    let line = Stroke::new(1.0, Color32::from_white_alpha(26));
    painter.circle_filled(center, radius, Color32::from_rgb(18, 20, 24));
    painter.circle_filled(center, horizon, Color32::from_rgb(34, 44, 60));
    for elevation in [30.0, 60.0] {
        painter.circle_stroke(center, radius * to_pad(0.0, elevation).length(), line);
    }
    painter.circle_stroke(
        center,
        horizon,
        Stroke::new(1.0, Color32::from_white_alpha(70)),
    );
    painter.line_segment(
        [center - vec2(horizon, 0.0), center + vec2(horizon, 0.0)],
        line,
    );
    painter.line_segment(
        [center - vec2(0.0, horizon), center + vec2(0.0, horizon)],
        line,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sun_is_found_where_it_was_put() {
        for azimuth in [-179.0, -90.0, 0.0, 33.0, 120.0] {
            for elevation in [-10.0, 0.0, 45.0, 89.0] {
                let (a, e) = from_pad(to_pad(azimuth, elevation));
                assert!(
                    (a - azimuth).abs() < 1e-3 && (e - elevation).abs() < 1e-3,
                    "{azimuth} {elevation}"
                );
            }
        }
    }

    #[test]
    fn the_default_camera_stands_below_and_the_right_is_the_right() {
        assert!(to_pad(0.0, 0.0).y > 0.5);
        assert!(to_pad(90.0, 0.0).x > 0.5);
    }

    #[test]
    fn beyond_the_edge_is_the_edge() {
        let (azimuth, elevation) = from_pad(vec2(7.0, 0.0));
        assert!((azimuth - 90.0).abs() < 1e-3);
        assert_eq!(elevation, edge());
        assert_eq!(from_pad(Vec2::ZERO), (0.0, 90.0));
    }
}
