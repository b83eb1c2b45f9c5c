//! The inputs of a run: found, looked at, and shared out among the shards.

use std::path::Path;
use std::time::UNIX_EPOCH;

use sudoku_pipeline::error::Error;
use sudoku_pipeline::pipeline::JobInput;
use sudoku_pipeline::read::{self, Catalog, InputInfo, Known};
use sudoku_pipeline::store::{self, Location};
use sudoku_pipeline::write::PartInput;

use super::plan::Plan;

/// An input of this run.
pub(super) struct RunInput {
    pub(super) job: JobInput,
    /// What it is, where that can be told.
    pub(super) about: Option<InputInfo>,
}

/// Finds the inputs and looks at each; of those, what this shard is to do. The columns are those of
/// all inputs, so that the shards' tables have the same.
pub(super) fn find(plan: &Plan) -> Result<(Catalog, Vec<RunInput>), Error> {
    let paths = read::expand(&plan.inputs)?;
    (plan.destination).refuse_inputs(&plan.texts(), &plan.inputs, &paths)?;
    let mut catalog = Catalog::of(&paths, &plan.read)?;
    let inputs = catalog.inputs.drain(..).collect();
    let mine = match plan.shard {
        None => whole(inputs),
        Some((shard, of)) => self::shard(inputs, shard, of)?,
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
            // Told before the work rather than in the midst of it.
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
    Ok((catalog, inputs))
}

/// An input, and of a Parquet file which row groups, where not all of them.
type Taken = (Known, Option<Vec<usize>>);

fn whole(inputs: impl IntoIterator<Item = Known>) -> Vec<Taken> {
    inputs.into_iter().map(|input| (input, None)).collect()
}

/// Every N-th input from the I-th on, or every N-th row group of all of them, where they are Parquet
/// files and fewer than N.
fn shard(inputs: Vec<Known>, shard: u64, of: u64) -> Result<Vec<Taken>, Error> {
    let mine = |number: usize| number as u64 % of == shard;
    let count = |input: &Known| read::parquet_row_groups(&input.path);
    // What cannot be read as Parquet is shared out as a file.
    let counts: Option<Vec<usize>> = match (inputs.len() as u64) < of {
        true => inputs.iter().map(count).collect::<Result<_, _>>()?,
        false => None,
    };
    let Some(counts) = counts else {
        let numbered = inputs.into_iter().enumerate();
        let mine = numbered.filter(|(number, _)| mine(*number));
        return Ok(whole(mine.map(|(_, input)| input)));
    };
    let mut first = 0;
    let of_inputs = inputs.into_iter().zip(counts).map(|(input, count)| {
        let groups: Vec<usize> = (0..count).filter(|group| mine(first + group)).collect();
        first += count;
        (input, Some(groups))
    });
    let is_some = |(_, groups): &Taken| groups.as_ref().is_some_and(|groups| !groups.is_empty());
    Ok(of_inputs.filter(is_some).collect())
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

/// When a file was changed last; of a pipe nothing can be told.
fn changed(path: &Path) -> Option<String> {
    let about = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    let since = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{}.{:09}", since.as_secs(), since.subsec_nanos()))
}
