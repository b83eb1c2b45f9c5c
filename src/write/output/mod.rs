//! The outputs of a run: a single file, or a folder of parts.

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
pub use manifest::{ManifestEntry, ManifestHeader};
pub use part_input::PartInput;
pub use shard::{InvalidShard, Shard};

use super::{Encoded, RowGroup};
use crate::error::Error;
use crate::report::tables::TablePart;
use crate::report::{Damage, Tally};
use crate::table::class::ClassMembers;
use crate::table::reject::Reject;
use crate::table::validation::Failure;

/// The number of a table of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u64);

impl TableId {
    /// The table with this number.
    pub(crate) const fn new(number: u64) -> TableId {
        TableId(number)
    }

    /// Its number.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

/// A group of rows to encode on any thread. The result is passed to [`Output::append`].
pub struct EncodeTask {
    pub(crate) table: TableId,
    pub(crate) group: RowGroup,
}

/// Receives the results of a run in input order. Runs on one thread.
///
/// ```text
/// begin_input · (rejects · members · rows)* · end_input · … · deferred* · end · commit
///                  │ EncodeTask → encode on any thread → append
/// ```
pub trait Output: Send {
    /// Whether the output needs rows: it has a table.
    fn wants_rows(&self) -> bool;

    /// Begins the n-th input.
    fn begin_input(&mut self, input: usize) -> Result<(), Error>;

    /// Adds rejects of the current input.
    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error>;

    /// Adds records of the current input that fail validation.
    fn failures(&mut self, source: &str, failures: &[Failure]) -> Result<(), Error>;

    /// Adds the classes of the next rows, by each of the ways in which the job determines them.
    fn members(&mut self, _: Vec<ClassMembers>) {}

    /// Adds what is counted of the next rows, if the job counts tables.
    fn counted(&mut self, _: TablePart) -> Result<(), Error> {
        Ok(())
    }

    /// Adds rows of the current input, with the counts of their batch. Returns the groups that are
    /// full.
    fn rows(&mut self, rows: Option<RecordBatch>, tally: &Tally) -> Result<Vec<EncodeTask>, Error>;

    /// Ends the current input. `damage` says why it could not be read to its end.
    fn end_input(&mut self, damage: Option<&Damage>) -> Result<Vec<EncodeTask>, Error>;

    /// Adds an encoded group of a table. Groups may come in any order.
    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error>;

    /// The number of groups that have been handed out and are not yet written.
    fn groups_under_way(&self) -> usize;

    /// The groups of rows that waited for the end of all inputs, a part of them at each call;
    /// `None` once there are no more.
    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        Ok(None)
    }

    /// Ends the rows. Returns the last groups.
    fn end(&mut self) -> Result<Vec<EncodeTask>, Error>;

    /// Makes the complete output appear under its name.
    fn commit(self: Box<Self>) -> Result<(), Error>;

    /// Ends a run that failed: removes files that a later run cannot use, and keeps rejects that
    /// explain the error. Returns the error, which may name the place of these rejects.
    fn abandon(self: Box<Self>, why: Error) -> Error;

    /// A message about the files that remain if the run ends before [`Output::commit`].
    fn left_behind(&self) -> &'static str;
}
