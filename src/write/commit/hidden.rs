//! The hidden files beside an output: `.name.x1Y2z3.tmp` is a temporary file, and `.name.lock` claims the output. A run
//! locks its temporary files. The next run can thus distinguish them from those of a killed run.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::hash::fnv1a;

const TEMPORARY_SUFFIX: &str = ".tmp";

const LOCK_ENDING: &str = "lock";

/// The number of random characters in a temporary name.
const RANDOM_CHARACTERS: usize = 6;

/// The maximum length of a file name in common file systems, in bytes.
const MOST_NAME_BYTES: usize = 255;

/// The number of bytes by which a temporary name is longer than the name of the output.
const ADDED_BYTES: usize = ".".len() + ".".len() + RANDOM_CHARACTERS + TEMPORARY_SUFFIX.len();

/// The temporary files and lock files of this process. They are removed even if the process ends without dropping the
/// values that own them.
static HIDDEN_FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The number of threads that are publishing an output set, whose temporary files must not be removed now.
static PUBLISHING_THREADS: AtomicUsize = AtomicUsize::new(0);

/// Removes the temporary files and lock files of this process. Called if the process ends without dropping the values
/// that own them. While an output set is being published, nothing is removed, because the next run undoes the
/// publishing steps.
pub fn remove_temporary_files() {
    if PUBLISHING_THREADS.load(Ordering::SeqCst) > 0 {
        return;
    }
    let hidden_files =
        std::mem::take(&mut *HIDDEN_FILES.lock().unwrap_or_else(PoisonError::into_inner));
    for path in hidden_files {
        let _ = fs::remove_file(path);
    }
}

/// Runs a function that gives temporary files their final names. During the call, [`remove_temporary_files`] removes
/// nothing.
pub(super) fn while_publishing<T>(publish: impl FnOnce() -> T) -> T {
    PUBLISHING_THREADS.fetch_add(1, Ordering::SeqCst);
    let result = publish();
    PUBLISHING_THREADS.fetch_sub(1, Ordering::SeqCst);
    result
}

/// A hidden file of this process. It is removed when the value is dropped, unless it was renamed.
pub(super) struct HiddenFile(PathBuf);

impl HiddenFile {
    pub(super) fn new(path: PathBuf) -> HiddenFile {
        let mut hidden_files = HIDDEN_FILES.lock().unwrap_or_else(PoisonError::into_inner);
        hidden_files.insert(path.clone());
        HiddenFile(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Keeps the file when the value is dropped.
    pub(super) fn keep_file(mut self) {
        self.forget_file();
        self.0 = PathBuf::new();
    }

    fn forget_file(&self) {
        let mut hidden_files = HIDDEN_FILES.lock().unwrap_or_else(PoisonError::into_inner);
        hidden_files.remove(&self.0);
    }
}

impl Drop for HiddenFile {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            self.forget_file();
            let _ = fs::remove_file(&self.0);
        }
    }
}

/// Creates a temporary file in the folder of `path`, so that a rename stays within one file system. The
/// file gets the permissions of the file that it will replace.
pub(super) fn create_beside(path: &Path) -> io::Result<(File, HiddenFile)> {
    loop {
        let name = HiddenFile::new(unused_name(path));
        let created = File::options()
            .write(true)
            .create_new(true)
            .open(name.path());
        let file = match created {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                name.keep_file();
                continue;
            }
            Err(error) => {
                name.keep_file();
                return Err(error);
            }
        };
        // This fails if the file system has no locks. Other runs then cannot lock the file either, and therefore do not
        // remove it as stale.
        let _ = file.try_lock();
        // Another run may have removed the file as stale before it was locked.
        if fs::symlink_metadata(name.path()).is_err() {
            continue;
        }
        if let Ok(old) = fs::metadata(path) {
            // This fails if the old file has another owner.
            let _ = file.set_permissions(old.permissions());
        }
        return Ok((file, name));
    }
}

/// An unused temporary name in the folder of `path`.
pub(super) fn unused_name(path: &Path) -> PathBuf {
    loop {
        let mut name = temporary_prefix(path);
        let mut random_number = RandomState::new().hash_one(0_u8);
        for _ in 0..RANDOM_CHARACTERS {
            const NAME_CHARACTERS: &[u8; 62] =
                b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
            let digit = NAME_CHARACTERS[(random_number % 62) as usize];
            name.push(char::from(digit).to_string());
            random_number /= 62;
        }
        name.push(TEMPORARY_SUFFIX);
        let name = path.with_file_name(name);
        if fs::symlink_metadata(&name).is_err() {
            return name;
        }
    }
}

/// The path of the lock file by which an output at this path is claimed.
pub(super) fn lock_name(path: &Path) -> PathBuf {
    let mut name = temporary_prefix(path);
    name.push(LOCK_ENDING);
    path.with_file_name(name)
}

/// Removes the temporary files that killed runs left for this path. Such a file is not locked by any process. Failures
/// are ignored.
pub(super) fn remove_stale_files(path: &Path) {
    let prefix = temporary_prefix(path);
    let entries = fs::read_dir(folder_of(path));
    for entry in entries.into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_temporary(&entry.file_name(), &prefix) && is_unlocked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether no process is writing the file. A process locks its file while it writes.
fn is_unlocked(path: &Path) -> bool {
    // A file that was renamed to a temporary name keeps its permissions. With mode 400, it can only be opened for
    // reading.
    let file = File::open(path).or_else(|_| File::options().write(true).open(path));
    let Ok(file) = file else {
        return false;
    };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

/// Whether the name is a temporary name for this path.
pub(super) fn is_temporary_of(name: &OsStr, path: &Path) -> bool {
    is_temporary(name, &temporary_prefix(path))
}

fn is_temporary(name: &OsStr, prefix: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let random = name.strip_prefix(prefix.as_encoded_bytes());
    let random = random.and_then(|rest| rest.strip_suffix(TEMPORARY_SUFFIX.as_bytes()));
    random.is_some_and(|random| {
        random.len() == RANDOM_CHARACTERS && random.iter().all(u8::is_ascii_alphanumeric)
    })
}

/// The common start of all hidden names for a path. If the path's file name is too long, it is shortened, and a hash is
/// added.
fn temporary_prefix(path: &Path) -> OsString {
    let name = path.file_name().unwrap_or_default();
    let mut prefix = OsString::from(".");
    if name.len() + ADDED_BYTES <= MOST_NAME_BYTES {
        prefix.push(name);
    } else {
        let hash = format!("~{:016x}", fnv1a(name.as_encoded_bytes()));
        let text = name.to_string_lossy();
        let mut end = (MOST_NAME_BYTES - ADDED_BYTES - hash.len()).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        prefix.push(&text[..end]);
        prefix.push(hash);
    }
    prefix.push(".");
    prefix
}

pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The path with all symbolic links resolved. The file need not exist.
pub(super) fn resolve_links(path: &Path) -> PathBuf {
    /// The maximum number of symbolic links that Linux follows for one path.
    const MOST_LINKS: usize = 40;
    let mut resolved_path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&resolved_path) {
            Ok(target) => resolved_path = folder_of(&resolved_path).join(target),
            Err(_) => return resolved_path,
        }
    }
    // The links form a cycle. The system reports this when the file is opened.
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_killed_runs_are_removed_and_files_in_use_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graded.csv");
        let (file, stale) = create_beside(&path).unwrap();
        let stale_path = stale.path().to_owned();
        stale.keep_file();
        // Dropping the file ends its lock, as the end of a process would.
        drop(file);
        let (_locked, written) = create_beside(&path).unwrap();
        let other_names = [
            ".graded.csv.tmp",
            ".graded.csv.short.tmp",
            ".graded.csv.x1Y2z3.old",
            ".graded.csv.gz.x1Y2z3.tmp",
            "graded.csv.x1Y2z3.tmp",
        ];
        for name in other_names {
            fs::write(folder.path().join(name), "mine").unwrap();
        }
        remove_stale_files(&path);
        assert!(!stale_path.exists());
        assert!(written.path().exists());
        for name in other_names {
            assert!(folder.path().join(name).exists(), "{name}");
        }
    }

    #[test]
    fn hidden_names_of_long_file_names_are_not_too_long() {
        let folder = tempfile::tempdir().unwrap();
        for length in [243, 244, 250, 255] {
            let names = ["x".repeat(length), format!("{}é", "x".repeat(length - 2))];
            for name in names {
                let path = folder.path().join(&name);
                let (_file, hidden) = create_beside(&path).unwrap();
                assert!(hidden.path().exists(), "{length}");
                fs::write(lock_name(&path), "").unwrap();
                assert_ne!(hidden.path(), lock_name(&path));
            }
        }
    }
}
