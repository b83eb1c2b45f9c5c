//! Makes the names of the fields of a struct unique. Arrow and Parquet allow two fields of one name, but a JSON object
//! with a name twice has only one value for most readers, and fields of several inputs are matched by their names.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields};

use super::logical::child_fields;
use super::parts::change_parts;

/// The type with unique names in each of its structs, at any depth: `z,z` → `z,z_2`.
pub(crate) fn with_unique_names(data_type: &DataType) -> DataType {
    change_parts(data_type, &|part| match part {
        DataType::Struct(fields) => Some(DataType::Struct(renamed(fields)?)),
        _ => None,
    })
}

/// The names of the fields, of which each that has occurred before gets a number: `z,z` → `z,z_2`.
pub(super) fn unique_names(fields: &Fields) -> Vec<String> {
    // A name that a field has on its own is not given to another one.
    let own_names: HashSet<&str> = fields.iter().map(|field| field.name().as_str()).collect();
    let mut taken_names: HashSet<String> = HashSet::new();
    let names = fields.iter().map(|field| {
        let mut name = field.name().clone();
        let mut suffix = 2;
        while taken_names.contains(&name) || (suffix > 2 && own_names.contains(name.as_str())) {
            name = format!("{}_{suffix}", field.name());
            suffix += 1;
        }
        taken_names.insert(name.clone());
        name
    });
    names.collect()
}

/// The fields with unique names; `None` if their names are unique.
fn renamed(fields: &Fields) -> Option<Fields> {
    let names: HashSet<&String> = fields.iter().map(|field| field.name()).collect();
    if names.len() == fields.len() {
        return None;
    }
    let renamed = fields.iter().zip(unique_names(fields));
    Some(
        renamed
            .map(|(field, name)| Arc::new(Field::clone(field).with_name(name)))
            .collect(),
    )
}

/// The first field that gets another name, in a struct of the column at any depth, and its new name; `None` if all keep
/// their names.
pub(crate) fn first_renamed(data_type: &DataType) -> Option<(String, String)> {
    if let DataType::Struct(fields) = data_type {
        let mut pairs = fields.iter().zip(unique_names(fields));
        if let Some((field, name)) = pairs.find(|(field, name)| field.name() != name) {
            return Some((field.name().clone(), name));
        }
    }
    let mut parts = child_fields(data_type).iter();
    parts.find_map(|part| first_renamed(part.data_type()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(names: &[&str]) -> Fields {
        let fields = names
            .iter()
            .map(|name| Field::new(*name, DataType::Int8, true));
        fields.collect()
    }

    #[test]
    fn a_name_that_occurs_again_gets_a_number() {
        for (names, expected) in [
            (&["a", "b"][..], "a b"),
            (&["a", "a", "a"], "a a_2 a_3"),
            (&["a", "a", "a_2"], "a a_3 a_2"),
            (&["a", "A"], "a A"),
            (&["", ""], " _2"),
        ] {
            assert_eq!(unique_names(&fields(names)).join(" "), expected);
        }
    }

    #[test]
    fn structs_within_lists_are_renamed_too() {
        let pair = |names| DataType::Struct(fields(names));
        let list = |names| DataType::new_list(pair(names), true);
        assert_eq!(with_unique_names(&list(&["z", "z"])), list(&["z", "z_2"]));
        assert_eq!(
            first_renamed(&list(&["z", "z"])),
            Some(("z".into(), "z_2".into()))
        );
        assert_eq!(with_unique_names(&list(&["z", "y"])), list(&["z", "y"]));
        assert_eq!(first_renamed(&list(&["z", "y"])), None);
    }
}
