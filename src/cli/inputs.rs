//! The inputs of a run: found, looked at, and shared out among the shards.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

use arrow::datatypes::FieldRef;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::JobInput;
use sudoku_pipeline::read::{self, Catalog, InputInfo, Known, ReadOptions, type_name};
use sudoku_pipeline::store::{self, Location};
use sudoku_pipeline::write::PartInput;

use super::plan::Plan;

/// An input of this run.
pub(super) struct RunInput {
    pub(super) job: JobInput,
    /// What it is, where that can be determined.
    pub(super) about: Option<InputInfo>,
}

/// The inputs of all shards.
pub(super) struct Found {
    /// The columns are those of all inputs, so that the shards' tables have the same.
    pub(super) catalog: Catalog,
    /// What this shard is to do.
    pub(super) inputs: Vec<RunInput>,
    /// What the other shards are to do.
    others: Vec<Share>,
}

/// Finds the inputs, looks at each, and shares them out. Sets `outputs_checked` once no output is
/// known to be an input.
pub(super) fn find(plan: &Plan, outputs_checked: &mut bool) -> Result<Found, Error> {
    let paths = read::expand(&plan.inputs)?;
    (plan.destination).refuse_inputs(&plan.texts(), &plan.inputs, &paths)?;
    *outputs_checked = true;
    let mut catalog = Catalog::of(&paths, &plan.read)?;
    for unified in catalog.unified() {
        tracing::warn!("{unified}");
    }
    refuse_untaken(&plan.read, &catalog)?;
    let inputs = catalog.inputs.drain(..).collect();
    let (mine, others) = match plan.shard {
        None => (whole(inputs), Vec::new()),
        Some((shard, of)) => self::shard(inputs, shard, of, plan.keep_going)?,
    };
    let inputs = mine.into_iter().map(|(known, row_groups)| {
        let Known {
            path,
            about,
            opened,
        } = known;
        let about = match about {
            Ok(about) => Some(about),
            Err(_) if plan.keep_going => None,
            // Reported before the work rather than in the midst of it.
            Err(error) => return Err(error),
        };
        Ok(RunInput {
            about,
            job: JobInput {
                path,
                opened: opened.filter(|_| row_groups.is_none()),
                row_groups,
            },
        })
    });
    let inputs = inputs.collect::<Result<_, _>>()?;
    Ok(Found {
        catalog,
        inputs,
        others,
    })
}

/// Refuses types that no column is read as: the columns of other formats have types of their own.
fn refuse_untaken(options: &ReadOptions, catalog: &Catalog) -> Result<(), Error> {
    for asked in &options.column_types {
        let mut carried = catalog.carried.iter();
        let is_read = |field: &FieldRef| {
            field.name().eq_ignore_ascii_case(asked.name())
                && field.data_type() == asked.data_type()
        };
        if !carried.any(is_read) {
            let (name, data_type) = (asked.name(), type_name(asked.data_type()));
            return Err(Error::Usage(format!(
                "--types {name}={data_type}: no input carries a column {name} of CSV or JSON, or \
                 another has it as another type"
            )));
        }
    }
    Ok(())
}

impl Found {
    /// What the other shards are to do, as manifests know it.
    pub(super) fn parts_of_others(&self) -> Result<Vec<PartInput>, Error> {
        let parts = self.others.iter().map(|(path, row_groups)| {
            Ok(PartInput {
                source: Location::parse(path)?.to_string(),
                bytes: None,
                state: None,
                row_groups: row_groups.clone(),
            })
        });
        parts.collect()
    }
}

/// An input, and of a Parquet file which row groups, where not all of them.
type Taken = (Known, Option<Vec<usize>>);

/// The same of another shard: its path is enough.
type Share = (String, Option<Vec<usize>>);

fn whole(inputs: impl IntoIterator<Item = Known>) -> Vec<Taken> {
    inputs.into_iter().map(|input| (input, None)).collect()
}

/// Every N-th input from the I-th on, or every N-th row group of all of them, where they are Parquet
/// files and fewer than N; and what that leaves to the other shards.
///
/// `keep_going`: a Parquet file that is damaged is shared out as a file, so that the others are read.
fn shard(
    inputs: Vec<Known>,
    shard: u64,
    of: u64,
    keep_going: bool,
) -> Result<(Vec<Taken>, Vec<Share>), Error> {
    let owner = |number: usize| number as u64 % of;
    let count = |input: &Known| -> Result<Option<Option<usize>>, Error> {
        match read::parquet_row_groups(&input.path) {
            Err(error) if keep_going && error.is_about_data() => Ok(Some(None)),
            count => Ok(count?.map(Some)),
        }
    };
    // Where one cannot be read as Parquet all are shared out as files.
    let counts: Option<Vec<Option<usize>>> = match (inputs.len() as u64) < of {
        true => inputs.iter().map(count).collect::<Result<_, _>>()?,
        false => None,
    };
    let (mut mine, mut others) = (Vec::new(), Vec::new());
    let Some(counts) = counts else {
        for (number, input) in inputs.into_iter().enumerate() {
            match owner(number) == shard {
                true => mine.push((input, None)),
                false => others.push((input.path, None)),
            }
        }
        return Ok((mine, others));
    };
    let mut first = 0;
    for (input, count) in inputs.into_iter().zip(counts) {
        let Some(count) = count else {
            match owner(first) == shard {
                true => mine.push((input, None)),
                false => others.push((input.path, None)),
            }
            first += 1;
            continue;
        };
        let mut shares: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for group in 0..count {
            shares.entry(owner(first + group)).or_default().push(group);
        }
        first += count;
        let own = shares.remove(&shard);
        let path = |groups| (input.path.clone(), Some(groups));
        others.extend(shares.into_values().map(path));
        mine.extend(own.map(|groups| (input, Some(groups))));
    }
    Ok((mine, others))
}

impl RunInput {
    /// The input as the manifest of a folder knows it.
    pub(super) fn part(&self) -> Result<PartInput, Error> {
        let location = Location::parse(&self.job.path)?;
        let about = store::about(&location)?.unwrap_or_default();
        let state = match &location {
            Location::Standard => None,
            Location::Local(path) => changed(path),
            Location::Remote(_) => about.e_tag.or(about.last_modified),
        };
        Ok(PartInput {
            source: location.to_string(),
            bytes: about.bytes,
            state,
            row_groups: self.job.row_groups.clone(),
        })
    }
}

/// When a file was changed last; of a pipe nothing can be determined.
fn changed(path: &Path) -> Option<String> {
    let about = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    let since = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{}.{:09}", since.as_secs(), since.subsec_nanos()))
}
