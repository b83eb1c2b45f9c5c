//! Finds columns by name in constant time. A table can have tens of thousands of columns.

use std::collections::HashMap;

/// Maps names to positions, ignoring the case of ASCII letters. If a name occurs twice, its first position is
/// used.
#[derive(Debug, Default)]
pub(crate) struct NameIndex(HashMap<String, usize>);

impl NameIndex {
    pub(crate) fn new<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> NameIndex {
        let mut index = NameIndex::default();
        for (at, name) in names.into_iter().enumerate() {
            index.add(name.as_ref(), at);
        }
        index
    }

    /// Adds a name and its position. If the name is already in the index, its first position is kept.
    pub(crate) fn add(&mut self, name: &str, index: usize) {
        self.0.entry(name.to_ascii_lowercase()).or_insert(index);
    }

    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.0.get(&name.to_ascii_lowercase()).copied()
        } else {
            self.0.get(name).copied()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whatever_their_case() {
        let index = NameIndex::new(["a", "B", "A", "ä"]);
        assert_eq!(index.index_of("A"), Some(0));
        assert_eq!(index.index_of("b"), Some(1));
        assert_eq!(index.index_of("ä"), Some(3));
        assert_eq!(index.index_of("Ä"), None, "only letters of ASCII are equal");
    }
}
