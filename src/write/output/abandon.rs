//! What a run that failed leaves in a folder.

use std::fs;
use std::path::PathBuf;

use super::folder_table::FolderTable;
use super::place::{Item, Place};
use super::sweep::{REJECTS, is_ours};
use crate::store;

/// Whether this is the folder of rejects, or in it.
pub(super) fn is_reject(item: &Item) -> bool {
    item.name.split('/').next() == Some(REJECTS)
}

/// Takes away what a run has written into a folder that had nothing in it, and the folder, if there
/// was none. What cannot be removed stays: the run has failed for another reason.
pub(super) fn discard(root: &Place, keeps_rejects: bool, had_folder: bool) {
    let Ok(items) = root.items() else {
        return;
    };
    if !is_ours(&items) {
        return;
    }
    // Folders come after what is in them.
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
        // Fails where the rejects are in it.
        let _ = fs::remove_dir(root.path());
    }
}

/// Where a folder would have been replaced, the rejects of the new one go to a folder beside it:
/// `graded.rejects`, in place of those of an earlier run.
pub(super) fn rejects_beside(root: &Place, table: &FolderTable) -> Option<PathBuf> {
    let rejects = root.at(REJECTS).to_path();
    let place = Place::of(&table.path).ok()?.path();
    let mut name = place.file_name()?.to_owned();
    name.push(".rejects");
    let beside = place.with_file_name(name);
    if beside.exists() {
        let items = Place::of(&beside).ok()?.items().ok()?;
        if !is_ours(&items) {
            return None;
        }
        fs::remove_dir_all(&beside).ok()?;
    }
    fs::rename(rejects, &beside).ok()?;
    Some(beside)
}
