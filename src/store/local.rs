//! Lists files on disk: all files in a folder, or those that match a pattern.

use std::io;
use std::path::{Path, PathBuf};

use super::archive_path::archive_and_member;
use super::{FileMetadata, ListedFile, Location, StoreError};

/// The size and time of a file. For a file in an archive, they are those of the archive.
pub(super) fn file_metadata(path: &Path) -> io::Result<FileMetadata> {
    let metadata = match archive_and_member(path) {
        Some((archive, _)) => archive.metadata()?,
        None => path.metadata()?,
    };
    Ok(FileMetadata::from_file(&metadata))
}

fn listed_file(path: PathBuf, name: String) -> io::Result<ListedFile> {
    let metadata = file_metadata(&path)?;
    Ok(ListedFile {
        location: Location::Local(path),
        name,
        metadata,
    })
}

/// All files in the folder and its subfolders, sorted by name.
pub(super) fn list_folder(folder: &Path) -> io::Result<Vec<ListedFile>> {
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push((path, name + "/"));
            } else {
                files.push(listed_file(path, name)?);
            }
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

/// All files on disk whose paths match the pattern.
pub(super) fn match_pattern(
    pattern: &Path,
    pattern_error: impl Fn(glob::PatternError) -> StoreError,
) -> Result<io::Result<Vec<ListedFile>>, StoreError> {
    let options = glob::MatchOptions {
        require_literal_separator: true,
        ..glob::MatchOptions::default()
    };
    let paths = glob::glob_with(&pattern.to_string_lossy(), options).map_err(pattern_error)?;
    let files = paths.filter_map(|path| match path {
        Ok(path) if path.is_dir() => None,
        Ok(path) => Some(listed_file(
            path.clone(),
            path.to_string_lossy().into_owned(),
        )),
        Err(error) => Some(Err(error.into())),
    });
    Ok(files.collect())
}

#[cfg(test)]
mod tests {
    use crate::store::{Location, StoreError, delete, exists, glob, list, read};

    #[test]
    fn folders_and_patterns_give_their_files_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let folder_location = Location::from_path(folder.path()).unwrap();
        assert_eq!(list(&folder_location.join("none")).unwrap(), []);
        for name in ["b.csv", "a.csv", "level=easy/c.csv", "a.txt"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        }
        let listed_files = list(&folder_location).unwrap();
        let names: Vec<_> = listed_files
            .iter()
            .map(|found| found.name.as_str())
            .collect();
        assert_eq!(names, ["a.csv", "a.txt", "b.csv", "level=easy/c.csv"]);
        assert_eq!(listed_files[0].metadata.bytes, Some(5));
        assert_eq!(
            listed_files[3].location,
            folder_location.join("level=easy/c.csv")
        );

        let matching = |pattern: &str| glob(&folder_location.join(pattern)).unwrap().len();
        assert_eq!((matching("*.csv"), matching("**/*.csv")), (2, 3));
        let error = glob(&folder_location.join("[")).unwrap_err();
        assert!(
            matches!(error, StoreError::InvalidPattern { .. }),
            "{error}"
        );

        let file = folder_location.join("a.txt");
        assert_eq!(read(&file, 5).unwrap().as_deref(), Some(&b"a.txt"[..]));
        let error = read(&file, 4).unwrap_err();
        assert!(matches!(error, StoreError::Read { .. }), "{error}");
        assert!(exists(&file).unwrap());
        delete(&file).unwrap();
        delete(&file).unwrap();
        assert!(!exists(&file).unwrap());
        assert_eq!(read(&file, 9).unwrap(), None);
    }
}
