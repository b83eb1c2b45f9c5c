//! A step that publishes one file of an output set, and the code that undoes it. All steps are stored in the claim's
//! file before the first one is done. If this run is killed, the next run can thus undo them.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::hidden::is_temporary_of;
use super::stored_path::StoredPath;
use super::stored_step::{StoredStep, copy_object};
use crate::error::Error;
use crate::store::{self, Location, Url};

/// A publishing step: gives one file of an output set its final name, and keeps the old file under a temporary
/// name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    /// The temporary name of the new file; `None` if the step only removes an old file.
    pub(super) staged: Option<StoredPath>,
    /// The path of the file under its final name.
    pub(super) place: StoredPath,
    /// The temporary name under which the old file is kept; `None` if there is no old file.
    pub(super) aside: Option<StoredPath>,
    /// The size of the new file in bytes.
    pub(super) bytes: u64,
    /// How an object in a store is changed: uploaded or deleted. `None` for a local file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stored: Option<StoredStep>,
}

impl Step {
    /// The step that uploads or deletes an object in a store.
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

    /// Copies the old object to its temporary name, so that it can be restored.
    pub(super) fn copy_aside(&self) -> Result<(), Error> {
        match &self.aside {
            Some(aside) => copy_object(&self.place, aside),
            None => Ok(()),
        }
    }

    /// Renames the old file to its temporary name. No file has the final name until the new file is renamed.
    pub(super) fn back_up(&self) -> io::Result<()> {
        match &self.aside {
            Some(aside) => fs::rename(&self.place.0, &aside.0),
            None => Ok(()),
        }
    }

    /// Renames the new file over the old one. A hard link first gives the old file its temporary name, so that a file
    /// with the final name exists at every moment.
    pub(super) fn rename_over(&self) -> io::Result<()> {
        // If the file is the marker, an earlier step has already renamed the old one.
        if let Some(aside) = &self.aside
            && self.place.0.symlink_metadata().is_ok()
        {
            // If the file system has no hard links, the old file is renamed instead.
            fs::hard_link(&self.place.0, &aside.0).or_else(|_| self.back_up())?;
        }
        self.move_to_final_name(true)
    }

    /// Renames the new file to the final name. Fails if a file has that name, unless `replaces` is set.
    pub(super) fn move_to_final_name(&self, replaces: bool) -> io::Result<()> {
        let Some(staged) = &self.staged else {
            return Ok(());
        };
        if replaces {
            fs::rename(&staged.0, &self.place.0)
        } else {
            rename_to_new(&staged.0, &self.place.0)
        }
    }

    /// Whether the step has given the new file its final name.
    pub(super) fn is_done(&self) -> Result<bool, Error> {
        if let Some(stored) = &self.stored {
            return stored.is_done(&self.place);
        }
        let is_placed = match &self.staged {
            Some(staged) => !exists(&staged.0)? && exists(&self.place.0)?,
            None => !exists(&self.place.0)?,
        };
        Ok(is_placed)
    }

    /// Restores the old file. The step may have been done completely, in part, or not at all.
    pub(super) fn undo_step(&self) -> Result<(), Error> {
        if let Some(stored) = &self.stored {
            return stored.undo_step(&self.place, self.aside.as_ref());
        }
        let place = &self.place.0;
        let to_write_error = |error| super::write_error(place, error);
        let mut is_changed = false;
        if let Some(staged) = &self.staged
            && !exists(&staged.0)?
        {
            let found_metadata = store::metadata(&Location::from_path(place)?)?;
            match found_metadata.map(|found| found.bytes == Some(self.bytes)) {
                Some(true) => fs::rename(place, &staged.0).map_err(to_write_error)?,
                // Another program has written a file with the final name in the meantime.
                Some(false) => is_changed = true,
                None => {}
            }
        }
        match &self.aside {
            Some(aside) if exists(&aside.0)? && !is_changed => {
                if exists(place)? {
                    // Both names are hard links to the old file.
                    fs::remove_file(&aside.0).map_err(to_write_error)
                } else {
                    fs::rename(&aside.0, place).map_err(to_write_error)
                }
            }
            _ => Ok(()),
        }
    }

    /// Removes the new file of a killed run, if it is in the same folder as its final name. A new file in the folder of
    /// an unfinished run is kept for the next run.
    pub(super) fn remove_temporary_files(&self) {
        let Some(staged) = &self.staged else {
            return;
        };
        let is_beside = staged.0.parent() == self.place.0.parent();
        let name = staged.0.file_name().unwrap_or_default();
        if is_beside && is_temporary_of(name, &self.place.0) {
            let _ = fs::remove_file(&staged.0);
        }
    }

    /// Removes the old file, which has a temporary name. Called after the output set is complete.
    pub(super) fn clean_up(&self) -> Result<(), Error> {
        if let Some(stored) = &self.stored {
            return stored.clean_up(&self.place, self.aside.as_ref());
        }
        match &self.aside {
            Some(aside) => Ok(store::delete(&Location::from_path(&aside.0)?)?),
            None => Ok(()),
        }
    }
}

fn exists(path: &Path) -> Result<bool, Error> {
    Ok(store::exists(&Location::from_path(path)?)?)
}

/// Renames a file. Fails if a file with the new name already exists.
fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use nix::errno::Errno;
        use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
        match renameat2(AT_FDCWD, from, AT_FDCWD, to, RenameFlags::RENAME_NOREPLACE) {
            Ok(()) => return Ok(()),
            // The file system does not support this kind of rename.
            Err(Errno::EINVAL | Errno::ENOSYS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // The file system has no hard links, so the file is renamed after a check. Another program can create a
        // file with the new name in between.
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}
