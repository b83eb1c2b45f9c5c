//! Stores the rejects of a stream: in memory up to a limit, and beyond it in a temporary file.

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek};

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;

use crate::error::Error;

/// The bytes of rejects that are kept in memory. The rest is written to a file.
const MEMORY_BYTES: usize = 8 << 20;

/// Stores the rejects of a stream.
#[derive(Default)]
pub(super) struct RejectSpool {
    recent: Vec<RecordBatch>,
    bytes: usize,
    file: Option<StreamWriter<BufWriter<File>>>,
}

impl RejectSpool {
    pub(super) fn push(&mut self, rejects: RecordBatch) -> Result<(), Error> {
        self.bytes += rejects.get_array_memory_size();
        self.recent.push(rejects);
        if self.bytes > MEMORY_BYTES {
            self.spill()?;
        }
        Ok(())
    }

    fn spill(&mut self) -> Result<(), Error> {
        for batch in self.recent.drain(..) {
            let file = match &mut self.file {
                Some(file) => file,
                none => {
                    let file = tempfile::tempfile().map_err(file_error)?;
                    let writer = StreamWriter::try_new(BufWriter::new(file), &batch.schema())?;
                    none.insert(writer)
                }
            };
            file.write(&batch)?;
        }
        self.bytes = 0;
        Ok(())
    }

    /// Finishes writing, and returns a reader of all rejects in order.
    pub(super) fn read(mut self) -> Result<SpooledRejects, Error> {
        let Some(mut writer) = self.file.take() else {
            return Ok(SpooledRejects {
                file: None,
                rest: self.recent.into_iter(),
            });
        };
        writer.finish()?;
        let mut file =
            (writer.into_inner()?.into_inner()).map_err(|error| file_error(error.into_error()))?;
        file.rewind().map_err(file_error)?;
        Ok(SpooledRejects {
            file: Some(StreamReader::try_new(BufReader::new(file), None)?),
            rest: self.recent.into_iter(),
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

/// An iterator over the rejects of a finished stream.
pub struct SpooledRejects {
    file: Option<StreamReader<BufReader<File>>>,
    rest: std::vec::IntoIter<RecordBatch>,
}

impl Iterator for SpooledRejects {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let spilled = self.file.as_mut().and_then(Iterator::next);
        spilled.or_else(|| self.rest.next().map(Ok))
    }
}
