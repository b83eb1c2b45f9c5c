//! Passes the output rows of a job to the caller that reads them from the stream.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;

use super::rejects::RejectSpool;
use crate::error::Error;
use crate::table::column::{Rows, batch_of};
use crate::table::columns::{FAILURE_COLUMNS, REJECT_COLUMNS};
use crate::write::{BatchResult, EncodeTask, Output};

/// Sends output rows to the caller of the stream, and stores the rejected records for later.
pub(super) struct StreamOutput {
    pub(super) rows: SyncSender<RecordBatch>,
    pub(super) rejects: Arc<Mutex<RejectSpool>>,
    /// Whether the stream returns only the records that fail validation, and no other rows.
    pub(super) sends_failures_only: bool,
}

impl StreamOutput {
    fn send(&self, batch: RecordBatch) -> Result<(), Error> {
        match batch.num_rows() {
            0 => Ok(()),
            // Sending fails if the caller has dropped the stream. This is treated like a closed pipe.
            _ => self.rows.send(batch).map_err(|_| Error::BrokenPipe),
        }
    }
}

impl Output for StreamOutput {
    fn wants_rows(&self) -> bool {
        !self.sends_failures_only
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        if !result.rejects.is_empty() {
            let batch = batch_of(&REJECT_COLUMNS, Rows::of_input(source, &result.rejects))?;
            let mut spool = self.rejects.lock().unwrap_or_else(PoisonError::into_inner);
            spool.push(batch)?;
        }
        if self.sends_failures_only {
            self.send(batch_of(
                &FAILURE_COLUMNS,
                Rows::of_input(source, &result.failures),
            )?)?;
        }
        if let Some(rows) = result.rows.take() {
            self.send(rows)?;
        }
        Ok(Vec::new())
    }

    fn left_behind(&self) -> String {
        "there are no rows beyond those already returned".to_owned()
    }
}
