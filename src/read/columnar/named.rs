//! Finds the columns of a file by name. A name such as `game.board` means a struct field.

use arrow::array::{Array, ArrayRef, AsArray, make_array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, FieldRef, Fields};
use arrow::error::ArrowError;

use crate::read::ReadOptions;
use crate::read::columns::find_named;

/// All columns that can be named: the columns of a file, followed by the struct fields that options name. The three
/// lists have one item for each column, in the same order.
pub(super) struct NamedColumns {
    pub(super) names: Vec<String>,
    pub(super) fields: Vec<FieldRef>,
    pub(super) column_paths: Vec<ColumnPath>,
}

/// The path to the values of a struct field: the column of the file, and the fields inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ColumnPath {
    /// The index of the column in the file.
    pub(super) root: usize,
    /// The indices of the struct fields, from the outermost to the innermost; empty for the column itself.
    pub(super) within: Vec<usize>,
}

impl NamedColumns {
    /// Lists all columns, followed by the struct fields that `--puzzle-column` and `--solution-column` name.
    pub(super) fn new(fields: &Fields, options: &ReadOptions) -> NamedColumns {
        let root = |root| ColumnPath {
            root,
            within: Vec::new(),
        };
        let mut named_columns = NamedColumns {
            names: fields.iter().map(|field| field.name().clone()).collect(),
            fields: fields.to_vec(),
            column_paths: (0..fields.len()).map(root).collect(),
        };
        let wanted_columns = [&options.puzzle_column, &options.solution_column];
        for name in wanted_columns.into_iter().flatten() {
            if find_named(&named_columns.names, name).is_none()
                && let Some((place, field)) = find_struct_field(fields, name)
            {
                named_columns.names.push(name.clone());
                named_columns.fields.push(field);
                named_columns.column_paths.push(place);
            }
        }
        named_columns
    }
}

/// The struct field for a name such as `a.b`; `None` if there is no such field.
fn find_struct_field(fields: &Fields, name: &str) -> Option<(ColumnPath, FieldRef)> {
    name.match_indices('.').find_map(|(dot, _)| {
        let (root, field) = fields.find(&name[..dot])?;
        let mut field = field.clone();
        let mut path = Vec::new();
        for part in name[dot + 1..].split('.') {
            let DataType::Struct(parts) = field.data_type() else {
                return None;
            };
            let (at, part) = parts.find(part)?;
            let part = part.clone();
            path.push(at);
            field = part;
        }
        Some((ColumnPath { root, within: path }, field))
    })
}

/// The values of the struct field at this path. A value is null if a struct on the path is null.
pub(super) fn values(column: &ArrayRef, within: &[usize]) -> Result<ArrayRef, ArrowError> {
    let mut column = column.clone();
    for at in within {
        let parent = column
            .as_struct_opt()
            .filter(|parent| *at < parent.num_columns());
        let parent = parent.ok_or_else(|| {
            ArrowError::SchemaError(format!("{} has no such field", column.data_type()))
        })?;
        let part = parent.column(*at);
        column = match parent.nulls() {
            None => part.clone(),
            nulls => {
                let nulls = NullBuffer::union(nulls, part.logical_nulls().as_ref());
                make_array(part.to_data().into_builder().nulls(nulls).build()?)
            }
        };
    }
    Ok(column)
}
