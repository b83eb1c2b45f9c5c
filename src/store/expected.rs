//! What a list of objects says about the inputs of a run. An object that differs from it when it is opened has
//! changed since, or the store answers wrongly: rows would be lost without a word.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use super::{FileMetadata, ListedFile, Location, Url};

/// The objects that have been listed as inputs and not yet been opened, by their addresses.
static EXPECTED: Mutex<Option<HashMap<String, FileMetadata>>> = Mutex::new(None);

/// Expects an input to be as it was listed when it is opened for the first time.
pub(crate) fn expect(listed: &ListedFile) {
    if let Location::Remote(url) = &listed.location {
        let mut expected = EXPECTED.lock().unwrap_or_else(PoisonError::into_inner);
        let expected = expected.get_or_insert_default();
        expected.insert(url.as_str().to_owned(), listed.metadata.clone());
    }
}

/// Checks that an object is as it was listed.
pub(super) fn check(url: &Url, now: &FileMetadata) -> io::Result<()> {
    let mut expected = EXPECTED.lock().unwrap_or_else(PoisonError::into_inner);
    let listed = expected.as_mut().and_then(|all| all.remove(url.as_str()));
    listed.map_or(Ok(()), |listed| listed.expect_same(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test of C25: an object that was shorter than listed was read without a word.
    #[test]
    fn an_object_that_differs_from_the_list_is_an_error_once() {
        let location = Location::parse("s3://expected/a.csv");
        // Without the feature for stores there are no such addresses.
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
        assert!(check(&url, &metadata(2450)).is_ok());
        expect(&listed);
        let error = check(&url, &metadata(2450)).unwrap_err();
        assert!(error.to_string().contains("2550 bytes"), "{error}");
        assert!(check(&url, &metadata(2450)).is_ok());
        expect(&listed);
        assert!(check(&url, &metadata(2550)).is_ok());
    }
}
