//! The options `--where`, `--select` and `--rename`, which determine the rows and columns that are written.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::datatypes::{Field, FieldRef, Schema};

use crate::nearest::did_you_mean;
use crate::options::{OptionError, RENAME, SELECT};

/// Selects the rows and columns of a table that are written. First the condition selects rows, then columns are
/// selected, and then columns are renamed. The condition and the selection therefore use the old names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The condition as SQL, see [`crate::table::filter`]; `None` for all rows.
    pub condition: Option<String>,
    /// A condition that the program sets: only rows that fulfil both are written. It is parsed on its own.
    pub required: Option<String>,
    /// The selected columns in their new order; `None` for all columns.
    pub select: Option<Vec<String>>,
    /// The columns to rename: pairs of an old and a new name.
    pub rename: Vec<(String, String)>,
}

impl View {
    /// The indices of the selected columns, and their schema.
    pub(crate) fn project(&self, schema: &Schema) -> Result<(Vec<usize>, Schema), OptionError> {
        let column_indices = match &self.select {
            None => (0..schema.fields().len()).collect(),
            Some(names) => select_columns(names, schema)?,
        };
        let mut fields: Vec<FieldRef> = (column_indices.iter())
            .map(|at| schema.fields()[*at].clone())
            .collect();
        let mut renamed = HashSet::new();
        for (old, new) in &self.rename {
            let selected_index = column_indices
                .iter()
                .position(|at| schema.field(*at).name() == old);
            let Some(selected_index) = selected_index else {
                return Err(unknown_old_name(
                    old,
                    &field_names(column_indices.iter().map(|at| schema.field(*at))),
                ));
            };
            if !renamed.insert(selected_index) {
                return Err(OptionError::new(RENAME, format!("{old} is named twice")));
            }
            if new.is_empty() {
                return Err(OptionError::new(
                    RENAME,
                    format!("the new name of {old} is empty"),
                ));
            }
            fields[selected_index] =
                Arc::new(fields[selected_index].as_ref().clone().with_name(new));
        }
        let mut names = HashSet::new();
        // SQL ignores the case of names.
        let mut is_repeated = |field: &&FieldRef| !names.insert(field.name().to_ascii_lowercase());
        match fields.iter().find(|field| is_repeated(field)) {
            Some(field) => Err(OptionError::new(
                RENAME,
                format!("two columns would be called {}", field.name()),
            )),
            None => Ok((column_indices, Schema::new(fields))),
        }
    }
}

/// The error for an option that renames a column which is not written.
fn unknown_old_name(column: &str, columns: &[String]) -> OptionError {
    let suggestion = did_you_mean(column, columns.iter().map(String::as_str));
    let columns = columns.join(", ");
    OptionError::new(
        RENAME,
        format!("there is no column {column} in the output; its columns are {columns}{suggestion}"),
    )
}

fn select_columns(names: &[String], schema: &Schema) -> Result<Vec<usize>, OptionError> {
    let mut column_indices = Vec::with_capacity(names.len());
    for name in names {
        let Ok(place) = schema.index_of(name) else {
            return Err(OptionError::unknown_column(
                SELECT,
                name,
                &field_names(schema.fields().iter().map(AsRef::as_ref)),
            ));
        };
        if column_indices.contains(&place) {
            return Err(OptionError::new(SELECT, format!("{name} is named twice")));
        }
        column_indices.push(place);
    }
    Ok(column_indices)
}

fn field_names<'a>(fields: impl Iterator<Item = &'a Field>) -> Vec<String> {
    fields.map(|field| field.name().clone()).collect()
}
