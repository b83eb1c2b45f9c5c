//! The messages that the reader and the workers send to the writing thread.

use crate::counts::Damage;
use crate::error::Error;
use crate::job::empty_check::RecognisedFormat;
use crate::job::threads::worker::Processed;
use crate::write::{Encoded, TableId};

/// A message to the writing thread.
pub(crate) enum Message {
    /// An item and its place in the order of the output. Items arrive in any order.
    Item(Place, Result<Item, Error>),
    /// An encoded row group, with its table and its number in the table.
    Group(TableId, usize, Result<Encoded, Error>),
    /// Work that the output left to the worker threads has ended.
    Worked,
    /// The reader thread has ended. The field is the number of steps in total.
    End(u64),
    /// The reader thread has panicked with this message.
    Failed(String),
}

/// The place of an item in the order of the output. The reader thread numbers the steps in input order. Most steps have
/// one item. A piece of an input has one for each batch, which the worker that decodes the piece numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) step: u64,
    pub(crate) part: u32,
    /// Whether it is the last item of its step.
    pub(crate) is_last: bool,
}

impl Place {
    /// The place of the only item of a step.
    pub(crate) fn single(step: u64) -> Place {
        Place {
            step,
            part: 0,
            is_last: true,
        }
    }
}

/// An item of a run, such as a batch.
pub(crate) enum Item {
    /// The input with this index begins.
    InputBegins(usize),
    /// A processed batch, and the additional buffers that the reader took for it.
    Rows(Box<Processed>, Vec<Vec<u8>>),
    /// A piece of the current input ends. If its rows could not be decoded to their end, the field has the damage of the
    /// input, and the number of its bytes that count as read.
    PieceEnds(Option<Box<(Damage, u64)>>),
    /// The current input ends. The fields are its damage, if it has any, and its format.
    InputEnds(Option<Damage>, Option<RecognisedFormat>),
}
