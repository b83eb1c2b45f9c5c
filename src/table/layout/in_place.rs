//! Layouts of tables in which each rejected record is a row, at its position among the other records. They are for
//! callers whose output must have one row per input record.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, UInt64Type};

use super::{ColumnSource, Layout, LayoutError, free_name};
use crate::options::{OptionError, WHERE};
use crate::table::column::Rows;
use crate::table::outcome::Outcome;
use crate::table::reject::Reject;

/// The status of a record that was rejected.
const REJECTED_STATUS: &str = "rejected";

/// The columns that say why a record was rejected, as in the rejects table. They are null in rows of accepted records.
const REASON_COLUMNS: [&str; 3] = ["error", "message", "raw"];

impl Layout {
    /// Adds a row for each rejected record. Its `status` is `rejected`, and the columns `error`, `message` and
    /// `raw` have the reason. The carried columns are filled, and all other columns are null.
    ///
    /// # Errors
    ///
    /// The layout has a condition, which cannot be computed for such rows.
    pub fn with_rejects_in_place(self) -> Result<Layout, LayoutError> {
        if self.filter.is_some() {
            return Err(OptionError::new(
                WHERE,
                format!(
                    "rejected records are rows of this table, and a condition cannot be computed for them: \
                     leave {WHERE} out"
                ),
            )
            .into());
        }
        let mut fields: Vec<FieldRef> =
            Vec::with_capacity(self.written_columns.len() + REASON_COLUMNS.len());
        let mut names: HashSet<String> = (self.schema.fields().iter())
            .map(|field| field.name().to_ascii_lowercase())
            .chain(REASON_COLUMNS.map(str::to_owned))
            .collect();
        for (at, field) in self.written_columns.iter().zip(self.schema.fields()) {
            let mut field = Field::clone(field);
            if REASON_COLUMNS.contains(&field.name().to_ascii_lowercase().as_str()) {
                let name = free_name(field.name(), &mut names);
                field = field.with_name(name);
            }
            if let ColumnSource::BuiltIn(column) = self.column_sources[*at]
                && !["source", "row", "status"].contains(&column.name.as_str())
            {
                field = field.with_nullable(true);
            }
            fields.push(Arc::new(field));
        }
        fields.extend(REASON_COLUMNS.map(|name| Arc::new(Field::new(name, DataType::Utf8, true))));
        Ok(Layout {
            schema: Arc::new(Schema::new(fields)),
            has_rejects_in_place: true,
            ..self
        })
    }

    /// Whether rejected records are rows of this table.
    pub(crate) fn has_rejects_in_place(&self) -> bool {
        self.has_rejects_in_place
    }

    /// Fills all columns for accepted and rejected records. This program's columns are computed, and carried columns
    /// are copied.
    pub(crate) fn fill_in_place(
        &self,
        source: &str,
        outcomes: &[Outcome],
        rejects: &[Reject],
        carried_columns: &[ArrayRef],
    ) -> Result<RecordBatch, LayoutError> {
        let row_sources = rows_in_order(outcomes, rejects);
        let indices: UInt32Array = (row_sources.iter())
            .map(|place| place.ok().map(|at| at as u32))
            .collect();
        let rows = Rows::of_input(source, outcomes);
        let mut columns: Vec<ArrayRef> =
            Vec::with_capacity(self.written_columns.len() + REASON_COLUMNS.len());
        for at in &self.written_columns {
            let column = match self.column_sources[*at] {
                ColumnSource::Carried(n) => carried_columns[n].clone(),
                ColumnSource::BuiltIn(column) => {
                    let values = self.replace_column_blanks(column, column.fill(rows)?)?;
                    match column.name.as_str() {
                        _ if rejects.is_empty() => values,
                        "source" => Arc::new(StringArray::from(vec![source; row_sources.len()])),
                        "row" => {
                            let numbers = values.as_primitive::<UInt64Type>();
                            let rows = row_sources.iter().map(|place| match *place {
                                Ok(at) => numbers.value(at),
                                Err(at) => rejects[at].row,
                            });
                            Arc::new(rows.collect::<UInt64Array>())
                        }
                        "status" => {
                            let texts = values.as_string::<i32>();
                            let status = (row_sources.iter())
                                .map(|place| place.map_or(REJECTED_STATUS, |at| texts.value(at)));
                            Arc::new(StringArray::from_iter_values(status))
                        }
                        _ => take(&values, &indices, None)?,
                    }
                }
            };
            columns.push(column);
        }
        let reason_column = |value: fn(&Reject) -> &str| {
            let texts = row_sources.iter().map(|place| match *place {
                Ok(_) => None,
                Err(at) => Some(value(&rejects[at])),
            });
            Arc::new(texts.collect::<StringArray>()) as ArrayRef
        };
        columns.push(reason_column(|reject| reject.reason.kind.id()));
        columns.push(reason_column(|reject| &reject.reason.message));
        columns.push(reason_column(|reject| &reject.raw));
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }
}

/// For each record in input order: `Ok` with the index of its outcome, or `Err` with the index of its reject.
fn rows_in_order(outcomes: &[Outcome], rejects: &[Reject]) -> Vec<Result<usize, usize>> {
    let mut row_sources = Vec::with_capacity(outcomes.len() + rejects.len());
    let mut next_reject = 0;
    for (at, outcome) in outcomes.iter().enumerate() {
        while rejects
            .get(next_reject)
            .is_some_and(|reject| reject.row < outcome.row)
        {
            row_sources.push(Err(next_reject));
            next_reject += 1;
        }
        row_sources.push(Ok(at));
    }
    row_sources.extend((next_reject..rejects.len()).map(Err));
    row_sources
}
