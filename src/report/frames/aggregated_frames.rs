//! The grouped frames of several aggregations, merged over all batches.

use polars::prelude::{AnyValue, Column, DataFrame, PolarsResult, UInt64Chunked};

use super::aggregations::{AGGREGATIONS, AddGroup, Aggregation};
use super::grouping::{Measure, group, merge};
use crate::report::statistics::Histogram;

/// The grouped frames of aggregations. Frames of later batches are stacked, and merged if they have more rows than the
/// groups that are known: merging each of them at once would take longer than counting.
#[derive(Default)]
pub(crate) struct AggregatedFrames(Vec<AggregatedFrame>);

struct AggregatedFrame {
    aggregation: &'static Aggregation,
    /// The measures whose columns the rows have.
    measures: Vec<Measure>,
    merged: DataFrame,
    waiting: Vec<DataFrame>,
    waiting_rows: usize,
}

/// The minimum number of rows that are stacked before they are merged.
const LEAST_WAITING_ROWS: usize = 4096;

/// The maximum number of frames that are stacked. Each shares the buffers of the texts of its rows.
const MOST_WAITING_FRAMES: usize = 64;

impl AggregatedFrames {
    /// Groups the rows of a frame for each aggregation that `is_wanted`, if the frame has its keys and any of the columns
    /// that it measures.
    pub(crate) fn count(
        frame: &DataFrame,
        is_wanted: impl Fn(AddGroup) -> bool,
    ) -> PolarsResult<AggregatedFrames> {
        let has_column = |name: &str| frame.schema().contains(name);
        let wanted = AGGREGATIONS.iter().filter(|of| is_wanted(of.add));
        let mut frames = Vec::new();
        for aggregation in wanted.filter(|of| of.keys.iter().all(|key| has_column(key))) {
            let measures = aggregation.measures.iter();
            let measures: Vec<Measure> = measures
                .filter(|measure| measure.column().is_none_or(has_column))
                .cloned()
                .collect();
            if !measures.is_empty() {
                frames.push(AggregatedFrame {
                    merged: group(frame, aggregation.keys, &measures)
                        .map_err(|error| error.context(aggregation.doc.into()))?,
                    aggregation,
                    measures,
                    waiting: Vec::new(),
                    waiting_rows: 0,
                });
            }
        }
        Ok(AggregatedFrames(frames))
    }

    /// Adds the frames of a later batch. The batches have the same columns.
    pub(crate) fn add(&mut self, other: AggregatedFrames) -> PolarsResult<()> {
        if self.0.is_empty() {
            *self = other;
            return Ok(());
        }
        for (own, other) in self.0.iter_mut().zip(other.0) {
            own.waiting_rows += other.merged.height();
            own.waiting.push(other.merged);
            if own.waiting_rows > own.merged.height().max(LEAST_WAITING_ROWS)
                || own.waiting.len() >= MOST_WAITING_FRAMES
            {
                own.merge_waiting()?;
            }
        }
        Ok(())
    }

    /// The number of rows of all frames.
    pub(crate) fn rows(&self) -> usize {
        let rows = self
            .0
            .iter()
            .map(|own| own.merged.height() + own.waiting_rows);
        rows.sum()
    }

    /// The number of groups of the aggregation with this name that are known. Frames that wait to be merged are not included.
    pub(crate) fn groups_of(&self, name: &str) -> usize {
        let own = self.0.iter().find(|own| own.aggregation.name == name);
        own.map_or(0, |own| own.merged.height())
    }

    /// Merges all frames, and calls `visit` for each group of each aggregation.
    pub(crate) fn visit_all(
        mut self,
        mut visit: impl FnMut(AddGroup, &Group<'_>),
    ) -> PolarsResult<()> {
        for own in &mut self.0 {
            own.merge_waiting()?;
            let keys = own.merged.select_to_vec(own.aggregation.keys)?;
            let measures = own.measures.iter().map(|measure| {
                let column = own.merged.column(&measure.name())?;
                Ok((measure, column.u64()?))
            });
            let measures: Vec<(&Measure, &UInt64Chunked)> =
                measures.collect::<PolarsResult<_>>()?;
            for row in 0..own.merged.height() {
                visit(
                    own.aggregation.add,
                    &Group {
                        keys: &keys,
                        measures: &measures,
                        row,
                    },
                );
            }
        }
        Ok(())
    }
}

impl AggregatedFrame {
    fn merge_waiting(&mut self) -> PolarsResult<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let merged = std::mem::take(&mut self.merged);
        let parts = [merged].into_iter().chain(self.waiting.drain(..));
        self.merged = merge(parts.collect(), self.aggregation.keys, &self.measures)?;
        self.waiting_rows = 0;
        Ok(())
    }
}

/// A group of rows: a row of the grouped frame of an aggregation.
pub(crate) struct Group<'a> {
    keys: &'a [Column],
    measures: &'a [(&'a Measure, &'a UInt64Chunked)],
    row: usize,
}

impl Group<'_> {
    /// The value of a key.
    pub(crate) fn key(&self, key: usize) -> AnyValue<'_> {
        self.keys[key].get(self.row).unwrap_or(AnyValue::Null)
    }

    /// The text of a key; `None` if it is null.
    pub(crate) fn text(&self, key: usize) -> Option<&str> {
        self.keys[key].str().ok()?.get(self.row)
    }

    /// Whether no key is null.
    pub(crate) fn has_all_keys(&self) -> bool {
        (0..self.keys.len()).all(|key| !matches!(self.key(key), AnyValue::Null))
    }

    /// The number of a key; `None` if it is null.
    pub(crate) fn number(&self, key: usize) -> Option<u64> {
        self.keys[key].u64().ok()?.get(self.row)
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
    pub(crate) fn add_to_histogram(&self, histogram: &mut Histogram, key: usize) {
        if let Some(number) = self.number(key) {
            histogram.add(number, self.rows());
        }
    }
}
