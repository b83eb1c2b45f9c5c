//! Temporary files beside their place: `.name.x1Y2z3.tmp`, locked while a run writes them, so that
//! the next run can tell what a killed one has left.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

const SUFFIX: &str = ".tmp";

/// Random characters between the name and the suffix.
const RANDOM: usize = 6;

/// A new file in the same folder, so that the rename stays within one file system. Goes away unless
/// it is given its final name.
pub(super) fn beside(path: &Path) -> io::Result<NamedTempFile> {
    loop {
        let prefix = prefix(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        // Like any other new file, not private as temporary ones are.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder_of(path))?;
        // Fails where the file system has no locks: then nobody takes the file for a stale one either.
        let _ = file.as_file().try_lock();
        // Another run may have swept it before it was locked.
        if fs::symlink_metadata(file.path()).is_ok() {
            return Ok(file);
        }
    }
}

/// Removes the temporary files that killed runs have left of this path: those that no process holds
/// locked. What cannot be removed stays.
pub(super) fn sweep(path: &Path) {
    let prefix = prefix(path);
    for entry in fs::read_dir(folder_of(path))
        .into_iter()
        .flatten()
        .flatten()
    {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_temporary(&entry.file_name(), &prefix) && is_free(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether no process writes the file: each holds a lock on it.
fn is_free(path: &Path) -> bool {
    let Ok(file) = File::options().write(true).open(path) else {
        return false;
    };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

fn is_temporary(name: &OsStr, prefix: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let random = name.strip_prefix(prefix.as_encoded_bytes());
    let random = random.and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
    })
}

fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The place that a path names behind its symbolic links, whether something is there or not.
pub(super) fn behind_links(path: &Path) -> PathBuf {
    /// As many as Linux follows.
    const MOST: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&place) {
            Ok(target) => place = folder_of(&place).join(target),
            Err(_) => return place,
        }
    }
    // A ring of links: the system says so when it is opened.
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_has_left_is_swept_and_what_is_being_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graded.csv");
        let (stale, _) = beside(&path)
            .unwrap()
            .keep()
            .map(|(file, path)| (path, file))
            .unwrap();
        // The lock goes with the process: here with the file.
        let written = beside(&path).unwrap();
        let others = [
            ".graded.csv.tmp",
            ".graded.csv.short.tmp",
            ".graded.csv.x1Y2z3.old",
            ".graded.csv.gz.x1Y2z3.tmp",
            "graded.csv.x1Y2z3.tmp",
        ];
        for name in others {
            fs::write(folder.path().join(name), "mine").unwrap();
        }
        sweep(&path);
        assert!(!stale.exists());
        assert!(written.path().exists());
        for name in others {
            assert!(folder.path().join(name).exists(), "{name}");
        }
    }
}
