//! The error of a request to a store.

use std::fmt;
use std::io;

use crate::signals::signal_name;

/// The environment variable that sets for how many seconds a failing request is retried.
pub const TIMEOUT_VARIABLE: &str = "PIPELINE_STORE_TIMEOUT";

/// The error of a request to a store, as a message of one line.
///
/// It is stored inside an [`io::Error`], so that readers and writers need no special code for stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestFailure {
    kind: io::ErrorKind,
    message: String,
    signal: Option<usize>,
}

impl RequestFailure {
    /// Creates a failure of this kind, with a message.
    pub fn new(kind: io::ErrorKind, message: impl Into<String>) -> RequestFailure {
        RequestFailure {
            kind,
            message: message.into(),
            signal: None,
        }
    }

    /// Creates the failure of a request that a signal has interrupted.
    pub fn stopped(signal: usize) -> RequestFailure {
        RequestFailure {
            kind: io::ErrorKind::Other,
            message: format!(
                "stopped by {} while waiting for the store",
                signal_name(signal as i32)
            ),
            signal: Some(signal),
        }
    }

    /// The failure with the signal that caused it, if one did.
    pub fn with_signal(self, signal: Option<usize>) -> RequestFailure {
        RequestFailure { signal, ..self }
    }

    /// The kind of error that the operating system would report for the same problem with a local file.
    pub fn kind(&self) -> io::ErrorKind {
        self.kind
    }

    /// The number of the signal that interrupted the request; `None` if no signal did.
    pub fn signal(&self) -> Option<usize> {
        self.signal
    }

    /// Finds a request failure inside an error or one of its causes.
    pub fn within<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a RequestFailure> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(failure) = error.downcast_ref::<RequestFailure>() {
                return Some(failure);
            }
            // The `source` method of an `io::Error` skips the error that it contains.
            let io_error = error
                .downcast_ref::<io::Error>()
                .and_then(io::Error::get_ref);
            cause = match io_error {
                Some(carried) => Some(carried),
                None => error.source(),
            };
        }
        None
    }
}

impl fmt::Display for RequestFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RequestFailure {}

impl From<RequestFailure> for io::Error {
    fn from(failure: RequestFailure) -> io::Error {
        io::Error::new(failure.kind, failure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::errors::ParquetError;

    #[test]
    fn a_failure_is_found_however_it_is_wrapped() {
        let failure = RequestFailure::new(io::ErrorKind::NotFound, "there is no such object");
        let error = || io::Error::from(failure.clone());
        assert_eq!(RequestFailure::within(&error()), Some(&failure));
        let wrapped = ParquetError::External(Box::new(io::Error::other(error())));
        assert_eq!(RequestFailure::within(&wrapped), Some(&failure));
        assert_eq!(RequestFailure::within(&io::Error::other("no")), None);
        assert_eq!(error().to_string(), "there is no such object");
    }
}
