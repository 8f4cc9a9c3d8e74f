//! From the lab to cloud and fire, and to the clipboard.

use bevy::prelude::*;

use super::LabView;
use crate::lab::Carry;
use crate::param::preset::Preset;
use crate::scene::Scene;
use crate::ui::toast::Toasts;
use crate::ui::{actions, presets};

/// Sets what a page carries over, and shows the cloud or the fire with it.
pub fn carry(world: &mut World, carry: &Carry) {
    world.resource_mut::<LabView>().set_open(false);
    let current = *world.resource::<Scene>();
    if current != carry.scene && current != Scene::Both {
        actions::show_scene(world, carry.scene);
    }
    let name = presets::current_name(world);
    let mut preset = Preset::capture(world, &name);
    for (name, value) in &carry.values {
        if let Err(error) = preset.set(name, value) {
            world.resource_mut::<Toasts>().error(error.to_string());
            return;
        }
    }
    preset.apply(world);
    let set: Vec<String> = carry
        .values
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    world
        .resource_mut::<Toasts>()
        .info(format!("From the lab: {}", set.join(", ")));
}

/// The clipboard, which on some systems forgets what was copied when it is closed.
#[derive(Default)]
pub struct Clipboard(Option<arboard::Clipboard>);

/// Copies a text.
pub fn copy(world: &mut World, what: &str, text: String) {
    let mut clipboard = world.non_send_mut::<Clipboard>();
    let copied = match clipboard.0.take().map_or_else(arboard::Clipboard::new, Ok) {
        Ok(mut open) => {
            let copied = open.set_text(text);
            clipboard.0 = Some(open);
            copied
        }
        Err(error) => Err(error),
    };
    let mut toasts = world.resource_mut::<Toasts>();
    match copied {
        Ok(()) => toasts.info(format!("Copied as {what}")),
        Err(error) => toasts.error(format!("the clipboard cannot be reached: {error}")),
    }
}
