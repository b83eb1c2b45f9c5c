//! Paths of files in archives: `a.zip/x.csv` is the file `x.csv` in the archive `a.zip`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The archive, and the name of the file in it, if the path leads through a file as if that were a folder. `None` for a
/// path of a file or folder on disk, and for a path at which there is nothing.
pub(crate) fn archive_and_member(path: &Path) -> Option<(PathBuf, String)> {
    let error = fs::metadata(path).err()?;
    if error.kind() != io::ErrorKind::NotADirectory {
        return None;
    }
    let archive = path.ancestors().find(|above| above.is_file())?;
    let member = path.strip_prefix(archive).ok()?.to_str()?;
    Some((archive.to_owned(), member.to_owned()))
}

/// The path with all links resolved. For a file in an archive, these are the links to the archive.
pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    match archive_and_member(path) {
        Some((archive, member)) => Ok(fs::canonicalize(archive)?.join(member)),
        None => fs::canonicalize(path),
    }
}
