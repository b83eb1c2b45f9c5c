//! Limits the memory for the pages of a Parquet file that are decoded at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parquet::errors::ParquetError;

use crate::options::KEEP;
use crate::read::columnar::MOST_BYTES;

/// The memory in bytes that the decoder may still use for the pages of the current batch.
#[derive(Clone)]
pub(super) struct PageBudget(Arc<Mutex<BudgetState>>);

struct BudgetState {
    bytes_left: u64,
    /// The message that explains why a page was refused; `None` if none was. It is stored here because the decoder
    /// converts errors to texts.
    refused: Option<String>,
}

impl PageBudget {
    pub(super) fn new() -> PageBudget {
        PageBudget(Arc::new(Mutex::new(BudgetState {
            bytes_left: MOST_BYTES,
            refused: None,
        })))
    }

    fn state(&self) -> MutexGuard<'_, BudgetState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of bytes that have been spent since the budget was last renewed.
    pub(super) fn spent(&self) -> u64 {
        MOST_BYTES - self.state().bytes_left
    }

    /// Resets the budget for the next batch.
    pub(super) fn renew(&self) {
        self.state().bytes_left = MOST_BYTES;
    }

    /// The message that explains why a page was refused, if it would need too much memory; otherwise `None`.
    pub(super) fn refused(&self) -> Option<String> {
        self.state().refused.clone()
    }

    pub(super) fn refuse(&self, what: String) -> ParquetError {
        self.state().refused = Some(what.clone());
        ParquetError::General(what)
    }

    pub(super) fn spend(&self, bytes: u64) -> Result<(), ParquetError> {
        let bytes_left = self.state().bytes_left.checked_sub(bytes);
        let bytes_left = bytes_left.ok_or_else(|| {
            self.refuse(format!(
                "a batch of rows takes more than the {MOST_BYTES} bytes that are read at a time: \
                 read fewer columns with {KEEP}, or write the file with smaller pages"
            ))
        })?;
        self.state().bytes_left = bytes_left;
        Ok(())
    }
}
