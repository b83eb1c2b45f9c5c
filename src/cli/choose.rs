//! Options that choose rows and columns.

use clap::Args;
use sudoku_pipeline::read::{Sample, Take};
use sudoku_pipeline::write::{Metadata, View};

/// Which records of the input are taken.
#[derive(Args)]
#[command(next_help_heading = "Choosing")]
pub(super) struct TakeArgs {
    /// Pass over the first N records
    #[arg(long, value_name = "N", default_value_t = 0, env = "PIPELINE_SKIP")]
    pub(super) skip: u64,
    /// Take this share of the records behind those, from 0 to 1: the same ones every time
    #[arg(long, value_name = "FRACTION", value_parser = fraction, env = "PIPELINE_SAMPLE")]
    pub(super) sample: Option<f64>,
    /// Where the random numbers of --sample start: another seed is another sample
    #[arg(long, value_name = "S", default_value_t = 0, env = "PIPELINE_SEED")]
    pub(super) seed: u64,
    /// Stop after N records; with --sample, after N of the sample
    #[arg(long, value_name = "N", env = "PIPELINE_LIMIT")]
    pub(super) limit: Option<u64>,
}

fn fraction(text: &str) -> Result<f64, String> {
    let fraction: f64 = text.parse().map_err(|_| "this is no number")?;
    if (0.0..=1.0).contains(&fraction) {
        Ok(fraction)
    } else {
        Err("a share is from 0 to 1".into())
    }
}

impl TakeArgs {
    pub(super) fn take(&self) -> Take {
        let seed = self.seed;
        Take {
            skip: self.skip,
            sample: self.sample.map(|fraction| Sample { fraction, seed }),
            limit: self.limit,
        }
    }

    /// What the table's file says of it.
    pub(super) fn describe(&self, metadata: &mut Metadata) {
        let sample = self.sample.map(|fraction| fraction.to_string());
        let entries = [
            ("skip", (self.skip > 0).then(|| self.skip.to_string())),
            ("seed", sample.as_ref().map(|_| self.seed.to_string())),
            ("sample", sample),
            ("limit", self.limit.map(|limit| limit.to_string())),
        ];
        add(metadata, entries);
    }
}

fn add<const N: usize>(metadata: &mut Metadata, entries: [(&str, Option<String>); N]) {
    let entries = entries.into_iter();
    metadata.extend(entries.filter_map(|(name, value)| Some((format!("pipeline.{name}"), value?))));
}

/// Which rows and columns of the output are written.
#[derive(Args)]
#[command(next_help_heading = "Choosing")]
pub(super) struct ViewArgs {
    /// Keep the rows for which this SQL condition over the output's columns is true, for instance
    /// "rank >= 12 and clues < 24" or "try_cast(rating as double) > 3"; see docs/filter.md
    #[arg(
        long = "where",
        value_name = "EXPR",
        allow_hyphen_values = true,
        env = "PIPELINE_WHERE"
    )]
    pub(super) condition: Option<String>,
    /// Write these columns of the output, in this order, and no others
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        env = "PIPELINE_SELECT"
    )]
    pub(super) select: Option<Vec<String>>,
    /// Write columns under other names; --where and --select use the old ones
    #[arg(long, value_name = "OLD=NEW,…", value_delimiter = ',', value_parser = old_and_new,
          env = "PIPELINE_RENAME")]
    pub(super) rename: Vec<(String, String)>,
}

fn old_and_new(text: &str) -> Result<(String, String), String> {
    let (old, new) = text
        .split_once('=')
        .ok_or("write OLD=NEW, several separated by commas")?;
    Ok((old.trim().to_owned(), new.trim().to_owned()))
}

impl ViewArgs {
    pub(super) fn view(&self) -> View {
        let trimmed = |names: &Vec<String>| names.iter().map(|name| name.trim().into()).collect();
        View {
            condition: self.condition.clone(),
            select: self.select.as_ref().map(trimmed),
            rename: self.rename.clone(),
        }
    }

    /// What the table's file says of it.
    pub(super) fn describe(&self, metadata: &mut Metadata) {
        let renames = self.rename.iter().map(|(old, new)| format!("{old}={new}"));
        let renames: Vec<_> = renames.collect();
        let entries = [
            ("where", self.condition.clone()),
            ("select", self.select.as_ref().map(|names| names.join(","))),
            ("rename", (!renames.is_empty()).then(|| renames.join(","))),
        ];
        add(metadata, entries);
    }
}
