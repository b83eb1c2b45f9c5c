//! Reads which files a manifest lists, for the manifests of all commands.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::manifest::{MANIFEST_VERSION, Manifest, ManifestEntry, PartFile};
use crate::options::FORMAT;

/// The kind of output in a folder, according to the folder's manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FolderKind {
    /// A table with one or more parts for each input.
    Parts,
    /// The parts of a dataset that `split` has made.
    Split,
    /// The reports of `audit`, and the datasets that it has cleaned.
    Audit,
    /// The arrays of training data.
    Arrays,
    /// The rejects of a run that failed because it had too many rejects.
    Rejects,
}

impl FolderKind {
    /// The kinds of folders whose manifest names the command in the field `command`.
    const KINDS_WITH_ID: [FolderKind; 4] = [
        FolderKind::Split,
        FolderKind::Audit,
        FolderKind::Arrays,
        FolderKind::Rejects,
    ];

    /// The id of the kind. It is also the value of `command` in the manifest, except for a folder of parts.
    pub(crate) fn id(self) -> &'static str {
        match self {
            FolderKind::Parts => "parts",
            FolderKind::Split => "split",
            FolderKind::Audit => "audit",
            FolderKind::Arrays => "arrays",
            FolderKind::Rejects => "rejects",
        }
    }

    /// Whether each run replaces the whole folder.
    pub(super) fn replaces_whole_folder(self) -> bool {
        matches!(
            self,
            FolderKind::Split | FolderKind::Audit | FolderKind::Arrays
        )
    }

    pub(super) fn contents_text(self) -> String {
        let contents = match self {
            FolderKind::Parts => "the parts of a table",
            FolderKind::Split => "a split, as pipeline split writes it",
            FolderKind::Audit => "an audit, as pipeline audit writes it",
            FolderKind::Arrays => {
                return format!(
                    "arrays for training, as {} writes them",
                    FORMAT.set_to("hrm")
                );
            }
            FolderKind::Rejects => "the rejects of a run that failed",
        };
        contents.to_owned()
    }
}

/// The files that a manifest lists, and the kind of its folder. Manifests of all commands are accepted.
pub(super) struct ListedFiles {
    pub(super) kind: FolderKind,
    pub(super) files: Vec<PartFile>,
    /// The parsed manifest of a folder of parts; `None` for other kinds of folders.
    pub(super) parts_manifest: Option<Manifest>,
}

/// The fields of a manifest from which its kind is determined. All other fields are ignored.
#[derive(Deserialize)]
struct KindFields {
    manifest_version: Option<Value>,
    #[serde(default)]
    command: Value,
    classes: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct FilesField {
    files: Vec<PartFile>,
}

/// The files that a manifest lists. The error is the reason why the text is not a manifest of this version.
pub(super) fn parse_listed_files(text: &str) -> Result<ListedFiles, &'static str> {
    const NOT_A_MANIFEST: &str = "is not a manifest of pipeline";
    const OTHER_VERSION: &str =
        "is of another version of pipeline, which writes folders in another way";
    let kind_fields: KindFields = serde_json::from_str(text).map_err(|_| NOT_A_MANIFEST)?;
    match kind_fields
        .manifest_version
        .as_ref()
        .and_then(Value::as_u64)
    {
        Some(version) if version == u64::from(MANIFEST_VERSION) => {}
        Some(_) => return Err(OTHER_VERSION),
        None if kind_fields.command == "split" && kind_fields.classes.is_some() => {
            return Err(OTHER_VERSION);
        }
        None => return Err(NOT_A_MANIFEST),
    }
    let command = kind_fields.command.as_str();
    let kind = (FolderKind::KINDS_WITH_ID.into_iter())
        .find(|kind| command == Some(kind.id()))
        .unwrap_or(FolderKind::Parts);
    if kind == FolderKind::Parts {
        let parts_manifest: Manifest = serde_json::from_str(text).map_err(|_| NOT_A_MANIFEST)?;
        let files = parts_manifest.inputs.iter().flat_map(ManifestEntry::files);
        return Ok(ListedFiles {
            kind,
            files: files.cloned().collect(),
            parts_manifest: Some(parts_manifest),
        });
    }
    let listed_files: FilesField = serde_json::from_str(text).map_err(|_| NOT_A_MANIFEST)?;
    Ok(ListedFiles {
        kind,
        files: listed_files.files,
        parts_manifest: None,
    })
}
