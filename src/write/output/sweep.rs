//! What of a folder is ours, and what of it an earlier run left that is of no use.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// How the names of parts begin.
pub(super) const PART: &str = "part-";

/// The folder of the rejects: readers of tables pass over names that begin with `_`.
pub(super) const REJECTS: &str = "_rejects";

/// Whether everything in the folder is of a kind that this tool writes into folders.
pub(super) fn is_ours(root: &Path) -> Result<bool, Error> {
    let mut ours = true;
    walk(root, &mut |path, is_folder| {
        let name = name(path);
        ours &= match is_folder {
            true => name == REJECTS || name.contains('='),
            false => {
                let name = name.strip_prefix('.').unwrap_or(&name);
                [PART, "_manifest", "_journal", "_SUCCESS"]
                    .iter()
                    .any(|prefix| name.starts_with(prefix))
            }
        };
        Ok(())
    })?;
    Ok(ours)
}

/// Whether a run of this tool has written into the folder.
pub(super) fn has_marks(root: &Path) -> Result<bool, Error> {
    let entries = fs::read_dir(root).map_err(|error| refused(root, error))?;
    let mut names = entries.flatten().map(|entry| name(&entry.path()));
    Ok(names.any(|name| name.starts_with("_manifest") || name.starts_with("_journal")))
}

/// Takes away parts that are not among `keep` (paths within the folder), temporary ones and empty
/// folders. Where `own` is given, others write into the folder too: then only parts whose names
/// begin with one of these.
pub(super) fn sweep(
    root: &Path,
    keep: &HashSet<&str>,
    own: Option<&HashSet<&str>>,
) -> Result<(), Error> {
    walk(root, &mut |path, is_folder| {
        if is_folder {
            if own.is_none() {
                // Fails where the folder is not empty.
                let _ = fs::remove_dir(path);
            }
            return Ok(());
        }
        let name = name(path);
        let part = name.strip_prefix('.').unwrap_or(&name);
        let is_own = part.starts_with(PART)
            && own.is_none_or(|own| own.iter().any(|prefix| part.starts_with(prefix)));
        let within = path.strip_prefix(root).unwrap_or(path);
        if is_own && !keep.contains(within.to_string_lossy().as_ref()) {
            fs::remove_file(path).map_err(|error| refused(path, error))?;
        }
        Ok(())
    })
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn refused(path: &Path, error: io::Error) -> Error {
    Error::Write {
        path: path.to_owned(),
        error,
    }
}

/// Every file and folder below, folders after what is in them.
fn walk(
    folder: &Path,
    visit: &mut dyn FnMut(&Path, bool) -> Result<(), Error>,
) -> Result<(), Error> {
    let entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(|error| refused(folder, error))?;
    for entry in entries {
        let path: PathBuf = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder {
            walk(&path, visit)?;
        }
        visit(&path, is_folder)?;
    }
    Ok(())
}
