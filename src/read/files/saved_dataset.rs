//! Folders of data sets that Hugging Face's `save_to_disk` wrote.
//!
//! ```text
//! train/data-00000-of-00002.arrow │ train/data-00001-of-00002.arrow │ train/state.json │ train/cache-1f3a….arrow
//! ```
//!
//! `state.json` lists the files of the data. Other files in the folder are descriptions, or cached results of earlier
//! transformations, whose rows would be read twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::data_name::{NotData, SkippedNames};
use crate::error::{Error, InputError};
use crate::store::{self, Location};

/// The name of the file that lists the files of the data.
const STATE_FILE: &str = "state.json";

/// The maximum size of that file in bytes. A larger one is a file of data.
const MOST_STATE_BYTES: u64 = 1 << 20;

/// Removes the files that are not data from the files that a folder or a pattern names, by the lists in the folders'
/// `state.json`. A pattern such as `cache-*.arrow`, whose last part starts with a name, still matches all files.
///
/// # Errors
///
/// A listed file is missing, or `state.json` cannot be read.
pub(super) fn only_listed(
    files: Vec<String>,
    argument: &str,
    skipped: &mut SkippedNames,
) -> Result<Vec<String>, Error> {
    let (_, last_part) = split(argument);
    if last_part.contains(['*', '?', '[']) && !last_part.starts_with('*') {
        return Ok(files);
    }
    let folders: BTreeSet<&str> = files.iter().map(|file| split(file).0).collect();
    let mut lists: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in folders {
        let state = format!("{folder}{STATE_FILE}");
        // A file of a store is only read if it is in the list of the folder.
        let location = Location::parse(&state)?;
        if files.contains(&state) || !location.is_remote() && store::exists(&location)? {
            lists.extend(listed_files(&location)?.map(|listed| (folder.to_owned(), listed)));
        }
    }
    for (folder, listed) in &lists {
        for name in listed {
            let path = format!("{folder}{name}");
            if !files.contains(&path) && !store::exists(&Location::parse(&path)?)? {
                let state = format!("{folder}{STATE_FILE}");
                return Err(InputError::ListedFileMissing { path, state }.into());
            }
        }
    }
    let mut kept_files = files;
    kept_files.retain(|file| {
        let (folder, name) = split(file);
        let reason = match lists.get(folder) {
            Some(_) if name == STATE_FILE => NotData::Description,
            Some(listed) if !listed.contains(name) => NotData::Unlisted,
            _ => return true,
        };
        skipped.add(Path::new(file), reason);
        false
    });
    Ok(kept_files)
}

/// The names of the files of the data; `None` if this is another file of the same name.
fn listed_files(state: &Location) -> Result<Option<BTreeSet<String>>, Error> {
    // The file may be one of data, so any error is reported when it is opened.
    let bytes = store::read(state, MOST_STATE_BYTES).ok().flatten();
    let value = bytes.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    let Some(files) = value
        .as_ref()
        .and_then(|state| state.get("_data_files")?.as_array())
    else {
        return Ok(None);
    };
    let names = files
        .iter()
        .map(|file| Some(file.get("filename")?.as_str()?.to_owned()));
    Ok(names.collect())
}

/// Splits a path into its folder, including the slash, and its file name.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |at| at + 1))
}
