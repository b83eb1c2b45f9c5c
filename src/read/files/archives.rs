//! Finds the files in zip archives of several files. Each is an input of its own: `a.zip/x.csv`.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::data_name::{NotData, SkippedNames, not_data, not_data_folder};
use crate::read::bytes::zip;
use crate::store::{self, Location, RandomAccess};

/// The files of data in a zip archive, ordered by name, and the names that are skipped. `None` for other files, for an
/// archive with a single file, and for one that cannot be read: these are inputs themselves. An archive that the user has
/// named (`is_named`) may have any name.
pub(super) fn archive_members(path: &str, is_named: bool) -> Option<(Vec<String>, SkippedNames)> {
    if !is_named && !path.to_ascii_lowercase().ends_with(".zip") {
        return None;
    }
    let Location::Local(local) = Location::parse(path).ok()? else {
        return None;
    };
    let file = open_archive(local)?;
    let mut names: Vec<String> = zip::members(&file)?
        .iter()
        .map(zip::DirectoryEntry::path)
        .collect();
    names.sort();
    let mut skipped = SkippedNames::new(path);
    let mut members = Vec::new();
    for name in &names {
        match skip_reason(name, &names) {
            Some(reason) => skipped.add(Path::new(name), reason),
            None => members.push(format!("{path}/{name}")),
        }
    }
    (!members.is_empty()).then_some((members, skipped))
}

/// Whether the path is that of a file in a zip archive.
pub(super) fn is_in_archive(path: &Path) -> bool {
    store::archive_and_member(path).is_some_and(|(archive, member)| {
        open_archive(archive).is_some_and(|file| zip::member(&file, &member).is_some())
    })
}

/// Opens a local zip archive; `None` for other files.
fn open_archive(path: PathBuf) -> Option<RandomAccess> {
    // Opening a pipe would wait for its writer.
    if !path.is_file() {
        return None;
    }
    let mut opened = store::open(&Location::Local(path)).ok()?;
    let mut magic = [0; 4];
    opened.reader.read_exact(&mut magic).ok()?;
    opened.random.filter(|_| zip::is_archive(&magic))
}

/// The reason why a file of an archive with these files is not data; `None` if it is data.
fn skip_reason(name: &str, names: &[String]) -> Option<NotData> {
    let path = Path::new(name);
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut folders = folder
        .ancestors()
        .filter(|above| above.file_name().is_some());
    let is_saved_dataset = || {
        let has_end = |other: &&String| {
            other.ends_with(".arrow") && Path::new(other).parent() == Some(folder)
        };
        path.file_name().is_some_and(|own| own == "state.json")
            && names.iter().any(|other| has_end(&other))
    };
    folders
        .find_map(|folder| not_data_folder(folder, ""))
        .or_else(|| not_data(path, ""))
        .or_else(|| is_saved_dataset().then_some(NotData::Description))
}
