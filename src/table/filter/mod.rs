//! `--where`: which rows of the output are kept, as an SQL expression over its columns.
//!
//! ```text
//! text ─ parse ─▶ SQL's syntax tree ─ resolve against the schema ─▶ Node ─ evaluate a batch ─▶ kept rows
//! ```
//!
//! Everything that can be wrong with an expression is found before the first row is read. What a
//! value does not allow (division by zero, an overflow, text that is no number) is null, and a row
//! for which the expression is null is left out, as in SQL.

mod complain;
mod error;
mod evaluate;
mod functions;
mod kind;
mod node;
mod parse;
mod resolve;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;

pub use error::{FilterError, Place, Problem};

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use arrow::datatypes::Schema;

use crate::error::Error;
use evaluate::Rows;
use node::Node;

/// A condition on the rows of a table.
///
/// ```
/// use arrow::datatypes::{DataType, Field, Schema};
/// use sudoku_pipeline::filter::Filter;
///
/// let schema = Schema::new(vec![Field::new("rank", DataType::UInt8, true)]);
/// let filter = Filter::new("rank between 12 and 15 or rank is null", &schema)?;
/// assert_eq!(filter.columns(), [0]);
/// let error = Filter::new("rung > 3", &schema).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "--where, character 1: there is no column rung; the columns are rank"
/// );
/// # Ok::<(), sudoku_pipeline::filter::FilterError>(())
/// ```
#[derive(Debug)]
pub struct Filter {
    condition: Node,
    columns: Vec<usize>,
}

impl Filter {
    /// The condition that this text means for a table with this schema.
    ///
    /// # Errors
    /// It is no expression, names a column that is not there, compares what cannot be compared, or
    /// is no condition.
    pub fn new(text: &str, schema: &Schema) -> Result<Filter, FilterError> {
        let expression = parse::parse(text)?;
        let (condition, columns) = resolve::condition(&expression, schema)?;
        Ok(Filter { condition, columns })
    }

    /// The columns that it looks at, by their index in the schema.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Which of these rows it keeps: a value for each, never null.
    ///
    /// # Errors
    /// `columns` are not those of [`Filter::columns`], or hold integers above 2⁶³.
    pub fn keeps(&self, rows: usize, columns: &[ArrayRef]) -> Result<BooleanArray, Error> {
        let value = evaluate::evaluate(&self.condition, Rows { rows, columns })?;
        let kept = value.spread(rows)?;
        let kept = kept.as_boolean();
        Ok(match kept.nulls() {
            None => kept.clone(),
            Some(valid) => BooleanArray::new(kept.values() & valid.inner(), None),
        })
    }
}
