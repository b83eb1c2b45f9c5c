//! Tells damaged data apart from failed reads, and from files that change while they are read.
//!
//! A decoder may report a failed read as damage, or as the end of the data. The same happens if another program
//! shortens, extends or overwrites the file. For all formats, the input's [`ReadWatch`] is therefore checked at
//! the end of the data and at each error.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::error::Error;
use crate::read::{Batch, BatchSource, Input, Parse, Part, PieceLimits, Records, Workers};
use crate::store::ReadWatch;

/// Notices failed reads and changes of an input. Also has the input's name, for messages.
#[derive(Clone)]
pub(crate) struct InputWatch {
    pub(crate) source_name: String,
    pub(crate) watch: ReadWatch,
}

impl InputWatch {
    /// If a failed read or a change of the file has caused a decoder's error, returns the error about that. Other
    /// errors are returned unchanged.
    pub(crate) fn explain(&self, error: Error) -> Error {
        match error {
            Error::Read { .. } => error,
            error => self.check().err().unwrap_or(error),
        }
    }

    fn check(&self) -> Result<(), Error> {
        self.watch.check().map_err(|error| Error::Read {
            source_name: self.source_name.clone(),
            error,
        })
    }

    /// Opens an input, and watches all later reads of it.
    pub(crate) fn open(self, open: impl FnOnce() -> Result<Input, Error>) -> Result<Input, Error> {
        let mut input = open().map_err(|error| self.explain(error))?;
        input.parser = Arc::new(WatchedParser {
            inner: input.parser,
            watch: self.clone(),
        });
        input.source = Box::new(WatchedSource {
            inner: input.source,
            watch: self,
            failed: false,
        });
        Ok(input)
    }
}

struct WatchedSource {
    inner: Box<dyn BatchSource>,
    watch: InputWatch,
    /// Whether an error about a change of the file has been returned at the end of the data. It is returned only once.
    failed: bool,
}

impl WatchedSource {
    /// Checks the file at the end of the data and at an error.
    fn checked<T>(&mut self, next: Result<Option<T>, Error>) -> Result<Option<T>, Error> {
        let checked = match next {
            Ok(Some(next)) => return Ok(Some(next)),
            Ok(None) => self.watch.check().map(|()| None),
            Err(error) => Err(self.watch.explain(error)),
        };
        self.failed = matches!(checked, Err(Error::Read { .. }));
        checked
    }
}

impl BatchSource for WatchedSource {
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        if self.failed {
            return Ok(None);
        }
        let next_batch = self.inner.next(buffer);
        self.checked(next_batch)
    }

    fn next_part(&mut self, buffer: Vec<u8>, limits: &PieceLimits) -> Result<Option<Part>, Error> {
        if self.failed {
            return Ok(None);
        }
        let part = self.inner.next_part(buffer, limits);
        let part = self.checked(part)?;
        // A piece is read later than the end of the input is found, so each piece checks the file at its own end.
        let watch_piece = |inner, _: &Arc<AtomicU64>| {
            Box::new(WatchedSource {
                inner,
                watch: self.watch.clone(),
                failed: false,
            }) as Box<dyn BatchSource>
        };
        Ok(part.map(|part| part.map_source(watch_piece)))
    }

    fn use_workers(&mut self, workers: &Arc<dyn Workers>) {
        self.inner.use_workers(workers);
    }

    fn dropped(&self) -> u64 {
        self.inner.dropped()
    }

    fn rows_lost(&self) -> Option<u64> {
        self.inner.rows_lost()
    }
}

struct WatchedParser {
    inner: Arc<dyn Parse>,
    watch: InputWatch,
}

impl Parse for WatchedParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let parsed = self.inner.parse(batch);
        parsed.map_err(|error| self.watch.explain(error))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{self, Read, Write};
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use bytes::Bytes;

    use super::*;
    use crate::formats::{open, open_stored};
    use crate::read::ReadOptions;
    use crate::read::columnar::damage;
    use crate::store::{FileMetadata, OpenedInput, RandomAccess, ReadAt};

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// An input of some thousand rows, in each format and with each compression.
    fn inputs() -> Vec<(&'static str, Vec<u8>)> {
        let mut csv = "puzzle,id\n".to_owned();
        let mut json = String::new();
        for id in 0..6000 {
            csv += &format!("{PUZZLE},{id}\n");
            json += &format!("{{\"puzzle\":\"{PUZZLE}\",\"id\":{id}}}\n");
        }
        let array = json.trim().replace('\n', ",");
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        gzip.write_all(csv.as_bytes()).unwrap();
        let mut inputs = vec![
            ("in.csv.gz", gzip.finish().unwrap()),
            ("in.csv.zst", zstd::encode_all(csv.as_bytes(), 1).unwrap()),
            ("in.csv", csv.into_bytes()),
            ("in.ndjson", json.into_bytes()),
            ("in.json", format!("[{array}]").into_bytes()),
            ("in.txt", format!("{PUZZLE}\n").repeat(6000).into_bytes()),
            ("in.npy", npy()),
        ];
        let tables = damage::files().into_iter();
        inputs.extend(tables.map(|bytes| ("in.table", bytes)));
        inputs
    }

    fn npy() -> Vec<u8> {
        let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (9000, 81), }";
        let mut npy = b"\x93NUMPY\x01\0\x76\0".to_vec();
        npy.extend_from_slice(format!("{header:<117}\n").as_bytes());
        npy.extend((0..9000 * 81).map(|at| (at % 10) as u8));
        npy
    }

    /// A file in which one read fails: the read with the number `fails_at`, counted from 0. Later reads succeed.
    struct FailingReader {
        file: Arc<File>,
        read_count: Arc<AtomicUsize>,
        fails_at: usize,
    }

    impl FailingReader {
        fn count(&self) -> io::Result<()> {
            if self.read_count.fetch_add(1, Ordering::Relaxed) == self.fails_at {
                Err(io::Error::from_raw_os_error(5))
            } else {
                Ok(())
            }
        }
    }

    impl Read for FailingReader {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.count()?;
            let most_bytes = buffer.len().min(100_000);
            self.file.read(&mut buffer[..most_bytes])
        }
    }

    impl ReadAt for FailingReader {
        fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
            self.count()?;
            ReadAt::read_at(&self.file, at, buffer)
        }

        fn get_bytes_at(&self, offset: u64, length: usize) -> io::Result<Bytes> {
            self.count()?;
            self.file.get_bytes_at(offset, length)
        }
    }

    /// Opens a file in which the read with the number `fails_at`, counted from 0, fails.
    fn failing(path: &Path, fails_at: usize) -> OpenedInput {
        let file = Arc::new(File::open(path).unwrap());
        let bytes = file.metadata().unwrap().len();
        let read_count = Arc::new(AtomicUsize::new(0));
        let source = || FailingReader {
            file: Arc::clone(&file),
            read_count: Arc::clone(&read_count),
            fails_at,
        };
        let opened_input = OpenedInput {
            reader: Box::new(source()),
            random: Some(RandomAccess::new(source(), bytes)),
            metadata: FileMetadata {
                bytes: Some(bytes),
                ..FileMetadata::default()
            },
            watch: ReadWatch::default(),
        };
        opened_input.with_watched_reader()
    }

    /// Reads all rows of the input, and returns their number.
    fn rows(input: Result<Input, Error>) -> Result<usize, Error> {
        let mut input = input?;
        let mut rows = 0;
        while let Some(batch) = input.source.next(Vec::new())? {
            rows += input.parser.parse(&batch)?.rows.len();
        }
        Ok(rows)
    }

    /// Regression test: an outage in the middle of Parquet pages was reported as damage, and with --keep-going the
    /// remaining rows were lost. The same happened while the format was recognised.
    #[test]
    fn an_error_of_reading_is_never_damage_in_any_format() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in inputs() {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let options = ReadOptions::default();
            let all_rows = rows(open(path.to_str().unwrap(), &options)).unwrap();
            let mut failed_count = 0;
            for fails_at in 0.. {
                let failing_input = failing(&path, fails_at);
                match rows(open_stored(failing_input, name, &options)) {
                    Ok(rows) => {
                        assert_eq!(
                            rows, all_rows,
                            "{name}: all rows are read, or an error is given"
                        );
                        break;
                    }
                    Err(error) => {
                        failed_count += 1;
                        let expected = "Input/output error";
                        assert_eq!(error.exit_code(), 1, "{name}, read {fails_at}: {error}");
                        assert!(error.to_string().contains(expected), "{name}: {error}");
                    }
                }
            }
            assert!(failed_count > 2, "{name}: {failed_count}");
        }
    }

    /// Regression test: if another program truncated a text during reading, the end of the text was lost silently.
    #[test]
    fn an_input_that_changes_while_it_is_read_is_an_error_in_any_format() {
        let folder = tempfile::tempdir().unwrap();
        let appended_bytes: &[u8] = b"more";
        for (name, bytes) in inputs() {
            let path = folder.path().join(name);
            for kind in 0..3 {
                for batches in [0, 1] {
                    std::fs::write(&path, &bytes).unwrap();
                    let options = ReadOptions::default();
                    let mut input = open(path.to_str().unwrap(), &options).unwrap();
                    for _ in 0..batches {
                        input.source.next(Vec::new()).unwrap();
                    }
                    let mut file = File::options().append(kind == 1).write(true).open(&path);
                    let file = file.as_mut().unwrap();
                    match kind {
                        0 => file.set_len(bytes.len() as u64 / 2).unwrap(),
                        1 => file.write_all(appended_bytes).unwrap(),
                        _ => {
                            let one_second = std::time::Duration::from_secs(1);
                            let modified = file.metadata().unwrap().modified().unwrap();
                            file.set_modified(modified + one_second).unwrap();
                        }
                    }
                    let error = rows(Ok(input)).unwrap_err();
                    let expected = "it changed while it was being read";
                    assert!(error.to_string().contains(expected), "{name}: {error}");
                    assert_eq!(error.exit_code(), 1);
                }
            }
        }
    }
}
