//! Counts by id, in the form in which manifests store them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Counts by id, sorted by id. They are stored in a slice to save memory: a run over a folder keeps several of
/// these for each input, and one node of a `BTreeMap` takes 360 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct IdCounts(Box<[(Box<str>, u64)]>);

impl IdCounts {
    pub(super) fn new(mut counts: Vec<(Box<str>, u64)>) -> IdCounts {
        counts.sort_unstable();
        IdCounts(counts.into())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, (Box<str>, u64)> {
        self.0.iter()
    }
}

impl Serialize for IdCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, count)| (id, count)))
    }
}

impl<'de> Deserialize<'de> for IdCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<IdCounts, D::Error> {
        struct CountsVisitor;
        impl<'de> Visitor<'de> for CountsVisitor {
            type Value = IdCounts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("counts by ids")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<IdCounts, M::Error> {
                let mut counts = Vec::new();
                while let Some(count) = map.next_entry()? {
                    counts.push(count);
                }
                Ok(IdCounts::new(counts))
            }
        }
        deserializer.deserialize_map(CountsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_by_id_and_read_again() {
        let counts = IdCounts::new(vec![("b".into(), 2), ("a".into(), 1)]);
        let text = serde_json::to_string(&counts).unwrap();
        assert_eq!(text, r#"{"a":1,"b":2}"#);
        assert_eq!(serde_json::from_str::<IdCounts>(&text).unwrap(), counts);
    }
}
