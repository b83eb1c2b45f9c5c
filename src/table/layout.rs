//! The columns of an output table, and the code that fills them from a batch of rows.

mod dataset;
mod error;
mod fill;
mod holds;
mod in_place;
mod stored;

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray};
use arrow::datatypes::{Field, FieldRef, Schema, SchemaRef};

pub use self::error::LayoutError;
pub use self::holds::Holds;
pub(crate) use self::stored::{NotStored, StoreColumn};
use crate::table::column::Rows;
use crate::table::columns::{COLUMNS, ColumnGroup, HODOKU, OutputColumn, RATING, TRIAL, WAVES};
use crate::table::filter::{Filter, FilterError};
use crate::table::outcome::Outcome;
use crate::table::view::View;

/// A column of an output table that is copied from the inputs.
#[derive(Clone, Debug)]
pub struct CopiedColumn {
    /// The name of the column in the output.
    pub name: String,
    /// The name of this program's column with the same grids, such as `puzzle`; `None` if it has no grids.
    pub grid: Option<String>,
}

/// The columns of an output table, in order. The carried columns, which are copied from the inputs, stand
/// before `puzzle`.
#[derive(Clone)]
pub struct Layout {
    column_sources: Vec<ColumnSource>,
    filter: Option<Arc<Filter>>,
    /// The columns that the output format can hold.
    format_holds: Holds,
    /// The indices in `column_sources` of the columns that are written.
    written_columns: Vec<usize>,
    schema: SchemaRef,
    /// The columns that a view does not select: their names, and their indices in `column_sources`.
    unselected_columns: Vec<(String, usize)>,
    /// How each written column is converted to its stored type; `None` for this program's own columns, which are
    /// stored unchanged.
    column_storage: Vec<Option<Arc<dyn StoreColumn>>>,
    /// Whether a rejected record becomes a row of this table, with the status `rejected`, instead of a row of a rejects
    /// table.
    has_rejects_in_place: bool,
    /// The ASCII character for an empty cell in puzzles and given solutions.
    blank: u8,
    /// The indices in `column_sources` of the columns whose names were not set by an option.
    columns_without_given_name: HashSet<usize>,
    /// The names of the columns of puzzles and solutions in layouts with the names of the inputs, before a view
    /// changes them: pairs of this program's name and the name in the output.
    grid_names: Vec<(String, String)>,
}

/// Where the values of an output column come from.
#[derive(Clone, Copy)]
enum ColumnSource {
    BuiltIn(&'static OutputColumn),
    /// A carried column, which is copied from the input. The field is its index among the carried columns.
    Carried(usize),
}

impl Layout {
    /// Makes a layout with the columns of these groups, the requested columns, and the carried columns. Carried columns
    /// stand before `puzzle`. If one of them has the name of a column of this program, it is renamed to `input_<name>`.
    /// Names that differ only in case count as equal, because SQL cannot distinguish them.
    pub fn new(groups: &[ColumnGroup], requested: &[String], carried: &[FieldRef]) -> Layout {
        let is_requested = |name: &str| requested.iter().any(|own| own == name);
        let is_chosen = |column: &&OutputColumn| match column.group {
            ColumnGroup::Request | ColumnGroup::GradeRequest => is_requested(&column.name),
            ColumnGroup::Rating => is_requested(RATING),
            ColumnGroup::Hodoku => is_requested(HODOKU),
            ColumnGroup::Trial => is_requested(TRIAL),
            ColumnGroup::Waves => is_requested(WAVES),
            group => groups.contains(&group),
        };
        let (before, after): (Vec<_>, Vec<_>) = COLUMNS
            .iter()
            .filter(is_chosen)
            .partition(|column| column.group == ColumnGroup::Origin);
        let built_in = before.iter().chain(&after);
        let mut taken_names: HashSet<String> = built_in
            .map(|column| column.name.to_ascii_lowercase())
            .collect();
        let carried_fields = carried.iter().map(|field| {
            let name = free_name(field.name(), &mut taken_names);
            Arc::new(Field::clone(field).with_name(name).with_nullable(true))
        });
        let fields: Vec<FieldRef> = (before.iter().map(|column| Arc::new(column.field())))
            .chain(carried_fields)
            .chain(after.iter().map(|column| Arc::new(column.field())))
            .collect();
        let columns: Vec<ColumnSource> = (before.into_iter().map(ColumnSource::BuiltIn))
            .chain((0..carried.len()).map(ColumnSource::Carried))
            .chain(after.into_iter().map(ColumnSource::BuiltIn))
            .collect();
        Layout {
            written_columns: (0..columns.len()).collect(),
            columns_without_given_name: (0..columns.len()).collect(),
            column_sources: columns,
            filter: None,
            unselected_columns: Vec::new(),
            format_holds: Holds::Table,
            column_storage: Vec::new(),
            has_rejects_in_place: false,
            grid_names: Vec::new(),
            blank: dataset::NORMAL_BLANK,
            schema: Arc::new(Schema::new(fields)),
        }
    }

    /// Warns of a text in a condition that is compared with a column of the input, and is nearly an id of the column of
    /// the same name that this program writes: `level = 'Hard'`.
    fn warn_of_miswritten_ids(&self, condition: &str) {
        let values = |at: usize| {
            let is_carried = matches!(self.column_sources.get(at), Some(ColumnSource::Carried(_)));
            let name = self
                .schema
                .fields()
                .get(at)
                .filter(|_| is_carried)
                .map(|field| field.name());
            let own = name.and_then(|name| COLUMNS.iter().find(|column| column.name == *name));
            own.map_or(&[][..], |column| column.values.as_slice())
        };
        let error = Filter::with_values(condition, &self.schema, &values).err();
        if let Some((column, value, id)) = error.as_ref().and_then(FilterError::miswritten_id) {
            tracing::warn!(
                "{column} is compared with '{value}': in tables of this program the value is '{id}'"
            );
        }
    }

    /// Restricts the layout to the rows and columns that the view selects.
    ///
    /// # Errors
    ///
    /// The view names an unknown column or names one twice, or its condition is invalid.
    pub fn with_view(self, view: &View) -> Result<Layout, LayoutError> {
        let (required, condition) = match (view.required.as_deref(), view.condition.as_deref()) {
            (required, Some(condition)) => (required, Some(condition)),
            (required, None) => (None, required),
        };
        let filter = match condition {
            Some(condition) => {
                let values = |at: usize| match self.column_sources.get(at) {
                    Some(ColumnSource::BuiltIn(column)) => column.values.as_slice(),
                    Some(ColumnSource::Carried(_)) | None => &[],
                };
                let filter = Filter::with_required(required, condition, &self.schema, &values)?;
                self.warn_of_miswritten_ids(condition);
                Some(Arc::new(filter))
            }
            None => self.filter,
        };
        let (column_indices, schema) = view.project(&self.schema)?;
        let mut default_named = self.columns_without_given_name;
        for (place, field) in column_indices.iter().zip(schema.fields()) {
            if self.schema.field(*place).name() != field.name() {
                default_named.remove(&self.written_columns[*place]);
            }
        }
        let mut unselected_columns = self.unselected_columns;
        for (place, field) in self.schema.fields().iter().enumerate() {
            if !column_indices.contains(&place) {
                unselected_columns.push((field.name().clone(), self.written_columns[place]));
            }
        }
        Ok(Layout {
            unselected_columns,
            written_columns: column_indices
                .into_iter()
                .map(|at| self.written_columns[at])
                .collect(),
            filter,
            schema: Arc::new(schema),
            column_storage: Vec::new(),
            columns_without_given_name: default_named,
            ..self
        })
    }

    /// The names of the columns that the format cannot hold: carried columns and solutions.
    pub fn left_out(&self) -> Vec<&str> {
        let has_no_place = |at: &usize| match (self.format_holds, self.column_sources[*at]) {
            (Holds::Table, _) => false,
            (_, ColumnSource::Carried(_)) => true,
            (holds, ColumnSource::BuiltIn(column)) => {
                holds == Holds::Puzzles && column.name == "solution"
            }
        };
        let written = self.written_columns.iter().zip(self.schema.fields());
        let lost_columns = written.filter(|(at, _)| has_no_place(at));
        lost_columns
            .map(|(_, field)| field.name().as_str())
            .collect()
    }

    /// The index among the carried columns of the column with this name in the output; `None` if it is not carried.
    pub(crate) fn carried_index(&self, name: &str) -> Option<usize> {
        let at = self.schema.index_of(name).ok()?;
        match self.column_sources[*self.written_columns.get(at)?] {
            ColumnSource::Carried(n) => Some(n),
            ColumnSource::BuiltIn(_) => None,
        }
    }

    /// The names of the columns of puzzles and solutions, if they have the names of the inputs: pairs of this program's
    /// name and the name in the output, before a view changes it.
    pub(crate) fn grid_names(&self) -> &[(String, String)] {
        &self.grid_names
    }

    /// The carried columns that have another name in the output because this program has a column of their name: pairs
    /// of the name in the inputs, which is in `carried`, and the name in the output.
    pub fn prefixed_columns<'a>(&'a self, carried: &'a [FieldRef]) -> Vec<(&'a str, &'a str)> {
        let written = self.written_columns.iter().zip(self.schema.fields());
        let own_names = written.filter(|(at, _)| self.columns_without_given_name.contains(at));
        let names = own_names.filter_map(|(at, field)| match self.column_sources[*at] {
            ColumnSource::Carried(n) => {
                Some((carried.get(n)?.name().as_str(), field.name().as_str()))
            }
            ColumnSource::BuiltIn(_) => None,
        });
        names.filter(|(input, output)| input != output).collect()
    }

    /// The written columns that are copied from the inputs.
    pub(crate) fn copied_columns(&self) -> Vec<CopiedColumn> {
        let written = self.written_columns.iter().zip(self.schema.fields());
        // A grid of the input keeps the name that it has there, which may be that of another column of this
        // program.
        let copied = written.filter_map(|(at, field)| {
            let grid = match self.column_sources[*at] {
                ColumnSource::Carried(_) => None,
                ColumnSource::BuiltIn(column) if column.name == *field.name() => return None,
                ColumnSource::BuiltIn(column) => Some(column.name.clone()),
            };
            let name = field.name().clone();
            Some(CopiedColumn { name, grid })
        });
        copied.collect()
    }

    /// Whether one of these columns is written, or is used by the condition of `--where`.
    pub(crate) fn uses_any(&self, names: &[&str]) -> bool {
        let filtered = self.filter.iter().flat_map(|filter| filter.columns());
        let is_used = |at: &usize| match self.column_sources[*at] {
            ColumnSource::BuiltIn(column) => names.contains(&column.name.as_str()),
            ColumnSource::Carried(_) => false,
        };
        let written = self
            .written_columns
            .iter()
            .filter(|_| self.format_holds == Holds::Table);
        written.chain(filtered).any(is_used)
    }

    /// Evaluates the condition of `--where` before the columns `names` are computed, so that they are computed only for
    /// the kept rows. For each row, says whether it is kept. `None` if there is no condition, if the condition uses a
    /// carried column or one of `names`, or if it fails for a row.
    pub(crate) fn keeps_before_columns(
        &self,
        names: &[&str],
        source: &str,
        outcomes: &[Outcome],
    ) -> Option<BooleanArray> {
        let filter = self.filter.as_ref()?;
        let is_known = |at: &usize| match self.column_sources[*at] {
            ColumnSource::BuiltIn(column) => !names.contains(&column.name.as_str()),
            ColumnSource::Carried(_) => false,
        };
        if !filter.columns().iter().all(is_known) {
            return None;
        }
        let rows = Rows::of_input(source, outcomes);
        let values = filter.columns().iter();
        let values = values.map(|at| self.column_values(*at, rows, &[]));
        let values: Vec<ArrayRef> = values.collect::<Result<_, _>>().ok()?;
        filter.keeps(outcomes.len(), &values).ok()
    }

    /// The Arrow schema of the table.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

/// Prefixes the name with `input_` until it differs from all taken names, and adds it to them. Taken names are in lower
/// case.
pub(crate) fn free_name(name: &str, taken_names: &mut HashSet<String>) -> String {
    let mut name = name.to_owned();
    while !taken_names.insert(name.to_ascii_lowercase()) {
        name = format!("input_{name}");
    }
    name
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::DataType;

    use super::*;

    #[test]
    fn carried_columns_never_hide_own_columns() {
        let carried_fields: Vec<FieldRef> = ["clues", "Source", "rating", "input_Clues"]
            .map(|name| Arc::new(Field::new(name, DataType::Utf8, true)))
            .into();
        let groups = [
            ColumnGroup::Origin,
            ColumnGroup::Puzzle,
            ColumnGroup::Solution,
        ];
        let layout = Layout::new(&groups, &[], &carried_fields);
        let names: Vec<_> = layout
            .schema()
            .fields()
            .iter()
            .map(|f| f.name().as_str())
            .collect();
        assert_eq!(
            names[..7],
            [
                "source",
                "row",
                "input_clues",
                "input_Source",
                "rating",
                "input_input_Clues",
                "puzzle"
            ]
        );
    }
}
