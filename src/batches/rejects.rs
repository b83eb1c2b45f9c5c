//! Stores the rejects of a stream: in memory up to a limit, and beyond it in a temporary file.

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek};

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;

use crate::error::Error;

/// The maximum size in bytes of the rejects that are kept in memory. Further rejects are written to a file.
const MOST_BYTES_IN_MEMORY: usize = 8 << 20;

/// Stores the rejects of a stream.
#[derive(Default)]
pub(super) struct RejectSpool {
    rejects_in_memory: Vec<RecordBatch>,
    memory_bytes: usize,
    spill_file: Option<StreamWriter<BufWriter<File>>>,
}

impl RejectSpool {
    pub(super) fn push(&mut self, rejects: RecordBatch) -> Result<(), Error> {
        self.memory_bytes += rejects.get_array_memory_size();
        self.rejects_in_memory.push(rejects);
        if self.memory_bytes > MOST_BYTES_IN_MEMORY {
            self.spill_to_file()?;
        }
        Ok(())
    }

    fn spill_to_file(&mut self) -> Result<(), Error> {
        for batch in self.rejects_in_memory.drain(..) {
            let file = match &mut self.spill_file {
                Some(file) => file,
                none => {
                    let file = tempfile::tempfile().map_err(file_error)?;
                    let writer = StreamWriter::try_new(BufWriter::new(file), &batch.schema())?;
                    none.insert(writer)
                }
            };
            file.write(&batch)?;
        }
        self.memory_bytes = 0;
        Ok(())
    }

    /// Finishes writing, and returns an iterator over all rejects in order.
    pub(super) fn into_reader(mut self) -> Result<SpooledRejects, Error> {
        let Some(mut writer) = self.spill_file.take() else {
            return Ok(SpooledRejects {
                spill_file: None,
                rejects_in_memory: self.rejects_in_memory.into_iter(),
            });
        };
        writer.finish()?;
        let mut file =
            (writer.into_inner()?.into_inner()).map_err(|error| file_error(error.into_error()))?;
        file.rewind().map_err(file_error)?;
        Ok(SpooledRejects {
            spill_file: Some(StreamReader::try_new(BufReader::new(file), None)?),
            rejects_in_memory: self.rejects_in_memory.into_iter(),
        })
    }
}

/// The error for a temporary file that cannot be created or written.
fn file_error(error: std::io::Error) -> Error {
    Error::Write {
        path: std::env::temp_dir(),
        error,
    }
}

/// Iterates over the rejects of a finished stream.
pub struct SpooledRejects {
    spill_file: Option<StreamReader<BufReader<File>>>,
    rejects_in_memory: std::vec::IntoIter<RecordBatch>,
}

impl Iterator for SpooledRejects {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let spilled = self.spill_file.as_mut().and_then(Iterator::next);
        spilled.or_else(|| self.rejects_in_memory.next().map(Ok))
    }
}
