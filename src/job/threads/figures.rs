//! The figures of a run. The worker threads add those of the batches.

use std::sync::Arc;

use super::run_totals::RunTotals;
use super::writer::Writer;
use crate::error::Error;

impl Writer<'_> {
    /// Adds the figures of a batch to the totals. The worker threads add those that do not depend on the order of the
    /// batches.
    pub(super) fn count_figures(&mut self, mut totals: RunTotals) {
        if let Some(statistics) = &mut totals.statistics {
            self.ordered_statistics.merge(statistics.take_ordered());
        } else if totals.evaluation.is_none() {
            return;
        }
        let (figures, batch) = (Arc::clone(&self.figures), self.background.begin_batch());
        self.background.spawn(move || {
            let result = figures.add(RunTotals::default, |own| own.add(totals));
            drop(batch);
            result
        });
    }

    /// Merges the figures of all batches.
    pub(super) fn merge_figures(&mut self) -> Result<(), Error> {
        let merged = self.figures.merge(self.pool.workers(), RunTotals::add)?;
        let RunTotals {
            mut statistics,
            evaluation,
        } = merged.unwrap_or_default();
        if let Some(statistics) = &mut statistics {
            statistics.merge(std::mem::take(&mut self.ordered_statistics));
        }
        self.done.statistics = statistics;
        self.done.evaluation = evaluation;
        Ok(())
    }
}
