//! The lab in the window: a page in place of the picture, and its settings in the panel.

mod hand_over;
mod panel;
#[cfg(test)]
mod tests;
mod worker;

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime};

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};
use bevy_egui::egui::{self, ScrollArea, Ui};
use bevy_panorbit_camera::PanOrbitCamera;

use self::worker::Worker;
use super::screenshot::{self, Screenshots};
use super::toast::Toasts;
use crate::lab::export::{self, Export};
use crate::lab::paint::{Outcome, Painted};
use crate::lab::sheet::Body;
use crate::lab::{Lab, LabParams, Page, pages, picture};

pub use self::hand_over::{Clipboard, carry};
pub use self::panel::show as show_panel;

/// The lab as somebody left it.
#[derive(Resource)]
pub struct LabView {
    open: bool,
    lab: Lab,
    /// Pages that were looked at, as they were left.
    left: HashMap<&'static str, Box<dyn Page>>,
    /// Whether the lab's time runs.
    running: bool,
    last_frame: Option<Instant>,
    painted: Option<Painted>,
    worker: Worker,
    /// What is saved next.
    export: Export,
    saving: Vec<Task<Result<String, String>>>,
}

impl Default for LabView {
    fn default() -> Self {
        let [first, ..] = pages::all();
        Self {
            open: false,
            lab: Lab {
                params: LabParams::default(),
                page: first,
            },
            left: HashMap::new(),
            running: false,
            last_frame: None,
            painted: None,
            worker: Worker::default(),
            export: Export {
                field: 0,
                format: export::Format::default(),
                shape: export::Shape::default(),
                samples: 512,
            },
            saving: Vec::new(),
        }
    }
}

impl LabView {
    /// Whether it is shown instead of cloud and fire.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Shows it, or not.
    pub fn set_open(&mut self, open: bool) {
        self.open = open;
        self.last_frame = None;
        if open {
            self.worker.renew();
        } else {
            self.worker.stop();
        }
    }

    /// Whether something on the page changes by itself.
    pub fn is_busy(&self) -> bool {
        self.open && (self.running || self.worker.is_working()) || !self.saving.is_empty()
    }

    /// Stops or runs the lab's time.
    pub fn toggle_running(&mut self) {
        self.running = !self.running;
        self.last_frame = None;
    }

    /// Opens a page as it was left.
    pub fn open_page(&mut self, name: &'static str) {
        if self.lab.page.about().name == name {
            return;
        }
        let fresh = || {
            pages::all()
                .into_iter()
                .find(|page| page.about().name == name)
        };
        if let Some(page) = self.left.remove(name).or_else(fresh) {
            let left = std::mem::replace(&mut self.lab.page, page);
            self.left.insert(left.about().name, left);
            self.running = name == "time";
            self.export.field = 0;
            self.painted = None;
            self.worker.renew();
        }
    }

    /// Opens the page so many further down the list, round the end.
    pub fn step_page(&mut self, by: isize) {
        let names = pages::names();
        let at = names
            .iter()
            .position(|name| *name == self.lab.page.about().name);
        let next = (at.unwrap_or(0) as isize + by).rem_euclid(names.len() as isize);
        self.open_page(names[next as usize]);
    }

    /// Paints the page into what is left of `ui`.
    pub fn show(&mut self, ui: &mut Ui) {
        self.advance();
        let rect = ui.available_rect_before_wrap();
        if let Some(sheet) = self.worker.poll(&self.lab) {
            self.painted = Some(Painted::new(ui.ctx(), sheet));
        }
        let Some(painted) = &self.painted else {
            // Nothing is sampled yet: a few samples tell how wide the fields will be.
            ui.painter_at(rect)
                .rect_filled(rect, 0, super::theme::PANEL);
            return;
        };
        let about = self.lab.page.about();
        let outcome = ScrollArea::vertical()
            .id_salt(about.name)
            .auto_shrink(false)
            .show(ui, |ui| painted.show(ui, about, rect.size()))
            .inner;
        let pixels = outcome.widest * ui.ctx().pixels_per_point();
        self.worker.aim(pixels.round() as usize);
        self.point(&outcome);
    }

    /// What pointing and dragging does to the page.
    fn point(&mut self, outcome: &Outcome) {
        let drag = outcome.drag;
        let pointed = outcome.pointed.filter(|pointed| pointed.panel == 0);
        let moved = pointed.is_some_and(|pointed| self.lab.page.point_at(pointed.at));
        let on_image = outcome.image && drag != egui::Vec2::ZERO;
        let turned = on_image && self.lab.page.turn([0.5 * drag.x, 0.5 * drag.y]);
        if moved || turned {
            self.worker.renew();
        }
    }

    /// Lets the lab's time run.
    fn advance(&mut self) {
        let now = Instant::now();
        let since = self
            .last_frame
            .replace(now)
            .map_or(Duration::ZERO, |last| now - last);
        if self.running {
            // Half a cell in a second; a slow frame is no leap.
            let step = 0.5 * since.as_secs_f32().min(0.25);
            self.lab.params.time = (self.lab.params.time + step) % 256.0;
            self.worker.renew();
        }
    }

    /// Samples a field anew and saves it in the user's folder, without holding up the window.
    fn save_field(&mut self, folder: &str) {
        let what = self.export;
        let lab = self.copy();
        let name = format!("lab {} {}", lab.page.about().name, what.field + 1);
        let place = screenshot::new_path(folder, &name, what.format.extension(), SystemTime::now());
        self.saving
            .push(AsyncComputeTaskPool::get().spawn(async move {
                let path = place?;
                let files = export::save(&lab, &what, &path).map_err(|error| error.to_string())?;
                let first = files.first().unwrap_or(&path).display();
                Ok(match files.len() {
                    1 => format!("Saved: {first}"),
                    count => format!("Saved {count} slices: {first} and so on"),
                })
            }));
    }

    /// Saves the page as a picture.
    pub fn save_picture(&mut self, folder: &str, size: UVec2) {
        let lab = self.copy();
        let name = format!("lab {}", lab.page.about().name);
        let place = screenshot::new_path(folder, &name, "png", SystemTime::now());
        let size = size
            .max(UVec2::splat(64))
            .to_array()
            .map(|side| side as usize);
        self.saving
            .push(AsyncComputeTaskPool::get().spawn(async move {
                let path = place?;
                let image = picture::picture(&lab, size, false);
                let write = || crate::files::replace(&path, &export::png8(&image)?);
                write()
                    .map_err(|error| format!("{} cannot be written to: {error}", path.display()))?;
                Ok(format!("Picture saved: {}", path.display()))
            }));
    }

    fn copy(&self) -> Lab {
        Lab {
            params: self.lab.params,
            page: self.lab.page.boxed(),
        }
    }

    /// What the page's fields are called.
    fn field_names(&self) -> Vec<String> {
        let panels = self
            .painted
            .iter()
            .flat_map(|painted| painted.sheet().panels());
        panels
            .filter(|panel| matches!(panel.body, Body::Field(_)))
            .map(|panel| panel.title.clone())
            .collect()
    }
}

/// Says what has been saved, or why it has not.
pub fn report(mut view: ResMut<LabView>, mut toasts: ResMut<Toasts>) {
    if view.saving.is_empty() {
        return;
    }
    view.saving
        .retain_mut(|task| match block_on(poll_once(task)) {
            None => true,
            Some(outcome) => {
                match outcome {
                    Ok(text) => toasts.info(text),
                    Err(text) => toasts.error(text),
                }
                false
            }
        });
}

/// Takes a picture of the page, as big as it is in the window.
pub fn take_picture(world: &mut World) {
    let size = world.resource::<super::UiState>().picture_pixels;
    let folder = world.resource::<Screenshots>().folder.clone();
    world.resource_mut::<LabView>().save_picture(&folder, size);
}

/// Draws no volume while the lab is in its place.
pub fn rest_camera(view: Res<LabView>, mut camera: Single<&mut Camera, With<PanOrbitCamera>>) {
    if camera.is_active == view.open {
        camera.is_active = !view.open;
    }
}
