//! Reading a preset file: RON in, checked values out.
//!
//! Values are checked while they are read, so that an error knows its line. A file is read twice: first
//! format, name and scene, which decide what the sections may hold and may stand anywhere in the file;
//! then the sections.

use std::cell::RefCell;
use std::fmt;

use bevy::math::Vec3;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{FORMAT, PresetError, belongs};
use crate::param::{Declaration, Kind, ParamSets, ReflectParamSet, Value};
use crate::scene::Scene;
use crate::suggest;

/// What a file says beside its sections.
#[derive(Default)]
pub(super) struct Header {
    format: Option<u32>,
    pub(super) name: Option<String>,
    pub(super) scene: Scene,
}

const HEADER: [&str; 3] = ["format", "name", "scene"];

/// Reads format, name and scene.
pub(super) fn header(source: &str, file: &str) -> Result<Header, PresetError> {
    let mut header = Header::default();
    read_file(source, file, &mut header)?;
    if header.format.is_none() {
        return Err(PresetError::Contents {
            file: file.to_owned(),
            line: None,
            key: "format".to_owned(),
            problem: format!("expected `format: {FORMAT}`, found nothing"),
        });
    }
    Ok(header)
}

/// A section's key, the position of a parameter in it, and the value given.
pub(super) type Given = (&'static str, usize, Value);

/// Reads the sections of a preset of `scene`.
pub(super) fn sections(
    source: &str,
    file: &str,
    scene: Scene,
    sets: &ParamSets,
) -> Result<Vec<Given>, PresetError> {
    let mut body = Body {
        scene,
        sets,
        given: Vec::new(),
    };
    read_file(source, file, &mut body)?;
    Ok(body.given)
}

fn read_file(source: &str, file: &str, fields: &mut impl Fields) -> Result<(), PresetError> {
    let path = KeyPath::default();
    let mut deserializer =
        ron::Deserializer::from_str(source).map_err(|e| problem(&e, file, &path))?;
    Struct {
        fields,
        path: &path,
    }
    .deserialize(&mut deserializer)
    .and_then(|()| deserializer.end())
    .map_err(|code| problem(&deserializer.span_error(code), file, &path))
}

fn problem(error: &ron::error::SpannedError, file: &str, path: &KeyPath) -> PresetError {
    let problem = match &error.code {
        ron::Error::Message(message) => message.clone(),
        ron::Error::ExceededRecursionLimit => "brackets are nested too deep".to_owned(),
        ron::Error::Eof => "the file ends too early".to_owned(),
        ron::Error::ExpectedStructLike | ron::Error::ExpectedNamedStructLike(_) => {
            "expected keys and values in parentheses, such as (key: 1.0)".to_owned()
        }
        code => {
            let mut text = code.to_string();
            if let Some(first) = text.get_mut(0..1) {
                first.make_ascii_lowercase();
            }
            text
        }
    };
    PresetError::Contents {
        file: file.to_owned(),
        line: Some(error.span.start.line),
        key: path.0.borrow().join("."),
        problem,
    }
}

/// The keys from the file's top to what is being read, for errors.
#[derive(Default)]
struct KeyPath(RefCell<Vec<String>>);

/// The keys of one pair of parentheses.
trait Fields {
    /// Reads the value of `key`; false if there is no such key.
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        path: &KeyPath,
        map: &mut A,
    ) -> Result<bool, A::Error>;

    /// Keys there are, for suggestions.
    fn keys(&self) -> Vec<&'static str>;
}

/// Reads `(key: value, ...)`, each key at most once.
struct Struct<'a, F> {
    fields: &'a mut F,
    path: &'a KeyPath,
}

impl<'de, F: Fields> DeserializeSeed<'de> for Struct<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct("", &[], self)
    }
}

impl<'de, F: Fields> Visitor<'de> for Struct<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("keys and values in parentheses")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen: Vec<String> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            self.path.0.borrow_mut().push(key.clone());
            if seen.contains(&key) {
                return Err(A::Error::custom("is given twice"));
            }
            if !self.fields.read(&key, self.path, &mut map)? {
                let hint = suggest::hint(&key, self.fields.keys());
                return Err(A::Error::custom(format!("there is no such key{hint}")));
            }
            self.path.0.borrow_mut().pop();
            seen.push(key);
        }
        Ok(())
    }
}

impl Fields for Header {
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        _: &KeyPath,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        match key {
            "format" => {
                let format = map.next_value::<u32>()?;
                if format != FORMAT {
                    return Err(A::Error::custom(format!(
                        "expected {FORMAT}, which this version of the program reads, found {format}"
                    )));
                }
                self.format = Some(format);
            }
            "name" => {
                let name = map.next_value::<String>()?;
                if name.trim().is_empty() || name.contains(char::is_control) {
                    return Err(A::Error::custom(format!(
                        "expected a name in one line, found {name:?}"
                    )));
                }
                self.name = Some(name);
            }
            "scene" => {
                let name = map.next_value::<String>()?;
                self.scene = Scene::from_name(&name).ok_or_else(|| {
                    let names = Scene::ALL.map(Scene::name).join(", ");
                    A::Error::custom(format!("expected one of {names}, found {name:?}"))
                })?;
            }
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(true)
    }

    fn keys(&self) -> Vec<&'static str> {
        HEADER.to_vec()
    }
}

/// The file's top level, when its sections are read.
struct Body<'a> {
    scene: Scene,
    sets: &'a ParamSets,
    given: Vec<Given>,
}

impl Fields for Body<'_> {
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        path: &KeyPath,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        if HEADER.contains(&key) {
            map.next_value::<IgnoredAny>()?;
            return Ok(true);
        }
        let Some(set) = self.sets.get(key) else {
            return Ok(false);
        };
        if !belongs(self.scene, key) {
            let scene = self.scene.name();
            return Err(A::Error::custom(format!(
                "is no section of the scene {scene:?}"
            )));
        }
        let mut section = SectionFields {
            set,
            declarations: set.declarations(),
            given: &mut self.given,
        };
        map.next_value_seed(Struct {
            fields: &mut section,
            path,
        })?;
        Ok(true)
    }

    fn keys(&self) -> Vec<&'static str> {
        HEADER
            .into_iter()
            .chain(self.sets.iter().map(|set| set.section.key))
            .collect()
    }
}

/// The parameters of one section.
struct SectionFields<'a> {
    set: &'a ReflectParamSet,
    declarations: Vec<Declaration>,
    given: &'a mut Vec<Given>,
}

impl Fields for SectionFields<'_> {
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        _: &KeyPath,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        let Some(index) = self
            .declarations
            .iter()
            .position(|declaration| declaration.name == key)
        else {
            return Ok(false);
        };
        let value = map.next_value_seed(ValueSeed(&self.declarations[index]))?;
        self.given.push((self.set.section.key, index, value));
        Ok(true)
    }

    fn keys(&self) -> Vec<&'static str> {
        self.declarations
            .iter()
            .map(|declaration| declaration.name)
            .collect()
    }
}

/// Reads a value that the declared parameter takes.
struct ValueSeed<'a>(&'a Declaration);

impl ValueSeed<'_> {
    fn reject<E: Error>(&self, found: &str) -> E {
        E::custom(format!(
            "expected {}, found {found}",
            self.0.kind.expectation()
        ))
    }

    fn check<E: Error>(&self, value: Value, found: impl fmt::Display) -> Result<Value, E> {
        self.0
            .check(value)
            .map_err(|_| self.reject(&found.to_string()))
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0.kind.expectation())
    }

    fn visit_bool<E: Error>(self, found: bool) -> Result<Value, E> {
        self.check(Value::Switch(found), found)
    }

    fn visit_u64<E: Error>(self, found: u64) -> Result<Value, E> {
        match self.0.kind {
            Kind::Float { .. } => self.check(Value::Float(found as f32), found),
            _ => match u32::try_from(found) {
                Ok(value) => self.check(Value::Int(value), found),
                Err(_) => Err(self.reject(&found.to_string())),
            },
        }
    }

    fn visit_i64<E: Error>(self, found: i64) -> Result<Value, E> {
        match self.0.kind {
            Kind::Float { .. } => self.check(Value::Float(found as f32), found),
            _ => Err(self.reject(&found.to_string())),
        }
    }

    fn visit_f64<E: Error>(self, found: f64) -> Result<Value, E> {
        self.check(Value::Float(found as f32), found as f32)
    }

    fn visit_str<E: Error>(self, found: &str) -> Result<Value, E> {
        if let Kind::Choice(names) = self.0.kind
            && let Some(name) = names.iter().find(|name| **name == found)
        {
            return Ok(Value::Choice(name));
        }
        Err(self.reject(&format!("{found:?}")))
    }

    fn visit_char<E: Error>(self, found: char) -> Result<Value, E> {
        Err(self.reject(&format!("{found:?}")))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Err(self.reject("a word that is neither a number nor in quotes"))
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Err(self.reject("None"))
    }

    fn visit_some<D: Deserializer<'de>>(self, _: D) -> Result<Value, D::Error> {
        Err(self.reject("Some"))
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<Value, E> {
        Err(self.reject("bytes"))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Value, A::Error> {
        Err(self.reject("keys and values in parentheses"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        if self.0.kind != Kind::Color {
            return Err(self.reject("several values in parentheses"));
        }
        let mut channels: Vec<f32> = Vec::new();
        while let Some(channel) = seq.next_element()? {
            channels.push(channel);
        }
        let found = format!("{channels:?}").replace('[', "(").replace(']', ")");
        match <[f32; 3]>::try_from(channels) {
            Ok(channels) => self.check(Value::Color(Vec3::from(channels)), found),
            Err(_) => Err(self.reject(&found)),
        }
    }
}
