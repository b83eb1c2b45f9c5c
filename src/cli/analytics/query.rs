//! `query`: SQL over tables.

use arrow::util::display::{ArrayFormatter, FormatOptions};
use clap::Args;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, CellAlignment, ContentArrangement};
use sudoku_pipeline::error::{Error, TableError};
use sudoku_pipeline::numbers::thousands;
use sudoku_pipeline::report::tables::{Answer, TableSet};
use sudoku_pipeline::write::TableWriter;

use super::{refuse_input, width};
use crate::cli::error::CommandError;
use crate::cli::one_table::OptionalTableArgs;

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
    #[command(flatten)]
    table: OptionalTableArgs,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, env = "PIPELINE_OVERWRITE", help_heading = "Writing")]
    overwrite: bool,
}

pub(in crate::cli) fn run(args: QueryArgs) -> Result<(), CommandError> {
    let mut table = args.table;
    if table.output_format.is_some() {
        table.output.get_or_insert_with(|| "-".into());
    }
    if let Some(output) = &table.output {
        refuse_input(output, &args.tables)?;
    }
    let table = table.table(args.overwrite)?;
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
