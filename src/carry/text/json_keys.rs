//! Splits a JSON object into its keys and their values, as JSON text.

use std::collections::HashMap;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The keys that become columns when JSON objects are read, and the position of each column.
#[derive(Default)]
pub(crate) struct KeyPositions {
    names: Vec<String>,
    positions: HashMap<String, usize>,
}

impl KeyPositions {
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Adds a name, and returns its position. If the name exists already, its existing position is returned.
    pub(crate) fn add_name(&mut self, name: String) -> usize {
        let next_position = self.names.len();
        let position = *self.positions.entry(name.clone()).or_insert(next_position);
        if position == next_position {
            self.names.push(name);
        }
        position
    }

    /// The position of a key; `None` if the key is not a column. `next` is the expected position, which is tried first,
    /// because most objects have their keys in the same order.
    pub(crate) fn position(&self, key: &str, next: usize) -> Option<usize> {
        if self.names.get(next).is_some_and(|name| name == key) {
            Some(next)
        } else {
            self.positions.get(key).copied()
        }
    }
}

/// Keys of an object that lead to a warning or an error: unknown keys, and keys that occur twice.
#[derive(Default)]
pub(crate) struct SpecialKeys {
    /// The first key that is not a column; `None` if all keys are columns.
    pub(crate) first_unknown: Option<String>,
    /// The position of a key that occurs twice; `None` if there is none. The last of its values is used.
    pub(crate) repeated_position: Option<usize>,
}

/// Stores the JSON text of each key's value in `values`, in the order of `names`. Before the call, all elements of
/// `values` must be `None`.
pub(crate) fn read_object<'a>(
    text: &'a str,
    names: &KeyPositions,
    values: &mut [Option<&'a str>],
) -> Result<SpecialKeys, serde_json::Error> {
    let mut keys = ObjectVisitor {
        names,
        values,
        special_keys: SpecialKeys::default(),
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    (&mut deserializer).deserialize_map(&mut keys)?;
    let special = keys.special_keys;
    deserializer.end()?;
    Ok(special)
}

/// A serde visitor that stores the values of an object in the order of the columns.
struct ObjectVisitor<'f, 'v, 'a> {
    names: &'f KeyPositions,
    values: &'v mut [Option<&'a str>],
    special_keys: SpecialKeys,
}

impl<'a> Visitor<'a> for &mut ObjectVisitor<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let mut next_position = 0;
        loop {
            let key = KeySeed {
                names: self.names,
                expected_position: next_position,
            };
            match map.next_key_seed(key)? {
                None => return Ok(()),
                Some(Ok(at)) => {
                    let value: &'a RawValue = map.next_value()?;
                    if self.values[at].replace(value.get()).is_some() {
                        self.special_keys.repeated_position = Some(at);
                    }
                    next_position = at + 1;
                }
                Some(Err(key)) => {
                    map.next_value::<IgnoredAny>()?;
                    self.special_keys.first_unknown.get_or_insert(key);
                }
            }
        }
    }
}

/// A serde seed that finds the column for a key.
#[derive(Clone, Copy)]
struct KeySeed<'f> {
    names: &'f KeyPositions,
    expected_position: usize,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Result<usize, String>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        let found_position = self.names.position(key, self.expected_position);
        Ok(found_position.ok_or_else(|| key.to_owned()))
    }
}

/// The keys of an object, and their values as JSON text.
pub(crate) fn keys_and_values(text: &str) -> Result<Vec<(String, &str)>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let pairs = (&mut deserializer).deserialize_map(PairsVisitor)?;
    deserializer.end()?;
    Ok(pairs)
}

struct PairsVisitor;

impl<'a> Visitor<'a> for PairsVisitor {
    type Value = Vec<(String, &'a str)>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &'a RawValue>()? {
            pairs.push((key, value.get()));
        }
        Ok(pairs)
    }
}

/// The elements of an array as JSON text.
pub(crate) fn array_elements(text: &str) -> Result<Vec<&str>, serde_json::Error> {
    let elements: Vec<&RawValue> = serde_json::from_str(text)?;
    Ok(elements.into_iter().map(RawValue::get).collect())
}

/// The JSON text of the value at this path in an object; `None` if there is none.
pub(crate) fn value_at_path<'a>(text: &'a str, path: &[String]) -> Option<&'a str> {
    path.iter().try_fold(text, |text, wanted| {
        let pairs = keys_and_values(text).ok()?;
        let found_pair = pairs.into_iter().rfind(|(key, _)| key == wanted);
        found_pair.map(|(_, value)| value)
    })
}
