//! What of a folder is ours, and what of it an earlier run left that is of no use.

use std::collections::HashSet;
use std::fs;

use super::manifest::JOURNAL;
use super::place::{Item, each};
use crate::error::Error;
use crate::store;

/// How the names of parts begin.
pub(super) const PART: &str = "part-";

/// The folder of the rejects: readers of tables pass over names that begin with `_`.
pub(super) const REJECTS: &str = "_rejects";

/// Whether everything in the folder is of a kind that this tool writes into folders.
pub(super) fn is_ours(items: &[Item]) -> bool {
    let is_folder_of_ours =
        |name: &str| name == REJECTS || name.contains('=') || name.starts_with(JOURNAL);
    items.iter().all(|item| {
        // On disk the folders are items too; a store has only names.
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
                is_journal
                    || [PART, "_manifest", JOURNAL, "_SUCCESS"]
                        .iter()
                        .any(|prefix| name.starts_with(prefix))
            }
        };
        is_ours && folders.all(is_folder_of_ours)
    })
}

/// Whether a run of this tool has written into the folder.
pub(super) fn has_marks(items: &[Item]) -> bool {
    let mut names = items.iter().map(|item| &item.name);
    names.any(|name| name.starts_with("_manifest") || name.starts_with(JOURNAL))
}

/// The input's name in that of one of its parts: `part-millions-1a2b3c4d5e6f7a8b`, of the temporary
/// ones too.
pub(super) fn input_of(part: &str) -> Option<&str> {
    let part = part.strip_prefix('.').unwrap_or(part);
    let (stem, rest) = part.strip_prefix(PART)?.split_once('-')?;
    let hash = rest.find(['-', '.']).unwrap_or(rest.len());
    part.get(..PART.len() + stem.len() + 1 + hash)
}

/// Takes away parts that are not among `keep` (paths within the folder), temporary ones and empty
/// folders. Where `own` is given, others write into the folder too: then only the parts of these
/// inputs. `is_left` tells what else a killed run has left.
pub(super) fn sweep(
    items: &[Item],
    keep: &HashSet<&str>,
    own: Option<&HashSet<&str>>,
    is_left: impl Fn(&str) -> bool,
) -> Result<(), Error> {
    let is_of_no_use = |item: &&Item| {
        if is_left(&item.name) {
            return true;
        }
        let part = item.own_name();
        let is_own = match own {
            None => part.strip_prefix('.').unwrap_or(part).starts_with(PART),
            Some(own) => input_of(part).is_some_and(|input| own.contains(input)),
        };
        // The journal of a store has names like those of the parts.
        !item.is_folder
            && is_own
            && !item.name.starts_with(JOURNAL)
            && !keep.contains(item.name.as_str())
    };
    let of_no_use: Vec<&Item> = items.iter().filter(is_of_no_use).collect();
    each(&of_no_use, |item| store::delete(&item.location))?;
    if own.is_none() {
        for folder in items.iter().filter(|item| item.is_folder) {
            // Fails where the folder is not empty.
            let _ = fs::remove_dir(folder.location.to_path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
