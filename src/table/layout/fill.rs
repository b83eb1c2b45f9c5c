//! Fills the columns of a layout for a batch of rows.

use arrow::array::{ArrayRef, RecordBatch};
use arrow::compute::filter;
use arrow::error::ArrowError;

use super::{ColumnSource, Layout, LayoutError};
use crate::table::column::Rows;
use crate::table::outcome::Outcome;

impl Layout {
    /// Fills the columns for a batch of rows. Carried columns are copied. Rows for which the condition of
    /// `--where` is false are removed, also from `outcomes`; for them, only the columns of the condition are
    /// computed.
    pub fn fill(
        &self,
        source: &str,
        outcomes: &mut Vec<Outcome>,
        carried: Vec<ArrayRef>,
    ) -> Result<RecordBatch, LayoutError> {
        let filled = self.fill_counted(source, outcomes, carried, |_| false)?;
        Ok(filled.0)
    }

    /// Fills the columns as [`Layout::fill`] does. Also returns the columns that the view does not select and whose
    /// names are counted.
    pub(crate) fn fill_counted(
        &self,
        source: &str,
        outcomes: &mut Vec<Outcome>,
        mut carried: Vec<ArrayRef>,
        is_counted: impl Fn(&str) -> bool,
    ) -> Result<(RecordBatch, Vec<(String, ArrayRef)>), LayoutError> {
        let counted_columns = self.unselected_columns.iter();
        let counted_columns: Vec<&(String, usize)> = counted_columns
            .filter(|(name, _)| is_counted(name))
            .collect();
        let mut filled_columns: Vec<Option<ArrayRef>> = vec![None; self.column_sources.len()];
        if let Some(condition) = &self.filter {
            let condition_columns = condition.columns();
            let values: Vec<ArrayRef> = (condition_columns.iter())
                .map(|at| {
                    self.column_values(
                        *at,
                        Rows {
                            source,
                            items: outcomes,
                        },
                        &carried,
                    )
                })
                .collect::<Result<_, _>>()?;
            let kept_rows =
                condition.keeps(outcomes.len(), &values).map_err(|error| {
                    match error.row.and_then(|row| outcomes.get(row)) {
                        Some(outcome) => LayoutError::ConditionOfRow {
                            source_name: source.to_owned(),
                            row: outcome.row,
                            error,
                        },
                        None => LayoutError::Condition(error),
                    }
                })?;
            for (at, values) in condition_columns.iter().zip(values) {
                filled_columns[*at] = Some(filter(&values, &kept_rows)?);
            }
            for (at, column) in self.column_sources.iter().enumerate() {
                if let ColumnSource::Carried(n) = column
                    && (self.written_columns.contains(&at)
                        || counted_columns.iter().any(|(_, counted)| *counted == at))
                {
                    carried[*n] = filter(&carried[*n], &kept_rows)?;
                }
            }
            let mut keep_flags = kept_rows.values().iter();
            outcomes.retain(|_| keep_flags.next().unwrap_or(false));
        }
        let rows = Rows::of_input(source, outcomes);
        let counted = counted_columns.into_iter().map(|(name, at)| {
            let values = match &filled_columns[*at] {
                Some(values) => values.clone(),
                None => self.column_values(*at, rows, &carried)?,
            };
            Ok((name.clone(), values))
        });
        let counted = counted.collect::<Result<_, LayoutError>>()?;
        let arrays = self.written_columns.iter().enumerate().map(|(to, at)| {
            let values = match filled_columns[*at].take() {
                Some(values) => values,
                None => self.column_values(*at, rows, &carried)?,
            };
            match self.column_storage.get(to) {
                Some(Some(storage)) => storage.store(&values).map_err(|error| {
                    error.in_rows(self.schema.field(to).name(), source, rows.items)
                }),
                _ => Ok(values),
            }
        });
        let arrays = arrays.collect::<Result<_, LayoutError>>()?;
        let table = RecordBatch::try_new(self.schema.clone(), arrays)?;
        Ok((table, counted))
    }

    pub(super) fn column_values(
        &self,
        column_index: usize,
        rows: Rows<'_, Outcome>,
        carried_columns: &[ArrayRef],
    ) -> Result<ArrayRef, ArrowError> {
        match self.column_sources[column_index] {
            ColumnSource::BuiltIn(column) => self.replace_column_blanks(column, column.fill(rows)?),
            ColumnSource::Carried(n) => Ok(carried_columns[n].clone()),
        }
    }
}
