//! The messages that the reader and the workers send to the writing thread.

use crate::error::Error;
use crate::job::empty_check::RecognisedFormat;
use crate::job::threads::worker::Processed;
use crate::report::Damage;
use crate::write::{Encoded, TableId};

/// A message to the writing thread.
pub(crate) enum Message {
    /// Item n. Items arrive in any order.
    Item(u64, Result<Item, Error>),
    /// Group m of a table is encoded.
    Group(TableId, usize, Result<Encoded, Error>),
    /// The reader has ended, after sending this many items.
    End(u64),
    /// The reader thread has panicked with this message.
    Failed(String),
}

/// A part of a run. The reader thread numbers the items.
pub(crate) enum Item {
    /// The n-th input begins.
    InputBegins(usize),
    /// A batch has been processed. It held these buffers besides its own.
    Rows(Box<Processed>, Vec<Vec<u8>>),
    /// The input ends: its damage, if any, and how it was recognised.
    InputEnds(Option<Damage>, Option<RecognisedFormat>),
}
