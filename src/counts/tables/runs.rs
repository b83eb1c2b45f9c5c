//! Counts the rows of tables of solver runs, which `compare` writes. `compare` counts its own rows with this code too.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Schema};
use polars::prelude::DataFrame;
use sudoku_core::solve::Rule;

use crate::counts::frames::aggregated_frames::AggregatedFrames;
use crate::counts::frames::aggregations::AddGroup;
use crate::counts::frames::columns::{count_column, text_column};
use crate::counts::run_figures::{rule_column, time_class};
use crate::counts::values::{TextColumn, display_values, to_counts};
use crate::error::Error;

/// A table is a table of solver runs if it has columns with these names.
const IDENTIFYING_COLUMNS: [&str; 8] = [
    "label",
    "clues",
    "solver",
    "solved",
    "guesses",
    "backtracks",
    "filled",
    "nanoseconds",
];

/// Whether a table with these columns is a table of solver runs.
pub(crate) fn is_runs_table(names: &[&str]) -> bool {
    IDENTIFYING_COLUMNS
        .iter()
        .all(|column| names.contains(column))
}

/// The names and indices of the columns in a table of solver runs that are counted.
#[derive(Clone, Debug)]
pub(crate) struct RunColumns {
    text_columns: Vec<(String, usize)>,
    number_columns: Vec<(String, usize)>,
}

impl RunColumns {
    pub(crate) fn new(schema: &Schema) -> RunColumns {
        let find = |name: String| {
            let at = schema.index_of(&name).ok()?;
            Some((name, at))
        };
        let is_text = |name: &&str| ["label", "solver"].contains(name);
        let (texts, numbers): (Vec<&str>, Vec<&str>) =
            IDENTIFYING_COLUMNS.iter().partition(|name| is_text(name));
        let numbers = numbers.into_iter().map(str::to_owned);
        RunColumns {
            text_columns: (texts.into_iter().map(str::to_owned))
                .filter_map(find)
                .collect(),
            number_columns: numbers
                .chain(Rule::ALL.map(rule_column))
                .filter_map(find)
                .collect(),
        }
    }

    /// Adds up the runs of a batch by label and solver, and by time.
    ///
    /// # Errors
    ///
    /// The rows cannot be grouped, which is a bug.
    pub(crate) fn count_runs(&self, table: &RecordBatch) -> Result<AggregatedFrames, Error> {
        let mut columns = Vec::new();
        for (name, at) in &self.text_columns {
            let texts = texts_or_values(table.column(*at));
            columns.push(text_column(name, texts.iter().map(Option::as_deref)));
        }
        let mut solved = Vec::new();
        let mut times = Vec::new();
        for (name, at) in &self.number_columns {
            let Some(numbers) = read_numbers(table.column(*at)) else {
                continue;
            };
            columns.push(count_column(name, numbers.iter().copied()));
            match name.as_str() {
                "solved" => solved = numbers,
                "nanoseconds" => times = numbers,
                _ => {}
            }
        }
        let classes = solved.iter().zip(&times).map(|run| match run {
            (Some(1..), Some(time)) => Some(u64::from(time_class(*time))),
            _ => None,
        });
        if !solved.is_empty() && !times.is_empty() {
            columns.push(count_column("time_class", classes));
        }
        let frame = DataFrame::new(table.num_rows(), columns)?;
        let is_about_runs = |add| matches!(add, AddGroup::Runs(_));
        Ok(AggregatedFrames::count(&frame, is_about_runs)?)
    }
}

/// The values of a column as texts. Labels that are numbers are converted.
fn texts_or_values(column: &dyn Array) -> Vec<Option<String>> {
    let Some(texts) = TextColumn::from_column(column) else {
        return display_values(column);
    };
    let texts = (0..column.len()).map(|row| texts.text_in_row(row).map(str::to_owned));
    texts.collect()
}

/// The values of a column of counts or booleans, as numbers; `None` for columns of other types.
fn read_numbers(column: &dyn Array) -> Option<Vec<Option<u64>>> {
    match column.data_type() {
        DataType::Boolean => {
            let values = column.as_boolean_opt()?.iter();
            Some(values.map(|value| value.map(u64::from)).collect())
        }
        _ => to_counts(column),
    }
}
