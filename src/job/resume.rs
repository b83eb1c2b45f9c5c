//! Resumes runs: opens a folder of parts, and skips the inputs that earlier runs have completed.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::counts::{Damage, Tally};
use crate::error::Error;
use crate::formats::Catalog;
use crate::job::earlier_columns::{fit_columns, input_of};
use crate::job::inputs::{Inputs, RunInput};
use crate::numbers::{counted, thousands};
use crate::options::PRUNE;
use crate::store::{self, Location, StoreError};
use crate::table::layout::Layout;
use crate::write::{
    ClaimedParts, FolderOutput, FolderTable, ManifestEntry, OptionDifference, PartInput,
    TableMetadata,
};

/// The inputs that earlier runs have completed. Their parts in the output folder are kept.
#[derive(Default)]
pub struct Kept {
    /// Whether the run resumes an earlier one.
    pub resumed: bool,
    /// The completed inputs, with their parts.
    pub entries: Vec<ManifestEntry>,
    /// The completed inputs that no longer exist. Their parts stay in the folder.
    pub gone_entries: Vec<ManifestEntry>,
    /// The options whose values differ from earlier runs.
    pub changed: Vec<OptionDifference>,
    /// The columns that no part of an earlier run has, each with the first input that has it. Empty if no part of an
    /// earlier run stays.
    pub new_columns: Vec<(String, Option<String>)>,
    /// The columns of parts that stay which no input of this run has.
    pub absent_columns: Vec<String>,
}

impl Kept {
    /// Logs why no input counts as completed, and which parts stay although their inputs are gone.
    pub fn log(&self) {
        if self.resumed && !self.changed.is_empty() {
            // The limits of a rating are options only if it is requested.
            let is_implied = |option: &&OptionDifference| {
                let is_limit = LIMITS_OF_RATINGS.contains(&option.name.as_str());
                is_limit && (option.was.is_none() || option.is.is_none())
            };
            let given = self.changed.iter().filter(|option| !is_implied(option));
            let changed = given.map(ToString::to_string);
            tracing::info!(
                "the folder was written with other options ({}): all inputs are processed again",
                changed.collect::<Vec<_>>().join("; ")
            );
        }
        log_new_columns(&self.new_columns);
        if !self.absent_columns.is_empty() {
            tracing::info!(
                columns = self.absent_columns.len(),
                "no input of this run has {}, which parts that are done have: {}",
                if self.absent_columns.len() == 1 {
                    "the column"
                } else {
                    "the columns"
                },
                first_names(&self.absent_columns)
            );
        }
        let (existing, gone): (Vec<_>, Vec<_>) =
            (self.gone_entries.iter()).partition(|entry| entry.still_exists());
        log_staying(&existing, "are not read by this run");
        log_staying(&gone, "are gone");
    }

    /// The counts of the rows of the completed inputs.
    pub fn tally(&self) -> Tally {
        let mut total = Tally::default();
        let entries = self.entries.iter().chain(&self.gone_entries);
        for entry in entries.filter(|entry| entry.tally.has_known_ids()) {
            total.merge(&entry.tally);
        }
        total
    }

    /// The damage of the kept inputs: the reasons why earlier runs could not read them to their end.
    pub fn damages(&self) -> impl Iterator<Item = &Damage> {
        self.entries.iter().flat_map(|entry| &entry.damage)
    }

    /// The number of completed inputs; `None` if the run does not resume an earlier one.
    pub fn inputs(&self) -> Option<usize> {
        self.resumed.then_some(self.entries.len())
    }
}

impl Inputs {
    /// Opens a folder with a part for each input. Removes the inputs whose parts are kept from
    /// [`Inputs::own`]. `make_layout` makes the layout of the parts. The columns of the catalog are fitted to those of
    /// the parts that stay in the folder, and the layout is then made again.
    ///
    /// # Errors
    ///
    /// An input cannot be read, the layout cannot be made, or [`ClaimedParts::claim`] or [`ClaimedParts::open`] refuses
    /// the folder.
    pub fn open_folder(
        &mut self,
        folder: FolderTable,
        metadata: TableMetadata,
        make_layout: &dyn Fn(&Catalog) -> Result<Layout, Error>,
    ) -> Result<(FolderOutput, Layout, Kept), Error> {
        let own_inputs = self.own.iter().map(RunInput::to_part_input);
        let own_inputs: Vec<_> = own_inputs.collect::<Result<_, _>>()?;
        let other_inputs = self
            .inputs_of_other_shards
            .iter()
            .map(|(path, row_groups)| {
                Ok(PartInput {
                    source: Location::parse(path)?.to_string(),
                    real_path: None,
                    bytes: None,
                    state: None,
                    row_groups: row_groups.clone(),
                    recognition: None,
                })
            });
        let other_inputs: Vec<_> = other_inputs.collect::<Result<_, Error>>()?;
        let resumed = folder.resume;
        let mut layout = make_layout(&self.catalog)?;
        let schema = layout.schema();
        let parts = ClaimedParts::claim(folder, schema, metadata, own_inputs, other_inputs)?;
        if fit_columns(&mut self.catalog, &layout, &parts) {
            layout = make_layout(&self.catalog)?;
        }
        let input_of = |name: &str| input_of(self, &layout, name);
        let grid_names = layout.grid_names().to_vec();
        let output = parts.open(layout.schema(), grid_names, &input_of)?;
        let new_columns = output.new_columns().iter();
        let new_columns = new_columns.map(|name| (name.clone(), input_of(name)));
        let kept = Kept {
            resumed: resumed || !output.kept().is_empty(),
            entries: output.kept().to_vec(),
            gone_entries: output.gone().to_vec(),
            changed: output.changed().to_vec(),
            new_columns: new_columns.collect(),
            absent_columns: output.absent_columns().to_vec(),
        };
        let mut is_kept = output.is_kept().iter();
        (self.own).retain(|_| !is_kept.next().copied().unwrap_or_default());
        self.earlier = kept.tally();
        Ok((output, layout, kept))
    }
}

impl RunInput {
    /// The input with its version, for the manifest. The version is the one at the first opening. If the input
    /// changes before it is read, the run fails, so the manifest never names a version whose rows were not read.
    fn to_part_input(&self) -> Result<PartInput, Error> {
        let location = Location::parse(&self.job.path)?;
        let known_metadata = &self.job.metadata;
        let metadata = if known_metadata.bytes.is_some() || known_metadata.e_tag.is_some() {
            known_metadata.clone()
        } else {
            // The input could not be opened as data, or is a pipe.
            match store::metadata(&location)? {
                // The object was listed, but does not exist: it has been deleted since then, or the store
                // contradicts itself.
                None if location.is_remote() => return Err(gone_error(&location).into()),
                found => found.unwrap_or_default(),
            }
        };
        let state = match &location {
            Location::Standard => None,
            Location::Local(_) => metadata.modified.map(seconds_since_1970),
            Location::Remote(_) => metadata.version(),
        };
        Ok(PartInput {
            source: location.to_string(),
            real_path: store::real_path(&self.job.path),
            bytes: metadata.bytes,
            state,
            row_groups: self.job.row_groups.clone(),
            recognition: self.recognition.clone(),
        })
    }
}

/// The options that limit the ratings of `--with`.
const LIMITS_OF_RATINGS: [&str; 3] = ["se_max", "se_work", "hodoku_version"];

/// The maximum number of columns that a message names.
const MOST_COLUMNS: usize = 10;

/// Logs which columns are new in the folder, and which input has brought each of them.
fn log_new_columns(columns: &[(String, Option<String>)]) {
    for (column, input) in columns.iter().take(MOST_COLUMNS) {
        let place = input
            .as_ref()
            .map_or_else(String::new, |input| format!(" of {input}"));
        tracing::info!(
            column,
            input,
            "column {column}{place} is new in the folder: the parts that are done stay without it"
        );
    }
    let more = columns.len().saturating_sub(MOST_COLUMNS);
    if more > 0 {
        tracing::info!(
            "{} more columns are new in the folder",
            thousands(more as u64)
        );
    }
}

/// The first names of a list, and the number of the others.
fn first_names(names: &[String]) -> String {
    let shown = names.len().min(MOST_COLUMNS);
    let text = names[..shown].join(", ");
    match names.len() - shown {
        0 => text,
        more => format!("{text} and {} more", thousands(more as u64)),
    }
}

/// Logs that the parts of these inputs stay in the folder, and why.
fn log_staying(entries: &[&ManifestEntry], why: &str) {
    let Some(first) = entries.first() else {
        return;
    };
    let parts = entries.iter().flat_map(|entry| &entry.parts);
    let rows: u64 = parts.map(|part| part.rows).sum();
    tracing::warn!(
        inputs = entries.len(),
        rows,
        "the inputs of {} {why}: {}{}; their parts stay; {PRUNE} removes them",
        counted(rows, "row"),
        first.source,
        match entries.len() {
            1 => String::new(),
            inputs => format!(" and {} more", thousands(inputs as u64 - 1)),
        }
    );
}

/// A time as the manifest stores it: seconds since 1970, negative for earlier times.
fn seconds_since_1970(time: SystemTime) -> String {
    let (sign, time) = match time.duration_since(UNIX_EPOCH) {
        Ok(since) => ("", since),
        Err(before) => ("-", before.duration()),
    };
    format!("{sign}{}.{:09}", time.as_secs(), time.subsec_nanos())
}

fn gone_error(location: &Location) -> StoreError {
    StoreError::Read {
        location: location.to_string(),
        error: io::Error::other("it is gone since the run started"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_before_1970_is_negative() {
        let nanoseconds = Duration::from_nanos(1_500_000_000);
        assert_eq!(seconds_since_1970(UNIX_EPOCH + nanoseconds), "1.500000000");
        assert_eq!(seconds_since_1970(UNIX_EPOCH - nanoseconds), "-1.500000000");
    }
}
