//! Temporary files, named `.name.x1Y2z3.tmp`, beside the files that they become. A run locks them
//! while it writes, so that the next run recognises files left by a killed run.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

const SUFFIX: &str = ".tmp";

/// Random characters between the name and the suffix.
const RANDOM: usize = 6;

/// Creates a file in the same folder, so that renaming stays within one file system. The file is
/// removed unless it gets its final name.
pub(super) fn create_beside(path: &Path) -> io::Result<NamedTempFile> {
    loop {
        let prefix = prefix(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        // Uses the permissions of any new file, since temporary files are private by default.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder_of(path))?;
        // This fails if the file system has no locks. Then no other run can lock the file either,
        // so none takes it for stale.
        let _ = file.as_file().try_lock();
        // Another run may have removed the file before it was locked.
        if fs::symlink_metadata(file.path()).is_ok() {
            return Ok(file);
        }
    }
}

/// Removes the temporary files that killed runs left for this path: those that no process has
/// locked. Files that cannot be removed stay.
pub(super) fn sweep(path: &Path) {
    let prefix = prefix(path);
    for entry in fs::read_dir(folder_of(path))
        .into_iter()
        .flatten()
        .flatten()
    {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_temporary(&entry.file_name(), &prefix) && is_unlocked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether no process is writing the file. A writing process holds a lock on it.
fn is_unlocked(path: &Path) -> bool {
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

/// The path that symbolic links lead to, whether it exists or not.
pub(super) fn resolve_links(path: &Path) -> PathBuf {
    /// The number of links that Linux follows.
    const MOST: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&place) {
            Ok(target) => place = folder_of(&place).join(target),
            Err(_) => return place,
        }
    }
    // The links form a cycle. The system reports it when the file is opened.
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_has_left_is_swept_and_what_is_being_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graded.csv");
        let (stale, _) = create_beside(&path)
            .unwrap()
            .keep()
            .map(|(file, path)| (path, file))
            .unwrap();
        // A lock ends with the process, here with the file.
        let written = create_beside(&path).unwrap();
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
