//! The groups of rows of a grouped frame, with their keys and measures.

use polars::prelude::{AnyValue, Column, PolarsResult, UInt64Chunked};

use super::grouping::Measure;
use crate::counts::statistics::Histogram;

/// A group of rows: a row of the grouped frame of an aggregation.
pub(crate) struct Group<'a> {
    pub(super) keys: &'a [Column],
    pub(super) measures: &'a [(&'a Measure, &'a UInt64Chunked)],
    pub(super) row: usize,
}

impl Group<'_> {
    /// The value of a key.
    pub(crate) fn key(&self, key: usize) -> AnyValue<'_> {
        self.keys[key].get(self.row).unwrap_or(AnyValue::Null)
    }

    /// The text of a key; `None` if it is null.
    ///
    /// # Errors
    ///
    /// The key is not a text, which is a bug.
    pub(crate) fn text(&self, key: usize) -> PolarsResult<Option<&str>> {
        Ok(self.keys[key].str()?.get(self.row))
    }

    /// Whether no key is null.
    pub(crate) fn has_all_keys(&self) -> bool {
        (0..self.keys.len()).all(|key| !matches!(self.key(key), AnyValue::Null))
    }

    /// The number of a key; `None` if it is null.
    ///
    /// # Errors
    ///
    /// The key is not a count, which is a bug.
    pub(crate) fn number(&self, key: usize) -> PolarsResult<Option<u64>> {
        Ok(self.keys[key].u64()?.get(self.row))
    }

    /// The measures of the group with their values, in the order of the aggregation. Those of columns that the rows do not
    /// have are missing.
    pub(crate) fn measures(&self) -> impl Iterator<Item = (&Measure, u64)> {
        let measures = self.measures.iter();
        measures.map(|(measure, column)| (*measure, column.get(self.row).unwrap_or(0)))
    }

    /// The value of a measure; 0 if the aggregation does not have it, or if the rows do not have its column.
    fn value(&self, wanted: impl Fn(&Measure) -> bool) -> u64 {
        let value = self.measures().find(|(measure, _)| wanted(measure));
        value.map_or(0, |(_, value)| value)
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.value(|measure| *measure == Measure::Rows)
    }

    /// The sum of the numbers in this column.
    pub(crate) fn sum(&self, column: &str) -> u64 {
        self.value(|measure| matches!(measure, Measure::Sum(own) if own == column))
    }

    /// The number of rows in which this column is not null.
    pub(crate) fn known(&self, column: &str) -> u64 {
        self.value(|measure| matches!(measure, Measure::Known(own) if own == column))
    }

    /// Adds the rows of the group to a histogram of the numbers of a key. Rows without a number are not counted.
    ///
    /// # Errors
    ///
    /// The key is not a count, which is a bug.
    pub(crate) fn add_to_histogram(
        &self,
        histogram: &mut Histogram,
        key: usize,
    ) -> PolarsResult<()> {
        if let Some(number) = self.number(key)? {
            histogram.add(number, self.rows());
        }
        Ok(())
    }
}
