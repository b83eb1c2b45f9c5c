//! A publishing step for an object. Stores cannot rename objects: a new object is uploaded, and appears when
//! the upload is completed. An object that it will replace is copied before.

use serde::{Deserialize, Serialize};

use super::note::StoredPath;
use super::step::Step;
use super::write_error;
use crate::error::Error;
use crate::store::{self, Location, RequestFailure, Url};

/// The change of an object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum StoredStep {
    /// A new object is uploaded with this mark.
    Put {
        mark: String,
        /// Whether an old object exists.
        replaces: bool,
    },
    /// The object is deleted after the output set is complete.
    Removed,
}

impl Step {
    /// The step for an object.
    pub(super) fn from_object(place: &Location, stored: StoredStep, aside: Option<&Url>) -> Step {
        let aside =
            aside.map(|url| StoredPath::from_path(&Location::Remote(url.clone()).to_path()));
        Step {
            staged: None,
            place: StoredPath::from_path(&place.to_path()),
            aside,
            bytes: 0,
            stored: Some(stored),
        }
    }

    /// Copies the old object, so that it can be restored.
    pub(super) fn copy_aside(&self) -> Result<(), Error> {
        match &self.aside {
            Some(aside) => copy_object(&self.place, aside),
            None => Ok(()),
        }
    }
}

impl StoredStep {
    /// Whether the new object has been uploaded. Always true for an object that is only deleted.
    pub(super) fn is_done(&self, step: &Step) -> Result<bool, Error> {
        match self {
            StoredStep::Put { mark, .. } => {
                let url = to_url(&step.place)?;
                let found_mark = store::read_mark(&url)
                    .map_err(|failure| request_error(&step.place, failure))?;
                Ok(found_mark.as_ref() == Some(mark))
            }
            StoredStep::Removed => Ok(true),
        }
    }

    /// Restores the old object, or deletes the new one if there was none.
    pub(super) fn undo_step(&self, step: &Step) -> Result<(), Error> {
        if let StoredStep::Put { replaces, .. } = self
            && self.is_done(step)?
        {
            match &step.aside {
                Some(aside) => copy_object(aside, &step.place)?,
                None if *replaces => {}
                None => store::delete(&to_location(&step.place)?)?,
            }
        }
        remove_aside(step)
    }

    /// Deletes the old objects. Called after the output set is complete.
    pub(super) fn clean_up(&self, step: &Step) -> Result<(), Error> {
        match self {
            StoredStep::Put { .. } => remove_aside(step),
            StoredStep::Removed => Ok(store::delete(&to_location(&step.place)?)?),
        }
    }
}

fn remove_aside(step: &Step) -> Result<(), Error> {
    match &step.aside {
        Some(aside) => Ok(store::delete(&to_location(aside)?)?),
        None => Ok(()),
    }
}

fn copy_object(from: &StoredPath, to: &StoredPath) -> Result<(), Error> {
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
