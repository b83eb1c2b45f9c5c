//! What the threads of a run tell the writing thread.

use crate::error::Error;
use crate::job::demand::Seen;
use crate::job::worker::Processed;
use crate::report::Damage;
use crate::write::{Encoded, TableId};

/// What reaches the writing thread.
pub(super) enum Message {
    /// Item n of the input, in any order.
    Item(u64, Result<Item, Error>),
    /// Group m of a table is encoded.
    Group(TableId, usize, Result<Encoded, Error>),
    /// So many items, and no more.
    End(u64),
    /// The reader thread has panicked, and said this.
    Failed(String),
}

/// What the reader thread finds, in its order.
pub(super) enum Item {
    /// An input begins; its place among them.
    InputBegins(usize),
    /// A batch is done.
    Rows(Processed),
    /// The input ends: read to its end, or damaged; and what it was taken for.
    InputEnds(Option<Damage>, Option<Seen>),
}
