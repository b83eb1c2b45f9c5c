//! The errors of the module `store`: an address cannot be used, or a file or object cannot be read, listed or
//! removed.

use std::io;

use crate::open_files;

/// An address cannot be used, or a file or object cannot be read, listed or removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file or object could not be read, or a folder could not be listed.
    #[error("cannot read {location}: {}", open_files::error_text(error))]
    Read {
        /// The path or address, without the secrets that an address may have.
        location: String,
        /// The error of the system or of the store.
        #[source]
        error: io::Error,
    },
    /// A file or object could not be removed.
    #[error("cannot write {location}: {}", open_files::error_text(error))]
    Remove {
        /// The path or address, without secrets.
        location: String,
        /// The error of the system or of the store.
        #[source]
        error: io::Error,
    },
    /// The address is neither a path nor the address of a supported store.
    #[error(
        "{address}: unknown kind of address: give a path, s3://BUCKET/KEY, gs://BUCKET/KEY, \
         az://CONTAINER/KEY or https://HOST/PATH"
    )]
    UnknownAddress {
        /// The address, without secrets.
        address: String,
    },
    /// The bucket or the host of the address cannot exist.
    #[error("{address}: {problem}")]
    InvalidAddress {
        /// The address, without secrets.
        address: String,
        /// What is wrong with the address.
        problem: String,
    },
    /// The address of a store has a password or a signature. It is refused, because it would be written into
    /// tables.
    #[error(
        "{address}: the address of a store may have no password, key or signature: set the variables of \
         the store's own tools, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
         AZURE_STORAGE_SAS_KEY"
    )]
    SecretInAddress {
        /// The address without its secret.
        address: String,
    },
    /// The address of a web server has a password, which would be sent without encryption.
    #[error(
        "{address}: a password is only sent by https, or to this machine: give an address with https, or use \
         curl -u USER ADDRESS | pipeline convert -"
    )]
    PasswordInClear {
        /// The address without its secret.
        address: String,
    },
    /// An environment variable that configures stores is invalid. Its value is not shown, because it may be a
    /// secret.
    #[error("{variable}: {problem}")]
    Environment {
        /// The name of the variable.
        variable: String,
        /// What is wrong with the value, and how to solve it.
        problem: &'static str,
    },
    /// The address is that of a store, but this program was built without support for stores.
    #[error(
        "{address}: built without the feature cloud: in a checkout, cargo install --locked --path . --features cloud{}",
        if address.starts_with("http") {
            "; or read it with curl: curl -L ADDRESS | pipeline grade - -o OUTPUT"
        } else {
            ""
        }
    )]
    WithoutCloud {
        /// The address, without secrets.
        address: String,
    },
    /// The address looks like a pattern for file names, but is not a valid one.
    #[error("{pattern}: {}", error.msg)]
    InvalidPattern {
        /// The address, which is used as a pattern.
        pattern: String,
        /// The error of the pattern parser.
        #[source]
        error: glob::PatternError,
    },
    /// There is no object at this address, but there are objects in a folder of this name.
    #[error(
        "{location}: there is no such object, but a folder: end its name with / to read what is in it"
    )]
    IsFolder {
        /// The name of the folder, without `/` at its end.
        location: String,
    },
    /// The address has no list of files: standard input and web servers have no folders.
    #[error(
        "{location}: only folders on disk and in s3://, gs:// and az:// can be listed: name the files"
    )]
    NotListed {
        /// The address of the folder.
        location: String,
    },
}

impl StoreError {
    /// Whether the error is that the file or object does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(self, StoreError::Read { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }
}
