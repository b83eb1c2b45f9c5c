//! Folders for the files of a single call, which nobody reads after the process has ended.
//!
//! Files in such a folder are written under their final names, replace others, and are not synced to disk. Rows and messages
//! show the name of a file there without its extension, `input` for `/tmp/x1Y2z3/input.arrow`, because the path differs
//! between calls.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

static FOLDERS: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// A folder for the files of a single call. It is an ordinary folder again when the value is dropped. The folder itself
/// is neither created nor removed.
#[derive(Debug)]
pub struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Uses this folder, which exists, for the files of a single call.
    pub fn new(folder: PathBuf) -> ScratchFolder {
        let mut folders = FOLDERS.write().unwrap_or_else(PoisonError::into_inner);
        folders.push(folder.clone());
        ScratchFolder(folder)
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let mut folders = FOLDERS.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = folders.iter().position(|folder| *folder == self.0) {
            folders.swap_remove(index);
        }
    }
}

/// Whether the path is in a folder for the files of a single call.
pub fn is_scratch(path: &Path) -> bool {
    let folders = FOLDERS.read().unwrap_or_else(PoisonError::into_inner);
    folders.iter().any(|folder| path.starts_with(folder))
}

/// The name of a file in a folder for the files of a single call; `None` for other paths.
pub(super) fn scratch_name(path: &Path) -> Option<PathBuf> {
    let folders = FOLDERS.read().unwrap_or_else(PoisonError::into_inner);
    let mut names = folders
        .iter()
        .filter_map(|folder| path.strip_prefix(folder).ok());
    Some(names.next()?.with_extension(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::display_name;

    #[test]
    fn files_of_a_call_are_shown_by_their_name_while_it_runs() {
        let path = "/tmp/scratch-of-a-test/parts/train.arrow";
        let folder = ScratchFolder::new("/tmp/scratch-of-a-test".into());
        assert!(is_scratch(Path::new(path)));
        assert_eq!(display_name(path), "parts/train");
        assert!(!is_scratch(Path::new("/tmp/scratch-of-a-test-2/a.arrow")));
        drop(folder);
        assert!(!is_scratch(Path::new(path)));
        assert_eq!(display_name(path), path);
    }
}
