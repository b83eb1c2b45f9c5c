//! Expands the arguments of a command, which are files, folders and patterns, to inputs.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use super::archives::{archive_members, is_in_archive};
use super::data_name::{NotData, SkippedNames, not_data, not_data_folder};
use super::saved_dataset;
use super::walk::FileSearch;
use crate::error::{Error, InputError};
use crate::read::columnar::npy::companions;
use crate::store::{self, FileIdentity, Location, path_text, without_secrets};

/// The inputs that arguments name, and the names that were skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// The paths and addresses of the inputs, in the order of the arguments.
    pub inputs: Vec<String>,
    /// The skipped names, for each folder or pattern that has some.
    pub skipped: Vec<SkippedNames>,
    /// The folders and patterns in which no data file was found.
    empty: Vec<String>,
}

impl Expanded {
    /// The number of skipped names.
    pub fn skipped_count(&self) -> u64 {
        let counts = self.skipped.iter().map(SkippedNames::count);
        counts.sum::<usize>() as u64
    }

    /// Logs the skipped names. Objects that no request can name have data, so that they are a warning.
    pub fn log_skipped(&self) {
        for skipped in self.skipped.iter().filter(|skipped| skipped.count() > 0) {
            if skipped.has_unreadable() {
                tracing::warn!(skipped = skipped.count(), "{skipped}");
            } else {
                tracing::info!(skipped = skipped.count(), "{skipped}");
            }
        }
    }

    /// Checks that a data file was found for each folder and pattern. `can_be_allowed` says whether the command has the
    /// option `--allow-empty`, which the message then recommends.
    ///
    /// # Errors
    ///
    /// A folder or pattern has no data file.
    pub fn refuse_empty(&self, can_be_allowed: bool) -> Result<(), Error> {
        let Some(argument) = self.empty.first() else {
            return Ok(());
        };
        let mut skipped = self.skipped.iter();
        let skipped = skipped.find(|skipped| skipped.argument == *argument);
        Err(InputError::NoFile {
            argument: argument.clone(),
            skipped: skipped.map(SkippedNames::reasons),
            can_be_allowed,
        }
        .into())
    }
}

/// Expands the arguments to inputs, in the order of the arguments. A folder is replaced by all files in it and
/// in its subfolders, and a pattern (`*`, `?`, `[…]`, `**`) by all files that match, both ordered by name. Names
/// for which `not_data` has a reason, and hidden folders, are skipped, unless the pattern spells out their
/// prefix, extension or name. Pipes and devices are skipped, too. A zip archive of several files is replaced by these
/// files.
///
/// # Errors
/// There is no such file, a folder cannot be read, or an input is named twice.
pub fn expand(arguments: &[String]) -> Result<Expanded, Error> {
    let mut expanded = Expanded::default();
    let mut missing_arguments = Vec::new();
    for argument in arguments {
        let count_before = expanded.inputs.len();
        let is_argument_itself =
            |inputs: &[String]| inputs.get(count_before..) == Some(std::slice::from_ref(argument));
        let location = Location::parse(argument)?;
        let mut skipped_names = match &location {
            Location::Standard => {
                expanded.inputs.push(argument.clone());
                continue;
            }
            Location::Remote(_) => add_objects(&location, argument, &mut expanded.inputs)?,
            Location::Local(path) if is_missing(path, argument)? => {
                missing_arguments.push(argument.clone());
                continue;
            }
            Location::Local(path) => add_local(path, argument, &mut expanded.inputs)?,
        };
        if !is_argument_itself(&expanded.inputs) {
            let found_inputs = expanded.inputs.split_off(count_before);
            let found_inputs = without_companions(found_inputs, &mut skipped_names);
            let found_inputs =
                saved_dataset::only_listed(found_inputs, argument, &mut skipped_names)?;
            expanded.inputs.extend(found_inputs);
        }
        let found_inputs = expanded.inputs.split_off(count_before);
        for input in found_inputs {
            let is_named = input == *argument;
            match archive_members(&input, is_named) {
                Some((members, skipped)) => {
                    expanded.inputs.extend(members);
                    (expanded.skipped).extend((!skipped.is_empty()).then_some(skipped));
                }
                None => expanded.inputs.push(input),
            }
        }
        if expanded.inputs.len() == count_before {
            expanded.empty.push(argument.clone());
        }
        expanded
            .skipped
            .extend((!skipped_names.is_empty()).then_some(skipped_names));
    }
    if !missing_arguments.is_empty() {
        return Err(InputError::Missing {
            inputs: missing_arguments,
        }
        .into());
    }
    refuse_duplicates(&expanded.inputs)?;
    Ok(expanded)
}

/// Whether there is no file at the path, and the argument is not a pattern.
fn is_missing(path: &Path, argument: &str) -> Result<bool, Error> {
    let is_there = fs::metadata(path).map_or_else(|error| !is_not_found(&error), |_| true);
    if !is_there && path.symlink_metadata().is_ok() {
        let input = argument.to_owned();
        return Err(InputError::DanglingLink { input }.into());
    }
    let is_there = is_there || is_in_archive(path);
    Ok(!is_there && !argument.contains(['*', '?', '[']))
}

/// Adds a file, the files in a folder, or the files that match a pattern.
fn add_local(path: &Path, argument: &str, inputs: &mut Vec<String>) -> Result<SkippedNames, Error> {
    let mut search = FileSearch::new(argument);
    if is_in_archive(path) && !argument.contains(['*', '?', '[']) {
        inputs.push(argument.to_owned());
        return Ok(search.skipped);
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => search.add_folder(path)?,
        // A `file:///…` URL has been converted to a path, which is the pattern.
        Err(error) if is_not_found(&error) => {
            search.add_pattern(path.to_str().unwrap_or(argument))?;
        }
        // If the file cannot be read, the error is reported when it is opened.
        _ => inputs.push(argument.to_owned()),
    }
    inputs.extend(search.files.iter().map(|path| path_text(path)));
    Ok(search.skipped)
}

fn is_not_found(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Adds the objects that a URL names. A bucket is a folder, and so is a URL that ends with `/`.
fn add_objects(
    location: &Location,
    argument: &str,
    inputs: &mut Vec<String>,
) -> Result<SkippedNames, Error> {
    let mut skipped_names = SkippedNames::new(argument);
    let found_files = if location.is_pattern() {
        store::glob(location)?
    } else if location.is_folder_of_store() {
        store::list(location)?
    } else {
        inputs.push(argument.to_owned());
        return Ok(skipped_names);
    };
    // As for local folders, a name that the pattern spells out is not skipped.
    let is_literal_part = |part: &str| argument.split('/').any(|literal| literal == part);
    let last_part = argument.rsplit('/').next().unwrap_or_default();
    for object in found_files {
        if object
            .name
            .split('/')
            .any(|part| [".", ".."].contains(&part))
        {
            skipped_names.add_unreadable(&object.name);
            continue;
        }
        let (folders, name) = object.name.rsplit_once('/').unwrap_or(("", &object.name));
        let mut folders = folders.split('/').filter(|part| !is_literal_part(part));
        let reason = folders.find_map(|part| not_data_folder(Path::new(part), ""));
        let reason = reason.or_else(|| {
            if is_literal_part(name) {
                None
            } else {
                not_data(Path::new(name), last_part)
            }
        });
        match reason {
            Some(reason) => skipped_names.add(Path::new(&object.name), reason),
            None => {
                store::expect_listed(&object);
                inputs.push(path_text(&object.location.to_path()));
            }
        }
    }
    Ok(skipped_names)
}

/// Removes the files that belong to an array of puzzles in the layout of training data.
fn without_companions(files: Vec<String>, skipped: &mut SkippedNames) -> Vec<String> {
    let companions: HashSet<String> = files.iter().flat_map(|file| companions(file)).collect();
    let mut kept_files = files;
    kept_files.retain(|file| {
        let is_companion = companions.contains(file);
        if is_companion {
            skipped.add(Path::new(file), NotData::Companion);
        }
        !is_companion
    });
    kept_files
}

/// Fails if two inputs are the same file, even if they name it by different links.
fn refuse_duplicates(inputs: &[String]) -> Result<(), Error> {
    let mut names_by_identity: HashMap<FileIdentity, &String> = HashMap::new();
    for input in inputs {
        for identity in FileIdentity::from_input(input) {
            if let Some(earlier) = names_by_identity.insert(identity, input)
                && !std::ptr::eq(earlier, input)
            {
                return Err(InputError::NamedTwice {
                    input: without_secrets(input).into_owned(),
                    earlier: without_secrets(earlier).into_owned(),
                }
                .into());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_patterns_are_read_in_name_order() {
        let temporary_folder = tempfile::tempdir().unwrap();
        let root = temporary_folder.path();
        fs::create_dir_all(root.join("in/level=hard/deep")).unwrap();
        fs::create_dir_all(root.join("in/_rejects")).unwrap();
        fs::create_dir_all(root.join("empty")).unwrap();
        for name in [
            "in/b.csv",
            "in/a.csv",
            "in/a10.txt",
            "in/level=hard/c.csv",
            "in/level=hard/deep/d.csv",
            "in/_SUCCESS",
            "in/_rejects/d.csv",
            "in/.b.csv.tmp",
            "in/b.csv.bak",
            "what[1].csv",
        ] {
            fs::write(root.join(name), "").unwrap();
        }
        let expanded = |argument: &str| expand(&[format!("{}/{argument}", root.display())]);
        let names = |argument: &str| {
            let inputs = expanded(argument).unwrap().inputs.join(" ");
            inputs.replace(&format!("{}/", root.display()), "")
        };
        let code = |argument: &str| match expanded(argument) {
            Ok(found) => found.refuse_empty(true).unwrap_err().exit_code(),
            Err(error) => error.exit_code(),
        };
        let deep_names = "in/level=hard/c.csv in/level=hard/deep/d.csv";
        let all_names = format!("in/a.csv in/a10.txt in/b.csv {deep_names}");
        for folder in ["in", "in/", "in/**", "i?", "i*/"] {
            assert_eq!(names(folder), all_names, "{folder}");
        }
        assert_eq!(names("in/*.csv"), "in/a.csv in/b.csv");
        assert_eq!(
            names("in/**/*.csv"),
            format!("in/a.csv in/b.csv {deep_names}")
        );
        assert_eq!(names("**/[cd].csv"), deep_names);
        assert_eq!(names("*/level=*"), deep_names);
        assert_eq!(names("in/**/deep/**"), "in/level=hard/deep/d.csv");
        assert_eq!(names("what[1].csv"), "what[1].csv");
        assert_eq!(names("in/_rejects/*"), "in/_rejects/d.csv");
        assert_eq!(names("in/_re*/*"), "in/_rejects/d.csv");
        assert_eq!(names("in/*.bak"), "in/b.csv.bak");
        assert_eq!(names("in/.*.tmp"), "in/.b.csv.tmp");
        assert_eq!(names("in/_SUCCESS"), "in/_SUCCESS");
        for (argument, expected) in [
            ("no.csv", 2),
            ("in/a.csv/b", 2),
            ("in/**b", 2),
            ("in/a[", 2),
            ("no*.csv", 3),
            ("no/*.csv", 3),
            ("in/a.csv/*", 3),
            ("in/.*.tmp/x*", 3),
            ("empty", 3),
        ] {
            assert_eq!(code(argument), expected, "{argument}");
        }
        let stdin_twice = ["-".to_owned(), "-".to_owned()];
        assert_eq!(expand(&stdin_twice).unwrap_err().exit_code(), 2);
    }
}
