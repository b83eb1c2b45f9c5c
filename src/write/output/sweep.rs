//! Recognises the files of an output folder by their names, and removes stale parts that an
//! interrupted run left.

use std::collections::HashSet;
use std::fs;

use super::manifest::{JOURNAL, SUCCESS};
use super::parts_folder::{FolderItem, each};
use crate::error::Error;
use crate::store;

/// The start of the names of parts.
pub(super) const PART: &str = "part-";

/// The folder of the rejects. Readers of tables ignore names that begin with `_`.
pub(super) const REJECTS: &str = "_rejects";

/// The start of the names of the status files.
const STATUS_FILES: [&str; 3] = [SUCCESS, "_manifest", JOURNAL];

/// Whether every item has a name that this tool gives to files of output folders.
pub(super) fn is_ours(items: &[FolderItem]) -> bool {
    let is_folder_of_ours =
        |name: &str| name == REJECTS || name.contains('=') || name.starts_with(JOURNAL);
    items.iter().all(|item| {
        // On disk, folders are items too; an object store has only names.
        let (folders, name) = match item.name.rsplit_once('/') {
            Some((folders, name)) => (Some(folders), name),
            None => (None, item.name.as_str()),
        };
        let mut folders = folders.iter().flat_map(|folders| folders.split('/'));
        let is_ours = match item.is_folder {
            true => is_folder_of_ours(name),
            false => {
                let is_journal = item.name.starts_with(JOURNAL);
                let name = name.strip_prefix('.').unwrap_or(name);
                let mut starts = STATUS_FILES.iter().chain(&[PART]);
                is_journal || starts.any(|start| name.starts_with(start))
            }
        };
        is_ours && folders.all(is_folder_of_ours)
    })
}

/// Whether an item is the folder of rejects or is in it.
pub(super) fn is_reject(item: &FolderItem) -> bool {
    item.name.split('/').next() == Some(REJECTS)
}

/// Whether this is a status file that a killed run did not complete: `._journal.ndjson.a1B2c3.tmp`.
pub(super) fn is_unfinished_status_file(item: &FolderItem) -> bool {
    let name = item
        .name
        .strip_prefix('.')
        .filter(|name| name.ends_with(".tmp"));
    !item.is_folder
        && name.is_some_and(|name| STATUS_FILES.iter().any(|mark| name.starts_with(mark)))
}

/// The kind of run that wrote a status file, by the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunKind {
    /// A run over all inputs.
    Whole,
    /// One of this many shards.
    Shards(u64),
}

impl RunKind {
    /// `_manifest.0-of-8.json` → `Shards(8)`; `None` if the item is not a status file.
    pub(super) fn item(item: &FolderItem) -> Option<RunKind> {
        RunKind::name(&item.name)
    }

    fn name(name: &str) -> Option<RunKind> {
        let name = name.split('/').next()?;
        let mut starts = STATUS_FILES.iter();
        let rest = starts.find_map(|start| name.strip_prefix(start))?;
        let shards = rest.split('.').find_map(|part| part.split_once("-of-"));
        match shards {
            None => Some(RunKind::Whole),
            Some((_, of)) => of.parse().ok().map(RunKind::Shards),
        }
    }
}

impl std::fmt::Display for RunKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunKind::Whole => write!(f, "a run without --shard"),
            RunKind::Shards(of) => write!(f, "one of {of} shards"),
        }
    }
}

/// The part name of an input, from the name of one of its files, including temporary ones:
/// `part-millions-1a2b3c4d5e6f7a8b`.
pub(super) fn input_of(part: &str) -> Option<&str> {
    let part = part.strip_prefix('.').unwrap_or(part);
    let (stem, rest) = part.strip_prefix(PART)?.split_once('-')?;
    let hash = rest.find(['-', '.']).unwrap_or(rest.len());
    part.get(..PART.len() + stem.len() + 1 + hash)
}

/// Removes parts that are not in `keep` (paths within the folder), temporary files and empty
/// folders. If `own` is given, other runs write to the folder too, and only parts of these inputs
/// are removed. `is_left` recognises other files that a killed run left.
pub(super) fn sweep(
    items: &[FolderItem],
    keep: &HashSet<&str>,
    own: Option<&HashSet<&str>>,
    is_left: impl Fn(&str) -> bool,
) -> Result<(), Error> {
    let is_stale = |item: &&FolderItem| {
        if is_left(&item.name) {
            return true;
        }
        let part = item.own_name();
        let is_own = match own {
            None => part.strip_prefix('.').unwrap_or(part).starts_with(PART),
            Some(own) => input_of(part).is_some_and(|input| own.contains(input)),
        };
        // In a store, the objects of a journal have names like parts.
        !item.is_folder
            && is_own
            && !item.name.starts_with(JOURNAL)
            && !keep.contains(item.name.as_str())
    };
    let stale: Vec<&FolderItem> = items.iter().filter(is_stale).collect();
    each(&stale, |item| store::delete(&item.location))?;
    if own.is_none() {
        for folder in items.iter().filter(|item| item.is_folder) {
            // This fails if the folder is not empty.
            let _ = fs::remove_dir(folder.location.to_path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_file_says_how_many_shards_there_were() {
        for (name, of) in [
            ("_SUCCESS", RunKind::Whole),
            ("_manifest.json", RunKind::Whole),
            ("_journal/part-3-of-4-00ff.json", RunKind::Whole),
            ("_SUCCESS.3-of-4", RunKind::Shards(4)),
            ("_manifest.0-of-8.json", RunKind::Shards(8)),
            ("_journal.11-of-12.ndjson", RunKind::Shards(12)),
            ("_journal.0-of-2/part-a-00ff.json", RunKind::Shards(2)),
        ] {
            assert_eq!(RunKind::name(name), Some(of), "{name}");
        }
        for name in ["_rejects/part-a-00ff.csv", "part-a-00ff.csv", "x/_SUCCESS"] {
            assert_eq!(RunKind::name(name), None, "{name}");
        }
    }

    #[test]
    fn the_name_of_a_part_begins_with_that_of_its_input() {
        for part in [
            "part-a_b-00ff.parquet",
            "part-a_b-00ff-00007.csv.gz",
            ".part-a_b-00ff.parquet.x1Y2z3.tmp",
            "part-a_b-00ff",
        ] {
            assert_eq!(input_of(part), Some("part-a_b-00ff"), "{part}");
        }
        for other in ["part-a.txt", "_manifest.json", "", ".", "a-part-b-1"] {
            assert_eq!(input_of(other), None, "{other}");
        }
    }
}
