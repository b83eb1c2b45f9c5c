//! The columns of a file by their names, and among them the fields of structs that options name:
//! `game.board`.

use arrow::array::{Array, ArrayRef, AsArray, make_array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, FieldRef, Fields};
use arrow::error::ArrowError;

use crate::read::ReadOptions;
use crate::read::columns::find_named;

/// Columns, and fields within them.
pub(super) struct Named {
    pub(super) names: Vec<String>,
    pub(super) fields: Vec<FieldRef>,
    pub(super) places: Vec<Place>,
}

/// Where the values of a column stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The column of the file.
    pub(super) root: usize,
    /// The fields that lead from its struct to the values.
    pub(super) within: Vec<usize>,
}

impl Named {
    /// The columns, and behind them what `--puzzle-column` and `--solution-column` name within one.
    pub(super) fn new(fields: &Fields, options: &ReadOptions) -> Named {
        let root = |root| Place {
            root,
            within: Vec::new(),
        };
        let mut named = Named {
            names: fields.iter().map(|field| field.name().clone()).collect(),
            fields: fields.to_vec(),
            places: (0..fields.len()).map(root).collect(),
        };
        let wanted = [&options.puzzle_column, &options.solution_column];
        for name in wanted.into_iter().flatten() {
            if find_named(&named.names, name).is_none()
                && let Some((place, field)) = within(fields, name)
            {
                named.names.push(name.clone());
                named.fields.push(field);
                named.places.push(place);
            }
        }
        named
    }
}

/// The field of a struct that `a.b` names.
fn within(fields: &Fields, name: &str) -> Option<(Place, FieldRef)> {
    name.match_indices('.').find_map(|(dot, _)| {
        let (root, field) = fields.find(&name[..dot])?;
        let mut field = field.clone();
        let mut within = Vec::new();
        for part in name[dot + 1..].split('.') {
            let DataType::Struct(parts) = field.data_type() else {
                return None;
            };
            let (at, part) = parts.find(part)?;
            let part = part.clone();
            within.push(at);
            field = part;
        }
        Some((Place { root, within }, field))
    })
}

/// The values at the end of this way; null where a struct on it is.
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
