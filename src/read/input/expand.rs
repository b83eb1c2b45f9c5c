//! Expands the arguments to inputs: files, folders, patterns.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use glob::{MatchOptions, Pattern, glob_with};

use crate::error::{Error, InputError};
use crate::store::{self, Location};

/// Expands the arguments to inputs, in the order of the arguments. A folder stands for all files in
/// it and in its subfolders; a pattern (`*`, `?`, `[…]`, `**`) for all files that match; both in
/// the order of names. Files and folders whose name starts with `.` or `_` are skipped: they hold
/// no data, or unfinished data.
///
/// # Errors
/// A folder or pattern has no file, a folder cannot be read, or an input is named twice.
pub fn expand(arguments: &[String]) -> Result<Vec<String>, Error> {
    let mut inputs = Vec::new();
    for argument in arguments {
        let before = inputs.len();
        let location = Location::parse(argument)?;
        let path = Path::new(argument);
        if location.is_remote() {
            objects(&location, argument, &mut inputs)?;
        } else if path.is_dir() {
            files_in(path, &mut inputs)?;
        } else if argument.contains(['*', '?', '[']) && fs::symlink_metadata(path).is_err() {
            matches(argument, &mut inputs)?;
        } else {
            inputs.push(argument.clone());
        }
        if inputs.len() == before {
            let error = io::Error::new(io::ErrorKind::NotFound, "there is no file");
            return Err(refused(argument, error));
        }
    }
    let mut seen = HashSet::new();
    // Compares canonical paths. A missing file is reported later.
    let real =
        |input: &&String| !seen.insert(fs::canonicalize(input).unwrap_or_else(|_| input.into()));
    match inputs.iter().find(real) {
        Some(twice) => Err(InputError::NamedTwice {
            input: twice.clone(),
        }
        .into()),
        None => Ok(inputs),
    }
}

/// Adds the objects of a URL. A URL that ends with `/` is a folder.
fn objects(location: &Location, argument: &str, inputs: &mut Vec<String>) -> Result<(), Error> {
    let found = if location.is_pattern() {
        store::glob(location)?
    } else if argument.ends_with('/') {
        store::list(location)?
    } else {
        inputs.push(argument.to_owned());
        return Ok(());
    };
    // As for local folders, a name that the pattern spells out is included even if it starts with
    // `.` or `_`.
    let named = |part: &str| argument.split('/').any(|literal| literal == part);
    for object in found {
        let parts = object.name.split('/').filter(|part| !named(part));
        if parts.map(Path::new).all(is_data) {
            inputs.push(utf8(&object.location.to_path())?);
        }
    }
    Ok(())
}

fn refused(name: &str, error: io::Error) -> Error {
    Error::Read {
        source_name: name.to_owned(),
        error,
    }
}

/// Whether a file or folder of this name counts as data when its folder is read.
pub fn is_data(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !name.starts_with(['.', '_'])
}

fn files_in(folder: &Path, inputs: &mut Vec<String>) -> Result<(), Error> {
    let name = |path: &Path| path.display().to_string();
    let entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(|error| refused(&name(folder), error))?;
    let mut paths: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    paths.retain(|path| is_data(path));
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_in(&path, inputs)?;
        } else {
            inputs.push(utf8(&path)?);
        }
    }
    Ok(())
}

fn matches(pattern: &str, inputs: &mut Vec<String>) -> Result<(), Error> {
    let options = MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let paths = glob_with(pattern, options).map_err(|error| InputError::InvalidPattern {
        pattern: pattern.to_owned(),
        escaped: Pattern::escape(pattern),
        error,
    })?;
    for path in paths {
        let path = path.map_err(|error| {
            let name = error.path().display().to_string();
            refused(&name, error.into())
        })?;
        let named = |part: &OsStr| pattern.split('/').any(|literal| literal == part);
        let is_data = (path.iter().filter(|part| !named(part))).all(|part| is_data(part.as_ref()));
        if path.is_dir() {
            // A folder that matches `folder*` is read whole; the files within `**` match one by
            // one.
            if is_data && !pattern.ends_with("**") {
                files_in(&path, inputs)?;
            }
        } else if is_data {
            inputs.push(utf8(&path)?);
        }
    }
    Ok(())
}

/// The path as text, because it becomes a value of the column `source`.
fn utf8(path: &Path) -> Result<String, Error> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let error = io::Error::new(io::ErrorKind::InvalidInput, "its name is not UTF-8");
        refused(&path.display().to_string(), error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_patterns_are_read_in_name_order() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        fs::create_dir_all(root.join("in/level=hard")).unwrap();
        fs::create_dir_all(root.join("in/_rejects")).unwrap();
        for name in [
            "in/b.csv",
            "in/a.csv",
            "in/a10.txt",
            "in/level=hard/c.csv",
            "in/_SUCCESS",
            "in/_rejects/d.csv",
            "in/.b.csv.tmp",
            "what[1].csv",
        ] {
            fs::write(root.join(name), "").unwrap();
        }
        let names = |argument: &str| {
            let argument = root.join(argument).to_str().unwrap().to_owned();
            let found = expand(&[argument]);
            let root = format!("{}/", root.display());
            found.map(|found| found.join(" ").replace(&root, ""))
        };
        let all = "in/a.csv in/a10.txt in/b.csv in/level=hard/c.csv";
        assert_eq!(names("in").unwrap(), all);
        assert_eq!(names("in/").unwrap(), all);
        assert_eq!(names("in/*.csv").unwrap(), "in/a.csv in/b.csv");
        assert_eq!(
            names("in/**/*.csv").unwrap(),
            "in/a.csv in/b.csv in/level=hard/c.csv"
        );
        assert_eq!(names("what[1].csv").unwrap(), "what[1].csv");
        assert_eq!(names("no.csv").unwrap(), "no.csv", "opening it will tell");
        assert_eq!(names("no*.csv").unwrap_err().exit_code(), 1);
        assert_eq!(names("in/_rejects/*").unwrap(), "in/_rejects/d.csv");
        let twice = ["-".to_owned(), "-".to_owned()];
        assert_eq!(expand(&twice).unwrap_err().exit_code(), 2);
    }
}
