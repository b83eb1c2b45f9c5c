//! `--where`: a condition that selects rows by their columns. `docs/filter.md` lists the supported SQL. A
//! condition keeps the same rows as in DuckDB.
//!
//! ```text
//! text ─ token ─▶ tokens ─ parse, build ─▶ ConditionNode ─ evaluate ─▶ kept rows
//! ```
//!
//! An invalid condition is reported before the first row is read. If the condition cannot be computed for a row,
//! for example because of an overflow or a text that is not a number, the run fails, as in DuckDB.

mod arithmetic;
mod build;
mod cast;
mod error;
mod evaluate;
mod like;
mod node;
mod number;
mod parse;
#[cfg(test)]
mod tests;
mod token;
mod types;

pub use error::{FilterError, Problem};

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use arrow::datatypes::Schema;
use arrow::error::ArrowError;

use evaluate::{ConditionBatch, evaluate_node};
use node::{ConditionNode, Operation};
use types::SqlType;

/// A condition on the rows of a table.
///
/// ```
/// use arrow::datatypes::{DataType, Field, Schema};
/// use sudoku_pipeline::table::filter::Filter;
///
/// let schema = Schema::new(vec![Field::new("rank", DataType::UInt8, true)]);
/// let filter = Filter::new("rank between 12 and 15 or rank is null", &schema)?;
/// assert_eq!(filter.columns(), [0]);
/// let error = Filter::new("rank > 2 and rung > 3", &schema).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "column 14: there is no column rung; the columns are rank"
/// );
/// # Ok::<(), sudoku_pipeline::table::filter::FilterError>(())
/// ```
#[derive(Debug)]
pub struct Filter {
    text: String,
    condition: ConditionNode,
    columns: Vec<usize>,
    types: Vec<SqlType>,
}

impl Filter {
    /// Parses a condition for a table with this schema.
    ///
    /// # Errors
    /// The text is not a condition, names a column that does not exist, compares types that cannot
    /// be compared, or uses unsupported SQL.
    pub fn new(text: &str, schema: &Schema) -> Result<Filter, FilterError> {
        Filter::with_values(text, schema, &|_| &[])
    }

    /// Parses a condition for a table with this schema. For the index of a column in the schema, `values`
    /// returns all possible values of the column, or an empty list if any value is possible.
    ///
    /// # Errors
    /// Those of [`Filter::new`], or a column is compared with a text that is not one of its possible values.
    pub fn with_values(
        text: &str,
        schema: &Schema,
        values: &dyn Fn(usize) -> &'static [&'static str],
    ) -> Result<Filter, FilterError> {
        Filter::with_required(None, text, schema, values)
    }

    /// Parses a condition as [`Filter::with_values`] does. Rows that do not fulfil `required`, a condition that
    /// the program sets, are removed first. The two are joined as trees and not as texts, so that no parenthesis in
    /// `text` ends the required condition, and so that errors have positions in `text`.
    ///
    /// # Errors
    /// Those of [`Filter::with_values`].
    pub(crate) fn with_required(
        required: Option<&str>,
        text: &str,
        schema: &Schema,
        values: &dyn Fn(usize) -> &'static [&'static str],
    ) -> Result<Filter, FilterError> {
        let parse = |text: &str, used_columns| {
            parse::parse_condition(text, schema, values, used_columns)
                .map_err(|fault| FilterError::new(text, fault, None))
        };
        let (required, columns) = match required {
            Some(required) => {
                let (required, columns) = parse(required, Vec::new())?;
                (Some(required), columns)
            }
            None => (None, Vec::new()),
        };
        let (mut condition, columns) = parse(text, columns)?;
        if let Some(required) = required {
            let operands = vec![required, condition];
            condition = build::build_node(0, SqlType::Boolean, Operation::AndTrue, operands)
                .map_err(|fault| FilterError::new(text, fault, None))?;
        }
        let types = columns
            .iter()
            .map(|index| SqlType::from_arrow(schema.field(*index).data_type()));
        Ok(Filter {
            text: text.to_owned(),
            types: types.collect(),
            condition,
            columns,
        })
    }

    /// The columns that the condition uses, as indices in the schema.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Evaluates the condition: for each row, whether it is kept. The result has no nulls.
    ///
    /// # Errors
    /// `columns` do not match [`Filter::columns`], or the condition cannot be computed for a row.
    pub fn keeps(&self, rows: usize, columns: &[ArrayRef]) -> Result<BooleanArray, FilterError> {
        let to_filter_error = |fault, row| FilterError::new(&self.text, fault, row);
        let internal_error = |error: ArrowError| to_filter_error((0, error.into()), None);
        let columns = columns
            .iter()
            .zip(&self.types)
            .map(|(column, ty)| cast::to_calculation_type(column, *ty));
        let columns = columns.collect::<Result<_, _>>().map_err(internal_error)?;
        let batch = ConditionBatch {
            row_count: rows,
            columns,
        };
        let value = evaluate_node(&self.condition, &batch).map_err(|fault| {
            // The condition is evaluated again row by row. This is slow, but finds the row that causes the
            // error.
            let evaluate_row = |row| {
                Some((
                    row,
                    evaluate_node(&self.condition, &batch.single_row(row)).err()?,
                ))
            };
            match (0..rows).find_map(evaluate_row) {
                Some((row, fault)) => to_filter_error(fault, Some(row)),
                None => to_filter_error(fault, None),
            }
        })?;
        let kept_mask = value.to_array(rows).map_err(internal_error)?;
        let kept_mask = kept_mask.as_boolean();
        Ok(match kept_mask.nulls() {
            None => kept_mask.clone(),
            Some(valid) => BooleanArray::new(kept_mask.values() & valid.inner(), None),
        })
    }
}
