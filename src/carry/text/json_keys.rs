//! Reads the values of a JSON object by key, as they are written.

use std::collections::HashMap;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The names of columns, and their positions.
#[derive(Default)]
pub(crate) struct KeyNames {
    names: Vec<String>,
    positions: HashMap<String, usize>,
}

impl KeyNames {
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Adds a name, unless it is there. Returns its position.
    pub(crate) fn add(&mut self, name: String) -> usize {
        let next = self.names.len();
        let at = *self.positions.entry(name.clone()).or_insert(next);
        if at == next {
            self.names.push(name);
        }
        at
    }

    /// The position of a key. Most objects have their keys in the same order, so it tries the position
    /// `next` first.
    pub(crate) fn position(&self, key: &str, next: usize) -> Option<usize> {
        match self.names.get(next).is_some_and(|name| name == key) {
            true => Some(next),
            false => self.positions.get(key).copied(),
        }
    }
}

/// The keys of an object that are special.
#[derive(Default)]
pub(crate) struct SpecialKeys {
    /// The first key that is not a column.
    pub(crate) other: Option<String>,
    /// The position of a key that the object has twice. Its last value is stored.
    pub(crate) repeated: Option<usize>,
}

/// Stores the values of the keys in `names` in `values`, which have no values yet.
pub(crate) fn read<'a>(
    text: &'a str,
    names: &KeyNames,
    values: &mut [Option<&'a str>],
) -> Result<SpecialKeys, serde_json::Error> {
    let mut keys = Keys {
        names,
        values,
        special: SpecialKeys::default(),
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    (&mut deserializer).deserialize_map(&mut keys)?;
    let special = keys.special;
    deserializer.end()?;
    Ok(special)
}

/// Visits an object, and stores the values of its keys in the order of the columns.
struct Keys<'f, 'v, 'a> {
    names: &'f KeyNames,
    values: &'v mut [Option<&'a str>],
    special: SpecialKeys,
}

impl<'a> Visitor<'a> for &mut Keys<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let mut next = 0;
        loop {
            let key = Key {
                names: self.names,
                next,
            };
            match map.next_key_seed(key)? {
                None => return Ok(()),
                Some(Ok(at)) => {
                    let value: &'a RawValue = map.next_value()?;
                    if self.values[at].replace(value.get()).is_some() {
                        self.special.repeated = Some(at);
                    }
                    next = at + 1;
                }
                Some(Err(key)) => {
                    map.next_value::<IgnoredAny>()?;
                    self.special.other.get_or_insert(key);
                }
            }
        }
    }
}

/// Finds the column of a key.
#[derive(Clone, Copy)]
struct Key<'f> {
    names: &'f KeyNames,
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Result<usize, String>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        let found = self.names.position(key, self.next);
        Ok(found.ok_or_else(|| key.to_owned()))
    }
}

/// The keys and values of an object, as they are written.
pub(crate) fn pairs(text: &str) -> Result<Vec<(String, &str)>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let pairs = (&mut deserializer).deserialize_map(Pairs)?;
    deserializer.end()?;
    Ok(pairs)
}

struct Pairs;

impl<'a> Visitor<'a> for Pairs {
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

/// The elements of an array, as they are written.
pub(crate) fn elements(text: &str) -> Result<Vec<&str>, serde_json::Error> {
    let elements: Vec<&RawValue> = serde_json::from_str(text)?;
    Ok(elements.into_iter().map(RawValue::get).collect())
}

/// The value at this path within an object, if there is one.
pub(crate) fn at_path<'a>(text: &'a str, path: &[String]) -> Option<&'a str> {
    path.iter().try_fold(text, |text, wanted| {
        let pairs = pairs(text).ok()?;
        let found = pairs.into_iter().rfind(|(key, _)| key == wanted);
        found.map(|(_, value)| value)
    })
}
