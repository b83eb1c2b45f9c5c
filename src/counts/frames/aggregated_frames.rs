//! The groups of several aggregations, merged over all batches.

use polars::prelude::{DataFrame, PolarsResult};

use super::aggregations::{AGGREGATIONS, AddGroup, Aggregation};
use super::grouping::{GroupedRows, Measure, group, merge};
use super::groups::Group;

/// The groups of aggregations. Those of later batches are stacked, and merged if they are more than the groups that are
/// known: merging each of them at once would take longer than counting.
#[derive(Default)]
pub(crate) struct AggregatedFrames(Vec<AggregatedFrame>);

struct AggregatedFrame {
    aggregation: &'static Aggregation,
    /// The measures whose columns the rows have.
    measures: Vec<&'static Measure>,
    merged: GroupedRows,
    waiting: Vec<GroupedRows>,
    waiting_rows: usize,
}

/// The minimum number of groups that are stacked before they are merged.
const LEAST_WAITING_ROWS: usize = 4096;

/// The maximum number of batches whose groups are stacked. Each shares the buffers of the texts of its rows.
const MOST_WAITING_BATCHES: usize = 64;

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
            let measures: Vec<&'static Measure> = measures
                .filter(|measure| measure.column().is_none_or(has_column))
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

    /// Adds the groups of another batch, or of several. The batches have the same columns.
    pub(crate) fn add(&mut self, other: AggregatedFrames) -> PolarsResult<()> {
        if self.0.is_empty() {
            *self = other;
            return Ok(());
        }
        for (own, mut other) in self.0.iter_mut().zip(other.0) {
            other.merge_waiting()?;
            own.waiting_rows += other.merged.len;
            own.waiting.push(other.merged);
            if own.waiting_rows > own.merged.len.max(LEAST_WAITING_ROWS)
                || own.waiting.len() >= MOST_WAITING_BATCHES
            {
                own.merge_waiting()?;
            }
        }
        Ok(())
    }

    /// The number of all groups. Groups that wait to be merged count for each batch.
    pub(crate) fn rows(&self) -> usize {
        let groups = self.0.iter();
        groups.map(|own| own.merged.len + own.waiting_rows).sum()
    }

    /// The number of groups of the aggregation with this name that are known. Groups that wait to be merged are not included.
    pub(crate) fn groups_of(&self, name: &str) -> usize {
        let own = self.0.iter().find(|own| own.aggregation.name == name);
        own.map_or(0, |own| own.merged.len)
    }

    /// Merges all groups, and calls `visit` for each group of each aggregation, until it fails.
    pub(crate) fn visit_all(
        mut self,
        mut visit: impl FnMut(AddGroup, &Group<'_>) -> PolarsResult<()>,
    ) -> PolarsResult<()> {
        for own in &mut self.0 {
            own.merge_waiting()?;
            for index in 0..own.merged.len {
                let group = Group {
                    groups: &own.merged,
                    measures: &own.measures,
                    index,
                };
                visit(own.aggregation.add, &group)?;
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
        self.merged = merge(parts.collect())?;
        self.waiting_rows = 0;
        Ok(())
    }
}
