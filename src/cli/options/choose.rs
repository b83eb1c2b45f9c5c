//! The options that select rows and columns.

use std::str::FromStr;

use clap::Args;
use sudoku_pipeline::read::{Keep, RecordSelection, Sample};
use sudoku_pipeline::table::view::View;
use sudoku_pipeline::write::TableMetadata;

use crate::cli::options::names::{self, Name, Names, Renames};

/// The options that select records of the input.
#[derive(Args)]
#[command(next_help_heading = "Choosing")]
pub(crate) struct SelectionArgs {
    /// Skip the first N records
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: u64,
    /// Process a random sample of the records that --skip leaves: each with this probability, such as 0.1 or 10%; the same
    /// seed gives the same sample
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    pub(crate) sample: Option<f64>,
    /// The seed of --sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stop after N records; with --sample, after N records of the sample
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
}

fn fraction(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let fraction: f64 = number.parse().map_err(|_| "this is not a number")?;
    let fraction = fraction / unit;
    if (0.0..=1.0).contains(&fraction) {
        Ok(fraction)
    } else {
        Err("a share is from 0 to 1, or from 0% to 100%; --limit takes a number of records".into())
    }
}

impl SelectionArgs {
    pub(crate) fn records(&self) -> RecordSelection {
        let seed = self.seed;
        RecordSelection {
            skip: self.skip,
            sample: self.sample.map(|fraction| Sample { fraction, seed }),
            limit: self.limit,
        }
    }

    /// Adds the options to the metadata of the table.
    pub(crate) fn describe(&self, metadata: &mut TableMetadata) {
        metadata.add("skip", (self.skip > 0).then_some(self.skip));
        metadata.add("seed", self.sample.map(|_| self.seed));
        metadata.add("sample", self.sample);
        metadata.add("limit", self.limit);
    }
}

/// The options that select rows and columns of the output.
#[derive(Args, Default)]
#[command(next_help_heading = "Choosing")]
pub(crate) struct ViewArgs {
    /// Keep only rows that fulfil this SQL condition: over the output's columns, for instance
    /// "rank >= 12 and clues < 24" or "try_cast(rating as double) > 3"; see docs/filter.md
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) condition: Option<String>,
    /// Write only these columns of the output, in this order; a name with a comma has to be in double
    /// quotes
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) select: Option<Vec<Names>>,
    /// Rename columns; --where and --select use the old names; a name with a comma or an equals sign
    /// has to be in double quotes
    #[arg(long, value_name = "OLD=NEW,…")]
    pub(crate) rename: Vec<Renames>,
}

/// The columns of the input that are copied to the output.
#[derive(Clone)]
pub(crate) struct KeepArg {
    /// The text of the option.
    pub(crate) text: String,
    pub(crate) keep: Keep,
}

impl KeepArg {
    /// The value of `--keep` that copies all columns.
    pub(crate) fn all_columns() -> KeepArg {
        KeepArg {
            text: "all".to_owned(),
            keep: Keep::All,
        }
    }

    /// The value of `--keep` that copies no column.
    pub(crate) fn no_column() -> KeepArg {
        KeepArg {
            text: "none".to_owned(),
            keep: Keep::None,
        }
    }
}

impl FromStr for KeepArg {
    type Err = String;

    fn from_str(text: &str) -> Result<KeepArg, String> {
        let Names(names) = text.parse()?;
        let keep = match names.as_slice() {
            [name] if !name.is_quoted && name.text == "all" => Keep::All,
            [name] if !name.is_quoted && (name.text == "none" || name.text.is_empty()) => {
                Keep::None
            }
            names => Keep::Only(names.iter().map(|name| name.text.clone()).collect()),
        };
        let text = text.to_owned();
        Ok(KeepArg { text, keep })
    }
}

impl ViewArgs {
    fn renames(&self) -> impl Iterator<Item = &(Name, Name)> {
        self.rename.iter().flat_map(|Renames(pairs)| pairs)
    }

    pub(crate) fn view(&self) -> View {
        let renames = self.renames();
        View {
            condition: self.condition.clone(),
            required: None,
            select: self.select.as_deref().map(names::texts),
            rename: renames
                .map(|(old, new)| (old.text.clone(), new.text.clone()))
                .collect(),
        }
    }

    /// Adds the selection to the metadata of the table.
    pub(crate) fn describe(&self, metadata: &mut TableMetadata) {
        let renames: Vec<_> = self
            .renames()
            .map(|(old, new)| format!("{old}={new}"))
            .collect();
        let select = self.select.as_deref();
        let select = select.map(|options| names::listed(names::all_names(options)));
        metadata.add("where", self.condition.as_ref());
        metadata.add("select", select);
        metadata.add("rename", (!renames.is_empty()).then(|| renames.join(",")));
    }
}
