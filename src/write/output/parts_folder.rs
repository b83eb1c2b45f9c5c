//! The folder that parts are written into, on disk or in a store.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::Error;
use crate::store::{self, Location};

/// A folder of parts.
#[derive(Clone, Debug)]
pub(super) struct PartsFolder(Location);

/// A file or folder within it.
pub(super) struct FolderItem {
    pub(super) location: Location,
    /// Its path within the folder, with `/` as the separator.
    pub(super) name: String,
    /// Whether it is a folder. Stores have none.
    pub(super) is_folder: bool,
    /// Its size, if the listing states it.
    bytes: Option<u64>,
}

impl FolderItem {
    /// Its file name.
    pub(super) fn own_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }
}

impl PartsFolder {
    pub(super) fn of(path: &Path) -> Result<PartsFolder, Error> {
        Ok(PartsFolder(Location::of(path)?))
    }

    pub(super) fn is_remote(&self) -> bool {
        self.0.is_remote()
    }

    /// The location of this name within the folder.
    pub(super) fn at(&self, name: &str) -> Location {
        self.0.join(name)
    }

    /// The folder's own path.
    pub(super) fn path(&self) -> PathBuf {
        self.0.to_path()
    }

    /// Creates the folder. A store needs no folders.
    pub(super) fn make(&self) -> Result<(), Error> {
        make(&self.0)
    }

    /// Creates a folder within.
    pub(super) fn make_folder(&self, name: &str) -> Result<(), Error> {
        make(&self.at(name))
    }

    /// All files and folders within, folders after their contents. Empty if the folder does not
    /// exist.
    pub(super) fn items(&self) -> Result<Vec<FolderItem>, Error> {
        let mut items = Vec::new();
        match &self.0 {
            Location::Local(root) if !root.exists() => {}
            Location::Local(root) => walk(root, "", &mut items)?,
            remote => items.extend(store::list(remote)?.into_iter().map(|found| FolderItem {
                location: found.location,
                name: found.name,
                is_folder: false,
                bytes: found.metadata.bytes,
            })),
        }
        Ok(items)
    }
}

/// The files of a folder, by name.
pub(super) struct Files<'a>(HashMap<&'a str, &'a FolderItem>);

impl<'a> Files<'a> {
    pub(super) fn of(items: &'a [FolderItem]) -> Files<'a> {
        let files = items.iter().filter(|item| !item.is_folder);
        Files(files.map(|item| (item.name.as_str(), item)).collect())
    }

    /// Whether a part exists with its recorded size.
    pub(super) fn has(&self, path: &str, bytes: u64) -> bool {
        let item = self.0.get(path);
        let found = item.and_then(|item| match item.bytes {
            None => store::metadata(&item.location).ok()??.bytes,
            known => known,
        });
        found == Some(bytes)
    }
}

/// Applies a function to all items, several at a time, because stores respond slowly. The results
/// are in order.
pub(super) fn each<T: Sync, R: Send, E: Send>(
    all: &[T],
    act: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let results: Vec<Mutex<Option<Result<R, E>>>> = all.iter().map(|_| Mutex::default()).collect();
    at_once(all.len(), &|index| {
        let result = act(&all[index]);
        let succeeded = result.is_ok();
        *results[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(result);
        succeeded
    });
    // Only items after one that failed can be without a result.
    results
        .into_iter()
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// Calls a function with the indexes from 0 to `count`, several at a time. A thread ends when the
/// function returns false. Not generic, so that the threads are compiled once.
fn at_once(count: usize, act: &(dyn Fn(usize) -> bool + Sync)) {
    const AT_ONCE: usize = 16;
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count || !act(index) {
                    break;
                }
            }
        };
        let threads = 0..count.min(AT_ONCE);
        let start = |_| thread::Builder::new().spawn_scoped(scope, work);
        let threads: Vec<_> = threads.map_while(|index| start(index).ok()).collect();
        if threads.is_empty() {
            // The system starts no thread.
            work();
        }
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

fn make(location: &Location) -> Result<(), Error> {
    match location {
        Location::Local(path) => fs::create_dir_all(path).map_err(|error| refused(path, error)),
        _ => Ok(()),
    }
}

fn walk(folder: &Path, prefix: &str, items: &mut Vec<FolderItem>) -> Result<(), Error> {
    let entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(|error| refused(folder, error))?;
    for entry in entries {
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder {
            walk(&path, &format!("{name}/"), items)?;
        }
        items.push(FolderItem {
            location: Location::Local(path),
            name,
            is_folder,
            bytes: None,
        });
    }
    Ok(())
}

pub(super) fn refused(path: &Path, error: io::Error) -> Error {
    Error::Write {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_done_in_order_and_an_error_ends_it() {
        let all: Vec<usize> = (0..1000).collect();
        assert_eq!(
            each(&all, |one| Ok::<_, Error>(one * 2)).unwrap()[999],
            1998
        );
        assert!(
            each(&all[..0], |one| Ok::<_, Error>(*one))
                .unwrap()
                .is_empty()
        );
        let odd = |one: &usize| match one {
            77 => Err(Error::BrokenPipe),
            _ => Ok(()),
        };
        assert!(each(&all, odd).is_err());
    }

    #[test]
    fn a_folder_lists_its_contents() {
        let folder = tempfile::tempdir().unwrap();
        let place = PartsFolder::of(folder.path()).unwrap();
        place.make_folder("level=easy").unwrap();
        fs::write(folder.path().join("level=easy/a"), "four").unwrap();
        let items = place.items().unwrap();
        let names: Vec<_> = items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["level=easy/a", "level=easy"]);
        let files = Files::of(&items);
        assert!(files.has("level=easy/a", 4) && !files.has("level=easy/a", 5));
        let none = PartsFolder::of(&folder.path().join("none")).unwrap();
        assert!(none.items().unwrap().is_empty());
    }
}
