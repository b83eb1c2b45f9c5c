//! The rejects of a failed run, in a folder beside the output.

use std::fs;
use std::path::{Path, PathBuf};

use super::ClaimedFolder;
use super::found_folder::FoundFolder;
use super::listed_files::FolderKind;
use super::manifest::{MANIFEST_VERSION, PartFile};
use super::parts_folder::PartsFolder;
use crate::write::commit::hidden::unused_name;

impl ClaimedFolder {
    /// Keeps the rejects of a failed run in the folder `NAME.rejects` beside the output folder. Such a folder of an
    /// earlier failed run is replaced. Returns the path of the folder; `None` if it cannot be written, or if another
    /// program has written a folder with this name.
    pub(crate) fn keep_rejects(&self, rejects: &[PartFile]) -> Option<PathBuf> {
        if self.root_folder.is_remote() {
            return None;
        }
        let name = |path: &Path| {
            let mut name = path.file_name()?.to_owned();
            name.push(".rejects");
            Some(path.with_file_name(name))
        };
        let rejects_path = name(&self.root_folder.local_path())?;
        let folder = PartsFolder::from_path(&rejects_path).ok()?;
        let found_folder = FoundFolder::inspect(&rejects_path, &folder, None).ok()?;
        found_folder
            .require_kind(&rejects_path, FolderKind::Rejects)
            .ok()?;
        let new_name = unused_name(&rejects_path);
        let write = || {
            let mut files = Vec::new();
            fs::create_dir(&new_name)?;
            for file in rejects {
                let own_name = file.path.rsplit('/').next().unwrap_or(&file.path);
                let (from, to) = (
                    self.stage_folder.location_of(&file.path).to_path(),
                    new_name.join(own_name),
                );
                fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))?;
                files.push(PartFile {
                    path: own_name.to_owned(),
                    ..file.clone()
                });
            }
            let manifest = serde_json::json!({
                "manifest_version": MANIFEST_VERSION,
                "command": "rejects",
                "files": files,
            });
            fs::write(new_name.join("_manifest.json"), format!("{manifest:#}\n"))?;
            if rejects_path.exists() {
                fs::remove_dir_all(&rejects_path)?;
            }
            fs::rename(&new_name, &rejects_path)
        };
        if write().is_err() {
            let _ = fs::remove_dir_all(&new_name);
            return None;
        }
        // The path of the output folder, as the user wrote it.
        let path_text = self.path.to_string_lossy();
        Some(PathBuf::from(format!(
            "{}.rejects",
            path_text.trim_end_matches('/')
        )))
    }
}
