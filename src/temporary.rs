//! Unnamed temporary files, which the system removes when the process ends. A file is written first, and then
//! read from its start: as bytes, or as a queue of record batches.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::ipc::CompressionType;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::{IpcWriteOptions, StreamWriter};

use crate::error::Error;
use crate::message_names::name_in_messages;
use crate::store::{Location, StoreError};

/// The number of bytes that [`TempFile::copy_to`] copies at a time.
const COPY_BYTES: usize = 1 << 20;

/// The folder in which the temporary files of an output are created: the folder of the output, or the system's
/// temporary folder if the output is an object in a store.
pub(crate) fn folder_for(output: &Path) -> Result<PathBuf, StoreError> {
    let Location::Local(path) = Location::from_path(output)? else {
        return Ok(std::env::temp_dir());
    };
    Ok(match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    })
}

/// A temporary file that is being written.
pub(crate) struct TempFile {
    folder: PathBuf,
    writer: BufWriter<File>,
}

impl TempFile {
    /// Creates a temporary file in this folder. `buffer_bytes` is the size of its write buffer.
    pub(crate) fn new_in(folder: &Path, buffer_bytes: usize) -> Result<TempFile, Error> {
        Ok(TempFile {
            folder: folder.to_owned(),
            writer: BufWriter::with_capacity(buffer_bytes, new_file(folder)?),
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = self.writer.write_all(bytes);
        written.map_err(|error| temp_error(&self.folder, error))
    }

    /// Finishes writing the file, and passes its content to `write` in blocks.
    pub(crate) fn copy_to(
        self,
        mut write: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut file = rewind_for_reading(&self.folder, self.writer)?;
        let mut buffer = vec![0; COPY_BYTES];
        loop {
            let read = file.read(&mut buffer);
            match read.map_err(|error| temp_error(&self.folder, error))? {
                0 => return Ok(()),
                read => write(&buffer[..read])?,
            }
        }
    }

    /// Finishes writing the file, and returns it for reading from its start.
    pub(crate) fn into_file(self) -> Result<File, Error> {
        rewind_for_reading(&self.folder, self.writer)
    }
}

/// Creates a temporary file in this folder.
pub(crate) fn new_file(folder: &Path) -> Result<File, Error> {
    tempfile::tempfile_in(folder).map_err(|error| temp_error(folder, error))
}

fn rewind_for_reading(folder: &Path, writer: BufWriter<File>) -> Result<File, Error> {
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
    let rewound_file = file.and_then(|mut file| file.rewind().map(|()| file));
    rewound_file.map_err(|error| temp_error(folder, error))
}

/// The error if a temporary file in this folder cannot be created, written or read.
pub(crate) fn temp_error(folder: &Path, error: io::Error) -> Error {
    Error::Write {
        path: name_in_messages(folder),
        error,
    }
}

/// A queue of record batches with the same columns. Its file is created for the first batch.
pub(crate) struct BatchSpool {
    folder: PathBuf,
    compression: Option<CompressionType>,
    stream: Option<StreamWriter<BufWriter<File>>>,
}

impl BatchSpool {
    /// Creates an empty queue. Its file will be in this folder.
    pub(crate) fn new(folder: &Path) -> BatchSpool {
        BatchSpool {
            folder: folder.to_owned(),
            compression: None,
            stream: None,
        }
    }

    /// Makes the queue compress its batches with LZ4.
    pub(crate) fn compressed(self) -> BatchSpool {
        BatchSpool {
            compression: Some(CompressionType::LZ4_FRAME),
            ..self
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.stream.is_none()
    }

    /// Adds a batch at the end of the queue.
    pub(crate) fn push(&mut self, rows: &RecordBatch) -> Result<(), Error> {
        let folder = &self.folder;
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let file = BufWriter::new(new_file(folder)?);
                let options = IpcWriteOptions::default().try_with_compression(self.compression)?;
                let stream = StreamWriter::try_new_with_options(file, &rows.schema(), options);
                none.insert(stream.map_err(|error| spool_error(folder, error))?)
            }
        };
        stream
            .write(rows)
            .map_err(|error| spool_error(folder, error))
    }

    /// Finishes writing the queue, and returns an iterator over its batches in order.
    pub(crate) fn into_reader(self) -> Result<SpooledBatches, Error> {
        let Some(stream) = self.stream else {
            return Ok(SpooledBatches {
                folder: self.folder,
                stream: None,
            });
        };
        let writer = stream.into_inner();
        let writer = writer.map_err(|error| spool_error(&self.folder, error))?;
        let file = BufReader::new(rewind_for_reading(&self.folder, writer)?);
        let stream = StreamReader::try_new(file, None);
        Ok(SpooledBatches {
            stream: Some(stream.map_err(|error| spool_error(&self.folder, error))?),
            folder: self.folder,
        })
    }
}

/// Converts an error that occurred in the Arrow writer or reader of a queue. If a read or write of its file has failed,
/// the result is the error for a temporary file.
fn spool_error(folder: &Path, error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => temp_error(folder, error),
        error => error.into(),
    }
}

/// Iterates over the batches of a finished [`BatchSpool`].
pub(crate) struct SpooledBatches {
    folder: PathBuf,
    stream: Option<StreamReader<BufReader<File>>>,
}

impl Iterator for SpooledBatches {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = self.stream.as_mut()?.next()?;
        Some(rows.map_err(|error| spool_error(&self.folder, error)))
    }
}
