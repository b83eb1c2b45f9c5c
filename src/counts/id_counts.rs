//! Counts by id, such as rows by level, in the form in which manifests store them.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Pairs of an id and its count, sorted by id. They are stored in a vector to save memory: a run over a folder keeps
/// several of these for each input, and one node of a `BTreeMap` takes 360 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct IdCounts(Vec<(Cow<'static, str>, u64)>);

impl IdCounts {
    /// Adds `count` to the count of an id.
    pub(super) fn add(&mut self, id: impl Into<Cow<'static, str>>, count: u64) {
        let id = id.into();
        match self.0.binary_search_by(|(known, _)| known.cmp(&id)) {
            Ok(at) => self.0[at].1 = self.0[at].1.saturating_add(count),
            Err(at) => {
                self.0.reserve_exact(1);
                self.0.insert(at, (id, count));
            }
        }
    }

    /// Adds the counts of `other`.
    pub(super) fn merge(&mut self, other: &IdCounts) {
        for (id, count) in &other.0 {
            self.add(id.clone(), *count);
        }
    }

    /// The count of an id; 0 if it does not occur.
    pub(super) fn get(&self, id: &str) -> u64 {
        let position = self.0.binary_search_by(|(known, _)| (**known).cmp(id));
        position.map_or(0, |at| self.0[at].1)
    }

    /// The sum of all counts.
    pub(super) fn sum(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(id, _)| &**id)
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
                let mut counts = IdCounts::default();
                while let Some((id, count)) = map.next_entry::<String, u64>()? {
                    counts.add(id, count);
                }
                Ok(counts)
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
        let mut counts = IdCounts::default();
        counts.add("b", 2);
        counts.add("a", 1);
        counts.add("a", 4);
        let mut sum = counts.clone();
        sum.merge(&counts);
        assert_eq!([sum.get("a"), sum.get("b"), sum.get("c")], [10, 4, 0]);
        let text = serde_json::to_string(&counts).unwrap();
        assert_eq!(text, r#"{"a":5,"b":2}"#);
        assert_eq!(serde_json::from_str::<IdCounts>(&text).unwrap(), counts);
    }
}
