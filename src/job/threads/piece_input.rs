//! An input that is read in pieces: which of them have been decoded, and the first that failed.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::counts::Damage;
use crate::error::Error;
use crate::job::threads::worker::InputWork;
use crate::read::RecordSelector;

/// An input that is read in pieces.
pub(crate) struct PieceInput {
    pub(crate) work: Arc<InputWork>,
    pub(crate) damage: DamageRule,
    state: Mutex<PieceInputState>,
    decoded: Condvar,
}

/// Decides whether an error ends the run or is the damage of an input.
#[derive(Clone)]
pub(crate) struct DamageRule {
    pub(crate) source: String,
    /// The stored size of the input in bytes; `None` if it is unknown.
    pub(crate) bytes: Option<u64>,
    pub(crate) keep_going: bool,
}

/// What an error left unread.
pub(crate) struct Unread {
    pub(crate) bytes_read: u64,
    pub(crate) dropped: u64,
    pub(crate) rows_lost: Option<u64>,
    /// Whether the input could not be opened.
    pub(crate) nothing_read: bool,
}

impl DamageRule {
    /// The damage of the input, if the run continues with the next one; otherwise the error.
    pub(crate) fn damage(&self, error: Error, unread: &Unread) -> Result<Damage, Error> {
        if !self.keep_going || !error.is_about_data() {
            return Err(error);
        }
        let bytes_read = unread.bytes_read;
        Ok(Damage {
            source: self.source.clone(),
            message: error.to_string(),
            stored_bytes_unread: self.bytes.map(|bytes| bytes.saturating_sub(bytes_read)),
            bytes_dropped: unread.dropped,
            rows_lost: unread.rows_lost,
            nothing_read: unread.nothing_read,
        })
    }
}

#[derive(Default)]
struct PieceInputState {
    undecoded: usize,
    /// The first piece, in the order of the input, that could not be decoded to its end.
    failed: Option<FailedPiece>,
}

/// A piece that could not be decoded to its end.
#[derive(Clone)]
pub(crate) struct FailedPiece {
    pub(super) step: u64,
    pub(crate) first_row: u64,
    /// The number of its rows that were decoded.
    pub(crate) rows: u64,
    /// The selection of records before the piece.
    pub(crate) selector: RecordSelector,
    /// Whether the error ends the run.
    pub(crate) ends_run: bool,
}

impl PieceInput {
    pub(crate) fn new(work: Arc<InputWork>, damage: DamageRule) -> PieceInput {
        PieceInput {
            work,
            damage,
            state: Mutex::default(),
            decoded: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, PieceInputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first piece that has failed so far.
    pub(crate) fn failed(&self) -> Option<FailedPiece> {
        self.state().failed.clone()
    }

    /// Waits until no piece is being decoded, and returns the first that failed.
    pub(crate) fn wait_until_decoded(&self) -> Option<FailedPiece> {
        let mut state = self.state();
        while state.undecoded > 0 {
            let waited = self.decoded.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.failed.clone()
    }

    pub(super) fn has_failed_before(&self, step: u64) -> bool {
        let state = self.state();
        state
            .failed
            .as_ref()
            .is_some_and(|failed| failed.step < step)
    }

    pub(super) fn add_failed(&self, piece: FailedPiece) {
        let mut state = self.state();
        let is_first = (state.failed.as_ref()).is_none_or(|failed| piece.step < failed.step);
        if is_first {
            state.failed = Some(piece);
        }
    }
}

/// Counts a piece as decoded when it is dropped.
pub(super) struct Undecoded(pub(super) Arc<PieceInput>);

impl Undecoded {
    pub(super) fn new(input: Arc<PieceInput>) -> Undecoded {
        input.state().undecoded += 1;
        Undecoded(input)
    }
}

impl Drop for Undecoded {
    fn drop(&mut self) {
        self.0.state().undecoded -= 1;
        self.0.decoded.notify_all();
    }
}
