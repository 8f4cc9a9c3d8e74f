//! The bar at the bottom: how long frames take, how large the picture is, and what draws it.

use std::time::{Duration, Instant};

use bevy::diagnostic::{Diagnostic, DiagnosticsStore, FrameTimeDiagnosticsPlugin};
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy_egui::egui::{Label, Panel, ProgressBar, RichText, Ui};

use super::UiState;
use crate::noise::NoiseBake;
use crate::timing;

/// Weight of the newest frame in the smoothed times.
const SMOOTHING: f64 = 0.1;

/// Passes that are named, the dearest.
const PASSES: usize = 4;

/// Time that the processor spends on a frame, seconds.
#[derive(Resource, Default)]
pub struct CpuTime {
    begun: Option<Instant>,
    last: f64,
    smoothed: f64,
}

impl CpuTime {
    /// Starts the watch: the first system of a frame.
    pub fn begin(mut this: ResMut<Self>) {
        this.begun = Some(Instant::now());
    }

    /// Stops it: the last.
    pub fn end(mut this: ResMut<Self>) {
        if let Some(begun) = this.begun.take() {
            this.last = begun.elapsed().as_secs_f64();
            this.smoothed += SMOOTHING * (this.last - this.smoothed);
        }
    }

    /// The last frame's.
    pub fn last_seconds(&self) -> f32 {
        self.last as f32
    }
}

/// Shows the bar at the bottom of `ui`.
pub fn show(ui: &mut Ui, world: &mut World, state: &UiState) {
    Panel::bottom("status").resizable(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            let bake = world.resource::<NoiseBake>();
            if !bake.is_complete() {
                let bar = ProgressBar::new(bake.progress())
                    .desired_width(120.0)
                    .desired_height(12.0);
                ui.add(bar.text(RichText::new("baking noise").small()));
                // The bar moves without anybody moving the mouse.
                ui.ctx().request_repaint_after(Duration::from_millis(50));
            }
            let text = RichText::new(line(world, state)).small();
            ui.add(Label::new(text).truncate());
        });
    });
}

fn line(world: &World, state: &UiState) -> String {
    let mut parts = Vec::new();
    let diagnostics = world.resource::<DiagnosticsStore>();
    let smoothed = |path| diagnostics.get(path).and_then(Diagnostic::smoothed);
    if let Some(frame) = smoothed(&FrameTimeDiagnosticsPlugin::FRAME_TIME) {
        parts.push(format!(
            "{frame:.1} ms, {:.0} fps",
            1000.0 / frame.max(1e-3)
        ));
    }
    parts.push(format!(
        "CPU {:.1} ms",
        1000.0 * world.resource::<CpuTime>().smoothed
    ));
    if let Some(gpu) = timing::gpu_milliseconds(diagnostics, Diagnostic::smoothed) {
        parts.push(format!("GPU {gpu:.1} ms"));
    }
    let size = state.picture_pixels;
    parts.push(format!("{} × {}", size.x, size.y));
    if let Some(adapter) = world.get_resource::<RenderAdapterInfo>() {
        parts.push(adapter.name.clone());
    }
    let mut passes: Vec<(&str, f64)> = timing::gpu_passes(diagnostics)
        .into_iter()
        .filter_map(|(name, diagnostic)| Some((name, diagnostic.smoothed()?)))
        .collect();
    passes.sort_by(|a, b| b.1.total_cmp(&a.1));
    // They come last: a narrow window cuts them off.
    for (name, ms) in passes.into_iter().take(PASSES) {
        parts.push(format!("{} {ms:.1} ms", name.replace('_', " ")));
    }
    parts.join("   ·   ")
}
