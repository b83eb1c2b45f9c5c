//! A queue of batches of rows on disk. Worker threads write them, in any order, and later read them.
//!
//! ```text
//! entry   numbers of the rows, such as their positions: 8 bytes each │ rows, as an Arrow stream
//! ```

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;

use super::in_order::InOrder;
use crate::error::Error;
use crate::table::written_bytes::{DictionaryPacking, written_bytes};
use crate::temporary::{new_file, temp_error};
use crate::write::Background;

/// The size of the schema and of the other metadata of an entry in bytes, which few entries exceed.
const MOST_USUAL_HEADER_BYTES: usize = 4 << 10;

/// An entry of the queue: numbers of rows, and perhaps the rows.
#[derive(Clone)]
pub(super) struct SpooledRows {
    pub(super) numbers: Vec<u64>,
    pub(super) rows: Option<RecordBatch>,
}

/// The place of an entry in the file.
#[derive(Clone, Copy)]
struct Entry {
    index: usize,
    start: u64,
    numbers: usize,
    has_rows: bool,
    /// The number of lookups whose results the rows wait for.
    lookups: usize,
}

struct SpoolFile {
    folder: PathBuf,
    file: File,
    bytes: AtomicU64,
    entries: Mutex<Vec<Entry>>,
}

impl SpoolFile {
    fn new(folder: &Path) -> Result<SpoolFile, Error> {
        Ok(SpoolFile {
            folder: folder.to_owned(),
            file: new_file(folder)?,
            bytes: AtomicU64::new(0),
            entries: Mutex::default(),
        })
    }

    fn write(&self, index: usize, lookups: usize, entry: SpooledRows) -> Result<(), Error> {
        let SpooledRows { numbers, rows } = entry;
        let row_bytes = rows.as_ref().map_or(0, |rows| {
            written_bytes(rows.columns(), DictionaryPacking::Kept) + MOST_USUAL_HEADER_BYTES
        });
        let mut bytes = Vec::with_capacity(8 * numbers.len() + row_bytes);
        for number in &numbers {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let has_rows = rows.is_some();
        if let Some(rows) = rows {
            let mut stream = StreamWriter::try_new(&mut bytes, &rows.schema())?;
            stream.write(&rows)?;
            stream.finish()?;
        }
        let start = self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let written = self.file.write_all_at(&bytes, start);
        written.map_err(|error| temp_error(&self.folder, error))?;
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(Entry {
            index,
            start,
            numbers: numbers.len(),
            has_rows,
            lookups,
        });
        Ok(())
    }

    fn read(&self, entry: Entry) -> Result<SpooledRows, Error> {
        let to_disk_error = |error| temp_error(&self.folder, error);
        let mut number_bytes = vec![0; 8 * entry.numbers];
        let read = self.file.read_exact_at(&mut number_bytes, entry.start);
        read.map_err(to_disk_error)?;
        let numbers = number_bytes.as_chunks::<8>().0.iter();
        let mut rows = None;
        if entry.has_rows {
            let stream = BufReader::new(FileSection {
                file: &self.file,
                position: entry.start + number_bytes.len() as u64,
            });
            let stream = StreamReader::try_new(stream, None);
            let batch = stream.and_then(|mut stream| stream.next().transpose());
            rows = batch.map_err(|error| match error {
                ArrowError::IoError(_, error) => to_disk_error(error),
                error => error.into(),
            })?;
        }
        Ok(SpooledRows {
            numbers: numbers.map(|number| u64::from_le_bytes(*number)).collect(),
            rows,
        })
    }
}

/// Reads a file from a position. Other threads can read the same file at other positions.
struct FileSection<'a> {
    file: &'a File,
    position: u64,
}

impl Read for FileSection<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

/// A queue of batches of rows on disk, to which batches are added.
pub(super) struct RowSpool {
    folder: PathBuf,
    /// The file, which is created for the first batch.
    file: Option<Arc<SpoolFile>>,
    entries: usize,
}

impl RowSpool {
    /// An empty queue. Its file will be in this folder.
    pub(super) fn new(folder: &Path) -> RowSpool {
        RowSpool {
            folder: folder.to_owned(),
            file: None,
            entries: 0,
        }
    }

    /// Adds a batch at the end of the queue: the result of `make`, which a worker thread calls if there are any. The rows
    /// wait for the results of this number of lookups.
    pub(super) fn push(
        &mut self,
        background: Option<&Background>,
        lookups: usize,
        make: impl FnOnce() -> SpooledRows + Send + 'static,
    ) -> Result<(), Error> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(Arc::new(SpoolFile::new(&self.folder)?)),
        };
        let index = self.entries;
        self.entries += 1;
        let Some(background) = background else {
            return file.write(index, lookups, make());
        };
        let (file, batch) = (Arc::clone(file), background.begin_batch());
        background.spawn(move || {
            let written = file.write(index, lookups, make());
            drop(batch);
            written
        });
        Ok(())
    }

    /// Ends the writing to the queue, all of which has to be done. Returns the queue for reading, from the first batch.
    pub(super) fn into_reader<T>(self, background: Option<&Background>) -> SpoolReader<T> {
        let mut entries = Vec::new();
        if let Some(file) = &self.file {
            entries = file
                .entries
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
        }
        entries.sort_unstable_by_key(|entry| entry.index);
        SpoolReader {
            file: self.file,
            entries: entries.into_iter(),
            results: InOrder::default(),
            background: background.cloned(),
        }
    }
}

/// Reads a queue in order. Worker threads read several entries at a time, and process their rows.
pub(super) struct SpoolReader<T> {
    file: Option<Arc<SpoolFile>>,
    entries: std::vec::IntoIter<Entry>,
    results: InOrder<T>,
    background: Option<Background>,
}

impl<T: Send + 'static> SpoolReader<T> {
    /// The result of `work` for the next entry; `None` at the end. `prepare` is called on this thread for one entry after
    /// the other, with the number of its lookups, and its result is passed to `work`.
    pub(super) fn next<P: Send + 'static>(
        &mut self,
        mut prepare: impl FnMut(usize) -> Result<P, Error>,
        work: impl Fn(SpooledRows, P) -> Result<T, Error> + Clone + Send + 'static,
    ) -> Result<Option<T>, Error> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        let Some(background) = &self.background else {
            let Some(entry) = self.entries.next() else {
                return Ok(None);
            };
            return work(file.read(entry)?, prepare(entry.lookups)?).map(Some);
        };
        while self.results.in_progress() <= background.threads()
            && let Some(entry) = self.entries.next()
        {
            let prepared = prepare(entry.lookups)?;
            let (file, work, place) = (Arc::clone(file), work.clone(), self.results.next_place());
            background.spawn(move || {
                place.put(work(file.read(entry)?, prepared)?);
                Ok(())
            });
        }
        self.results.wait(background)
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{ArrayRef, StringArray};

    use super::*;
    use crate::pool::Pool;

    #[test]
    fn batches_are_read_in_the_order_in_which_they_were_added() {
        for threads in [0, 1, 3, 16] {
            let background = (threads > 0).then(|| {
                let pool = Pool::start(threads);
                Background::new(Arc::new(pool.unwrap()), || {})
            });
            let background = background.as_ref();
            let folder = tempfile::tempdir().unwrap();
            let mut spool = RowSpool::new(folder.path());
            let entry = |number: u64| {
                let texts: ArrayRef = Arc::new(StringArray::from_iter_values(
                    (0..number).map(|row| format!("{number} {row}")),
                ));
                let rows = RecordBatch::try_from_iter([("text", texts)]).unwrap();
                SpooledRows {
                    numbers: (0..number % 5).collect(),
                    rows: (!number.is_multiple_of(3)).then_some(rows),
                }
            };
            for number in 0..60 {
                let batch = entry(number);
                let lookups = number as usize;
                spool.push(background, lookups, || batch).unwrap();
            }
            if let Some(background) = background {
                background.wait().unwrap();
            }
            let mut reader = spool.into_reader(background);
            for number in 0..60 {
                let next = reader
                    .next(Ok, |rows, lookups| Ok((rows, lookups)))
                    .unwrap();
                let (rows, lookups) = next.unwrap();
                let expected = entry(number);
                assert_eq!(lookups, number as usize);
                assert_eq!((rows.numbers, rows.rows), (expected.numbers, expected.rows));
            }
            let end = reader.next(Ok, |rows, lookups| Ok((rows, lookups)));
            assert!(end.unwrap().is_none());
        }
    }
}
