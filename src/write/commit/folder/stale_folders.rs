//! Removes folders that this program has written, and temporary folders that killed runs left beside an output
//! folder.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::manifest::{JOURNAL_NAME, LOCK_NAME};
use super::parts_folder::PartsFolder;
use crate::error::Error;
use crate::write::commit::hidden::{folder_of, is_temporary_of};
use crate::write::commit::write_error;

/// Removes the files in a folder that `is_kept` does not accept, and then the folders that are empty.
pub(super) fn clear_folder(
    folder: &PartsFolder,
    is_kept: &dyn Fn(&str) -> bool,
) -> Result<(), Error> {
    // In this list, each folder comes after its contents, so it is empty when it is removed.
    for item in folder.list_items()? {
        match item.is_folder {
            // This fails if the folder is not empty.
            true => drop(fs::remove_dir(item.location.to_path())),
            false if is_kept(&item.name) => {}
            false => {
                let path = item.location.to_path();
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(write_error(&path, error));
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// Removes a folder of this program. The manifest is removed last, because it shows that the folder belongs to
/// this program.
pub(super) fn remove_folder(path: &Path) -> Result<(), Error> {
    let folder = PartsFolder::from_path(path)?;
    clear_folder(&folder, &|name| name == JOURNAL_NAME || name == LOCK_NAME)?;
    clear_folder(&folder, &|_| false)?;
    fs::remove_dir(path).map_err(|error| write_error(path, error))
}

/// Removes the temporary folders that killed runs left beside this folder. A temporary folder is stale if no process
/// has locked its lock file.
pub(super) fn remove_stale_folders(place: &Path) {
    for entry in fs::read_dir(folder_of(place))
        .into_iter()
        .flatten()
        .flatten()
    {
        let path = entry.path();
        if !is_temporary_of(&entry.file_name(), place) || !path.is_dir() {
            continue;
        }
        match File::open(path.join(LOCK_NAME)) {
            Ok(lock) if lock.try_lock().is_ok() => drop(remove_folder(&path)),
            Ok(_) => {}
            // There is no lock file: the run was killed before it created one, so the folder is empty.
            Err(_) => drop(fs::remove_dir(&path)),
        }
    }
}
