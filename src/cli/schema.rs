//! `schema`: prints the columns of the output tables.

use clap::{Args, ValueEnum};
use sudoku_pipeline::table::columns::{COLUMNS, Column, Group};
use sudoku_pipeline::write::RecordColumn;
use sudoku_pipeline::write::failures::FAILURE_COLUMNS;
use sudoku_pipeline::write::rejects::REJECT_COLUMNS;

use super::error::CommandError;

pub(super) const EXAMPLES: &str = "\
Examples:
  pipeline schema
  pipeline schema rejects --format json";

#[derive(Args)]
pub(super) struct SchemaArgs {
    /// The table
    #[arg(value_name = "TABLE", default_value = "grade")]
    table: TableName,
    /// The output's format
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum TableName {
    /// The output of grade, with the columns of --uniqueness and --with
    Grade,
    /// The output of solve, with the columns of --with
    Solve,
    /// The output of convert
    Convert,
    /// The rejected records
    Rejects,
    /// The records that fail validate
    Failures,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table in Markdown
    Markdown,
    /// One JSON array
    Json,
}

struct Row<'a> {
    name: &'a str,
    data_type: String,
    nullable: bool,
    doc: &'a str,
}

pub(super) fn run(args: &SchemaArgs) -> Result<(), CommandError> {
    let ours = |groups: &[Group]| {
        let chosen = COLUMNS
            .iter()
            .filter(|column| groups.contains(&column.group));
        chosen.map(row).collect::<Vec<_>>()
    };
    let rows = match args.table {
        TableName::Grade => ours(&[
            Group::Origin,
            Group::Puzzle,
            Group::Solution,
            Group::Grade,
            Group::Uniqueness,
            Group::Request,
            Group::Rating,
        ]),
        TableName::Solve => ours(&[
            Group::Origin,
            Group::Puzzle,
            Group::Solution,
            Group::Request,
            Group::Rating,
        ]),
        TableName::Convert => ours(&[Group::Puzzle, Group::Given]),
        TableName::Rejects => REJECT_COLUMNS.iter().map(record_row).collect(),
        TableName::Failures => FAILURE_COLUMNS.iter().map(record_row).collect(),
    };
    let text = match args.format {
        Format::Markdown => markdown(&rows),
        Format::Json => json(&rows),
    };
    super::print(text.as_bytes())
}

fn row(column: &Column) -> Row<'_> {
    Row {
        name: &column.name,
        data_type: column.data_type.to_string(),
        nullable: column.nullable,
        doc: &column.doc,
    }
}

fn record_row<T>(column: &RecordColumn<T>) -> Row<'_> {
    Row {
        name: column.name,
        data_type: column.data_type.to_string(),
        nullable: column.nullable,
        doc: column.doc,
    }
}

fn markdown(rows: &[Row<'_>]) -> String {
    let mut text = String::from("| column | type | null | meaning |\n|---|---|---|---|\n");
    for row in rows {
        let null = if row.nullable { "yes" } else { "no" };
        text += &format!(
            "| `{}` | {} | {null} | {} |\n",
            row.name, row.data_type, row.doc
        );
    }
    text
}

fn json(rows: &[Row<'_>]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "name": row.name,
                "type": row.data_type,
                "nullable": row.nullable,
                "doc": row.doc,
            })
        })
        .collect();
    serde_json::Value::Array(rows).to_string() + "\n"
}
