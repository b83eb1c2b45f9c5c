//! The outputs of a run: a single file, or a folder of parts.

mod background;
mod batch_result;
mod file;
mod files_folder;
mod folder;
mod shard;
mod table_folder;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;

pub use background::Background;
pub(crate) use background::BatchInProgress;
pub use batch_result::BatchResult;
pub use file::FileOutput;
pub(crate) use files_folder::{FilesFolder, TableFiles};
pub(crate) use folder::EarlierColumn;
pub use folder::{ClaimedParts, FolderOutput, FolderTable, PartInput};
pub use shard::{InvalidShard, Shard};
pub(crate) use table_folder::OpenTableFolder;
pub use table_folder::TableFolder;

use super::commit::OutputSet;
use super::{Encoded, RowGroup};
use crate::counts::Damage;
use crate::error::Error;

/// Identifies a table of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u64);

impl TableId {
    /// The id of a table, made from the table's number.
    pub(crate) const fn new(number: u64) -> TableId {
        TableId(number)
    }

    /// The number of the table. Workers return it with the encoded group.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

/// The rows of a batch, by the folder to which they are written.
pub(crate) type RowsByFolder = BTreeMap<String, RecordBatch>;

/// Divides the rows of a batch by the folder to which they are written.
pub trait DivideRows: Send + Sync {
    /// The rows of each folder.
    ///
    /// # Errors
    /// A value cannot be in the name of a folder.
    fn divide(&self, rows: &RecordBatch) -> Result<BTreeMap<String, RecordBatch>, Error>;
}

/// A group of rows that any thread can encode. The encoded group is passed to [`Output::append`].
pub struct EncodeTask {
    pub(crate) table: TableId,
    pub(crate) group: RowGroup,
}

/// Receives the results of a run in input order. All calls are on one thread. An output without a table only has
/// to implement [`Output::wants_rows`] and [`Output::batch`].
///
/// ```text
/// use_background · begin_input · batch* · advance* · end_input · … · deferred* · end · finish
///                                  │ EncodeTask → encode on any thread → append
/// ```
pub trait Output: Send {
    /// Whether the output has a table. If not, the workers do not have to fill any columns.
    fn wants_rows(&self) -> bool;

    /// Divides the rows of each batch on the worker threads; `None` if the output gets whole batches.
    fn row_divider(&self) -> Option<Arc<dyn DivideRows>> {
        None
    }

    /// Called before the first input. The output can run work on the worker threads. The writing thread waits until all
    /// of it has ended before it calls [`Output::deferred`].
    fn use_background(&mut self, _: &Background) {}

    /// Begins the input with this index.
    fn begin_input(&mut self, _: usize) -> Result<(), Error> {
        Ok(())
    }

    /// Adds the result of a batch of the current input, whose name is `source`: first its bad records, then its rows.
    /// Returns the row groups that became full. The output takes what it needs of the result. Statistics that it
    /// leaves are added to those of the run.
    ///
    /// # Errors
    /// A table cannot be written.
    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error>;

    /// Called when work on the worker threads has ended. Returns the row groups that became full.
    ///
    /// # Errors
    /// A table cannot be written.
    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    /// Ends the current input. If it could not be read to its end, the argument describes the damage.
    fn end_input(&mut self, _: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    /// Adds an encoded group of rows. The number is that of the group in its table. Groups can arrive in any order.
    fn append(&mut self, _: TableId, _: usize, _: Encoded) -> Result<(), Error> {
        Ok(())
    }

    /// The number of row groups that are being encoded, or have been encoded but not written.
    fn groups_in_flight(&self) -> usize {
        0
    }

    /// Called about ten times a second while the output waits for rows. The output can write what is due.
    fn idle(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Called repeatedly after the last input. Returns row groups that could only be made after all inputs had been
    /// read; `None` at the end.
    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        Ok(None)
    }

    /// Called after all rows have been added. Returns the last row group of each table.
    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    /// Finishes the tables, and adds them to the output set, which publishes them.
    fn finish(self: Box<Self>, _: &mut OutputSet) -> Result<(), Error> {
        Ok(())
    }

    /// Ends a failed run. If it failed because of too many rejects, the rejects are kept, and their path is returned.
    fn abandon(self: Box<Self>, _: &Error) -> Option<PathBuf> {
        None
    }

    /// A message that names the files that would remain if the run ended now.
    fn left_behind(&self) -> String {
        "the output is as it was before the run".to_owned()
    }
}
