//! The columns of the parts in an output folder. The header of a manifest lists the columns of the whole table, which
//! are the union of the columns of its parts. An entry states only how the columns of its parts differ from them.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

/// The columns of a table: their names, and the names of their Arrow types.
pub(crate) type Columns = [(String, String)];

/// How the columns of an input's parts differ from those of the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartColumns {
    /// The columns of the folder that the parts lack.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// The Arrow types of columns that have another type in the folder, by the name of the column.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, String>,
}

impl PartColumns {
    /// Whether the parts have the columns of the folder.
    pub(super) fn are_those_of_folder(&self) -> bool {
        *self == PartColumns::default()
    }

    /// The Arrow type of a column in the parts. `folder_type` is its type in the folder. `None` if the parts lack the
    /// column.
    pub(crate) fn type_of<'a>(&'a self, name: &str, folder_type: &'a str) -> Option<&'a str> {
        let is_lacking = self.lacks.iter().any(|lacking| lacking == name);
        (!is_lacking).then(|| self.types.get(name).map_or(folder_type, String::as_str))
    }
}

/// The change from the columns of one header to those of another.
pub(crate) struct ColumnChange {
    /// The columns that only the new header has.
    added: Vec<String>,
    /// The old types of the columns whose type has changed.
    old_types: Vec<(String, String)>,
    /// The types of all columns of the new header.
    new_types: HashMap<String, String>,
}

impl ColumnChange {
    pub(crate) fn between(old: &Columns, new: &Columns) -> ColumnChange {
        let old_types: HashMap<&str, &str> = (old.iter())
            .map(|(name, data_type)| (name.as_str(), data_type.as_str()))
            .collect();
        let added = new.iter().map(|(name, _)| name);
        let added = added.filter(|name| !old_types.contains_key(name.as_str()));
        let changed = new.iter().filter_map(|(name, data_type)| {
            let old_type = *old_types.get(name.as_str())?;
            (old_type != data_type).then(|| (name.clone(), old_type.to_owned()))
        });
        ColumnChange {
            added: added.cloned().collect(),
            old_types: changed.collect(),
            new_types: new.iter().cloned().collect(),
        }
    }

    /// The same columns of parts, relative to the new header instead of the old one.
    pub(crate) fn apply(&self, columns: &PartColumns) -> PartColumns {
        let lacking: HashSet<&str> = columns.lacks.iter().map(String::as_str).collect();
        let lacks = columns.lacks.iter();
        let lacks = lacks.filter(|name| self.new_types.contains_key(*name));
        let own_types = columns.types.iter();
        let other_types = self.old_types.iter().map(|(name, old)| (name, old));
        let other_types = other_types.filter(|(name, _)| {
            !lacking.contains(name.as_str()) && !columns.types.contains_key(*name)
        });
        let types = own_types.chain(other_types).filter(|(name, data_type)| {
            let new_type = self.new_types.get(*name);
            new_type.is_some_and(|new_type| new_type != *data_type)
        });
        PartColumns {
            lacks: lacks.chain(&self.added).cloned().collect(),
            types: types
                .map(|(name, data_type)| (name.clone(), data_type.clone()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let pairs = pairs.iter();
        let owned = pairs.map(|(name, data_type)| ((*name).to_owned(), (*data_type).to_owned()));
        owned.collect()
    }

    #[test]
    fn the_columns_of_a_part_stay_the_same_when_those_of_the_folder_change() {
        let nights = [
            columns(&[("a", "Int32"), ("b", "Utf8")]),
            columns(&[("a", "Int64"), ("b", "Utf8"), ("c", "Utf8")]),
            columns(&[
                ("b", "Utf8"),
                ("a", "Float64"),
                ("c", "Utf8"),
                ("d", "Int8"),
            ]),
        ];
        let mut part = PartColumns::default();
        for pair in nights.windows(2) {
            part = ColumnChange::between(&pair[0], &pair[1]).apply(&part);
            let own_columns = pair[1].iter().filter_map(|(name, folder_type)| {
                Some((name.as_str(), part.type_of(name, folder_type)?))
            });
            let mut own_columns: Vec<_> = own_columns.collect();
            own_columns.sort_unstable();
            assert_eq!(own_columns, [("a", "Int32"), ("b", "Utf8")]);
        }
        assert_eq!(part.lacks, ["c", "d"]);
        let back = ColumnChange::between(&nights[2], &nights[0]).apply(&part);
        assert!(back.are_those_of_folder(), "{back:?}");
    }
}
