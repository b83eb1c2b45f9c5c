//! A note in errors about inputs whose names say that they are compressed, although they are not.

use crate::error::Error;
use crate::read::bytes::stored::InputCompression;

/// Adds to an error that the name of the input is that of a compressed file, but its bytes are not compressed.
pub(super) fn with_misleading_name(
    error: Error,
    path: &str,
    compression: InputCompression,
) -> Error {
    let name = path.to_ascii_lowercase();
    let endings = [".gz", ".zst"].into_iter();
    let ending = endings
        .filter(|_| compression == InputCompression::None)
        .find(|ending| name.ends_with(ending));
    let Some(ending) = ending else {
        return error;
    };
    let note = format!(" (its name ends with {ending}, but its bytes are not compressed)");
    match error {
        Error::NoColumn {
            source_name,
            wanted,
            columns,
            option,
        } => Error::NoColumn {
            source_name,
            wanted: wanted + &note,
            columns,
            option,
        },
        Error::UnknownFormat { source_name, what } => Error::UnknownFormat {
            source_name,
            what: what + &note,
        },
        error => error,
    }
}
