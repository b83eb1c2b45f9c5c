//! The messages that the reader and the workers send to the writing thread.

use crate::error::Error;
use crate::job::empty_check::RecognisedFormat;
use crate::job::threads::worker::Processed;
use crate::report::Damage;
use crate::write::{Encoded, TableId};

/// A message to the writing thread.
pub(crate) enum Message {
    /// The item with this number. Items arrive in any order.
    Item(u64, Result<Item, Error>),
    /// The encoded group with this number, of this table.
    Group(TableId, usize, Result<Encoded, Error>),
    /// The reader has ended, after it sent this many items.
    End(u64),
    /// The reader thread has panicked with this message.
    Failed(String),
}

/// A part of a run. The reader thread numbers all items.
pub(crate) enum Item {
    /// The input with this index begins.
    InputBegins(usize),
    /// A processed batch, and the additional buffers that it took.
    Rows(Box<Processed>, Vec<Vec<u8>>),
    /// The current input ends. The fields are its damage, if it has any, and its format.
    InputEnds(Option<Damage>, Option<RecognisedFormat>),
}
