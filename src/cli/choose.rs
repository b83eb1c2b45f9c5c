//! Options that choose rows and columns.

use clap::Args;
use sudoku_pipeline::write::{Metadata, View};

/// Which rows and columns of the output are written.
#[derive(Args)]
#[command(next_help_heading = "Choosing")]
pub(super) struct ViewArgs {
    /// Keep the rows for which this SQL expression over the output's columns is true, for instance
    /// "rank >= 12 and clues < 24" or "cast(rating as double) > 3"
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
        metadata.extend(
            entries
                .into_iter()
                .filter_map(|(name, value)| Some((format!("pipeline.{name}"), value?))),
        );
    }
}
