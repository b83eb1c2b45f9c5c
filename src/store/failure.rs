use std::fmt;
use std::io;

/// The environment variable with the seconds for which a request that fails is tried again.
pub const TIMEOUT_VARIABLE: &str = "PIPELINE_STORE_TIMEOUT";

/// Why a store did not do what was asked of it, in one line.
///
/// It travels inside an [`io::Error`], so that what reads and writes need not know of stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    kind: io::ErrorKind,
    message: String,
    signal: Option<usize>,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(kind: io::ErrorKind, message: impl Into<String>) -> Failure {
        Failure {
            kind,
            message: message.into(),
            signal: None,
        }
    }

    /// A signal came while a store was waited for.
    pub fn stopped(signal: usize) -> Failure {
        Failure {
            kind: io::ErrorKind::Other,
            message: format!("stopped by signal {signal} while waiting for the store"),
            signal: Some(signal),
        }
    }

    /// Of what kind it is, as if it came from the system.
    pub fn kind(&self) -> io::ErrorKind {
        self.kind
    }

    /// The signal that ended the waiting.
    pub fn signal(&self) -> Option<usize> {
        self.signal
    }

    /// The failure that an error, or what has caused it, carries.
    pub fn within<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Failure> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(failure) = error.downcast_ref::<Failure>() {
                return Some(failure);
            }
            // The cause of such an error is the cause of what it carries.
            let carried = error
                .downcast_ref::<io::Error>()
                .and_then(io::Error::get_ref);
            cause = match carried {
                Some(carried) => Some(carried),
                None => error.source(),
            };
        }
        None
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<Failure> for io::Error {
    fn from(failure: Failure) -> io::Error {
        io::Error::new(failure.kind, failure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::errors::ParquetError;

    #[test]
    fn a_failure_is_found_however_it_is_wrapped() {
        let failure = Failure::new(io::ErrorKind::NotFound, "there is no such object");
        let error = || io::Error::from(failure.clone());
        assert_eq!(Failure::within(&error()), Some(&failure));
        let wrapped = ParquetError::External(Box::new(io::Error::other(error())));
        assert_eq!(Failure::within(&wrapped), Some(&failure));
        assert_eq!(Failure::within(&io::Error::other("no")), None);
        assert_eq!(error().to_string(), "there is no such object");
    }
}
