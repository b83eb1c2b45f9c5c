//! Watches an input while it is read: records its first read error, and detects changes of the file.
//!
//! Decoders convert the errors of their source to texts, or take them for the end of the data. A reader of a
//! growing or shrinking file gets no error at all. Both would be reported as damaged data, for which a retry is
//! pointless, or rows would be lost. The source therefore records its errors itself.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use super::{FileMetadata, RequestFailure};

/// Records the first read error of an input, and notices changes of its file since it was opened.
#[derive(Clone, Default)]
pub struct ReadWatch(Arc<WatchState>);

#[derive(Default)]
struct WatchState {
    /// The error of the first read that failed; empty if none has failed.
    first_failure: OnceLock<io::Error>,
    /// The input's file on disk, and its metadata when it was opened; `None` for other inputs.
    file_and_metadata: Option<(Arc<File>, FileMetadata)>,
}

impl ReadWatch {
    /// Watches a file on disk that had this metadata when it was opened.
    pub(super) fn from_file(file: Arc<File>, metadata: FileMetadata) -> ReadWatch {
        ReadWatch(Arc::new(WatchState {
            first_failure: OnceLock::new(),
            file_and_metadata: Some((file, metadata)),
        }))
    }

    /// Wraps a reader, so that its first error is recorded.
    pub fn reader(&self, reader: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        let watch = self.clone();
        Box::new(WatchedReader { reader, watch })
    }

    /// Records the error if the read has failed. Returns the result of the read unchanged.
    pub(super) fn record_failure<T>(&self, read: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &read
            && error.kind() != io::ErrorKind::Interrupted
        {
            let _ = self.0.first_failure.set(copy_error(error));
        }
        read
    }

    /// Checks that no read has failed, and that the file has not changed since it was opened.
    ///
    /// # Errors
    /// The file has changed ([`InputChanged`]). Or a read has failed; this is then the error of the first failed read.
    pub fn check(&self) -> io::Result<()> {
        if let Some((file, before)) = &self.0.file_and_metadata {
            before.expect_same(&FileMetadata::from_file(&file.metadata()?))?;
        }
        match self.0.first_failure.get() {
            None => Ok(()),
            Some(failure) => Err(copy_error(failure)),
        }
    }
}

struct WatchedReader {
    reader: Box<dyn Read + Send>,
    watch: ReadWatch,
}

impl Read for WatchedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.watch.record_failure(self.reader.read(buffer))
    }
}

/// A copy of an error. It keeps the error code of the system, or the failure of a request to a store.
fn copy_error(error: &io::Error) -> io::Error {
    match (RequestFailure::within(error), error.raw_os_error()) {
        (Some(failure), _) => failure.clone().into(),
        (None, Some(number)) => io::Error::from_raw_os_error(number),
        (None, None) => io::Error::new(error.kind(), error.to_string()),
    }
}

/// The error for an input that has changed since it was opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "it changed while it was being read ({change}): run again when nothing writes to it, or read a \
     copy"
)]
pub struct InputChanged {
    change: String,
}

impl FileMetadata {
    /// The size and modification time of an open file; `None` for pipes and devices.
    pub(super) fn from_file(metadata: &std::fs::Metadata) -> FileMetadata {
        let is_file = metadata.is_file();
        FileMetadata {
            bytes: is_file.then_some(metadata.len()),
            modified: metadata.modified().ok().filter(|_| is_file),
            ..FileMetadata::default()
        }
    }

    /// Checks that a file still has this size and modification time, or that an object still has this version.
    /// Properties that are `None` are not compared.
    ///
    /// # Errors
    /// The file or object has changed ([`InputChanged`]).
    pub fn expect_same(&self, now: &FileMetadata) -> io::Result<()> {
        let change = match (self.bytes, now.bytes) {
            (Some(before), Some(now)) if before != now => {
                format!("it had {before} bytes, and now has {now}")
            }
            _ if self.modified.is_some() && self.modified != now.modified
                || self.e_tag.is_some() && !is_same_e_tag(&self.e_tag, &now.e_tag) =>
            {
                "it was written to".to_owned()
            }
            _ => return Ok(()),
        };
        Err(io::Error::other(InputChanged { change }))
    }
}

/// Whether two ETags name the same version. Quotes and `W/` (a weak ETag) do not count: Azure lists ETags without
/// quotes and sends them with quotes, and a proxy that compresses makes them weak.
fn is_same_e_tag(one: &Option<String>, other: &Option<String>) -> bool {
    let [one, other] = [one, other].map(|e_tag| {
        let e_tag = e_tag.as_deref()?;
        Some(e_tag.strip_prefix("W/").unwrap_or(e_tag).trim_matches('"'))
    });
    one == other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Location, open};

    /// A reader that fails once, and then reports the end of the data.
    struct FailingReader(bool);

    impl Read for FailingReader {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, false) {
                Err(io::Error::from_raw_os_error(5))
            } else {
                Ok(0)
            }
        }
    }

    #[test]
    fn an_error_is_kept_though_the_caller_forgets_it() {
        let watch = ReadWatch::default();
        let mut reader = watch.reader(Box::new(FailingReader(true)));
        assert!(watch.check().is_ok());
        assert!(reader.read(&mut [0]).is_err());
        assert_eq!(reader.read(&mut [0]).unwrap(), 0);
        for _ in 0..2 {
            assert_eq!(watch.check().unwrap_err().raw_os_error(), Some(5));
        }
    }

    /// Regression test: no folder of Azure could be read, because its lists state ETags without quotes.
    #[test]
    fn quotes_and_weakness_of_an_e_tag_are_no_change() {
        let metadata = |e_tag: Option<&str>| FileMetadata {
            e_tag: e_tag.map(str::to_owned),
            ..FileMetadata::default()
        };
        for (before, now, is_same) in [
            (Some("0x8D"), Some("\"0x8D\""), true),
            (Some("\"0x8D\""), Some("W/\"0x8D\""), true),
            (None, Some("\"0x8D\""), true),
            (Some("0x8D"), Some("\"0x8E\""), false),
            (Some("\"0x8D\""), None, false),
        ] {
            let checked = metadata(before).expect_same(&metadata(now));
            assert_eq!(checked.is_ok(), is_same, "{before:?} {now:?}");
        }
    }

    #[test]
    fn a_file_that_shrinks_grows_or_is_written_to_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.csv");
        let failure_after = |change: &dyn Fn()| {
            std::fs::write(&path, "0123456789").unwrap();
            let opened_input = open(&Location::from_path(&path).unwrap()).unwrap();
            change();
            let checked = opened_input.watch.check();
            checked.err().map(|error| error.to_string())
        };
        assert_eq!(failure_after(&|| {}), None);
        let shorter = failure_after(&|| std::fs::write(&path, "01").unwrap()).unwrap();
        assert!(shorter.contains("had 10 bytes, and now has 2"), "{shorter}");
        let longer_failure =
            failure_after(&|| std::fs::write(&path, "0123456789a").unwrap()).unwrap();
        assert!(longer_failure.contains("now has 11"), "{longer_failure}");
        let newer = failure_after(&|| {
            let file = File::options().write(true).open(&path).unwrap();
            let modified = file.metadata().unwrap().modified().unwrap();
            let later_time = modified + std::time::Duration::from_secs(1);
            file.set_modified(later_time).unwrap();
        });
        assert!(newer.unwrap().contains("it was written to"));
        // If a new file takes the same name, the open file does not change.
        let replaced = failure_after(&|| {
            let other_file = folder.path().join("other.csv");
            std::fs::write(&other_file, "other").unwrap();
            std::fs::rename(&other_file, &path).unwrap();
        });
        assert_eq!(replaced, None);
    }
}
