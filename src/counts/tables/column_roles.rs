//! Assigns a role to each column of a table: written by this program, a label, or another kind.

use arrow::datatypes::{DataType, Schema};
use sudoku_core::grade::Rank;

use super::CountOptions;
use super::counted_columns::{COUNTED_COLUMNS, CountedColumn};
use super::distinct::column_kind::ColumnKind;
use super::written_by_commands::WrittenByCommands;
use crate::counts::frames::columns::can_group;
use crate::counts::statistics::is_label;
use crate::counts::values::type_name;
use crate::error::{AnalysisError, Error};
use crate::options::BY;

/// The indices of the columns in a table of puzzles; `None` for columns that the table does not have.
#[derive(Clone, Debug)]
pub(crate) struct RowColumns {
    /// The index of each column of [`COUNTED_COLUMNS`].
    counted_columns: Vec<Option<usize>>,
    /// The columns that count waves. Each has the id of its technique, and its index.
    pub(crate) uses_columns: Vec<(Rank, usize)>,
    /// The names and indices of the columns by which rows are grouped.
    pub(crate) grouping_columns: Vec<(String, usize)>,
    /// The columns that this program did not write.
    pub(crate) other_columns: Vec<OtherColumn>,
    /// The names and types of all columns of the table.
    pub(crate) names_and_types: Vec<(String, String)>,
}

/// A column that this program did not write.
#[derive(Clone, Debug)]
pub(crate) struct OtherColumn {
    pub(crate) column_index: usize,
    pub(crate) name: String,
    pub(crate) data_type: DataType,
    pub(crate) kind: ColumnKind,
}

impl RowColumns {
    /// The roles of columns that this program computes for the rows of a run.
    pub(crate) fn of_own_columns(schema: &Schema) -> RowColumns {
        let origin = WrittenByCommands {
            has_solve_columns: true,
            has_grade_columns: true,
            has_evaluate_columns: true,
        };
        RowColumns::with_groupings(schema, origin, true, Vec::new())
    }

    /// Assigns a role to each column.
    ///
    /// # Errors
    ///
    /// A column to group by is missing, or its values cannot be grouped.
    pub(crate) fn new(
        schema: &Schema,
        origin: WrittenByCommands,
        has_puzzles: bool,
        measure: &CountOptions,
    ) -> Result<RowColumns, Error> {
        let groupings = grouping_columns(schema, measure)?;
        Ok(RowColumns::with_groupings(
            schema,
            origin,
            has_puzzles,
            groupings,
        ))
    }

    fn with_groupings(
        schema: &Schema,
        origin: WrittenByCommands,
        has_puzzles: bool,
        grouping_columns: Vec<(String, usize)>,
    ) -> RowColumns {
        let counted_columns: Vec<Option<usize>> = COUNTED_COLUMNS
            .iter()
            .map(|column| column.index_in(schema, origin, has_puzzles))
            .collect();
        let uses_columns = Rank::all().filter_map(|rank| {
            let index = schema.index_of(&rank.waves_column()).ok()?;
            let is_count = schema.field(index).data_type().is_integer();
            (origin.has_grade_columns && is_count).then_some((rank, index))
        });
        let fields = schema.fields().iter();
        let mut columns = RowColumns {
            counted_columns,
            uses_columns: uses_columns.collect(),
            grouping_columns,
            other_columns: Vec::new(),
            names_and_types: fields
                .map(|field| (field.name().clone(), type_name(field.data_type())))
                .collect(),
        };
        let counted = COUNTED_COLUMNS.iter().zip(&columns.counted_columns);
        let own_indices = counted.filter_map(|(column, at)| at.filter(|_| !column.is_described));
        let mut own_indices: Vec<usize> = own_indices.collect();
        own_indices.extend(columns.uses_columns.iter().map(|(_, at)| *at));
        let is_grid = |name: &str| has_puzzles && ["puzzle", "solution"].contains(&name);
        let other_columns = schema.fields().iter().enumerate();
        let other_columns =
            other_columns.filter(|(at, field)| !own_indices.contains(at) && !is_grid(field.name()));
        columns.other_columns = other_columns
            .map(|(at, field)| OtherColumn {
                column_index: at,
                name: field.name().clone(),
                data_type: field.data_type().clone(),
                kind: ColumnKind::from_type(field.data_type()),
            })
            .collect();
        columns
    }

    /// The index of the column with this name in [`COUNTED_COLUMNS`]; `None` if the table does not have it.
    pub(crate) fn index_of(&self, name: &'static str) -> Option<usize> {
        let at = COUNTED_COLUMNS.iter().position(|own| own.name == name);
        debug_assert!(at.is_some(), "{name} is no counted column");
        self.counted_columns[at?]
    }

    /// The columns that the data frame of a batch has as they are, with their indices.
    pub(crate) fn frame_columns(&self) -> impl Iterator<Item = (&'static CountedColumn, usize)> {
        let counted = COUNTED_COLUMNS.iter().zip(&self.counted_columns);
        let in_frame = counted.filter(|(column, _)| column.is_in_frame);
        in_frame.filter_map(|(column, at)| Some((column, (*at)?)))
    }
}

/// The columns by which rows are grouped: first those that options name, then label columns with well-known names.
fn grouping_columns(
    schema: &Schema,
    measure: &CountOptions,
) -> Result<Vec<(String, usize)>, Error> {
    let names: Vec<&str> = schema
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .collect();
    let mut groupings: Vec<(String, usize)> = Vec::new();
    for asked in &measure.by {
        let column_index = names.iter().position(|name| name == asked);
        let column_index = column_index.or_else(|| {
            names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(asked))
        });
        let Some(at) = column_index else {
            return Err(Error::NoColumn {
                source_name: "the tables".into(),
                wanted: format!("column {asked}"),
                columns: names.iter().map(ToString::to_string).collect(),
                option: BY,
            });
        };
        let field = schema.field(at);
        if !can_group(field.data_type()) {
            return Err(AnalysisError::NoGroups {
                column: field.name().clone(),
                data_type: field.data_type().to_string(),
            }
            .into());
        }
        if !groupings.iter().any(|(_, known)| *known == at) {
            groupings.push((field.name().clone(), at));
        }
    }
    if measure.find_labels {
        for (at, name) in names.iter().enumerate() {
            let is_groupable = can_group(schema.field(at).data_type());
            if is_label(name) && is_groupable && !groupings.iter().any(|(_, known)| *known == at) {
                groupings.push(((*name).to_owned(), at));
            }
        }
    }
    Ok(groupings)
}
