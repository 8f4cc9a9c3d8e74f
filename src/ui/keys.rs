//! The table of keys: from it come both what a key does and the page that says so.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;

use super::Action;
use crate::scene::Scene;

/// A key, alone or with Ctrl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Press {
    /// By its place on the keyboard.
    Code(KeyCode),
    /// By what is written on it, wherever the layout has it.
    Char(char),
    /// With Ctrl, or Command, by what is written on it.
    Ctrl(char),
}

impl Press {
    /// How the page of keys names it.
    pub fn name(self) -> String {
        match self {
            Press::Char(c) => c.to_uppercase().to_string(),
            Press::Ctrl(c) => format!("Ctrl+{}", c.to_uppercase()),
            Press::Code(code) => {
                let name = format!("{code:?}");
                let name = name.strip_prefix("Digit").unwrap_or(&name);
                let name = name.strip_prefix("Arrow").unwrap_or(name);
                match name {
                    "PageUp" => "Page up",
                    "PageDown" => "Page down",
                    "Escape" => "Esc",
                    name => name,
                }
                .to_owned()
            }
        }
    }

    fn matches(self, event: &KeyboardInput, ctrl: bool) -> bool {
        let is = |c: char| matches!(&event.logical_key, Key::Character(text) if text.to_lowercase() == c.to_string());
        match self {
            Press::Code(code) => !ctrl && event.key_code == code,
            Press::Char(c) => !ctrl && is(c),
            Press::Ctrl(c) => ctrl && is(c),
        }
    }
}

/// One row of the table.
pub struct Shortcut {
    /// Any of these.
    pub presses: &'static [Press],
    /// What it does.
    pub action: Action,
    /// The same in words.
    pub doc: &'static str,
}

macro_rules! shortcuts {
    ($($press:expr => $action:expr, $doc:literal;)*) => {
        &[$(Shortcut { presses: &$press, action: $action, doc: $doc }),*]
    };
}

/// Every key that does something.
pub const SHORTCUTS: &[Shortcut] = {
    use Press::{Char, Code, Ctrl};
    shortcuts![
        [Code(KeyCode::Digit1), Code(KeyCode::Numpad1)] => Action::Show(Scene::Cloud), "Show the cloud";
        [Code(KeyCode::Digit2), Code(KeyCode::Numpad2)] => Action::Show(Scene::Fire), "Show the fire";
        [Code(KeyCode::Digit3), Code(KeyCode::Numpad3)] => Action::Show(Scene::Both), "Show both";
        [Code(KeyCode::Digit4), Code(KeyCode::Numpad4)] => Action::ShowLab, "Show the noise lab";
        [Code(KeyCode::ArrowUp), Code(KeyCode::PageUp)] => Action::StepPreset(-1), "Previous preset, or page of the lab";
        [Code(KeyCode::ArrowDown), Code(KeyCode::PageDown)] => Action::StepPreset(1), "Next preset, or page of the lab";
        [Ctrl('s')] => Action::Save, "Save the preset";
        [Code(KeyCode::Space)] => Action::TogglePause, "Stop or run the time";
        [Char('r')] => Action::ResetCamera, "Reset the camera";
        [Char('f')] => Action::FrameScene, "Frame the scene, keeping the direction";
        [Code(KeyCode::F12), Char('p')] => Action::Screenshot, "Save a picture without the user interface";
        [Char('h'), Code(KeyCode::F10)] => Action::ToggleUi, "Hide or show the user interface";
        [Char('q')] => Action::StepQuality(1), "Next quality setting";
        [Code(KeyCode::F3), Char('t')] => Action::ToggleTimings, "Hide or show what frames take";
        [Code(KeyCode::F11)] => Action::ToggleFullscreen, "Full screen";
        [Code(KeyCode::F1), Char('?')] => Action::ToggleHelp, "This page";
        [Code(KeyCode::Escape)] => Action::Close, "Close pages and messages";
    ]
};

/// What the mouse does, for the page of keys.
pub const GESTURES: &[(&str, &str)] = &[
    ("Left drag", "Orbit"),
    ("Right or middle drag", "Pan"),
    ("Wheel", "Zoom"),
    ("Double-click", "Frame the scene"),
    ("Shift+left drag, L+left drag", "Move the sun"),
];

/// What a key event asks for.
pub fn action_of(event: &KeyboardInput, ctrl: bool) -> Option<Action> {
    if event.state != ButtonState::Pressed || event.repeat {
        return None;
    }
    SHORTCUTS
        .iter()
        .find(|shortcut| {
            shortcut
                .presses
                .iter()
                .any(|press| press.matches(event, ctrl))
        })
        .map(|shortcut| shortcut.action.clone())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn event(key_code: KeyCode, logical_key: Key) -> KeyboardInput {
        KeyboardInput {
            key_code,
            logical_key,
            state: ButtonState::Pressed,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        }
    }

    #[test]
    fn no_key_means_two_things() {
        let mut seen = HashSet::new();
        for press in SHORTCUTS.iter().flat_map(|shortcut| shortcut.presses) {
            assert!(seen.insert(press), "{} is there twice", press.name());
        }
    }

    #[test]
    fn a_letter_is_found_wherever_the_layout_has_it() {
        let french_p = event(KeyCode::KeyA, Key::Character("p".into()));
        assert_eq!(action_of(&french_p, false), Some(Action::Screenshot));
        assert_eq!(action_of(&french_p, true), None, "Ctrl+P is not P");
    }

    #[test]
    fn a_held_key_acts_once() {
        let mut held = event(KeyCode::F12, Key::F12);
        assert_eq!(action_of(&held, false), Some(Action::Screenshot));
        held.repeat = true;
        assert_eq!(action_of(&held, false), None);
    }

    #[test]
    fn keys_have_readable_names() {
        assert_eq!(Press::Code(KeyCode::Digit1).name(), "1");
        assert_eq!(Press::Ctrl('s').name(), "Ctrl+S");
        assert_eq!(Press::Code(KeyCode::ArrowUp).name(), "Up");
    }
}
