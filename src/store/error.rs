//! Why an address has no file, or a file or object could not be read, listed or removed.

use std::io;

/// Why an address has no file, or a file or object could not be read, listed or removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It could not be read or listed.
    #[error("cannot read {location}: {error}")]
    Read {
        /// Where it is, without the secrets that an address may have.
        location: String,
        /// What the system or the store said.
        #[source]
        error: io::Error,
    },
    /// It could not be removed.
    #[error("cannot write {location}: {error}")]
    Remove {
        /// Where it is.
        location: String,
        /// What the system or the store said.
        #[source]
        error: io::Error,
    },
    /// No store has such addresses.
    #[error(
        "{address}: no such address: give a path, s3://BUCKET/KEY, gs://BUCKET/KEY, \
         az://CONTAINER/KEY or https://HOST/PATH"
    )]
    UnknownAddress {
        /// The address.
        address: String,
    },
    /// Stores are not compiled in.
    #[error(
        "{address}: built without the feature cloud: cargo install sudoku-pipeline --features cloud"
    )]
    WithoutCloud {
        /// The address.
        address: String,
    },
    /// The address looks like a pattern for files and is none.
    #[error("{pattern}: {}", error.msg)]
    InvalidPattern {
        /// The address.
        pattern: String,
        /// What is wrong with it.
        #[source]
        error: glob::PatternError,
    },
    /// Standard input and web servers have no folders.
    #[error(
        "{location}: only folders on disk and in s3://, gs:// and az:// can be listed: name the files"
    )]
    NotListed {
        /// Where the folder would be.
        location: String,
    },
}

impl StoreError {
    /// Whether there is no such file or object.
    pub fn is_not_found(&self) -> bool {
        matches!(self, StoreError::Read { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }
}
