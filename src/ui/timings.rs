//! An overlay that shows where the time of the last frames went.

use std::collections::VecDeque;

use bevy::diagnostic::DiagnosticsStore;
use bevy::prelude::*;
use bevy_egui::egui::{
    self, Color32, FontId, Frame, Label, Mesh, Painter, Pos2, Rect, RichText, Sense, Shape, Stroke,
    Ui, pos2, vec2,
};

use super::status::CpuTime;
use super::theme;
use crate::timing;
use crate::volume::governor::Governor;
use crate::volume::{Quality, QualityParams, Setting};

/// Frames that the graph shows.
const FRAMES: usize = 240;
/// Frames over which the numbers beside it are averaged.
const AVERAGED: usize = 60;
const GRAPH_HEIGHT: f32 = 92.0;
const WIDTH: f32 = 320.0;

const FRAME: Color32 = Color32::from_rgb(232, 235, 240);
const CPU: Color32 = Color32::from_rgb(110, 170, 255);
/// The dearest passes, and all others together at the end.
const PASSES: [Color32; 6] = [
    Color32::from_rgb(204, 98, 44),
    Color32::from_rgb(58, 134, 118),
    Color32::from_rgb(138, 92, 168),
    Color32::from_rgb(176, 148, 52),
    Color32::from_rgb(88, 112, 156),
    Color32::from_rgb(92, 96, 104),
];

/// What one frame took, ms.
struct Times {
    frame: f32,
    cpu: f32,
    /// In the order of [`Timings::passes`], which may have got longer since.
    gpu: Vec<f32>,
}

/// The last frames' times, kept while the overlay is open.
#[derive(Resource, Default)]
pub struct Timings {
    open: bool,
    /// Names of the passes seen.
    passes: Vec<String>,
    frames: VecDeque<Times>,
}

impl Timings {
    /// Opens or closes the overlay.
    pub fn toggle(&mut self) {
        *self = Self {
            open: !self.open,
            ..default()
        };
    }

    /// Takes note of the frame that has just ended.
    pub fn record(
        mut this: ResMut<Self>,
        time: Res<Time<Real>>,
        cpu: Res<CpuTime>,
        diagnostics: Res<DiagnosticsStore>,
    ) {
        if !this.open {
            return;
        }
        let mut gpu = vec![0.0; this.passes.len()];
        for (name, diagnostic) in timing::gpu_passes(&diagnostics) {
            let Some(ms) = diagnostic.value() else {
                continue;
            };
            match this.passes.iter().position(|pass| pass == name) {
                Some(index) => gpu[index] = ms as f32,
                None => {
                    this.passes.push(name.to_owned());
                    gpu.push(ms as f32);
                }
            }
        }
        if this.frames.len() == FRAMES {
            this.frames.pop_front();
        }
        this.frames.push_back(Times {
            frame: 1000.0 * time.delta_secs(),
            cpu: 1000.0 * cpu.last_seconds(),
            gpu,
        });
    }

    /// Mean over the newest frames.
    fn mean(&self, of: impl Fn(&Times) -> f32) -> f32 {
        let newest = self.frames.iter().rev().take(AVERAGED);
        newest.clone().map(of).sum::<f32>() / newest.count().max(1) as f32
    }

    /// What the graph stacks: the dearest passes, the dearest first, and the rest as one.
    fn bands(&self) -> Vec<Band> {
        let mean = |pass: usize| self.mean(|times| times.gpu.get(pass).copied().unwrap_or(0.0));
        let mut order: Vec<(usize, f32)> = (0..self.passes.len()).map(|i| (i, mean(i))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let alone = if order.len() > PASSES.len() {
            PASSES.len() - 1
        } else {
            order.len()
        };
        let (dearest, rest) = order.split_at(alone);
        let mut bands: Vec<Band> = dearest
            .iter()
            .map(|(pass, mean)| Band {
                name: self.passes[*pass].replace('_', " "),
                passes: vec![*pass],
                mean: *mean,
            })
            .collect();
        if !rest.is_empty() {
            bands.push(Band {
                name: format!("{} more", rest.len()),
                passes: rest.iter().map(|(pass, _)| *pass).collect(),
                mean: rest.iter().map(|(_, mean)| mean).sum(),
            });
        }
        bands
    }

    /// Time at the top of the graph, ms: nearly all frames fit, and a single slow one does not flatten them.
    fn top(&self, goal: Option<f32>) -> f32 {
        let mut frames: Vec<f32> = self.frames.iter().map(|times| times.frame).collect();
        frames.sort_by(f32::total_cmp);
        let most = frames
            .get(frames.len() * 19 / 20)
            .copied()
            .unwrap_or_default();
        round_up(1.15 * most.max(goal.unwrap_or(0.0)).max(1.0))
    }
}

/// Passes that are drawn as one band of the graph.
struct Band {
    name: String,
    passes: Vec<usize>,
    /// ms
    mean: f32,
}

impl Band {
    fn of(&self, times: &Times) -> f32 {
        self.passes
            .iter()
            .filter_map(|pass| times.gpu.get(*pass))
            .sum()
    }
}

/// The next of 1, 2, 5, 10, 20, 50 and so on.
fn round_up(value: f32) -> f32 {
    let decade = 10.0_f32.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * decade)
        .find(|step| *step >= value)
        .unwrap_or(value)
}

/// Shows the overlay in the corner of `area`, if it is open.
pub fn show(ctx: &egui::Context, world: &World, area: Rect) {
    let timings = world.resource::<Timings>();
    if !timings.open {
        return;
    }
    let params = world.resource::<QualityParams>();
    let goal = (params.setting() == Setting::Auto).then_some(params.frame_time);
    egui::Area::new(egui::Id::new("timings"))
        .order(egui::Order::Middle)
        .interactable(false)
        .fixed_pos(area.left_top() + vec2(10.0, 10.0))
        .show(ctx, |ui| {
            Frame::new()
                .fill(theme::PANEL.gamma_multiply(0.92))
                .corner_radius(4)
                .inner_margin(8)
                .show(ui, |ui| {
                    ui.set_width((area.width() - 40.0).clamp(60.0, WIDTH));
                    let bands = timings.bands();
                    graph(ui, timings, &bands, goal);
                    legend(ui, timings, &bands);
                    let governor = world.resource::<Governor>();
                    ui.label(small(quality(*world.resource(), params, governor)));
                });
        });
}

fn small(text: impl Into<String>) -> RichText {
    RichText::new(text).small()
}

fn graph(ui: &mut Ui, timings: &Timings, bands: &[Band], goal: Option<f32>) {
    let size = vec2(ui.available_width(), GRAPH_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 2, ui.visuals().extreme_bg_color);
    let top = timings.top(goal);
    // The newest frame is at the right edge.
    let missing = FRAMES - timings.frames.len();
    let at = |frame: usize, ms: f32| {
        pos2(
            rect.left() + rect.width() * (missing + frame) as f32 / (FRAMES - 1) as f32,
            rect.bottom() - rect.height() * ms / top,
        )
    };
    stack(&painter, timings, bands, at);
    let line = |of: fn(&Times) -> f32, color: Color32| {
        let points = timings.frames.iter().enumerate();
        let points = points.map(|(i, times)| at(i, of(times))).collect();
        painter.add(Shape::line(points, Stroke::new(1.0, color)));
    };
    line(|times| times.cpu, CPU);
    line(|times| times.frame, FRAME);
    if let Some(goal) = goal {
        let ends = [at(0, goal).y, at(0, goal).y];
        let ends = [pos2(rect.left(), ends[0]), pos2(rect.right(), ends[1])];
        let stroke = Stroke::new(1.0, theme::ACCENT);
        painter.extend(Shape::dashed_line(&ends, stroke, 4.0, 4.0));
    }
    painter.text(
        rect.left_top() + vec2(4.0, 2.0),
        egui::Align2::LEFT_TOP,
        format!("{top} ms"),
        FontId::proportional(9.0),
        ui.visuals().weak_text_color(),
    );
}

/// The passes on top of each other, one band each.
fn stack(painter: &Painter, timings: &Timings, bands: &[Band], at: impl Fn(usize, f32) -> Pos2) {
    let mut floor = vec![0.0; timings.frames.len()];
    for (band, color) in bands.iter().zip(PASSES) {
        let mut mesh = Mesh::default();
        for (i, times) in timings.frames.iter().enumerate() {
            let low = floor[i];
            floor[i] += band.of(times);
            mesh.colored_vertex(at(i, low), color);
            mesh.colored_vertex(at(i, floor[i]), color);
            if i > 0 {
                let last = 2 * i as u32;
                mesh.add_triangle(last - 2, last - 1, last);
                mesh.add_triangle(last - 1, last, last + 1);
            }
        }
        painter.add(mesh);
    }
}

fn legend(ui: &mut Ui, timings: &Timings, bands: &[Band]) {
    let frame = timings.mean(|times| times.frame);
    let cpu = timings.mean(|times| times.cpu);
    let gpu: f32 = bands.iter().map(|band| band.mean).sum();
    ui.spacing_mut().interact_size.y = 0.0;
    ui.horizontal_wrapped(|ui| {
        entry(ui, FRAME, "frame", frame);
        entry(ui, CPU, "CPU", cpu);
        if !bands.is_empty() {
            ui.label(small(format!("GPU {}, of which", milliseconds(gpu))));
        }
        for (band, color) in bands.iter().zip(PASSES) {
            entry(ui, color, &band.name, band.mean);
        }
    });
    // The first measurements come some frames late.
    if bands.is_empty() && timings.frames.len() > 20 {
        ui.label(small(
            "This adapter does not tell how long its passes take.",
        ));
    }
}

fn milliseconds(ms: f32) -> String {
    format!("{ms:.*} ms", if ms < 10.0 { 2 } else { 1 })
}

fn entry(ui: &mut Ui, color: Color32, name: &str, ms: f32) {
    let text = small(format!("■ {name} {}", milliseconds(ms)))
        .color(color.lerp_to_gamma(Color32::WHITE, 0.35));
    // An entry stays in one line.
    ui.add(Label::new(text).extend());
}

/// How frames are drawn, in words.
fn quality(quality: Quality, params: &QualityParams, governor: &Governor) -> String {
    let name = params.setting().name();
    match quality {
        Quality::Marched(_) => format!("Quality {name}: every pixel, every step"),
        Quality::Fast(fast) => {
            let level = match params.setting() {
                Setting::Auto => format!(
                    " at {:.0}% for {} ms",
                    100.0 * governor.level(),
                    params.frame_time
                ),
                _ => String::new(),
            };
            format!(
                "Quality {name}{level}: scale {:.2}, steps {:.2}, field {}³",
                fast.scale, fast.steps, fast.field
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timings(passes: usize) -> Timings {
        Timings {
            open: true,
            passes: (0..passes).map(|i| format!("pass_{i}")).collect(),
            frames: (0..30)
                .map(|_| Times {
                    frame: 20.0,
                    cpu: 2.0,
                    gpu: (0..passes).map(|i| i as f32).collect(),
                })
                .collect(),
        }
    }

    #[test]
    fn no_pass_is_left_out() {
        for passes in [0, 1, 6, 7, 20] {
            let timings = timings(passes);
            let bands = timings.bands();
            assert!(bands.len() <= PASSES.len());
            let sum: f32 = bands.iter().map(|band| band.of(&timings.frames[0])).sum();
            let expected: f32 = (0..passes).map(|i| i as f32).sum();
            assert!((sum - expected).abs() < 1e-3, "{passes} passes: {sum}");
            assert!(
                bands
                    .iter()
                    .zip(bands.iter().skip(1))
                    .all(|(a, b)| { b.passes.len() > 1 || a.mean >= b.mean })
            );
        }
    }

    #[test]
    fn one_slow_frame_does_not_flatten_the_graph() {
        let mut timings = timings(1);
        timings.frames[3].frame = 3000.0;
        assert_eq!(timings.top(None), 50.0);
        assert_eq!(timings.top(Some(80.0)), 100.0);
    }

    #[test]
    fn the_top_of_the_graph_is_round() {
        for (value, top) in [
            (0.7, 1.0),
            (1.0, 1.0),
            (1.2, 2.0),
            (4.0, 5.0),
            (68.0, 100.0),
        ] {
            assert!((round_up(value) - top).abs() < 1e-3, "{value}");
        }
    }
}
