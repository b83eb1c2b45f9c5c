//! A folder of files with given names: tables and texts, which are published together.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::Error;
use crate::store::is_scratch;
use crate::write::commit::{
    ClaimedFolder, FolderKind, FolderOptions, MANIFEST_VERSION, OutputSet, PartFile, RunKind,
};
use crate::write::table::TableKind;
use crate::write::{Compression, OutputFormat, TableWriter, Target};

/// The tables of a folder, which all have the same format.
pub(crate) struct TableFiles<'a> {
    /// The names of the tables; empty if the whole folder is one table.
    pub(crate) names: &'a [&'a str],
    pub(crate) format: OutputFormat,
    pub(crate) compression: Compression,
}

impl TableFiles<'_> {
    /// The name of the file of a table, and its extension.
    fn file_name_and_extension(&self, name: &str) -> (String, String) {
        match self.format.folder {
            None => {
                let ending = format!("{}{}", self.format.extension(), self.compression.ending());
                (name.to_owned(), ending)
            }
            Some(files) => (path_within(name, files.main.0), files.main.1.to_owned()),
        }
    }

    /// The names of all files besides the main files of the tables: the other files of each table, and the file in the
    /// folder that contains the tables.
    fn files_beside(&self) -> impl Iterator<Item = String> {
        let other_files = self
            .format
            .folder
            .map_or(&[][..], |files| files.other_files);
        let others = self.names.iter().flat_map(|name| {
            let other_files = other_files.iter();
            other_files.map(|other| path_within(name, other))
        });
        let file_above = self.file_above().map(|(name, _)| name.to_owned());
        others.chain(file_above)
    }

    /// The name and the content of the file in the folder that contains the tables; `None` if the format has no
    /// such file.
    fn file_above(&self) -> Option<(&'static str, &'static str)> {
        let is_named = self.names.iter().all(|name| !name.is_empty());
        self.format
            .folder
            .filter(|_| is_named)
            .map(|files| files.file_above)
    }
}

/// The path of a table's file, relative to the output folder.
fn path_within(table: &str, file: &str) -> String {
    match table {
        "" => file.to_owned(),
        table => format!("{table}/{file}"),
    }
}

/// A folder that is being written, with a manifest of its files.
pub(crate) struct FilesFolder {
    path: PathBuf,
    /// `None` for the folder of a single call, which needs no claim and no manifest.
    claimed_folder: Option<ClaimedFolder>,
    kind: FolderKind,
    files: Vec<PartFile>,
    /// The files of the output that this one replaces.
    replaced_files: Vec<PartFile>,
}

impl FilesFolder {
    /// Claims the folder for tables with these names, and for other files whose extensions are given. Returns the final
    /// names of all these files. In an object store, a name that is already in use is replaced by another one.
    ///
    /// # Errors
    ///
    /// The folder exists and may not be replaced, has files that this program has not written, or
    /// another run writes it.
    pub(crate) fn open(
        path: &Path,
        kind: FolderKind,
        overwrite: bool,
        tables: &TableFiles<'_>,
        other_files: &[(&str, &str)],
    ) -> Result<(FilesFolder, Vec<String>, Vec<String>), Error> {
        if is_scratch(path) && !tables.format.is_folder() {
            return FilesFolder::open_for_call(path, kind, tables, other_files);
        }
        let folder = ClaimedFolder::open(
            path,
            FolderOptions {
                kind,
                shard: None,
                run: RunKind::AllInputs,
                overwrite,
                resume: false,
            },
        )?;
        let free_names = folder.free_names();
        let names: Vec<String> = (tables.names.iter())
            .map(|name| {
                let (name, ending) = tables.file_name_and_extension(name);
                free_names.free_name(&name, &ending)
            })
            .collect();
        let other_names: Vec<String> = (other_files.iter())
            .map(|(name, ending)| free_names.free_name(name, ending))
            .collect();
        let files_beside: Vec<String> = tables.files_beside().collect();
        let all_names: Vec<String> = [names.as_slice(), &other_names, &files_beside].concat();
        let is_plain_name = |name: &&str| {
            let (name, ending) = tables.file_name_and_extension(name);
            format!("{name}.{ending}")
        };
        let is_taken = tables.format.is_folder()
            && !tables
                .names
                .iter()
                .map(is_plain_name)
                .eq(names.iter().cloned());
        let create_result = if is_taken {
            // The files of this format have fixed names. In an object store, these names are in use by the old files
            // until the new set is complete.
            Err(Error::OutputExists(path.to_owned()))
        } else {
            folder.mark_stage_as_unfinished(&all_names).and_then(|()| {
                let folders = all_names.iter().filter_map(|name| name.rsplit_once('/'));
                let mut folders =
                    folders.map(|(within, _)| folder.stage().create_subfolder(within));
                folders.try_for_each(|made| made)
            })
        };
        if let Err(error) = create_result {
            folder.abandon(false);
            return Err(error);
        }
        let mut open_folder = FilesFolder {
            path: path.to_owned(),
            replaced_files: folder.listed_files(),
            kind,
            files: Vec::new(),
            claimed_folder: Some(folder),
        };
        if let Some((name, text)) = tables.file_above() {
            open_folder.add_bytes(name, text.as_bytes())?;
        }
        Ok((open_folder, names, other_names))
    }

    /// Creates the folder of a single call, whose caller alone reads it, after the call.
    fn open_for_call(
        path: &Path,
        kind: FolderKind,
        tables: &TableFiles<'_>,
        other_files: &[(&str, &str)],
    ) -> Result<(FilesFolder, Vec<String>, Vec<String>), Error> {
        std::fs::create_dir_all(path).map_err(|error| Error::Write {
            path: path.to_owned(),
            error,
        })?;
        let names = tables.names.iter().map(|name| {
            let (name, ending) = tables.file_name_and_extension(name);
            format!("{name}.{ending}")
        });
        let names = names.collect();
        let other_names = other_files
            .iter()
            .map(|(name, ending)| format!("{name}.{ending}"));
        let folder = FilesFolder {
            path: path.to_owned(),
            claimed_folder: None,
            kind,
            files: Vec::new(),
            replaced_files: Vec::new(),
        };
        Ok((folder, names, other_names.collect()))
    }

    /// The path of the folder, as the user named it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path at which the file with this name is written until it is published.
    pub(crate) fn staged_path(&self, name: &str) -> PathBuf {
        match &self.claimed_folder {
            Some(folder) => folder.stage().location_of(name).to_path(),
            None => self.path.join(name),
        }
    }

    /// Starts the table with this name.
    pub(crate) fn start_table(&self, name: &str, kind: &TableKind) -> Result<TableWriter, Error> {
        kind.start_part(&self.staged_path(name))
    }

    /// Finishes a table, and adds its files to the manifest. `rows` is the number of its rows.
    pub(crate) fn add_table(
        &mut self,
        name: &str,
        table: TableWriter,
        rows: u64,
    ) -> Result<(), Error> {
        let (target, beside) = table.finish_files()?;
        self.add_file(name, target, rows)?;
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        for target in beside {
            let file_name = target.path().file_name().unwrap_or_default();
            let file_path = Path::new(folder).join(file_name);
            self.add_file(&file_path.to_string_lossy(), target, 0)?;
        }
        Ok(())
    }

    /// Adds a complete file to the list of files that the manifest will have.
    pub(crate) fn add_file(&mut self, name: &str, target: Target, rows: u64) -> Result<(), Error> {
        self.files.push(PartFile {
            path: name.to_owned(),
            rows,
            bytes: target.finish_part()?,
        });
        Ok(())
    }

    /// Writes a file with this content.
    pub(crate) fn add_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let mut target = Target::part_of_folder(&self.staged_path(name))?;
        target.write(bytes)?;
        self.add_file(name, target, 0)
    }

    /// Adds the folder to an output set. The manifest of the folder consists of the fields of `about` and a list of the
    /// files.
    pub(crate) fn finish(
        self,
        about: Map<String, Value>,
        set: &mut OutputSet,
    ) -> Result<(), Error> {
        let Some(claimed_folder) = self.claimed_folder else {
            return Ok(());
        };
        let files = self.files;
        claimed_folder.sync_files(files.iter())?;
        let mut manifest = Map::new();
        manifest.insert("command".into(), self.kind.id().into());
        manifest.insert("manifest_version".into(), MANIFEST_VERSION.into());
        manifest.extend(about);
        manifest.insert("files".into(), serde_json::to_value(&files)?);
        let text = format!("{:#}\n", Value::Object(manifest));
        // In an object store, the removed files include those of a killed run, which no manifest lists.
        let mut removed_files = claimed_folder.remote_files(&|_| true);
        removed_files.extend(self.replaced_files.iter().map(|old| old.path.clone()));
        removed_files.retain(|path| !files.iter().any(|file| file.path == *path));
        claimed_folder.publish(set, &text, &files, removed_files, true)
    }

    /// Ends a failed run. Keeps the files `kept`, which are complete, in a folder beside the output, and returns its
    /// path; `None` if this fails.
    pub(crate) fn abandon(self, kept: &[PartFile]) -> Option<PathBuf> {
        let claimed_folder = self.claimed_folder?;
        let kept_path = match kept {
            [] => None,
            kept => claimed_folder.keep_rejects(kept),
        };
        claimed_folder.abandon(false);
        kept_path
    }

    /// The files of the folder that are complete so far.
    pub(crate) fn files(&self) -> &[PartFile] {
        &self.files
    }
}
