//! `query`: SQL over tables.

use std::path::PathBuf;

use arrow::util::display::{ArrayFormatter, FormatOptions};
use clap::Args;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, CellAlignment, ContentArrangement};
use sudoku_pipeline::error::{Error, TableError};
use sudoku_pipeline::numbers::thousands;
use sudoku_pipeline::report::tables::{Answer, TableSet};
use sudoku_pipeline::write::{OutputFormat, TableWriter, TargetOptions};

use super::{destination, refuse_input, width};
use crate::cli::error::CommandError;

pub(in crate::cli) const EXAMPLES: &str = "\
Examples:
  pipeline query 'SELECT level, count(*) AS n FROM graded GROUP BY level' graded.parquet
  pipeline query 'SELECT puzzle FROM graded WHERE effort > 5000' graded.parquet -o hard.csv
  pipeline query 'SELECT * FROM a JOIN b ON a.puzzle = b.puzzle' a.parquet b.csv
  pipeline query 'SELECT error, count(*) AS n FROM tables_rejects GROUP BY error' graded/

Each table has the name of its file without endings; what is no letter and no digit is _. The rows of
all tables together are the table tables. The SQL is that of polars.";

#[derive(Args)]
pub(in crate::cli) struct QueryArgs {
    /// The query
    #[arg(value_name = "SQL")]
    sql: String,
    /// The tables: files, folders or patterns
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<String>,
    /// Print at most this many rows on a terminal
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        env = "PIPELINE_ROWS",
        help_heading = "Writing"
    )]
    rows: usize,
    /// The table to write; the ending of its name tells the format; - is standard output
    #[arg(
        short,
        long,
        value_name = "FILE",
        env = "PIPELINE_OUTPUT",
        help_heading = "Writing"
    )]
    output: Option<PathBuf>,
    /// The output's format [default: by the ending of its name]
    #[arg(
        long,
        value_name = "FORMAT",
        env = "PIPELINE_OUTPUT_FORMAT",
        help_heading = "Writing"
    )]
    output_format: Option<OutputFormat>,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, env = "PIPELINE_OVERWRITE", help_heading = "Writing")]
    overwrite: bool,
}

pub(in crate::cli) fn run(args: QueryArgs) -> Result<(), CommandError> {
    let output = match (args.output, args.output_format) {
        (Some(output), _) => Some(output),
        (None, Some(_)) => Some("-".into()),
        (None, None) => None,
    };
    let table = match output {
        None => None,
        Some(output) => {
            refuse_input(&output, &args.tables)?;
            let options = TargetOptions {
                overwrite: args.overwrite,
            };
            Some(destination::table(output, args.output_format, options)?)
        }
    };
    let tables = TableSet::open(&args.tables)?;
    let answer = tables.query(&args.sql)?;
    let Some(table) = table else {
        return show(answer, args.rows);
    };
    let writer = table.start(answer.schema(), &Vec::new())?;
    let writer = answer.for_each(writer, TableWriter::write)?;
    Ok(writer.finish()?.commit()?)
}

/// Prints the first rows as a table.
fn show(answer: Answer, rows: usize) -> Result<(), CommandError> {
    let schema = answer.schema().clone();
    let (batches, all) = answer.first(rows)?;
    let mut table = comfy_table::Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    if let Some(width) = width() {
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
    }
    table.set_header(schema.fields().iter().map(|field| field.name()));
    let options = FormatOptions::default().with_null("–");
    let mut shown = 0;
    for batch in &batches {
        let columns = batch.columns().iter();
        let formatters: Result<Vec<_>, _> = columns
            .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
            .collect();
        let formatters = formatters.map_err(|error| Error::from(TableError::Arrow(error)))?;
        for row in 0..batch.num_rows() {
            let cells = formatters
                .iter()
                .zip(batch.columns())
                .map(|(formatter, column)| {
                    let alignment = match column.data_type().is_numeric() {
                        true => CellAlignment::Right,
                        false => CellAlignment::Left,
                    };
                    Cell::new(formatter.value(row)).set_alignment(alignment)
                });
            table.add_row(cells);
            shown += 1;
        }
    }
    let mut text = format!("{table}\n");
    if shown < all {
        let (shown, all) = (thousands(shown), thousands(all));
        text += &format!("{shown} of {all} rows: --rows N prints more, --output FILE writes all\n");
    }
    crate::cli::print(text.as_bytes())
}
