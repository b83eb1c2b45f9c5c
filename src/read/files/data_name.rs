//! Decides by its name whether a file in a folder is data, by the same rules as other query engines.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use crate::store::path_text;

/// The ends of names of temporary files and backups, as editors, downloads and copies create them.
const TEMPORARY_ENDS: [&str; 15] = [
    "~",
    ".bak",
    ".crdownload",
    ".old",
    ".orig",
    ".part",
    ".partial",
    ".swo",
    ".swp",
    ".temp",
    ".tmp",
    "._copying_",
    ".download",
    ".incomplete",
    ".lock",
];

/// The ends of names of documents, pictures and programs that often lie in a folder with data.
const DOCUMENT_ENDS: [&str; 14] = [
    ".gif",
    ".htm",
    ".html",
    ".ipynb",
    ".jpeg",
    ".jpg",
    ".markdown",
    ".md",
    ".pdf",
    ".png",
    ".py",
    ".rst",
    ".svg",
    ".webp",
];

/// The names of documents that have no typical end, such as `readme`. They may end with `.txt`.
const DOCUMENT_NAMES: [&str; 4] = ["copying", "licence", "license", "readme"];

/// The ends of names of files that describe a data set of Hugging Face or one of its files. They have no puzzles.
const DESCRIPTION_ENDS: [&str; 1] = [".metadata"];

/// The names of files that describe a data set of Hugging Face. They have no puzzles.
const DESCRIPTION_NAMES: [&str; 4] = [
    "dataset_dict.json",
    "dataset_info.json",
    "dataset_infos.json",
    "dataset-metadata.json",
];

/// The names of the state of a folder of parts, without what stands after the first dot, such as a shard's number.
const STATE_NAMES: [&str; 3] = ["_success", "_manifest", "_journal"];

/// The maximum number of file names that a message lists for each reason.
const MOST_NAMES: usize = 3;

/// The reason why a file or folder within a folder is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NotData {
    /// The name starts with `.` or `_`. Hive, Spark and DuckDB mark files without data in this way.
    Hidden,
    /// The file is the state of a folder of parts, as this program, Spark and Hadoop write it. Every such folder has it.
    State,
    /// The name has the end of a temporary file or a backup.
    Temporary,
    /// The file is a document, a picture or a program.
    Document,
    /// The file describes a data set, as those of Hugging Face do.
    Description,
    /// The file is not among those that the state of a saved data set lists, such as a cached result.
    Unlisted,
    /// The file is a named pipe, a socket or a device.
    Special,
    /// The path is a link to a folder that is also found under another name, and is read under that name.
    SeenFolder,
    /// The name marks a folder, such as `a_$folder$`. Hadoop's tools create such objects in stores.
    FolderMarker,
    /// The file belongs to an array of puzzles, in a layout of training data for models.
    Companion,
    /// The key of the object has a segment `.` or `..`, so no address can name it.
    NoAddress,
}

/// The names of the subfolders of a data set in Hugging Face's cache. `snapshots` has links to the files in `blobs`.
const CACHE_FOLDERS: [&str; 3] = ["blobs", "refs", "snapshots"];

/// Whether a folder is that of a data set in Hugging Face's cache and this entry of it is not data: it is `blobs` or
/// `refs`, and `snapshots` is beside it.
pub(super) fn is_cache_folder(entry: &Path) -> bool {
    let folder = entry.parent().unwrap_or(Path::new("."));
    let name = entry.file_name().unwrap_or_default();
    CACHE_FOLDERS[..2].iter().any(|own| name == *own)
        && CACHE_FOLDERS.iter().all(|own| folder.join(own).is_dir())
}

/// The reason why the name of an entry of a folder is not data, by the rules for what the entry is: a file or a folder.
pub(super) fn not_data_entry(path: &Path, pattern: &str) -> Option<NotData> {
    if path.is_dir() {
        not_data_folder(path, pattern)
    } else {
        not_data(path, pattern)
    }
}

/// The reason why the name of a folder is not data; `None` if it is data. The end of the name says nothing about a
/// folder: `2024.old` and `source=in.md` have data. A name `column=value` is a partition, even if the column starts
/// with `_`, as Spark has it.
pub(super) fn not_data_folder(path: &Path, pattern: &str) -> Option<NotData> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_partition = name.find('=').is_some_and(|at| at > 0);
    if is_partition && !is_temporary_folder(&name) {
        None
    } else {
        hidden(&name, pattern)
    }
}

/// Whether a run has made the folder beside its output folder: `.level=hard.x1Y2z3.tmp`.
pub(crate) fn is_temporary_folder(name: &str) -> bool {
    let parts = name
        .strip_prefix('.')
        .and_then(|name| name.strip_suffix(".tmp"));
    let random_end = parts.and_then(|parts| parts.rsplit_once('.'));
    random_end.is_some_and(|(_, end)| {
        end.len() == 6 && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn hidden(name: &str, pattern: &str) -> Option<NotData> {
    let is_hidden = |mark: &char| name.starts_with(*mark) && !pattern.starts_with(*mark);
    let is_hidden = ['.', '_'].iter().any(is_hidden);
    let stem = name.split('.').next();
    let is_state =
        stem.is_some_and(|stem| STATE_NAMES.iter().any(|own| own.eq_ignore_ascii_case(stem)));
    is_hidden.then_some(if is_state {
        NotData::State
    } else {
        NotData::Hidden
    })
}

/// The reason why the name of a file is not data; `None` if it is data. Files that are usually skipped count as data if
/// a pattern spells out their prefix, extension or name, as `_*.csv` and `*.bak` do.
pub(super) fn not_data(path: &Path, pattern: &str) -> Option<NotData> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let pattern = pattern.to_ascii_lowercase();
    let is_ending = |end: &&str| name.ends_with(*end) && !pattern.ends_with(*end);
    if is_ending(&"_$folder$") {
        return Some(NotData::FolderMarker);
    }
    if let Some(reason) = hidden(&name, &pattern) {
        return Some(reason);
    }
    // The library `datasets` stores the results of transformations under such names.
    let is_cached = name.starts_with("cache-") && name.ends_with(".arrow");
    if TEMPORARY_ENDS.iter().any(is_ending) || is_cached && !pattern.starts_with("cache-") {
        return Some(NotData::Temporary);
    }
    let is_description = DESCRIPTION_ENDS.iter().any(is_ending)
        || DESCRIPTION_NAMES.contains(&name.as_str()) && pattern != name;
    if is_description {
        return Some(NotData::Description);
    }
    let stem = name.strip_suffix(".txt").unwrap_or(&name);
    let is_document = DOCUMENT_ENDS.iter().any(is_ending)
        || DOCUMENT_NAMES.contains(&stem) && !pattern.contains(stem);
    is_document.then_some(NotData::Document)
}

/// The names in a folder, or among the matches of a pattern, that are skipped because they are not data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkippedNames {
    /// The folder or pattern, as the user gave it.
    pub argument: String,
    /// For each reason, the number of skipped names and the first few of these names.
    names: BTreeMap<NotData, (usize, Vec<String>)>,
}

impl SkippedNames {
    pub(super) fn new(argument: &str) -> SkippedNames {
        SkippedNames {
            argument: argument.to_owned(),
            names: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, path: &Path, reason: NotData) {
        let (count, names) = self.names.entry(reason).or_default();
        *count += 1;
        if names.len() < MOST_NAMES {
            let name = path.file_name().unwrap_or(path.as_os_str());
            names.push(path_text(Path::new(name)));
        }
    }

    /// Adds an object that is data, but that no request can name. Messages list all such objects.
    pub(super) fn add_unreadable(&mut self, name: &str) {
        let (count, names) = self.names.entry(NotData::NoAddress).or_default();
        *count += 1;
        names.push(name.to_owned());
    }

    /// Whether some data objects were skipped because no request can name them.
    pub fn has_unreadable(&self) -> bool {
        self.names.contains_key(&NotData::NoAddress)
    }

    pub(super) fn merge(&mut self, other: SkippedNames) {
        for (reason, (count, names)) in other.names {
            let (own, own_names) = self.names.entry(reason).or_default();
            *own += count;
            own_names.extend(names);
            own_names.truncate(MOST_NAMES);
        }
    }

    /// The number of skipped names, without the state of a folder of parts.
    pub fn count(&self) -> usize {
        self.unexpected().map(|(_, (count, _))| count).sum()
    }

    /// Whether no name was skipped.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The skipped names that a folder of parts need not have.
    fn unexpected(&self) -> impl Iterator<Item = (&NotData, &(usize, Vec<String>))> {
        self.names
            .iter()
            .filter(|(reason, _)| **reason != NotData::State)
    }

    /// The reasons for skipping all names, with the first names for each, as text.
    pub(super) fn reasons(&self) -> String {
        SkippedNames::text(self.names.iter())
    }

    fn text<'a>(names: impl Iterator<Item = (&'a NotData, &'a (usize, Vec<String>))>) -> String {
        let reasons = names.map(|(reason, (count, names))| {
            let description = match reason {
                NotData::Hidden => "with _ or . in front",
                NotData::State => "of the state of a folder",
                NotData::Temporary => "of temporary files or backups",
                NotData::Document => "of documents, pictures or programs",
                NotData::Description => "of descriptions of data sets",
                NotData::Unlisted => "that the state.json beside them does not list",
                NotData::Special => "of pipes or devices",
                NotData::SeenFolder => "of links to folders that are read anyway",
                NotData::FolderMarker => "of markers of folders",
                NotData::Companion => "that belong to arrays of puzzles",
                NotData::NoAddress => {
                    "with a part . or .., which no address can have: copy them to other names"
                }
            };
            let ellipsis = if *count > names.len() { ", …" } else { "" };
            format!("{count} {description} ({}{ellipsis})", names.join(", "))
        });
        reasons.collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for SkippedNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = SkippedNames::text(self.unexpected());
        write!(f, "{}: skipped names: {reasons}", self.argument)?;
        if self
            .unexpected()
            .all(|(reason, _)| *reason == NotData::NoAddress)
        {
            Ok(())
        } else {
            f.write_str("; a file that is named itself is read")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_temporary_names_are_no_data_unless_a_pattern_spells_them() {
        for (name, pattern, expected) in [
            ("a.csv", "", None),
            ("part-0", "", None),
            ("level=hard", "", None),
            ("_SUCCESS", "", Some(NotData::State)),
            ("_SUCCESS.0-of-2", "*", Some(NotData::State)),
            ("_manifest.json", "", Some(NotData::State)),
            ("_success_rates.csv", "", Some(NotData::Hidden)),
            (".a.csv", "*", Some(NotData::Hidden)),
            ("_a.csv", "_*.csv", None),
            (".a.csv", "_*.csv", Some(NotData::Hidden)),
            ("a.parquet.tmp", "", Some(NotData::Temporary)),
            ("a.csv.BAK", "*", Some(NotData::Temporary)),
            ("README.md", "", Some(NotData::Document)),
            ("readme.txt", "*.txt", Some(NotData::Document)),
            ("chart.PNG", "*", Some(NotData::Document)),
            ("puzzles.md", "*.md", None),
            ("readme.csv", "", None),
            ("a.csv~", "", Some(NotData::Temporary)),
            ("a.bak", "*.bak", None),
            ("_a.bak", "*.bak", Some(NotData::Hidden)),
            ("cache-1f3a.arrow", "*.arrow", Some(NotData::Temporary)),
            ("cache-1f3a.arrow", "cache-*.arrow", None),
            ("train.csv.lock", "", Some(NotData::Temporary)),
            ("train.csv.metadata", "", Some(NotData::Description)),
            ("dataset_infos.json", "*.json", Some(NotData::Description)),
            ("dataset_info.json", "dataset_info.json", None),
            ("state.json", "", None),
            ("sub_$folder$", "*", Some(NotData::FolderMarker)),
        ] {
            let reason = not_data(Path::new(name), pattern);
            assert_eq!(reason, expected, "{name} {pattern}");
        }
    }

    #[test]
    fn folders_are_skipped_only_if_they_are_hidden_and_no_partitions() {
        for (name, expected) in [
            ("2024.old", None),
            ("notes.md", None),
            ("README", None),
            ("source=a.bak", None),
            ("_split=a", None),
            (".k=1", None),
            ("a~", None),
            ("_rejects", Some(NotData::Hidden)),
            (".git", Some(NotData::Hidden)),
            (".level=hard.x1Y2z3.tmp", Some(NotData::Hidden)),
            ("_", Some(NotData::Hidden)),
        ] {
            assert_eq!(not_data_folder(Path::new(name), ""), expected, "{name}");
        }
    }

    #[test]
    fn the_message_has_the_counts_and_the_first_names() {
        let mut skipped_names = SkippedNames::new("in/");
        for name in ["in/_a", "in/_b", "in/.c", "in/_d"] {
            skipped_names.add(Path::new(name), NotData::Hidden);
        }
        skipped_names.add(Path::new("in/x.tmp"), NotData::Temporary);
        skipped_names.add(Path::new("in/_SUCCESS"), NotData::State);
        assert_eq!(skipped_names.count(), 5);
        assert_eq!(
            skipped_names.to_string(),
            "in/: skipped names: 4 with _ or . in front (_a, _b, .c, …), 1 of temporary files or \
             backups (x.tmp); a file that is named itself is read"
        );
    }
}
