//! One parameter's value, between a struct's field, a text and a file.

use std::fmt;

use bevy::math::Vec3;
use bevy::reflect::{Reflect, structs::Struct};

use super::{Declaration, Kind};

/// A value read from, or written to, a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// For [`Kind::Float`].
    Float(f32),
    /// For [`Kind::Int`].
    Int(u32),
    /// For [`Kind::Switch`].
    Switch(bool),
    /// For [`Kind::Choice`].
    Choice(&'static str),
    /// For [`Kind::Color`]: sRGB.
    Color(Vec3),
}

/// A value that a parameter does not take: one sentence naming the parameter, what it takes and what
/// was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: expected {expected}, found {found}")]
pub struct ValueError {
    /// The parameter.
    pub name: &'static str,
    /// What it takes.
    pub expected: String,
    /// What was given.
    pub found: String,
}

impl fmt::Display for Value {
    /// The value as a preset file writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Switch(value) => write!(f, "{value}"),
            Value::Choice(name) => write!(f, "{name:?}"),
            Value::Color(c) => write!(f, "({:?}, {:?}, {:?})", c.x, c.y, c.z),
        }
    }
}

impl Declaration {
    /// An error saying what this parameter takes.
    pub fn reject(&self, found: impl Into<String>) -> ValueError {
        ValueError {
            name: self.name,
            expected: self.kind.expectation(),
            found: found.into(),
        }
    }

    /// Returns `value` if it is of this parameter's kind and within its range.
    ///
    /// # Errors
    /// Names the parameter, the range and the value.
    pub fn check(&self, value: Value) -> Result<Value, ValueError> {
        let fits = match (&self.kind, value) {
            (Kind::Float { range, .. }, Value::Float(value)) => range.contains(&value),
            (Kind::Int { range }, Value::Int(value)) => range.contains(&value),
            (Kind::Switch, Value::Switch(_)) => true,
            (Kind::Choice(names), Value::Choice(name)) => names.contains(&name),
            (Kind::Color, Value::Color(color)) => color
                .to_array()
                .iter()
                .all(|channel| (0.0..=1.0).contains(channel)),
            _ => false,
        };
        if fits {
            Ok(value)
        } else {
            Err(self.reject(value.to_string()))
        }
    }

    /// Reads this parameter out of `set`.
    ///
    /// # Panics
    /// If `set` is not of the type that the declaration came from.
    pub fn get(&self, set: &dyn Struct) -> Value {
        let field = set.field_at(self.index).expect("a declared field exists");
        let number = || {
            *field
                .try_downcast_ref::<u32>()
                .expect("a declared u32 field")
        };
        match &self.kind {
            Kind::Float { .. } => Value::Float(
                *field
                    .try_downcast_ref::<f32>()
                    .expect("a declared f32 field"),
            ),
            Kind::Int { .. } => Value::Int(number()),
            Kind::Switch => Value::Switch(number() != 0),
            // An index beyond the table can only come from code; show it as the last entry.
            Kind::Choice(names) => Value::Choice(names[(number() as usize).min(names.len() - 1)]),
            Kind::Color => Value::Color(
                *field
                    .try_downcast_ref::<Vec3>()
                    .expect("a declared Vec3 field"),
            ),
        }
    }

    /// Writes this parameter into `set`, after [`check`](Self::check).
    ///
    /// # Errors
    /// If the value is of another kind or out of range; `set` is then unchanged.
    ///
    /// # Panics
    /// If `set` is not of the type that the declaration came from.
    pub fn set(&self, set: &mut dyn Struct, value: Value) -> Result<(), ValueError> {
        let value = self.check(value)?;
        let field = set
            .field_at_mut(self.index)
            .expect("a declared field exists");
        let stored: Box<dyn Reflect> = match (value, &self.kind) {
            (Value::Float(value), _) => Box::new(value),
            (Value::Int(value), _) => Box::new(value),
            (Value::Switch(value), _) => Box::new(u32::from(value)),
            (Value::Choice(name), Kind::Choice(names)) => {
                Box::new(names.iter().position(|n| *n == name).unwrap_or(0) as u32)
            }
            (Value::Choice(_), _) => return Err(self.reject(value.to_string())),
            (Value::Color(value), _) => Box::new(value),
        };
        field.apply(stored.as_partial_reflect());
        Ok(())
    }

    /// Reads a value from text, as typed after `--set name=`.
    ///
    /// # Errors
    /// If the text is no such value, or out of range.
    pub fn parse(&self, text: &str) -> Result<Value, ValueError> {
        let text = text.trim();
        let value = match &self.kind {
            Kind::Float { .. } => text.parse().ok().map(Value::Float),
            Kind::Int { .. } => text.parse().ok().map(Value::Int),
            Kind::Switch => match text {
                "true" | "on" | "1" => Some(Value::Switch(true)),
                "false" | "off" | "0" => Some(Value::Switch(false)),
                _ => None,
            },
            Kind::Choice(names) => names
                .iter()
                .find(|name| name.eq_ignore_ascii_case(text))
                .map(|n| Value::Choice(n)),
            Kind::Color => parse_color(text).map(Value::Color),
        };
        let value = value.ok_or_else(|| self.reject(format!("{text:?}")))?;
        self.check(value).map_err(|_| self.reject(text))
    }
}

/// `(r, g, b)` or `r,g,b`, each 0 to 1, or `#rrggbb`.
fn parse_color(text: &str) -> Option<Vec3> {
    if let Some(hex) = text.strip_prefix('#') {
        let rgb = u32::from_str_radix(hex, 16)
            .ok()
            .filter(|_| hex.len() == 6)?;
        let channel = |shift: u32| ((rgb >> shift) & 0xff) as f32 / 255.0;
        return Some(Vec3::new(channel(16), channel(8), channel(0)));
    }
    let inner = text.trim_start_matches('(').trim_end_matches(')');
    let channels: Vec<f32> = inner
        .split(',')
        .map(|c| c.trim().parse().ok())
        .collect::<Option<_>>()?;
    <[f32; 3]>::try_from(channels).ok().map(Vec3::from)
}
