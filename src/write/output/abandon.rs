//! Cleans up a folder after a failed run.

use std::fs;
use std::path::PathBuf;

use super::folder_table::FolderTable;
use super::parts_folder::PartsFolder;
use super::sweep::{REJECTS, is_ours, is_reject};
use crate::store;

/// Removes the files of this run from a folder that was empty or did not exist before, and then the
/// folder. Errors are ignored: the run has already failed for another reason.
pub(super) fn discard(root: &PartsFolder, keeps_rejects: bool, had_folder: bool) {
    let Ok(items) = root.items() else {
        return;
    };
    if !is_ours(&items) {
        return;
    }
    // Folders come after their contents.
    for item in items
        .iter()
        .filter(|item| !keeps_rejects || !is_reject(item))
    {
        let _ = match item.is_folder {
            true => fs::remove_dir(item.location.to_path()).is_ok(),
            false => store::delete(&item.location).is_ok(),
        };
    }
    if !had_folder && !root.is_remote() {
        // This fails if the folder has rejects.
        let _ = fs::remove_dir(root.path());
    }
}

/// Moves the rejects of a folder that would have replaced another folder. They go beside that one,
/// to `graded.rejects`, and replace those of an earlier run.
pub(super) fn rejects_beside(root: &PartsFolder, table: &FolderTable) -> Option<PathBuf> {
    let rejects = root.at(REJECTS).to_path();
    let place = PartsFolder::of(&table.path).ok()?.path();
    let mut name = place.file_name()?.to_owned();
    name.push(".rejects");
    let beside = place.with_file_name(name);
    if beside.exists() {
        let items = PartsFolder::of(&beside).ok()?.items().ok()?;
        if !is_ours(&items) {
            return None;
        }
        fs::remove_dir_all(&beside).ok()?;
    }
    fs::rename(rejects, &beside).ok()?;
    Some(beside)
}
