//! A queue of record batches on disk. Batches are read in the order in which they were written.

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;

use super::partitions::refused;
use crate::error::Error;

/// The queue, while batches are written.
pub(super) struct Spool {
    on: PathBuf,
    stream: Option<StreamWriter<BufWriter<File>>>,
}

impl Spool {
    /// An empty queue. `on` is the folder for its temporary file.
    pub(super) fn new(on: &Path) -> Spool {
        Spool {
            on: on.to_owned(),
            stream: None,
        }
    }

    pub(super) fn push(&mut self, rows: &RecordBatch) -> Result<(), Error> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let file =
                    tempfile::tempfile_in(&self.on).map_err(|error| refused(&self.on, error))?;
                let stream = StreamWriter::try_new(BufWriter::new(file), &rows.schema())?;
                none.insert(stream)
            }
        };
        Ok(stream.write(rows)?)
    }

    /// Ends writing, and starts reading from the first batch.
    pub(super) fn read(self) -> Result<Spooled, Error> {
        let Some(mut stream) = self.stream else {
            return Ok(Spooled(None));
        };
        stream.finish()?;
        let refused = |error| refused(&self.on, error);
        let writer = stream.into_inner()?;
        let mut file = writer
            .into_inner()
            .map_err(|error| refused(error.into_error()))?;
        file.rewind().map_err(refused)?;
        let reader = StreamReader::try_new(BufReader::new(file), None)?;
        Ok(Spooled(Some(reader)))
    }
}

/// The queue, while batches are read.
pub(super) struct Spooled(Option<StreamReader<BufReader<File>>>);

impl Spooled {
    /// The next batch; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        let next = self.0.as_mut().and_then(Iterator::next);
        Ok(next.transpose()?)
    }
}
