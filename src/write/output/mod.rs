//! The outputs of a run: one file, or a folder of parts.

mod abandon;
mod file;
mod folder;
mod folder_table;
mod manifest;
mod open_tables;
mod part_input;
mod partition;
mod parts_folder;
mod replace;
mod shard;
mod spill;
mod sweep;

use arrow::array::RecordBatch;

pub use file::FileOutput;
pub use folder::FolderOutput;
pub use folder_table::FolderTable;
pub use manifest::{Entry, Header};
pub use part_input::PartInput;
pub use shard::{InvalidShard, Shard};

use super::{Encoded, Group};
use crate::error::Error;
use crate::report::{Damage, Tally};
use crate::table::class::Members;
use crate::table::reject::Reject;
use crate::table::validation::Failure;

/// The number of a table of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u64);

impl TableId {
    /// The table of this number.
    pub(crate) const fn new(number: u64) -> TableId {
        TableId(number)
    }

    /// Its number.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

/// A group of rows to be encoded on any thread, and then passed to [`Output::append`].
pub struct Work {
    pub(crate) table: TableId,
    pub(crate) group: Group,
}

/// Receives the results of a run in input order. Runs on one thread.
///
/// ```text
/// begin_input · (rejects · members · rows)* · end_input · … · deferred* · end · commit
///                  │ Work → encode on any thread → append
/// ```
pub trait Output: Send {
    /// Whether there is a table to fill.
    fn wants_rows(&self) -> bool;

    /// The n-th input begins.
    fn begin_input(&mut self, input: usize) -> Result<(), Error>;

    /// Rejects of the current input.
    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error>;

    /// Records of the current input that fail validation.
    fn failures(&mut self, source: &str, failures: &[Failure]) -> Result<(), Error>;

    /// The classes of the rows that come next, where the job has determined them.
    fn members(&mut self, _: Members) {}

    /// Rows of the current input, and the counts of their batch.
    fn rows(&mut self, rows: Option<RecordBatch>, tally: &Tally) -> Result<Vec<Work>, Error>;

    /// The current input ends, with its damage, if it could not be read to its end.
    fn end_input(&mut self, damage: Option<&Damage>) -> Result<Vec<Work>, Error>;

    /// Takes an encoded group of a table, in any order.
    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error>;

    /// Groups handed out to be encoded and not written yet.
    fn groups_under_way(&self) -> usize;

    /// There are no more inputs: the next of the rows that had to wait for that, until there are none.
    fn deferred(&mut self) -> Result<Option<Vec<Work>>, Error> {
        Ok(None)
    }

    /// There are no more rows.
    fn end(&mut self) -> Result<Vec<Work>, Error>;

    /// Everything is written: makes the output appear under its name.
    fn commit(self: Box<Self>) -> Result<(), Error>;

    /// The run ends with this error: removes what is of no use to a later run, and keeps rejects
    /// that explain the error. Returns the error, which may then say where they are.
    fn abandon(self: Box<Self>, why: Error) -> Error;

    /// A message about what is left of the output when the run ends before [`Output::commit`].
    fn left_behind(&self) -> &'static str;
}
