//! `stats`: statistics of tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use sudoku_pipeline::analysis::{CountOptions, DamageCount, merged, statistics_of};
use sudoku_pipeline::counts::statistics::Statistics;
use sudoku_pipeline::report::sheets::{
    Sheet, brief_sheets, markdown, sheet_rows, sheets, terminal,
};
use sudoku_pipeline::write::{OutputFormat, TableMetadata, TargetOptions, names_stdout};

use super::tables::TableReadArgs;
use super::{refuse_input, text_target, write_text};
use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::one_table;
use crate::cli::run::destination::named_format;
use crate::cli::terminal::width;
use sudoku_pipeline::options::OUTPUT;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline stats graded.parquet
  pipeline stats graded.parquet --brief
  pipeline stats graded.parquet --by difficulty
  pipeline stats raw/ --where 'clues < 22' --sample 0.1
  pipeline stats graded/ --format json -o statistics.json
  pipeline stats graded.parquet --format csv | head
  pipeline stats --merge shard-*.json --format json -o all.json

Tables are read as by pipeline convert: in any format, also without puzzles, those of this program or
others. Columns of CSV get types, as with --infer-types=all. Rejects are counted too, where their table
lies beside, or is named. Rows are grouped by the columns of --by, and by columns in which datasets say
how hard a puzzle is, such as difficulty.";

#[derive(Args)]
pub(crate) struct StatsArgs {
    /// Group the rows by these columns: levels, techniques, clues and effort for each value
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        conflicts_with = "merge"
    )]
    by: Vec<String>,
    /// Show only what is asked most: the rows, statuses, levels and hardest techniques
    #[arg(long, help_heading = "Writing")]
    brief: bool,
    /// Add up statistics in JSON, which this command (--format json) or grade --report wrote, instead of
    /// reading tables
    #[arg(long)]
    merge: bool,
    #[command(flatten)]
    read: TableReadArgs,
    /// The output's format [default: by the extension of --output, else text]
    #[arg(long, value_name = "FORMAT", help_heading = "Writing")]
    format: Option<StatsFormat>,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    output: Option<PathBuf>,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, help_heading = "Writing")]
    overwrite: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StatsFormat {
    /// Tables for a terminal
    Text,
    /// One JSON object, which --merge and report accept
    Json,
    /// A table with a row for each figure
    Csv,
    /// The same table as Parquet
    Parquet,
    /// Tables in Markdown
    Markdown,
}

impl StatsFormat {
    fn from_name(path: &Path) -> Result<StatsFormat, UsageError> {
        let formats = [
            ("txt", StatsFormat::Text),
            ("json", StatsFormat::Json),
            ("csv", StatsFormat::Csv),
            ("parquet", StatsFormat::Parquet),
            ("pq", StatsFormat::Parquet),
            ("md", StatsFormat::Markdown),
            ("markdown", StatsFormat::Markdown),
        ];
        Ok(named_format(path, &formats)?.unwrap_or(StatsFormat::Text))
    }
}

pub(crate) fn run(args: StatsArgs) -> Result<(), CommandError> {
    let (limit, damage) = (args.read.tolerated_damage(), Arc::default());
    write(args, &damage)?;
    TableReadArgs::check_damage(limit, &damage)
}

/// Writes the statistics. `damage` counts the tables that could not be read to their end.
fn write(args: StatsArgs, damage: &Arc<DamageCount>) -> Result<(), CommandError> {
    let format = match (args.format, &args.output) {
        (Some(format), _) => format,
        (None, Some(output)) => StatsFormat::from_name(output)?,
        (None, None) => StatsFormat::Text,
    };
    if let Some(output) = &args.output {
        refuse_input(output, args.read.names())?;
    }
    if args.brief && format == StatsFormat::Json {
        return Err(UsageError::BriefStatistics.into());
    }
    let (is_brief, by) = (args.brief, args.by.clone());
    let sheets = |statistics: &Statistics| -> Vec<Sheet> {
        if is_brief {
            brief_sheets(statistics, &by)
        } else {
            sheets(statistics, &by)
        }
    };
    // Signal handlers are installed before the first temporary file is created.
    let options = args.read.options("stats", damage.clone())?;
    let read_statistics = || -> Result<Statistics, CommandError> {
        Ok(if args.merge {
            merged(args.read.names())?
        } else {
            let measure = CountOptions {
                by: args.by.clone(),
                find_labels: true,
            };
            let mut line = args.read.progress();
            let counted_statistics = statistics_of(
                args.read.names(),
                &measure,
                &options,
                &mut |bytes, progress| line.show(bytes, progress),
            );
            drop(line);
            counted_statistics?
        })
    };
    let output_format = match format {
        StatsFormat::Csv => OutputFormat::CSV,
        StatsFormat::Parquet => OutputFormat::PARQUET,
        StatsFormat::Text | StatsFormat::Json | StatsFormat::Markdown => {
            let target = text_target(args.output, args.overwrite)?;
            let statistics = read_statistics()?;
            let text = match format {
                StatsFormat::Json => statistics.to_json(),
                StatsFormat::Markdown => markdown(&sheets(&statistics)),
                _ => terminal(&sheets(&statistics), width()),
            };
            return write_text(target, text.as_bytes());
        }
    };
    let target = TargetOptions {
        overwrite: args.overwrite,
    };
    let output = args.output.unwrap_or_else(|| "-".into());
    if output_format == OutputFormat::PARQUET && names_stdout(&output) && width().is_some() {
        return Err(UsageError::NeedsFile {
            reason: "Parquet is a binary format",
            option: OUTPUT,
        }
        .into());
    }
    let table = one_table::table(output, Some(output_format), target)?;
    let empty_batch = sheet_rows(&[])?;
    let mut writer = table.start(&empty_batch.schema(), &TableMetadata::default())?;
    writer.write(sheet_rows(&sheets(&read_statistics()?))?)?;
    Ok(writer.finish()?.commit()?)
}
