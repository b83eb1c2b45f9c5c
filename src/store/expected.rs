//! Checks that each input has the size and version that a listing reported for it. If an object differs when it is
//! opened, it has changed since the listing, or the store has answered wrongly. Without this check, rows would be lost
//! silently.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use super::{FileMetadata, ListedFile, Location, Url};

/// The listed inputs that have not been opened yet, by address.
static LISTED_INPUTS: Mutex<Option<HashMap<String, FileMetadata>>> = Mutex::new(None);

/// Remembers the size and version of an input in a listing. They are checked when the input is first opened.
pub(crate) fn expect_listed(listed: &ListedFile) {
    if let Location::Remote(url) = &listed.location {
        let mut expected = LISTED_INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
        let expected = expected.get_or_insert_default();
        expected.insert(url.as_str().to_owned(), listed.metadata.clone());
    }
}

/// The size and version of an input in the listing that found it; `None` if the user has named the input, or if it has
/// been opened since.
pub(crate) fn listed_metadata(url: &Url) -> Option<FileMetadata> {
    let expected = LISTED_INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    expected.as_ref()?.get(url.as_str()).cloned()
}

/// The size in bytes of an input in the listing that found it.
pub(super) fn listed_bytes(url: &Url) -> Option<u64> {
    listed_metadata(url)?.bytes
}

/// Checks that an object has the size and version that the listing reported.
pub(super) fn check_against_list(url: &Url, now: &FileMetadata) -> io::Result<()> {
    let mut expected = LISTED_INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    let listed_file = expected.as_mut().and_then(|all| all.remove(url.as_str()));
    listed_file.map_or(Ok(()), |listed| listed.expect_same(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test of bug C25: an object that was shorter than listed was read without an error.
    #[test]
    fn an_object_that_differs_from_the_list_is_an_error_once() {
        let location = Location::parse("s3://expected/a.csv");
        // Builds without the feature `cloud` refuse the address of a store, so there is nothing to test.
        let Ok(Location::Remote(url)) = location else {
            return;
        };
        let metadata = |bytes| FileMetadata {
            bytes: Some(bytes),
            ..FileMetadata::default()
        };
        let listed = ListedFile {
            location: Location::Remote(url.clone()),
            name: "a.csv".to_owned(),
            metadata: metadata(2550),
        };
        assert!(check_against_list(&url, &metadata(2450)).is_ok());
        expect_listed(&listed);
        let error = check_against_list(&url, &metadata(2450)).unwrap_err();
        assert!(error.to_string().contains("2550 bytes"), "{error}");
        assert!(check_against_list(&url, &metadata(2450)).is_ok());
        expect_listed(&listed);
        assert!(check_against_list(&url, &metadata(2550)).is_ok());
    }
}
