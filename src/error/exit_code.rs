//! The exit codes of the process, and the exit code for each error.

use std::io::ErrorKind;

use super::Error;
use crate::store::RequestFailure;
use crate::table::layout::LayoutError;

/// The run is complete. Rejected records are reported, but do not change the exit code.
pub const DONE: u8 = 0;
/// The run failed, and running it again can help, for example because reading or writing failed.
pub const FAILED: u8 = 1;
/// The options are wrong or contradict each other, or an input or the folder of an output does not exist.
pub const USAGE: u8 = 2;
/// The data is bad: an input is truncated or corrupt, has no puzzle column or no puzzle, or fails
/// validation; or `generate` did not find all puzzles.
pub const DATA: u8 = 3;
/// The output exists, and `overwrite` was not given.
pub const OUTPUT_EXISTS: u8 = 4;
/// Inputs were damaged, and the run has written what could be read of them.
pub const DAMAGED: u8 = 5;
/// The program has a bug. It has printed a report for the developers.
pub const BUG: u8 = 101;
/// The exit code after a signal is this plus the signal's number: 130 after SIGINT, 143 after SIGTERM.
pub const SIGNAL: u8 = 128;

impl Error {
    /// Whether the error is caused by bad data, so that reading the data again would not help.
    pub fn is_about_data(&self) -> bool {
        self.exit_code() == DATA
    }

    /// Whether the error can only be avoided with other options. If so, the next run cannot use the part files of this
    /// run.
    pub fn is_about_options(&self) -> bool {
        self.exit_code() == USAGE || matches!(self, Error::FolderName { .. })
    }

    /// The exit code of a run that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::BrokenPipe => DONE,
            Error::Read { error, .. } => {
                RequestFailure::within(error).map_or(FAILED, exit_code_of_request)
            }
            Error::Write { error, .. } => match RequestFailure::within(error) {
                Some(failure) => exit_code_of_request(failure),
                // A local folder that is missing stays missing. A store may say this of an object that it has.
                None if error.kind() == ErrorKind::NotFound => USAGE,
                None => FAILED,
            },
            Error::Start(_) | Error::Table(_) | Error::InUse { .. } => FAILED,
            Error::Output(error) => error.exit_code(),
            Error::Generate(error) => error.exit_code(),
            Error::DamagedInputs { .. } => DAMAGED,
            Error::Internal(_) => BUG,
            Error::Analysis(error) => error.exit_code(),
            Error::Input(error) if error.is_about_data() => DATA,
            Error::Prediction(error) if error.is_about_options() => USAGE,
            Error::Address(_)
            | Error::Input(_)
            | Error::Kernel(_)
            | Error::Maker(_)
            | Error::Option(_) => USAGE,
            Error::Layout(error) if matches!(**error, LayoutError::Condition(_)) => USAGE,
            Error::Corrupt { .. }
            | Error::NoColumn { .. }
            | Error::UnknownFormat { .. }
            | Error::NoPuzzle { .. }
            | Error::EmptyInput { .. }
            | Error::NothingRead { .. }
            | Error::Layout(_)
            | Error::TooManyRejects { .. }
            | Error::TooFewRows { .. }
            | Error::FolderName { .. }
            | Error::WrongType { .. }
            | Error::Explain(_)
            | Error::Comparison(_)
            | Error::Prediction(_)
            | Error::NotValid(_)
            | Error::Threshold(_) => DATA,
            Error::OutputExists(_) | Error::PartsExist(_) | Error::OtherShards { .. } => {
                OUTPUT_EXISTS
            }
            Error::Interrupted { signal, .. } => SIGNAL + u8::try_from(*signal).unwrap_or(0),
        }
    }
}

/// The exit code for a request to a store that failed. A request that cannot be made, for example because a credential
/// is missing, needs other options or variables.
fn exit_code_of_request(failure: &RequestFailure) -> u8 {
    match failure.signal() {
        Some(signal) => SIGNAL + u8::try_from(signal).unwrap_or(0),
        None if failure.kind() == ErrorKind::InvalidInput => USAGE,
        None => FAILED,
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_missing_folder_needs_another_option_but_a_store_may_find_the_object_later() {
        let code = |error: io::Error| {
            let path = "out.parquet".into();
            Error::Write { path, error }.exit_code()
        };
        let of_a_store = |kind| code(RequestFailure::new(kind, "there is no such object").into());
        assert_eq!(code(ErrorKind::NotFound.into()), USAGE);
        assert_eq!(code(ErrorKind::StorageFull.into()), FAILED);
        assert_eq!(of_a_store(ErrorKind::NotFound), FAILED);
        assert_eq!(of_a_store(ErrorKind::InvalidInput), USAGE);
    }
}
