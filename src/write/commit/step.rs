//! A step that gives a file of a set its name, and its undo. Steps are stored in the claim's file before
//! the first one is done, so that the undo can be that of the next run.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::note::StoredPath;
use super::stored_step::StoredStep;
use super::temporary::is_temporary_of;
use crate::error::Error;
use crate::store::{self, Location};

/// What happens to one name of a set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    /// The temporary name of the new file; `None` if the new set has no file of this name.
    pub(super) staged: Option<StoredPath>,
    /// The final name.
    pub(super) place: StoredPath,
    /// The temporary name that the old file gets; `None` if there is none.
    pub(super) aside: Option<StoredPath>,
    /// The size of the new file.
    pub(super) bytes: u64,
    /// What happens to an object; `None` for a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stored: Option<StoredStep>,
}

impl Step {
    /// Moves the old file aside. Nothing has the final name then.
    pub(super) fn put_aside(&self) -> io::Result<()> {
        match &self.aside {
            Some(aside) => fs::rename(&self.place.0, &aside.0),
            None => Ok(()),
        }
    }

    /// Puts the new file in place of the old one, which gets its name aside as a second name, so that a
    /// file has the final name at every moment.
    pub(super) fn replace(&self) -> io::Result<()> {
        // The old marker has been put aside already.
        if let Some(aside) = &self.aside
            && self.place.0.symlink_metadata().is_ok()
        {
            // Some file systems have no hard links.
            fs::hard_link(&self.place.0, &aside.0).or_else(|_| self.put_aside())?;
        }
        self.place(true)
    }

    /// Gives the new file the final name. Unless it may replace a file, none must have that name.
    pub(super) fn place(&self, replaces: bool) -> io::Result<()> {
        let Some(staged) = &self.staged else {
            return Ok(());
        };
        match replaces {
            true => fs::rename(&staged.0, &self.place.0),
            false => rename_to_new(&staged.0, &self.place.0),
        }
    }

    /// Whether the new file has its name.
    pub(super) fn is_done(&self) -> Result<bool, Error> {
        if let Some(stored) = &self.stored {
            return stored.is_done(self);
        }
        let is_placed = match &self.staged {
            Some(staged) => !exists(&staged.0)? && exists(&self.place.0)?,
            None => !exists(&self.place.0)?,
        };
        Ok(is_placed)
    }

    /// Restores the old file, whichever part of the step has been done.
    pub(super) fn undo(&self) -> Result<(), Error> {
        if let Some(stored) = &self.stored {
            return stored.undo(self);
        }
        let place = &self.place.0;
        let failed = |error| super::write_error(place, error);
        let mut is_changed = false;
        if let Some(staged) = &self.staged
            && !exists(&staged.0)?
        {
            let found = store::metadata(&Location::from_path(place)?)?;
            match found.map(|found| found.bytes == Some(self.bytes)) {
                Some(true) => fs::rename(place, &staged.0).map_err(failed)?,
                // Another program has written a file of this name since.
                Some(false) => is_changed = true,
                None => {}
            }
        }
        match &self.aside {
            Some(aside) if exists(&aside.0)? && !is_changed => match exists(place)? {
                // Both names are of the old file.
                true => fs::remove_file(&aside.0).map_err(failed),
                false => fs::rename(&aside.0, place).map_err(failed),
            },
            _ => Ok(()),
        }
    }

    /// Removes the new file of a killed run, if it is beside its final name. In the folder of an unfinished
    /// run it stays, for the next one.
    pub(super) fn sweep(&self) {
        let Some(staged) = &self.staged else {
            return;
        };
        let is_beside = staged.0.parent() == self.place.0.parent();
        let name = staged.0.file_name().unwrap_or_default();
        if is_beside && is_temporary_of(name, &self.place.0) {
            let _ = fs::remove_file(&staged.0);
        }
    }

    /// Removes the old file, once the set is complete.
    pub(super) fn clean_up(&self) -> Result<(), Error> {
        if let Some(stored) = &self.stored {
            return stored.clean_up(self);
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

/// Renames a file unless there is one of the new name.
fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use nix::errno::Errno;
        use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
        match renameat2(AT_FDCWD, from, AT_FDCWD, to, RenameFlags::RENAME_NOREPLACE) {
            Ok(()) => return Ok(()),
            // Some file systems do not support this.
            Err(Errno::EINVAL | Errno::ENOSYS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Some file systems have no hard links. Then another program can create the file in between.
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}
