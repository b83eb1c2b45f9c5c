//! Decides what files contain: tables, stored statistics, or a comparison of solvers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::options::{OnProgress, TableOptions};
use crate::counts::ComparisonTables;
use crate::counts::statistics::{Duplicates, Statistics, StoredStatistics};
use crate::counts::tables::CountOptions;
use crate::error::{Error, InputError};
use crate::read::Keep;
use crate::report::page::Overlap;
use crate::store::{self, Location};

/// What the files for a page contain.
pub enum Content {
    /// The statistics of a dataset.
    Dataset(Box<Statistics>),
    /// A comparison of solvers.
    Comparison(ComparisonTables),
}

/// The statistics of the files with these names. Stored statistics are merged. The rows of tables are counted.
///
/// # Errors
///
/// A file cannot be read, a column to group by is missing, or it has too many values.
pub fn statistics_of(
    names: &[String],
    measure: &CountOptions,
    options: &TableOptions,
    progress: OnProgress<'_>,
) -> Result<Statistics, Error> {
    match stored_statistics(names)? {
        Some(statistics) => Ok(statistics),
        None => options.statistics(names, measure, progress),
    }
}

/// What the files with these names contain. It is a comparison if every table has runs of solvers. Otherwise it is the
/// statistics of a dataset.
///
/// # Errors
///
/// See [`statistics_of`].
pub fn content_of(
    names: &[String],
    measure: &CountOptions,
    options: &TableOptions,
    progress: OnProgress<'_>,
) -> Result<Content, Error> {
    if let Some(statistics) = stored_statistics(names)? {
        return Ok(Content::Dataset(Box::new(statistics)));
    }
    Ok(match options.content(names, measure, progress)? {
        Ok(comparison) => Content::Comparison(comparison),
        Err(statistics) => Content::Dataset(Box::new(statistics)),
    })
}

/// The number of distinct puzzles that two datasets have in common. The tables of both datasets are read again,
/// as one dataset. `None` if both contain the same table, or if one of them is stored statistics, which do not
/// contain the puzzles.
///
/// # Errors
///
/// See [`statistics_of`].
pub fn overlap_of(
    (one, of_one): (&[String], &Statistics),
    (other, of_other): (&[String], &Statistics),
    options: &TableOptions,
    progress: OnProgress<'_>,
) -> Result<Option<Overlap>, Error> {
    let distinct = |of: &Option<Duplicates>| of.as_ref().map(|found| found.distinct);
    let counts = |of: &Statistics| (distinct(&of.duplicates), distinct(&of.isomorphs));
    let both_inputs = [one, other].concat();
    let ((Some(of_one), iso_one), (Some(of_other), iso_other)) = (counts(of_one), counts(of_other))
    else {
        return Ok(None);
    };
    if both_inputs
        .iter()
        .any(|name| name == "-" || holds_statistics(name))
    {
        return Ok(None);
    }
    let mut options = options.clone();
    if options.condition.is_none() {
        let has_canonical = iso_one.is_some() && iso_other.is_some();
        options.run.read.keep = if has_canonical {
            Keep::Only(vec!["canonical".to_owned()])
        } else {
            Keep::None
        };
    }
    let all_statistics = match options.statistics(&both_inputs, &CountOptions::default(), progress)
    {
        Err(Error::Input(error)) if matches!(*error, InputError::NamedTwice { .. }) => {
            return Ok(None);
        }
        counted => counted?,
    };
    let (all, iso_all) = counts(&all_statistics);
    // A puzzle that is in both datasets is counted twice in `one + other`, and once in `all`.
    let common_count = |one: u64, other: u64, all: u64| (one + other).saturating_sub(all);
    Ok(all.map(|all| Overlap {
        exact: common_count(of_one, of_other, all),
        isomorphs: (iso_one.zip(iso_other).zip(iso_all))
            .map(|((one, other), all)| common_count(one, other, all)),
    }))
}

/// The merged statistics, if all of these files are stored statistics; otherwise `None`.
fn stored_statistics(names: &[String]) -> Result<Option<Statistics>, Error> {
    let all_statistics_files = names.iter().all(|name| holds_statistics(name));
    all_statistics_files.then(|| merged(names)).transpose()
}

/// Merges the statistics in these files.
///
/// # Errors
///
/// A file is named twice; or see [`StoredStatistics::read`].
pub fn merged(names: &[String]) -> Result<Statistics, Error> {
    let mut names_by_path: HashMap<PathBuf, &String> = HashMap::new();
    let mut merged: Option<Statistics> = None;
    for name in names {
        let canonical_path = std::fs::canonicalize(name).unwrap_or_else(|_| name.into());
        if let Some(earlier) = names_by_path.insert(canonical_path, name) {
            return Err(InputError::NamedTwice {
                input: name.clone(),
                earlier: earlier.clone(),
            }
            .into());
        }
        let stored_statistics = StoredStatistics::read(name)?;
        match &mut merged {
            Some(all) => all.merge(stored_statistics),
            None => merged = Some(stored_statistics),
        }
    }
    Ok(merged.unwrap_or_default())
}

/// Whether the start of a local file looks like stored statistics.
fn holds_statistics(name: &str) -> bool {
    let Ok(Location::Local(path)) = Location::from_path(Path::new(name)) else {
        return false;
    };
    let opened_file = path
        .is_file()
        .then(|| store::open(&Location::Local(path)).ok())
        .flatten();
    let mut first_bytes = Vec::new();
    opened_file.is_some_and(|opened| {
        use std::io::Read;
        let read_result = opened.reader.take(64).read_to_end(&mut first_bytes);
        read_result.is_ok() && StoredStatistics::is_start(&first_bytes)
    })
}
