//! Checks the contents of an output folder. A run may write to a folder only if all files in it are listed in
//! manifests or journals of this program. The names of files are not sufficient, because other programs, such as
//! Spark, use similar names.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::listed_files::{FolderKind, ListedFiles, parse_listed_files};
use super::manifest::{
    JOURNAL_NAME, LOCK_NAME, MANIFEST_NAME, REJECTS_NAME, REMOTE_JOURNAL_NAME, SUCCESS_NAME,
    UNFINISHED_NAME,
};
use super::parts_folder::{FolderItem, PartsFolder, read_item, read_text};
use super::stored_set::REPLACED_FILES_NAME;
use crate::error::{Error, OutputError};
use crate::options::SHARD;
use crate::store;
use crate::write::commit::claim_note::ClaimNote;
use crate::write::commit::parallel::map_parallel;

/// The prefix of the file names of parts.
pub(crate) const PART_PREFIX: &str = "part-";

/// Names that the operating system creates in folders. No run touches them.
const SYSTEM_FILES: [&str; 2] = ["lost+found", ".DS_Store"];

/// The kind of run that wrote a status file, such as a manifest. The name of the file tells the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// A run over all inputs, not only those of a shard.
    AllInputs,
    /// One of several shards. The field is the number of shards.
    Shards(u64),
}

impl RunKind {
    /// Parses the name of a status file: `_manifest.0-of-8.json` → `Shards(8)`. `None` for other names.
    pub(super) fn from_name(name: &str) -> Option<RunKind> {
        let name = name.split('/').next()?;
        let name_starts = [
            SUCCESS_NAME,
            MANIFEST_NAME,
            REMOTE_JOURNAL_NAME,
            UNFINISHED_NAME,
        ];
        let after_start = name_starts
            .iter()
            .find_map(|start| name.strip_prefix(start))?;
        let shards = after_start
            .split('.')
            .find_map(|part| part.split_once("-of-"));
        match shards {
            None => Some(RunKind::AllInputs),
            Some((_, of)) => of.parse().ok().map(RunKind::Shards),
        }
    }
}

impl std::fmt::Display for RunKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunKind::AllInputs => write!(f, "a run without {SHARD}"),
            RunKind::Shards(of) => write!(f, "one of {of} shards"),
        }
    }
}

/// The files in a folder that this program may write to. Such a folder was written by this program, is empty, or does
/// not exist.
pub(crate) struct FoundFolder {
    pub(crate) items: Vec<FolderItem>,
    /// The names of the manifest files, and the files that each manifest lists.
    pub(super) manifests: Vec<(String, ListedFiles)>,
    /// The kinds of runs that wrote into the folder: over all inputs, or over a shard.
    pub(super) run_kinds: Vec<RunKind>,
    /// Whether the folder has files of the operating system, which must stay.
    pub(super) has_system_files: bool,
    /// The files of an old table that a run to an object store has replaced, but perhaps not deleted yet.
    pub(super) replaced_files: Vec<String>,
}

impl FoundFolder {
    /// Checks a folder. `own_lock` is the name of this run's lock file; `None` if the run has not claimed the
    /// folder.
    ///
    /// # Errors
    ///
    /// The folder has a file that no manifest or journal of this program lists, or cannot be read.
    pub(super) fn inspect(
        path: &Path,
        root: &PartsFolder,
        own_lock: Option<&str>,
    ) -> Result<FoundFolder, Error> {
        let foreign_error = |why: String| Error::from(foreign_folder_error(path, why));
        let (top_names, items) = if root.is_remote() {
            let items = root.list_items()?;
            let mut names: Vec<String> = (items.iter())
                .filter_map(|item| item.name.split('/').next())
                .map(str::to_owned)
                .collect();
            names.dedup();
            (names, Some(items))
        } else {
            // The names at the top level are checked first, so that a large folder of another program is refused
            // quickly.
            (root.top_level_names()?, None)
        };
        let is_status =
            |name: &String| RunKind::from_name(name).is_some() && !name.starts_with(SUCCESS_NAME);
        let has_system_files = top_names
            .iter()
            .any(|name| SYSTEM_FILES.contains(&name.as_str()));
        if !top_names.iter().any(is_status) {
            for name in &top_names {
                let is_own =
                    own_lock == Some(name.as_str()) || SYSTEM_FILES.contains(&name.as_str());
                if !is_own
                    && !is_lock(root, name, items.as_deref())?
                    && !is_late(name, items.as_deref().unwrap_or_default())
                {
                    return Err(foreign_error(foreign_reason(&top_names, name)));
                }
            }
            return Ok(FoundFolder {
                items: items.unwrap_or_default(),
                manifests: Vec::new(),
                run_kinds: Vec::new(),
                has_system_files,
                replaced_files: Vec::new(),
            });
        }
        // Another shard may be publishing its files at this moment. Its note lists the files while they are
        // renamed, and its manifest lists them afterwards. Notes and manifests are therefore read after the
        // files have been listed.
        let items = match items {
            Some(items) => items,
            None => root.list_items()?,
        };
        let files_being_renamed = files_being_renamed(root, &top_names);
        let mut manifests = Vec::new();
        let names: Vec<&String> = (top_names.iter())
            .filter(|name| name.starts_with(MANIFEST_NAME) && name.ends_with(".json"))
            .collect();
        let find_item = |name: &str| items.iter().find(|item| item.name == name);
        let manifest_texts =
            map_parallel(&names, |name: &&String| match find_item(name.as_str()) {
                Some(item) => read_item(item),
                // Another run has removed the file since it was listed.
                None => Ok(String::new()),
            })?;
        for (name, text) in names.into_iter().zip(manifest_texts) {
            let listed_files = parse_listed_files(&text);
            let listed_files =
                listed_files.map_err(|why| foreign_error(format!("its {name} {why}")))?;
            manifests.push((name.clone(), listed_files));
        }
        let (journal_names, replaced) = if root.is_remote() {
            names_in_journals(&items)?
        } else {
            (Vec::new(), Vec::new())
        };
        let found_folder = FoundFolder {
            replaced_files: replaced,
            run_kinds: top_names
                .iter()
                .filter_map(|name| RunKind::from_name(name))
                .collect(),
            items,
            manifests,
            has_system_files,
        };
        match found_folder.unlisted_file(root, &files_being_renamed, &journal_names, own_lock)? {
            Some(unlisted_file) => Err(foreign_error(foreign_reason(&top_names, &unlisted_file))),
            None => Ok(found_folder),
        }
    }

    /// The first file that no manifest or journal lists; `None` if all files are listed.
    fn unlisted_file(
        &self,
        root: &PartsFolder,
        files_being_renamed: &HashSet<PathBuf>,
        journal_names: &[String],
        own_lock: Option<&str>,
    ) -> Result<Option<String>, Error> {
        let listed_bytes: HashMap<&str, u64> = (self.manifests.iter())
            .flat_map(|(_, manifest)| &manifest.files)
            .map(|file| (file.path.as_str(), file.bytes))
            .collect();
        for item in &self.items {
            let name = item.name.as_str();
            let top_name = name.split('/').next().unwrap_or(name);
            let is_top = top_name == name;
            let is_ours = if SYSTEM_FILES.contains(&top_name)
                || files_being_renamed.contains(&item.location.to_path())
            {
                true
            } else if is_top && name.starts_with(LOCK_NAME) {
                own_lock == Some(name) || is_lock(root, name, Some(&self.items))?
            } else if top_name.starts_with(UNFINISHED_NAME) {
                self.is_own_unfinished_folder(root, top_name)?
            } else if root.is_remote() && top_name.starts_with(REMOTE_JOURNAL_NAME) {
                true
            } else if item.is_folder {
                // A partition folder need not contain a listed file: a run may have removed its files, or not written
                // any yet.
                let is_partition = name.split('/').all(|part| part.contains('='));
                is_partition
                    || name == REJECTS_NAME
                    || listed_bytes.keys().any(|path| is_within(path, name))
            } else if is_top && name.starts_with(MANIFEST_NAME) {
                self.manifests.iter().any(|(own, _)| own == name)
            } else if is_top && name.starts_with(SUCCESS_NAME) {
                let manifest = name.replacen(SUCCESS_NAME, MANIFEST_NAME, 1) + ".json";
                self.manifests.iter().any(|(own, _)| *own == manifest)
            } else {
                let input = part_input_name(item.last_name());
                let is_in_journal =
                    (journal_names.iter()).any(|own| own == name || Some(own.as_str()) == input);
                // The name of a part contains a hash of its input, which is sufficient to recognise the part. Other
                // files must also have the listed size.
                let is_listed = |bytes: &u64| input.is_some() || item.bytes == Some(*bytes);
                is_in_journal || listed_bytes.get(name).is_some_and(is_listed)
            };
            if !is_ours && !store::is_late_upload(&item.location) {
                return Ok(Some(item.name.clone()));
            }
        }
        Ok(None)
    }

    /// Whether this program made the folder of an unfinished run. If so, the folder contains a journal or is empty.
    fn is_own_unfinished_folder(&self, root: &PartsFolder, top_name: &str) -> Result<bool, Error> {
        let folder_prefix = format!("{top_name}/");
        if !self
            .items
            .iter()
            .any(|item| item.name.starts_with(&folder_prefix))
        {
            return Ok(true);
        }
        if !root.location_of(top_name).to_path().exists() {
            // The run over the other shard has ended since the files were listed.
            return Ok(true);
        }
        let has_journal = |name: &str| -> Result<bool, Error> {
            let text = read_text(&root.location_of(&format!("{folder_prefix}{name}")))?;
            Ok(text
                .is_some_and(|text| text.is_empty() || text.starts_with("{\"manifest_version\":")))
        };
        Ok(has_journal(JOURNAL_NAME)? || has_journal("_journal.new")?)
    }

    /// The kind of output in the folder, such as parts or a split; `None` if the folder has no manifest.
    pub(super) fn output_kind(&self) -> Option<FolderKind> {
        self.manifests.first().map(|(_, manifest)| manifest.kind)
    }

    /// The files that the manifest with this file name lists.
    pub(super) fn manifest(&self, name: &str) -> Option<&ListedFiles> {
        let mut manifests = self.manifests.iter();
        manifests.find_map(|(own, manifest)| (own == name).then_some(manifest))
    }

    /// Fails if the folder has the output of another command.
    pub(super) fn require_kind(&self, path: &Path, kind: FolderKind) -> Result<(), Error> {
        match self.output_kind() {
            Some(found) if found != kind => Err(foreign_folder_error(
                path,
                format!("it holds {}", found.contents_text()),
            )
            .into()),
            _ => Ok(()),
        }
    }
}

fn foreign_folder_error(path: &Path, why: String) -> OutputError {
    OutputError::ForeignFolder {
        path: path.to_owned(),
        why,
    }
}

/// The files that a run is renaming now, or was renaming when it was killed.
fn files_being_renamed(root: &PartsFolder, top_names: &[String]) -> HashSet<PathBuf> {
    let locks = top_names.iter().filter(|name| name.starts_with(LOCK_NAME));
    let lock_texts = locks.filter_map(|name| read_text(&root.location_of(name)).ok().flatten());
    let notes = lock_texts.filter_map(|text| serde_json::from_str::<ClaimNote>(&text).ok());
    let folder = root.local_path();
    notes
        .flat_map(|note| note.resolved_in(&folder).steps)
        .map(|step| step.place.0)
        .collect()
}

/// Returns two lists of file names from the journals in an object store. The first has all files that a run may write
/// or has replaced, and the second has only the replaced files.
fn names_in_journals(items: &[FolderItem]) -> Result<(Vec<String>, Vec<String>), Error> {
    let is_journal =
        |item: &&FolderItem| item.name.starts_with(REMOTE_JOURNAL_NAME) && item.name.contains('/');
    let journals: Vec<&FolderItem> = items.iter().filter(is_journal).collect();
    // The run over another shard may have ended since the files were listed, and have removed its journal.
    let journal_texts = map_parallel(&journals, |item| read_text(&item.location))?;
    let (mut journal_names, mut replaced) = (Vec::new(), Vec::new());
    for (item, text) in journals.iter().zip(journal_texts) {
        let Ok(value) = serde_json::from_str::<Value>(&text.unwrap_or_default()) else {
            continue;
        };
        let list = value["names"].as_array().cloned().unwrap_or_default();
        let names = list.iter().filter_map(Value::as_str).map(str::to_owned);
        journal_names.extend(names.clone());
        if item.last_name() == REPLACED_FILES_NAME {
            replaced.extend(names);
        }
    }
    Ok((journal_names, replaced))
}

/// Whether the file is a lock or claim of a run of this program.
fn is_lock(root: &PartsFolder, name: &str, items: Option<&[FolderItem]>) -> Result<bool, Error> {
    if !name.starts_with(LOCK_NAME) {
        return Ok(false);
    }
    let is_note = |text: &str| text.is_empty() || serde_json::from_str::<ClaimNote>(text).is_ok();
    let item = items.and_then(|items| items.iter().find(|item| item.name == name));
    match item {
        Some(item) if root.is_remote() => match read_text(&item.location)? {
            // The run that held the claim has ended since the files were listed.
            None => Ok(true),
            // Another run may have claimed the folder since the files were listed.
            Some(text) if is_note(&text) => Ok(true),
            Some(_) => read_item(item).map(|_| false),
        },
        _ => match read_text(&root.location_of(name)) {
            Err(_) if !root.is_remote() => Ok(false),
            text => Ok(text?.is_none_or(|text| is_note(&text))),
        },
    }
}

/// Whether a name at the top level of a folder in an object store is only there because of late uploads of earlier runs
/// of this command.
fn is_late(top_name: &str, items: &[FolderItem]) -> bool {
    let mut own_items = items
        .iter()
        .filter(|item| item.name.split('/').next() == Some(top_name))
        .peekable();
    own_items.peek().is_some() && own_items.all(|item| store::is_late_upload(&item.location))
}

fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The reason why a folder does not belong to this program. `top_names` are the names at its top level, and
/// `unlisted_file` is a file that no manifest lists.
fn foreign_reason(top_names: &[String], unlisted_file: &str) -> String {
    let has_top_name = |name: &str| top_names.iter().any(|own| own == name);
    let find_top_name = |is: &dyn Fn(&str) -> bool| top_names.iter().find(|name| is(name)).cloned();
    let is_spark_part = |name: &str| name.starts_with("part-0") && part_input_name(name).is_none();
    let is_hive_folder = |name: &str| name.contains('=') && !name.starts_with('.');
    if has_top_name("_delta_log") {
        return "it is a Delta table (it has _delta_log)".to_owned();
    }
    if has_top_name(".git") {
        return "it is a checkout (it has .git)".to_owned();
    }
    if let Some(part) = find_top_name(&is_spark_part) {
        return format!("it looks like a table of Spark's (it has {part})");
    }
    if let Some(part) = find_top_name(&is_hive_folder) {
        return format!("it looks like a table of Hive's or Spark's (it has {part})");
    }
    format!("it has {unlisted_file}, which no manifest of pipeline lists")
}

/// The part of a file name that identifies its input: `part-millions-1a2b3c4d5e6f7a8b`. `None` if the file
/// is not a part.
pub(crate) fn part_input_name(part: &str) -> Option<&str> {
    let (stem, rest) = part.strip_prefix(PART_PREFIX)?.split_once('-')?;
    let hash_end = rest.find(['-', '.']).unwrap_or(rest.len());
    let is_hash = hash_end == 16
        && rest[..hash_end]
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit());
    is_hash
        .then(|| part.get(..PART_PREFIX.len() + stem.len() + 1 + hash_end))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_file_says_how_many_shards_there_were() {
        for (name, of) in [
            ("_SUCCESS", RunKind::AllInputs),
            ("_manifest.json", RunKind::AllInputs),
            ("_journal/part-3-of-4-00ff.json", RunKind::AllInputs),
            (".unfinished", RunKind::AllInputs),
            ("_SUCCESS.3-of-4", RunKind::Shards(4)),
            ("_manifest.0-of-8.json", RunKind::Shards(8)),
            (".unfinished.11-of-12", RunKind::Shards(12)),
            ("_journal.0-of-2/part-a-00ff.json", RunKind::Shards(2)),
        ] {
            assert_eq!(RunKind::from_name(name), Some(of), "{name}");
        }
        for name in ["_rejects/part-a-00ff.csv", "part-a-00ff.csv", "x/_SUCCESS"] {
            assert_eq!(RunKind::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn the_name_of_a_part_begins_with_that_of_its_input() {
        let input = "part-a_b-00112233445566ff";
        for ending in [".parquet", "-00007.csv.gz", ".x1Y2z3.csv", ""] {
            let part_name = format!("{input}{ending}");
            assert_eq!(part_input_name(&part_name), Some(input), "{part_name}");
        }
        for other in [
            "part-a.txt",
            "part-00000-6f3c1f0e-aaaa-c000.snappy.parquet",
            "part-of-me.txt",
            "_manifest.json",
            "",
        ] {
            assert_eq!(part_input_name(other), None, "{other}");
        }
    }
}
