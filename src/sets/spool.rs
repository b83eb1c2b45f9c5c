//! A queue of record batches on disk. Batches are read in the order in which they were written.

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;

use super::partitions::disk_error;
use crate::error::Error;

/// The queue on disk, to which batches are added.
pub(super) struct BatchSpool {
    temp_folder: PathBuf,
    file_writer: Option<StreamWriter<BufWriter<File>>>,
}

impl BatchSpool {
    /// An empty queue. `on` is the folder for its temporary file.
    pub(super) fn new(on: &Path) -> BatchSpool {
        BatchSpool {
            temp_folder: on.to_owned(),
            file_writer: None,
        }
    }

    pub(super) fn push(&mut self, rows: &RecordBatch) -> Result<(), Error> {
        let stream = match &mut self.file_writer {
            Some(stream) => stream,
            none => {
                let file = tempfile::tempfile_in(&self.temp_folder)
                    .map_err(|error| disk_error(&self.temp_folder, error))?;
                let stream = StreamWriter::try_new(BufWriter::new(file), &rows.schema())?;
                none.insert(stream)
            }
        };
        Ok(stream.write(rows)?)
    }

    /// Finishes the queue for writing, and returns it for reading, from the first batch.
    pub(super) fn into_reader(self) -> Result<SpooledBatches, Error> {
        let Some(mut stream) = self.file_writer else {
            return Ok(SpooledBatches(None));
        };
        stream.finish()?;
        let to_disk_error = |error| disk_error(&self.temp_folder, error);
        let writer = stream.into_inner()?;
        let mut file = writer
            .into_inner()
            .map_err(|error| to_disk_error(error.into_error()))?;
        file.rewind().map_err(to_disk_error)?;
        let reader = StreamReader::try_new(BufReader::new(file), None)?;
        Ok(SpooledBatches(Some(reader)))
    }
}

/// The finished queue, from which batches are read.
pub(super) struct SpooledBatches(Option<StreamReader<BufReader<File>>>);

impl SpooledBatches {
    /// The next batch; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        let next_batch = self.0.as_mut().and_then(Iterator::next);
        Ok(next_batch.transpose()?)
    }
}
