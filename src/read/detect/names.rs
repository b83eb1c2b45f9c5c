//! Collects the column names of all inputs and their order, for outputs that have the same columns as the input.

use std::collections::HashSet;

use arrow::datatypes::FieldRef;

use crate::options::RENAME;
use crate::read::{ColumnInfo, ColumnRole, InputColumns, RecognisedInput};

/// The names and the order of the columns of several inputs.
#[derive(Clone, Debug, Default)]
pub struct ColumnNames {
    columns: Vec<ColumnInfo>,
    /// The names in lower case of the columns that are copied to the output.
    carried_names: HashSet<String>,
    /// A message about two inputs whose puzzle or solution columns have different names; `None` if there are no such
    /// inputs.
    conflict: Option<String>,
}

impl ColumnNames {
    /// Adds the columns of an input. An input whose format has no column names adds none.
    pub(crate) fn add(&mut self, path: &str, input: &RecognisedInput) {
        for column in names_of(input) {
            if column.role == ColumnRole::Carried {
                if self.carried_names.insert(column.name.to_ascii_lowercase()) {
                    self.columns.push(column);
                }
                continue;
            }
            let same_role = |known: &&ColumnInfo| known.role == column.role;
            let same_name = |known: &ColumnInfo| known.name.eq_ignore_ascii_case(&column.name);
            match self.columns.iter().find(same_role) {
                None => self.columns.push(column),
                Some(known) if !same_name(known) && self.conflict.is_none() => {
                    self.conflict = Some(format!(
                        "{path} calls a column {}, and an input before it {}: the output calls it {}; \
                         {RENAME} gives it another name",
                        column.name,
                        known.name,
                        default_name(column.role)
                    ));
                }
                Some(_) => {}
            }
        }
    }

    /// The columns of all inputs with their roles; empty if no input has named columns.
    pub fn columns(&self) -> &[ColumnInfo] {
        match self.conflict {
            None => &self.columns,
            Some(_) => &[],
        }
    }

    /// Whether any input has a column of this name, in any case.
    pub(crate) fn is_column(&self, name: &str) -> bool {
        let mut columns = self.columns.iter();
        self.carried_names.contains(&name.to_ascii_lowercase())
            || columns.any(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Sets the name of the column with this role, also if the inputs disagree about it. If no input has named columns,
    /// the column is added.
    pub(crate) fn set_grid_name(&mut self, role: ColumnRole, name: &str) {
        match self.columns.iter_mut().find(|column| column.role == role) {
            Some(column) => name.clone_into(&mut column.name),
            None if role == ColumnRole::Puzzle => self.columns.push(ColumnInfo {
                name: name.to_owned(),
                role,
            }),
            None => {}
        }
        self.conflict = None;
    }

    /// Sets the spelling of the name of a carried column. Names that differ only in case are the same.
    pub(crate) fn spell_carried(&mut self, name: &str) {
        let is_called = |column: &&mut ColumnInfo| {
            column.role == ColumnRole::Carried && column.name.eq_ignore_ascii_case(name)
        };
        if let Some(column) = self.columns.iter_mut().find(is_called) {
            name.clone_into(&mut column.name);
        }
    }

    /// A message about two inputs with different names for their puzzle or solution columns, of which an output can
    /// keep only one; `None` if there are no such inputs.
    pub fn conflict(&self) -> Option<&str> {
        self.conflict.as_deref()
    }
}

/// The name that tables of this program use for the puzzle or solution column.
fn default_name(role: ColumnRole) -> &'static str {
    match role {
        ColumnRole::Solution => "solution",
        _ => "puzzle",
    }
}

/// The columns of an input that are read, with their names in the output; empty if the input's format has no column
/// names.
pub fn names_of(input: &RecognisedInput) -> Vec<ColumnInfo> {
    if input.info.format.columns == InputColumns::Named {
        named_columns(&input.columns, &input.carried)
    } else {
        Vec::new()
    }
}

/// The columns of a table that are read, with their names in the output. A puzzle column that is a struct field, such
/// as `game.board`, is left out.
pub(crate) fn named_columns(columns: &[ColumnInfo], carried: &[FieldRef]) -> Vec<ColumnInfo> {
    let mut carried = carried.iter();
    let is_struct_field = |name: &str| {
        let root = name.split_once('.').map(|(root, _)| root);
        root.is_some_and(|root| columns.iter().any(|column| column.name == root))
    };
    let used_columns = columns
        .iter()
        .filter(|column| column.role != ColumnRole::Dropped);
    used_columns
        .filter_map(|column| {
            let name = match column.role {
                ColumnRole::Carried => carried.next()?.name().clone(),
                role if column.name.is_empty() || is_struct_field(&column.name) => {
                    default_name(role).to_owned()
                }
                _ => column.name.clone(),
            };
            let role = column.role;
            Some(ColumnInfo { name, role })
        })
        .collect()
}
