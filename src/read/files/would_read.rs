//! Decides whether a run over the same arguments would read a file that does not exist yet, such as an output.

use std::path::{Component, Path};

use glob::{MatchOptions, Pattern};

use super::data_name::{not_data, not_data_folder};
use crate::store::Location;

/// Whether reading this folder or pattern would read a file at this path. The path is absolute, with links resolved.
/// An argument that names a single file never reads another one.
pub fn would_read(argument: &str, file: &Path) -> bool {
    let Ok(Location::Local(path)) = Location::parse(argument) else {
        return false;
    };
    if let Ok(folder) = path.canonicalize() {
        let rest = file.strip_prefix(&folder).ok();
        return rest.is_some_and(|rest| matches(&[], &names_of(rest)));
    }
    let is_wild = |name: &str| name.contains(['*', '?', '[']);
    let Some(text) = path.to_str().filter(|text| is_wild(text)) else {
        return false;
    };
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    let literal_count = parts.iter().take_while(|part| !is_wild(part)).count();
    let root = if text.starts_with('/') { "/" } else { "." };
    let literal_parts = parts.iter().take(literal_count);
    let Ok(base) = literal_parts
        .fold(Path::new(root).to_owned(), |path, part| path.join(part))
        .canonicalize()
    else {
        return false;
    };
    let rest = file.strip_prefix(&base).ok();
    rest.is_some_and(|rest| matches(parts.get(literal_count..).unwrap_or(&[]), &names_of(rest)))
}

fn names_of(path: &Path) -> Vec<String> {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    names.collect()
}

/// Whether the parts of a pattern match the folders and the file name of a path, and no name on the way is skipped. A
/// pattern that ends at a folder reads all files below it.
fn matches(parts: &[&str], names: &[String]) -> bool {
    let Some((name, below)) = names.split_first() else {
        return parts.is_empty();
    };
    let is_data = |pattern: &str| {
        if below.is_empty() {
            not_data(Path::new(name), pattern).is_none()
        } else {
            not_data_folder(Path::new(name), pattern).is_none()
        }
    };
    match parts.split_first() {
        None => is_data("") && matches(&[], below),
        Some((&"**", [])) => {
            is_data("") && matches(parts, below) || below.is_empty() && is_data("")
        }
        Some((&"**", rest)) => {
            matches(rest, names) || !below.is_empty() && is_data("") && matches(parts, below)
        }
        Some((part, rest)) => {
            let is_match = Pattern::new(part)
                .is_ok_and(|pattern| pattern.matches_with(name, MatchOptions::new()));
            is_match && (name == part || is_data(part)) && matches(rest, below)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_matches_as_the_search_for_files_matches_it() {
        for (pattern, path, expected) in [
            ("", "a.csv", true),
            ("", "o/level=a/a.csv", true),
            ("", "_o/a.csv", false),
            ("", "a.csv.bak", false),
            ("*", "a.csv", true),
            ("*", "o/a.csv", true),
            ("*.csv", "o/a.csv", false),
            ("*/*.csv", "o/a.csv", true),
            ("*/*.csv", "o/a.parquet", false),
            ("**", "o/p/a.csv", true),
            ("**", ".o/a.csv", false),
            ("**/*.csv", "a.csv", true),
            ("**/*.csv", "o/p/a.csv", true),
            ("**/*.csv", "_o/a.csv", false),
            ("*/in/*", "o/a.csv", false),
        ] {
            let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
            let found = matches(&parts, &names_of(Path::new(path)));
            assert_eq!(found, expected, "{pattern} {path}");
        }
    }
}
