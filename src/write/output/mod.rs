//! The outputs of a run: a single file, or a folder of parts.

mod file;
mod files_folder;
mod folder;
mod shard;
mod table_folder;

use std::path::PathBuf;

use arrow::array::RecordBatch;

pub use file::FileOutput;
pub(crate) use files_folder::{FilesFolder, Tables};
pub use folder::{FolderOutput, FolderTable, PartInput};
pub use shard::{InvalidShard, Shard};
pub(crate) use table_folder::OpenTableFolder;
pub use table_folder::TableFolder;

use super::commit::OutputSet;
use super::{Encoded, RowGroup};
use crate::error::Error;
use crate::report::statistics::Statistics;
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

    /// The number, as workers pass it on with encoded rows.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

/// A group of rows to encode on any thread. The result is passed to [`Output::append`].
pub struct EncodeTask {
    pub(crate) table: TableId,
    pub(crate) group: RowGroup,
}

/// Receives the results of a run in input order. Runs on one thread. An output that keeps no table only has
/// to implement [`Output::wants_rows`] and [`Output::rows`].
///
/// ```text
/// begin_input · (rejects · members · rows)* · end_input · … · deferred* · end · finish
///                  │ EncodeTask → encode on any thread → append
/// ```
pub trait Output: Send {
    /// Whether the output needs rows: it has a table.
    fn wants_rows(&self) -> bool;

    /// Begins the n-th input.
    fn begin_input(&mut self, _: usize) -> Result<(), Error> {
        Ok(())
    }

    /// Adds rejects of the current input, from the source of this name.
    fn rejects(&mut self, _: &str, _: &[Reject]) -> Result<(), Error> {
        Ok(())
    }

    /// Adds records of the current input that fail validation, from the source of this name.
    fn failures(&mut self, _: &str, _: &[Failure]) -> Result<(), Error> {
        Ok(())
    }

    /// Adds the classes of the next rows, by each of the ways in which the job determines them.
    fn members(&mut self, _: Vec<ClassMembers>) {}

    /// Adds what is counted of the next rows, if the job counts tables.
    fn counted(&mut self, _: TablePart) -> Result<(), Error> {
        Ok(())
    }

    /// Adds the statistics of the next rows, if the job counts them. Returns them if the job is to add them
    /// to those of all rows.
    fn statistics(&mut self, statistics: Box<Statistics>) -> Option<Box<Statistics>> {
        Some(statistics)
    }

    /// Adds rows of the current input, with the counts of their batch. Returns the groups that are
    /// full.
    fn rows(&mut self, rows: Option<RecordBatch>, tally: &Tally) -> Result<Vec<EncodeTask>, Error>;

    /// Ends the current input. The damage says why it could not be read to its end.
    fn end_input(&mut self, _: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    /// Adds the encoded group of a table with this number. Groups may come in any order.
    fn append(&mut self, _: TableId, _: usize, _: Encoded) -> Result<(), Error> {
        Ok(())
    }

    /// The number of groups that have been handed out and are not yet written.
    fn groups_under_way(&self) -> usize {
        0
    }

    /// The groups of rows that waited for the end of all inputs, a part of them at each call;
    /// `None` once there are no more.
    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        Ok(None)
    }

    /// Ends the rows. Returns the last groups.
    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    /// Completes the tables, and hands them over. They get their names when the set is published.
    fn finish(self: Box<Self>, _: &mut OutputSet) -> Result<(), Error> {
        Ok(())
    }

    /// Ends a run that failed. If it had too many rejects, they are kept, and their place is returned.
    fn abandon(self: Box<Self>, _: &Error) -> Option<PathBuf> {
        None
    }

    /// A message about the files that remain if the run ends now.
    fn left_behind(&self) -> String {
        "nothing was left under the output's name".to_owned()
    }
}
