//! The grouped frames of several aggregations, merged over all batches.

use polars::prelude::{DataFrame, PolarsResult, UInt64Chunked};

use super::aggregations::{AGGREGATIONS, AddGroup, Aggregation};
use super::grouping::{Measure, group, merge};
use super::groups::Group;

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

    /// Adds the frames of another batch, or of several. The batches have the same columns.
    pub(crate) fn add(&mut self, other: AggregatedFrames) -> PolarsResult<()> {
        if self.0.is_empty() {
            *self = other;
            return Ok(());
        }
        for (own, mut other) in self.0.iter_mut().zip(other.0) {
            other.merge_waiting()?;
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

    /// Merges all frames, and calls `visit` for each group of each aggregation, until it fails.
    pub(crate) fn visit_all(
        mut self,
        mut visit: impl FnMut(AddGroup, &Group<'_>) -> PolarsResult<()>,
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
                )?;
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
