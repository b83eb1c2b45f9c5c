//! `schema`: prints the columns of the output tables.

use clap::{Args, ValueEnum};
use sudoku_pipeline::table::columns::{COLUMNS, Column, ColumnGroup};
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
    format: SchemaFormat,
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
enum SchemaFormat {
    /// A table in Markdown
    Markdown,
    /// One JSON array
    Json,
}

struct SchemaRow<'a> {
    name: &'a str,
    data_type: String,
    nullable: bool,
    doc: &'a str,
}

pub(super) fn run(args: &SchemaArgs) -> Result<(), CommandError> {
    let ours = |groups: &[ColumnGroup]| {
        let chosen = COLUMNS
            .iter()
            .filter(|column| groups.contains(&column.group));
        chosen.map(row).collect::<Vec<_>>()
    };
    let rows = match args.table {
        TableName::Grade => ours(&[
            ColumnGroup::Origin,
            ColumnGroup::Puzzle,
            ColumnGroup::Solution,
            ColumnGroup::Grade,
            ColumnGroup::Uniqueness,
            ColumnGroup::Request,
            ColumnGroup::Rating,
        ]),
        TableName::Solve => ours(&[
            ColumnGroup::Origin,
            ColumnGroup::Puzzle,
            ColumnGroup::Solution,
            ColumnGroup::Request,
            ColumnGroup::Rating,
        ]),
        TableName::Convert => ours(&[ColumnGroup::Puzzle, ColumnGroup::Given]),
        TableName::Rejects => REJECT_COLUMNS.iter().map(record_row).collect(),
        TableName::Failures => FAILURE_COLUMNS.iter().map(record_row).collect(),
    };
    let text = match args.format {
        SchemaFormat::Markdown => markdown(&rows),
        SchemaFormat::Json => json(&rows),
    };
    super::print(text.as_bytes())
}

fn row(column: &Column) -> SchemaRow<'_> {
    SchemaRow {
        name: &column.name,
        data_type: column.data_type.to_string(),
        nullable: column.nullable,
        doc: &column.doc,
    }
}

fn record_row<T>(column: &RecordColumn<T>) -> SchemaRow<'_> {
    SchemaRow {
        name: column.name,
        data_type: column.data_type.to_string(),
        nullable: column.nullable,
        doc: column.doc,
    }
}

fn markdown(rows: &[SchemaRow<'_>]) -> String {
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

fn json(rows: &[SchemaRow<'_>]) -> String {
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
