//! Finds the files in folders, and the files that match patterns.
//!
//! Paths are handled as bytes, because names on disk need not be UTF-8. Each folder is entered only once, so
//! circular links are no problem.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};

use super::data_name::{NotData, SkippedNames, is_cache_folder, not_data_entry};
use crate::error::{Error, InputError};
use crate::store::path_text;

/// The search for the files of an argument: the files found, and the names that are skipped.
pub(super) struct FileSearch {
    pub(super) files: Vec<PathBuf>,
    pub(super) skipped: SkippedNames,
    /// The folders that have been entered, with links resolved. All their files are read.
    seen_folders: HashSet<PathBuf>,
    /// Whether the pattern only matches folders, because it ends with `/`.
    only_folders: bool,
}

impl FileSearch {
    pub(super) fn new(argument: &str) -> FileSearch {
        FileSearch {
            files: Vec::new(),
            skipped: SkippedNames::new(argument),
            seen_folders: HashSet::new(),
            only_folders: false,
        }
    }

    /// Adds all files in a folder and its subfolders, in the order of their names.
    pub(super) fn add_folder(&mut self, folder: &Path) -> Result<(), Error> {
        if !self.enter(folder) {
            return Ok(());
        }
        for path in entries(folder)? {
            match not_data_entry(&path, "") {
                Some(reason) => self.skipped.add(&path, reason),
                None if is_cache_folder(&path) => self.skipped.add(&path, NotData::SeenFolder),
                None => self.add(path)?,
            }
        }
        Ok(())
    }

    /// Adds a file, or all files in a folder.
    fn add(&mut self, path: PathBuf) -> Result<(), Error> {
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => return self.add_folder(&path),
            Ok(metadata) if metadata.is_file() => self.files.push(path),
            Ok(_) => self.skipped.add(&path, NotData::Special),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let input = path_text(&path);
                return Err(InputError::DanglingLink { input }.into());
            }
            // If the file cannot be read, the error is reported when it is opened.
            Err(_) => self.files.push(path),
        }
        Ok(())
    }

    /// Marks a folder as entered. Returns false if it was entered before, even under another name.
    fn enter(&mut self, folder: &Path) -> bool {
        let canonical_path = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let is_new = self.seen_folders.insert(canonical_path);
        if !is_new {
            self.skipped.add(folder, NotData::SeenFolder);
        }
        is_new
    }

    /// Adds the files whose paths match a pattern, and all files in the folders that match.
    pub(super) fn add_pattern(&mut self, pattern: &str) -> Result<(), Error> {
        let invalid = |error| InputError::InvalidPattern {
            pattern: pattern.to_owned(),
            escaped: Pattern::escape(pattern),
            error,
        };
        let pattern_parts = pattern.split('/').filter(|part| !part.is_empty());
        let pattern_parts: Vec<PatternPart<'_>> = pattern_parts
            .map(PatternPart::new)
            .collect::<Result<_, _>>()
            .map_err(invalid)?;
        let root = if pattern.starts_with('/') {
            Path::new("/")
        } else {
            Path::new("")
        };
        self.only_folders = pattern.ends_with('/');
        self.add_matches(root, &pattern_parts)?;
        self.files.sort();
        self.files.dedup();
        Ok(())
    }

    fn add_matches(&mut self, base: &Path, parts: &[PatternPart<'_>]) -> Result<(), Error> {
        let Some((part, rest)) = parts.split_first() else {
            return if self.only_folders && !base.is_dir() {
                Ok(())
            } else {
                self.add(base.to_owned())
            };
        };
        match part {
            PatternPart::Literal(name) => {
                let path = base.join(name);
                match path.symlink_metadata() {
                    Ok(_) => self.add_matches(&path, rest),
                    Err(_) => Ok(()),
                }
            }
            PatternPart::AllFolders if rest.is_empty() => {
                if base.is_dir() {
                    self.add_folder(dot_if_empty(base))
                } else {
                    Ok(())
                }
            }
            PatternPart::AllFolders => {
                let mut folder_search = FileSearch::new("");
                folder_search.add_folders(base)?;
                self.skipped.merge(folder_search.skipped);
                folder_search
                    .files
                    .iter()
                    .try_for_each(|folder| self.add_matches(folder, rest))
            }
            PatternPart::Name(text, pattern) => {
                if !dot_if_empty(base).is_dir() {
                    return Ok(());
                }
                for path in entries(dot_if_empty(base))? {
                    let name = path.file_name().unwrap_or_default();
                    if !pattern.matches_with(&name.to_string_lossy(), MatchOptions::new()) {
                        continue;
                    }
                    match not_data_entry(&path, text) {
                        Some(reason) => self.skipped.add(&path, reason),
                        None => self.add_matches(&base.join(name), rest)?,
                    }
                }
                Ok(())
            }
        }
    }

    /// Adds the paths of a folder and of all folders below it, at any depth.
    fn add_folders(&mut self, folder: &Path) -> Result<(), Error> {
        if !dot_if_empty(folder).is_dir() || !self.enter(dot_if_empty(folder)) {
            return Ok(());
        }
        self.files.push(folder.to_owned());
        for path in entries(dot_if_empty(folder))? {
            let path = folder.join(path.file_name().unwrap_or_default());
            if path.is_dir() {
                match not_data_entry(&path, "") {
                    Some(reason) => self.skipped.add(&path, reason),
                    None => self.add_folders(&path)?,
                }
            }
        }
        Ok(())
    }
}

/// A part of a pattern, between two slashes.
enum PatternPart<'a> {
    /// A name without wildcards.
    Literal(&'a str),
    /// `**`: a folder and all folders below it.
    AllFolders,
    /// A name with wildcards.
    Name(&'a str, Pattern),
}

impl PatternPart<'_> {
    fn new(text: &str) -> Result<PatternPart<'_>, glob::PatternError> {
        Ok(match text {
            "**" => PatternPart::AllFolders,
            _ if text.contains(['*', '?', '[']) => PatternPart::Name(text, Pattern::new(text)?),
            _ => PatternPart::Literal(text),
        })
    }
}

/// The path in a form that the system accepts: `.` stands for an empty path.
fn dot_if_empty(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// The paths of the files and folders in a folder, ordered by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| Error::Read {
        source_name: path_text(folder),
        error,
    })?;
    let mut paths: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    Ok(paths)
}
