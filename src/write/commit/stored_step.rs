//! A publishing step for an object. Stores cannot rename objects. A new object is uploaded under its final name,
//! and becomes visible when the upload is completed. An old object is copied before it is replaced.

use serde::{Deserialize, Serialize};

use super::stored_path::StoredPath;
use super::write_error;
use crate::error::Error;
use crate::store::{self, Location, RequestFailure, Url};

/// How a publishing step changes an object in a store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum StoredStep {
    /// A new object is uploaded. `mark` identifies the upload.
    Put {
        mark: String,
        /// Whether the new object replaces an old one.
        replaces: bool,
    },
    /// The object is deleted after the output set is complete.
    Removed,
}

impl StoredStep {
    /// Whether the new object has been uploaded. Always true for an object that is only deleted.
    pub(super) fn is_done(&self, place: &StoredPath) -> Result<bool, Error> {
        match self {
            StoredStep::Put { mark, .. } => {
                let found_mark = store::read_mark(&to_url(place)?)
                    .map_err(|failure| request_error(place, failure))?;
                Ok(found_mark.as_ref() == Some(mark))
            }
            StoredStep::Removed => Ok(true),
        }
    }

    /// Restores the old object from its copy. If no old object existed, deletes the new one.
    pub(super) fn undo_step(
        &self,
        place: &StoredPath,
        aside: Option<&StoredPath>,
    ) -> Result<(), Error> {
        if let StoredStep::Put { replaces, .. } = self
            && self.is_done(place)?
        {
            match aside {
                Some(aside) => copy_object(aside, place)?,
                None if *replaces => {}
                None => store::delete(&to_location(place)?)?,
            }
        }
        remove_aside(aside)
    }

    /// Deletes the old object or the copy of it. Called after the output set is complete.
    pub(super) fn clean_up(
        &self,
        place: &StoredPath,
        aside: Option<&StoredPath>,
    ) -> Result<(), Error> {
        match self {
            StoredStep::Put { .. } => remove_aside(aside),
            StoredStep::Removed => Ok(store::delete(&to_location(place)?)?),
        }
    }
}

fn remove_aside(aside: Option<&StoredPath>) -> Result<(), Error> {
    match aside {
        Some(aside) => Ok(store::delete(&to_location(aside)?)?),
        None => Ok(()),
    }
}

/// Copies an object within its store.
pub(super) fn copy_object(from: &StoredPath, to: &StoredPath) -> Result<(), Error> {
    store::copy_object(&to_url(from)?, &to_url(to)?).map_err(|failure| request_error(from, failure))
}

fn request_error(path: &StoredPath, failure: RequestFailure) -> Error {
    write_error(&path.0, failure.into())
}

fn to_location(path: &StoredPath) -> Result<Location, Error> {
    Ok(Location::from_path(&path.0)?)
}

fn to_url(path: &StoredPath) -> Result<Url, Error> {
    match to_location(path)? {
        Location::Remote(url) => Ok(url),
        other => Err(Error::Internal(format!("{other} is in no store"))),
    }
}
