//! What files hold, by their names: statistics of tables, stored ones, or a comparison of solvers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Measure;
use super::count::{OnProgress, TableOptions};
use crate::error::{Error, InputError};
use crate::report::ComparisonTables;
use crate::report::statistics::{Statistics, StoredStatistics};
use crate::store::{self, Location};

/// What a page can be about.
pub enum Content {
    /// A dataset, by its statistics.
    Dataset(Box<Statistics>),
    /// A comparison of solvers, by the tables that sum up its runs.
    Comparison(ComparisonTables),
}

/// The statistics that these names stand for: those in the files, where they hold statistics, merged;
/// else those of the tables.
///
/// # Errors
/// A file cannot be read as what it is, or a column to group by is not there or has too many values.
pub fn statistics_of(
    names: &[String],
    measure: &Measure,
    options: &TableOptions,
    progress: OnProgress<'_>,
) -> Result<Statistics, Error> {
    match stored(names)? {
        Some(statistics) => Ok(statistics),
        None => options.statistics(names, measure, progress),
    }
}

/// What these names stand for: a comparison where all tables hold runs of solvers, else a dataset.
///
/// # Errors
/// See [`statistics_of`].
pub fn content_of(
    names: &[String],
    measure: &Measure,
    options: &TableOptions,
    progress: OnProgress<'_>,
) -> Result<Content, Error> {
    if let Some(statistics) = stored(names)? {
        return Ok(Content::Dataset(Box::new(statistics)));
    }
    Ok(match options.content(names, measure, progress)? {
        Ok(comparison) => Content::Comparison(comparison),
        Err(statistics) => Content::Dataset(Box::new(statistics)),
    })
}

/// The statistics in these files, if all of them hold statistics.
fn stored(names: &[String]) -> Result<Option<Statistics>, Error> {
    let all = names.iter().all(|name| holds_statistics(name));
    all.then(|| merged(names)).transpose()
}

/// The statistics in these files, merged.
///
/// # Errors
/// A file is named twice, or see [`StoredStatistics::read`].
pub fn merged(names: &[String]) -> Result<Statistics, Error> {
    let mut seen: HashMap<PathBuf, &String> = HashMap::new();
    let mut all: Option<Statistics> = None;
    for name in names {
        let real = std::fs::canonicalize(name).unwrap_or_else(|_| name.into());
        if let Some(earlier) = seen.insert(real, name) {
            return Err(InputError::NamedTwice {
                input: name.clone(),
                earlier: earlier.clone(),
            }
            .into());
        }
        let part = StoredStatistics::read(name)?;
        match &mut all {
            Some(all) => all.merge(part),
            None => all = Some(part),
        }
    }
    Ok(all.unwrap_or_default())
}

/// Whether a file on this machine begins as statistics do.
fn holds_statistics(name: &str) -> bool {
    let Ok(Location::Local(path)) = Location::of(Path::new(name)) else {
        return false;
    };
    let opened = path
        .is_file()
        .then(|| store::open(&Location::Local(path)).ok())
        .flatten();
    let mut start = Vec::new();
    opened.is_some_and(|opened| {
        use std::io::Read;
        let read = opened.reader.take(64).read_to_end(&mut start);
        read.is_ok() && StoredStatistics::is_start(&start)
    })
}
