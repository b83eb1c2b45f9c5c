//! The messages that the reader and the workers send to the writing thread.

use crate::counts::Damage;
use crate::error::Error;
use crate::job::empty_check::RecognisedFormat;
use crate::job::threads::worker::Processed;
use crate::write::{Encoded, TableId};

/// A message to the writing thread.
pub(crate) enum Message {
    /// A numbered item: one step of the run. Items arrive in any order.
    Item(u64, Result<Item, Error>),
    /// An encoded row group, with its table and its number in the table.
    Group(TableId, usize, Result<Encoded, Error>),
    /// The reader thread has ended. The field is the number of items that it has sent in total.
    End(u64),
    /// The reader thread has panicked with this message.
    Failed(String),
}

/// One step of a run, such as a batch. The reader thread numbers the items in input order.
pub(crate) enum Item {
    /// The input with this index begins.
    InputBegins(usize),
    /// A processed batch, and the additional buffers that the reader took for it.
    Rows(Box<Processed>, Vec<Vec<u8>>),
    /// The current input ends. The fields are its damage, if it has any, and its format.
    InputEnds(Option<Damage>, Option<RecognisedFormat>),
}
