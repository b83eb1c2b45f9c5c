//! The columns of a folder: the union of the columns of its parts, each with a type as which all parts can be read.

use std::collections::HashMap;

use arrow::datatypes::DataType;

use super::table::FolderTable;
use crate::carry::type_name;
use crate::carry::widening::wider;
use crate::error::{Error, OutputError};
use crate::write::commit::{Columns, ManifestEntry, ManifestHeader};

/// A column of the parts that stay in a folder. A column with several types is listed once for each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EarlierColumn {
    pub(crate) name: String,
    /// The name of the Arrow type.
    pub(crate) data_type: String,
    /// The first input whose parts have the column with this type.
    pub(crate) input: String,
}

impl EarlierColumn {
    /// The columns of these parts, in the order of the headers.
    pub(super) fn list<'a>(
        parts: impl IntoIterator<Item = (&'a ManifestHeader, Vec<&'a ManifestEntry>)>,
    ) -> Vec<EarlierColumn> {
        let mut columns = Vec::new();
        for (header, entries) in parts {
            for (name, folder_type) in &header.columns {
                let types = entries.iter().filter_map(|entry| {
                    let data_type = entry.columns.type_of(name, folder_type)?;
                    (!entry.parts.is_empty()).then_some((data_type, entry))
                });
                let mut listed_types: Vec<&str> = Vec::new();
                for (data_type, entry) in types {
                    if !listed_types.contains(&data_type) {
                        listed_types.push(data_type);
                        columns.push(EarlierColumn {
                            name: name.clone(),
                            data_type: data_type.to_owned(),
                            input: entry.source.clone(),
                        });
                    }
                }
            }
        }
        columns
    }
}

/// The name of a type in messages, from the name that Arrow prints for it.
pub(super) fn shown_type(name: &str) -> String {
    let parsed = name.parse::<DataType>();
    parsed.map_or_else(|_| name.to_owned(), |parsed| type_name(&parsed))
}

/// The columns of the folder: those of the new parts, and then the other columns of the parts that stay. `input_of` is
/// the first input of this run that has a column.
///
/// # Errors
/// Readers cannot read the types of a column in the new and in the old parts as one type.
pub(super) fn unite(
    table: &FolderTable,
    own: &Columns,
    earlier: &[EarlierColumn],
    input_of: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<(String, String)>, Error> {
    let mut union = own.to_vec();
    let names = own.iter().map(|(name, _)| name.clone());
    let mut positions: HashMap<String, usize> = names.zip(0..).collect();
    for column in earlier {
        let Some(at) = positions.get(&column.name) else {
            positions.insert(column.name.clone(), union.len());
            union.push((column.name.clone(), column.data_type.clone()));
            continue;
        };
        let (_, data_type) = &mut union[*at];
        if let Some(wider) = wider(data_type, &column.data_type) {
            *data_type = wider.to_owned();
        } else if !table.format.is_text {
            let input = input_of(&column.name);
            let input = input.as_deref().unwrap_or("this run");
            let earlier_type = shown_type(&column.data_type);
            return Err(OutputError::PartTypesDiffer {
                path: table.path.clone(),
                column: column.name.clone(),
                earlier: format!("{earlier_type} in the parts of {}", column.input),
                now: format!("{} in {input}", shown_type(data_type)),
            }
            .into());
        }
    }
    Ok(union)
}

/// Whether parts with these columns can be parts of one table: names that differ only in case are equal, and so that one
/// of two types can be read as the other, unless the parts are untyped.
pub(super) fn fit_columns(some: &Columns, others: &Columns, is_untyped: bool) -> bool {
    let by_lower_name: HashMap<String, (&str, &str)> = some
        .iter()
        .map(|(name, data_type)| (name.to_lowercase(), (name.as_str(), data_type.as_str())))
        .collect();
    others.iter().all(|(name, data_type)| {
        let known = by_lower_name.get(&name.to_lowercase());
        known.is_none_or(|(known_name, known_type)| {
            known_name == name && (is_untyped || wider(known_type, data_type).is_some())
        })
    })
}
