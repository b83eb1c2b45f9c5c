//! The status files of a folder of parts: manifest, marker and journal. They list the files of the table, and tell
//! whether it is complete.
//!
//! ```text
//! _manifest.json                 the header with all inputs and their files
//! _SUCCESS                       last: the folder is complete
//! .unfinished/_journal.ndjson    during the run: the header, then a line for each input that is done
//! ```
//!
//! In an object store, the journal is a folder with an object for each input that is done.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::part_columns::PartColumns;
use super::parts_folder::FolderItem;
use crate::counts::{Damage, Tally};
use crate::error::Error;
use crate::read::Recognition;
use crate::store::{self, Location};
use crate::write::commit::target::{Target, TargetOptions};
use crate::write::entry_name;

/// The version of the manifest's format. A run refuses a folder whose manifest has another version.
pub const MANIFEST_VERSION: u32 = 2;

/// The start of the file names of manifests.
pub(super) const MANIFEST_NAME: &str = "_manifest";

/// The start of the names of the files that mark the folder as complete.
pub(super) const SUCCESS_NAME: &str = "_SUCCESS";

/// The start of the names of the folders in which unfinished runs keep their files.
pub(super) const UNFINISHED_NAME: &str = ".unfinished";

/// The start of the names of lock files, which claim the folder.
pub(super) const LOCK_NAME: &str = ".lock";

/// The file name of a local journal.
pub(super) const JOURNAL_NAME: &str = "_journal.ndjson";

/// The start of the names of journals in an object store, where a journal is a folder.
pub(super) const REMOTE_JOURNAL_NAME: &str = "_journal";

/// The name of the folder with the rejects. Readers of tables ignore names that begin with `_`.
pub(crate) const REJECTS_NAME: &str = "_rejects";

/// The options that all parts in an output folder have in common, and the columns of the whole table. Parts of an
/// earlier run are kept only if that run had the same options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestHeader {
    /// The version of the format of the manifest.
    pub manifest_version: u32,
    /// The shard of the inputs, such as `0-of-8`; `None` for all inputs.
    pub shard: Option<String>,
    /// The version, command and options, as in the metadata of tables.
    pub options: Vec<(String, String)>,
    /// The name and the Arrow type of each column: the union of the columns of all parts.
    pub columns: Vec<(String, String)>,
    /// The names of the puzzle and solution columns, for outputs with the names of their inputs: pairs of this
    /// program's name and the name in the output, before `--rename`. Later runs keep these names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grid_names: Vec<(String, String)>,
    /// The format of the parts, with their compression.
    pub format: String,
    /// The columns whose values are the names of partition folders.
    pub partition_by: Vec<String>,
    /// The maximum number of rows of a part; `None` for no limit.
    pub max_rows_per_file: Option<u64>,
    /// The size limit of row groups in bytes, if `--memory-limit` has lowered it; otherwise `None`.
    pub group_bytes: Option<usize>,
}

/// An option whose value differs between two runs into a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDifference {
    /// The name of the option, as in the metadata of tables.
    pub name: String,
    /// The value in the earlier run; `None` if it had none.
    pub was: Option<String>,
    /// The value in this run; `None` if it has none.
    pub is: Option<String>,
}

/// Shows the values only if they are short.
impl fmt::Display for OptionDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 40;
        let OptionDifference { name, was, is } = self;
        let lengths = [was, is].map(|value| value.as_ref().map_or(0, String::len));
        let shown =
            |value: &Option<String>| value.clone().unwrap_or_else(|| "not given".to_owned());
        if lengths.into_iter().all(|length| length <= LONGEST) {
            write!(f, "{name}: was {}, is {}", shown(was), shown(is))
        } else {
            f.write_str(name)
        }
    }
}

impl ManifestHeader {
    /// The options that differ from those of an earlier run. Columns are no option.
    pub(crate) fn differing_options(&self, earlier: &ManifestHeader) -> Vec<OptionDifference> {
        let option_map = |header: &ManifestHeader| -> BTreeMap<String, String> {
            let options = header.options.iter();
            let options = options
                .map(|(key, value)| (entry_name(key).unwrap_or(key).to_owned(), value.clone()));
            let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
            let fields = [
                ("format", Some(header.format.clone())),
                ("partition_by", list(&header.partition_by)),
                (
                    "max_rows_per_file",
                    header.max_rows_per_file.map(|rows| rows.to_string()),
                ),
                (
                    "memory_limit",
                    header
                        .group_bytes
                        .map(|bytes| format!("row groups of {bytes} bytes")),
                ),
            ];
            let fields = fields.into_iter();
            let fields = fields.filter_map(|(name, value)| Some((name.to_owned(), value?)));
            options.chain(fields).collect()
        };
        let (own, earlier) = (option_map(self), option_map(earlier));
        let names: BTreeSet<&String> = own.keys().chain(earlier.keys()).collect();
        let differences = names.into_iter().map(|name| OptionDifference {
            name: name.clone(),
            was: earlier.get(name).cloned(),
            is: own.get(name).cloned(),
        });
        differences
            .filter(|difference| difference.was != difference.is)
            .collect()
    }

    /// Whether parts with both headers have the same options, so that none of them has to be written again.
    pub(crate) fn has_same_options(&self, other: &ManifestHeader) -> bool {
        self.shard == other.shard && self.differing_options(other).is_empty()
    }

    /// Whether parts with both headers have the same format and the same folders, and can thus form one table.
    pub(crate) fn has_same_format(&self, other: &ManifestHeader) -> bool {
        self.format == other.format && self.partition_by == other.partition_by
    }
}

/// The manifest's entry for an input whose parts are complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The path of the input, as the user named it.
    pub source: String,
    /// The absolute path of the input when it was read, with links resolved. `None` for standard input and objects, and
    /// in manifests of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real_path: Option<String>,
    /// The stored (compressed) size of the input in bytes; `None` if it is not known.
    pub bytes: Option<u64>,
    /// The version of the input: the modification time of a file, or the ETag of an object.
    pub state: Option<String>,
    /// The indices of the row groups that were read; `None` if the whole input was read.
    pub row_groups: Option<Vec<usize>>,
    /// The format and the columns of an object of a store. With it, a later run that keeps the parts need not open the
    /// object. `None` for files, and in manifests of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognition: Option<Recognition>,
    /// The counts of the input's records, such as rows and rejects.
    pub tally: Tally,
    /// The damage that prevented reading the input to its end; `None` if the input was read completely.
    pub damage: Option<Damage>,
    /// How the columns of the parts differ from the columns in the header.
    #[serde(default, skip_serializing_if = "PartColumns::are_those_of_folder")]
    pub columns: PartColumns,
    /// The files with the rows of the input.
    pub parts: Vec<PartFile>,
    /// The file with the rejects of the input; `None` if there are none.
    pub rejects: Option<PartFile>,
}

impl ManifestEntry {
    /// Whether the input is a local file that exists. Its relative path may count from another working folder, so the
    /// absolute path comes first.
    pub(crate) fn still_exists(&self) -> bool {
        self.existing_name().is_some()
    }

    /// A path at which the input exists now, if it is a local file.
    pub(crate) fn existing_name(&self) -> Option<&str> {
        let names = self.real_path.iter().chain([&self.source]);
        let mut names = names.map(String::as_str);
        names.find(|name| store::real_path(name).is_some())
    }

    /// All files that were written for the input.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PartFile> {
        self.parts.iter().chain(&self.rejects)
    }
}

/// A file of an output folder that the manifest lists, such as a part or the rejects of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartFile {
    /// The path relative to the folder.
    pub path: String,
    /// The number of rows in the file.
    pub rows: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "ManifestFields")]
pub(crate) struct Manifest {
    #[serde(flatten)]
    pub(crate) header: ManifestHeader,
    pub(crate) inputs: Vec<ManifestEntry>,
}

/// The fields of a [`Manifest`], without `#[serde(flatten)]`. With that attribute, serde would first buffer all
/// fields in memory, some kilobytes for each input.
#[derive(Deserialize)]
struct ManifestFields {
    manifest_version: u32,
    shard: Option<String>,
    options: Vec<(String, String)>,
    columns: Vec<(String, String)>,
    #[serde(default)]
    grid_names: Vec<(String, String)>,
    format: String,
    partition_by: Vec<String>,
    max_rows_per_file: Option<u64>,
    group_bytes: Option<usize>,
    inputs: Vec<ManifestEntry>,
}

impl From<ManifestFields> for Manifest {
    fn from(fields: ManifestFields) -> Manifest {
        Manifest {
            header: ManifestHeader {
                manifest_version: fields.manifest_version,
                shard: fields.shard,
                options: fields.options,
                columns: fields.columns,
                grid_names: fields.grid_names,
                format: fields.format,
                partition_by: fields.partition_by,
                max_rows_per_file: fields.max_rows_per_file,
                group_bytes: fields.group_bytes,
            },
            inputs: fields.inputs,
        }
    }
}

/// A [`Manifest`] that borrows its contents. Used to write the manifest.
#[derive(Serialize)]
pub(crate) struct BorrowedManifest<'a> {
    #[serde(flatten)]
    pub(crate) header: &'a ManifestHeader,
    pub(crate) inputs: Vec<&'a ManifestEntry>,
}

impl BorrowedManifest<'_> {
    pub(crate) fn to_text(&self) -> Result<String, Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The names of a run's status files, such as its manifest and journal. Several shards can write into one folder, so
/// each shard has its own names.
#[derive(Clone, Debug)]
pub(crate) struct StatusFiles {
    pub(super) manifest_name: String,
    pub(super) success_name: String,
    pub(super) unfinished_name: String,
    pub(super) lock_name: String,
    /// The name of the journal's folder in an object store.
    pub(super) remote_journal: String,
}

impl StatusFiles {
    pub(super) fn for_shard(shard: Option<&str>) -> StatusFiles {
        let infix = shard.map_or(String::new(), |shard| format!(".{shard}"));
        StatusFiles {
            manifest_name: format!("{MANIFEST_NAME}{infix}.json"),
            success_name: format!("{SUCCESS_NAME}{infix}"),
            unfinished_name: format!("{UNFINISHED_NAME}{infix}"),
            lock_name: format!("{LOCK_NAME}{infix}"),
            remote_journal: format!("{REMOTE_JOURNAL_NAME}{infix}/"),
        }
    }

    /// Whether a listed file belongs to this run's journal in an object store.
    pub(super) fn is_remote_journal(&self, item: &FolderItem) -> bool {
        item.name.starts_with(&self.remote_journal)
    }
}

/// Puts a small object with these bytes in an object store.
pub(super) fn write_bytes(location: &Location, bytes: &[u8]) -> Result<(), Error> {
    let options = TargetOptions { overwrite: true };
    let mut target = Target::open_without_claim(&location.to_path(), options)?;
    target.write(bytes)?;
    target.finish_part().map(drop)
}
