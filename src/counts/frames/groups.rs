//! A group of rows, with its keys and measures.

use polars::prelude::{AnyValue, PolarsResult};

use super::grouping::{GroupedRows, Measure};
use crate::counts::statistics::Histogram;

/// A group of rows of an aggregation.
pub(crate) struct Group<'a> {
    pub(super) groups: &'a GroupedRows,
    /// The measures of the groups.
    pub(super) measures: &'a [&'static Measure],
    /// The index of the group.
    pub(super) index: usize,
}

impl Group<'_> {
    /// The value of a key.
    pub(crate) fn key(&self, key: usize) -> AnyValue<'_> {
        self.groups.keys[key]
            .get(self.index)
            .unwrap_or(AnyValue::Null)
    }

    /// The text of a key; `None` if it is null.
    ///
    /// # Errors
    ///
    /// The key is not a text, which is a bug.
    pub(crate) fn text(&self, key: usize) -> PolarsResult<Option<&str>> {
        Ok(self.groups.keys[key].str()?.get(self.index))
    }

    /// Whether no key is null.
    pub(crate) fn has_all_keys(&self) -> bool {
        (0..self.groups.keys.len()).all(|key| !matches!(self.key(key), AnyValue::Null))
    }

    /// The number of a key; `None` if it is null.
    ///
    /// # Errors
    ///
    /// The key is not a count, which is a bug.
    pub(crate) fn number(&self, key: usize) -> PolarsResult<Option<u64>> {
        Ok(self.groups.keys[key].u64()?.get(self.index))
    }

    /// The measures of the group with their values, in the order of the aggregation. Those of columns that the rows do not
    /// have are missing.
    pub(crate) fn measures(&self) -> impl Iterator<Item = (&Measure, u64)> {
        let measures = self.measures.iter().zip(&self.groups.measures);
        measures.map(|(measure, values)| (*measure, values[self.index]))
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
