//! Writes the rejects table, which has a row for each rejected record.

use std::ffi::OsStr;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::commit::{self, Claim, OutputSet};
use super::{Table, TableKind, TableMetadata, TableWriter, Target};
use crate::error::Error;
use crate::store::{self, Location};
use crate::table::column::{Rows, batch_of, schema_of};
use crate::table::columns::REJECT_COLUMNS;
use crate::table::reject::Reject;

/// The size limit of row groups in bytes. It is small because the tables of rejects and of failures are in memory in
/// addition to the output table.
pub(super) const GROUP_BYTES: usize = 4 << 20;

/// Writes the rejects table of a run.
pub struct RejectsWriter {
    table: Table,
    metadata: TableMetadata,
    claim: Option<Claim>,
    /// Whether the table is a file in an output folder that this run has claimed.
    is_part: bool,
    /// The writer of the table; `None` before the first reject, unless the table is written even if it is empty.
    writer: Option<TableWriter>,
}

impl RejectsWriter {
    /// A writer for this table. It starts the table at the first reject. If `writes_empty_table` is set, it writes the
    /// table even if there are no rejects.
    pub fn new(
        table: Table,
        metadata: TableMetadata,
        writes_empty_table: bool,
    ) -> Result<RejectsWriter, Error> {
        let claim = match &table.path {
            Some(path) => commit::claim_path(path, table.options)?,
            None => None,
        };
        let mut rejects = RejectsWriter {
            table,
            metadata,
            claim,
            is_part: false,
            writer: None,
        };
        if writes_empty_table {
            rejects.open_writer()?;
        }
        Ok(rejects)
    }

    /// A writer for a rejects table in a folder that this run has claimed.
    pub(crate) fn from_part(table: Table, metadata: TableMetadata) -> RejectsWriter {
        RejectsWriter {
            table,
            metadata,
            claim: None,
            is_part: true,
            writer: None,
        }
    }

    fn open_writer(&mut self) -> Result<&mut TableWriter, Error> {
        if self.writer.is_none() {
            let kind =
                TableKind::from_table(&self.table, &schema_of(&REJECT_COLUMNS), &self.metadata)?;
            let mut writer = match &self.table.path {
                Some(path) if self.is_part => kind.start_part(path)?,
                Some(path) => kind.start_claimed(path, self.table.options)?,
                None => kind.start(&self.table)?,
            };
            writer.shrink_groups(GROUP_BYTES);
            self.writer = Some(writer);
        }
        self.writer
            .as_mut()
            .ok_or_else(|| Error::Internal("no rejects table".into()))
    }

    /// Adds rejects, in input order.
    pub fn write(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        if rejects.is_empty() {
            return Ok(());
        }
        let batch = batch_of(&REJECT_COLUMNS, Rows::of_input(source, rejects))?;
        self.open_writer()?.write(batch)
    }

    /// Moves the claim of the rejects table out. The output set keeps it after the writer has been dropped.
    pub(super) fn take_claim(&mut self) -> Option<Claim> {
        self.claim.take()
    }

    /// Finishes the table of a part, and returns its target; `None` if there were no rejects.
    pub(crate) fn finish_part(self) -> Result<Option<Target>, Error> {
        self.writer.map(TableWriter::finish).transpose()
    }

    /// Finishes the table, and adds it to the output set. If there were no rejects, the rejects table of an earlier run
    /// is removed, because it could be mistaken for a table of this run.
    pub(crate) fn finish(self, set: &mut OutputSet) -> Result<(), Error> {
        set.add_claim(self.claim);
        match (self.writer, &self.table.path) {
            (Some(writer), _) => set.add(writer.finish()?),
            (None, Some(path)) if self.table.options.overwrite && is_rejects_table(path)? => {
                set.add_removal(path)
            }
            (None, _) => Ok(()),
        }
    }

    /// Keeps the rejects of a failed run in a separate file, and returns the path of the file; `None` if it cannot be
    /// written. `claims` are the claims of the run, and `beside` is the path of its output.
    pub(crate) fn keep_table(self, claims: Vec<Claim>, beside: Option<&Path>) -> Option<PathBuf> {
        let mut set = OutputSet::default();
        let own_claims = claims.into_iter().chain(self.claim);
        own_claims.for_each(|claim| set.add_claim(Some(claim)));
        let replaces = beside.is_some_and(may_exist);
        let other_table = self.table.failed_name().filter(|_| replaces);
        set.keep_rejects(self.writer?.finish().ok()?, other_table.as_deref())
    }
}

/// Whether a file or object exists. Returns true if this is not known.
fn may_exist(path: &Path) -> bool {
    match Location::from_path(path) {
        Ok(Location::Local(path)) => {
            let metadata = path.symlink_metadata();
            !metadata.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        }
        Ok(location) => store::exists(&location).unwrap_or(true),
        Err(_) => true,
    }
}

/// Whether a file or object is a rejects table. It is one if it has the column names of a rejects table. They are at
/// the start of CSV, NDJSON and Arrow files, and at the end of Parquet files.
fn is_rejects_table(path: &Path) -> Result<bool, Error> {
    const SEARCHED_BYTES: u64 = 64 << 10;
    let opened_file = match store::open(&Location::from_path(path)?) {
        Err(error) if error.is_not_found() => return Ok(false),
        opened => opened?,
    };
    let mut first_bytes = Vec::new();
    // A file that cannot be read does not count as a rejects table, so it is not removed.
    let _ = opened_file
        .reader
        .take(SEARCHED_BYTES)
        .read_to_end(&mut first_bytes);
    let mut inflated = Vec::new();
    let _ = match path.extension().and_then(OsStr::to_str) {
        Some("gz") => MultiGzDecoder::new(&first_bytes[..]).read_to_end(&mut inflated),
        Some("zst") => zstd::Decoder::new(&first_bytes[..])
            .and_then(|mut decoder| decoder.read_to_end(&mut inflated)),
        _ => Ok(0),
    };
    let mut last_bytes = Vec::new();
    if let Some(random) = opened_file.random {
        let mut reader = random.reader();
        let tail_start = random.bytes().saturating_sub(SEARCHED_BYTES);
        let _ = reader.seek(SeekFrom::Start(tail_start));
        let _ = reader.take(SEARCHED_BYTES).read_to_end(&mut last_bytes);
    }
    Ok([first_bytes, inflated, last_bytes].iter().any(|part| {
        let mut names = REJECT_COLUMNS.iter().map(|column| column.name.as_bytes());
        names.all(|name| part.windows(name.len()).any(|found| found == name))
    }))
}
