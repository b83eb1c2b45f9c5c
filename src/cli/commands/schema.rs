//! `schema`: prints the columns of the tables that the commands write.

use arrow::datatypes::{DataType, Field};
use clap::{Args, ValueEnum};
use sudoku_pipeline::job::{origin_columns, run_columns};
use sudoku_pipeline::report::sheets::sheet_columns;
use sudoku_pipeline::sets::{duplicate_columns, pair_columns, removed_columns};
use sudoku_pipeline::table::column::{Column, DescribedColumn};
use sudoku_pipeline::table::columns::{
    COLUMNS, ColumnGroup, FAILURE_COLUMNS, REJECT_COLUMNS, REQUESTED_GROUPS,
};
use sudoku_pipeline::wrap::wrap_text;

use crate::cli::error::CommandError;
use crate::cli::terminal;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline schema
  pipeline schema compare
  pipeline schema rejects --format json";

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// The table to describe
    #[arg(value_name = "TABLE", default_value = "grade")]
    table: TableName,
    /// The format of the description
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: SchemaFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableName {
    /// The output of grade, with the columns of --uniqueness and --with
    Grade,
    /// The output of solve, with the columns of --with
    Solve,
    /// The output of convert
    Convert,
    /// The output of validate: the records that fail
    #[value(alias = "failures")]
    Validate,
    /// The output of dedup
    Dedup,
    /// The duplicates that dedup --duplicates writes
    Duplicates,
    /// The parts that split writes
    Split,
    /// The output of overlap: the pairs
    #[value(alias = "pairs")]
    Overlap,
    /// The rows that audit removes
    #[value(alias = "removed")]
    Audit,
    /// The output of augment
    Augment,
    /// The output of evaluate
    Evaluate,
    /// The output of trace
    Trace,
    /// The output of trace --format chat
    Chat,
    /// The numbers that trace --format steps-npy writes
    Steps,
    /// The output of compare: the runs
    #[value(alias = "runs")]
    Compare,
    /// The output of stats --format csv or parquet
    Stats,
    /// The output of generate
    Generate,
    /// The rejected records, of all commands
    Rejects,
}

#[derive(Clone, Copy, ValueEnum)]
enum SchemaFormat {
    /// A table for a terminal
    Text,
    /// A table in Markdown
    Markdown,
    /// One JSON array
    Json,
}

pub(crate) fn run(args: &SchemaArgs) -> Result<(), CommandError> {
    let rows = args.table.rows();
    let text = match args.format {
        SchemaFormat::Text => text(
            &rows,
            args.table.note(),
            terminal::width().map_or(WIDTH, usize::from),
        ),
        SchemaFormat::Markdown => markdown(&rows),
        SchemaFormat::Json => json(&rows),
    };
    crate::cli::print(text.as_bytes())
}

impl TableName {
    fn rows(self) -> Vec<DescribedColumn> {
        use ColumnGroup::{
            Chat, Copy, Generated, Given, Grade, GradeRequest, Hodoku, Judged, JudgedAgainst,
            JudgedAnswer, JudgedMoves, JudgedSteps, Origin, Puzzle, Rating, Request, Solution,
            StepArray, Trace, Uniqueness, Waves,
        };
        let with_requested = |groups: &[_]| own_columns(&[groups, &REQUESTED_GROUPS].concat());
        match self {
            TableName::Grade => with_requested(&[
                Origin,
                Puzzle,
                Solution,
                Grade,
                GradeRequest,
                Waves,
                Uniqueness,
            ]),
            TableName::Solve => with_requested(&[Origin, Puzzle, Solution]),
            TableName::Convert | TableName::Dedup | TableName::Split => {
                own_columns(&[Puzzle, Given])
            }
            TableName::Augment => own_columns(&[Puzzle, Given, Copy]),
            TableName::Evaluate => with_requested(&[
                Origin,
                Puzzle,
                Solution,
                Grade,
                GradeRequest,
                Judged,
                JudgedAnswer,
                JudgedAgainst,
                JudgedSteps,
                JudgedMoves,
            ]),
            TableName::Trace => {
                let mut rows = own_columns(&[Origin, Puzzle, Solution, Trace, Request]);
                let requested = own_columns(&[Request]);
                let is_left_out = |row: &DescribedColumn| {
                    row.name != "input_solution"
                        && requested.iter().any(|column| column.name == row.name)
                };
                rows.retain(|row| !is_left_out(row));
                rows
            }
            TableName::Chat => own_columns(&[Chat]),
            TableName::Steps => own_columns(&[StepArray]),
            TableName::Generate => {
                let mut rows = own_columns(&[Puzzle, Generated, Grade, Rating, Hodoku]);
                rows.retain(|row| !row.name.starts_with("se_canonical"));
                rows.extend(origin_columns());
                rows
            }
            TableName::Validate => FAILURE_COLUMNS.iter().map(Column::described).collect(),
            TableName::Rejects => REJECT_COLUMNS.iter().map(Column::described).collect(),
            TableName::Duplicates => {
                let puzzles = own_columns(&[Puzzle, Given]);
                duplicate_columns().into_iter().chain(puzzles).collect()
            }
            TableName::Audit => {
                let puzzles = own_columns(&[Puzzle, Given]);
                removed_columns().into_iter().chain(puzzles).collect()
            }
            TableName::Overlap => pair_columns(),
            TableName::Compare => run_columns(),
            TableName::Stats => sheet_columns(),
        }
    }

    /// A sentence for people that is printed below the table; `None` if there is none.
    fn note(self) -> Option<&'static str> {
        match self {
            TableName::Grade
            | TableName::Solve
            | TableName::Convert
            | TableName::Dedup
            | TableName::Duplicates
            | TableName::Audit
            | TableName::Split
            | TableName::Augment
            | TableName::Evaluate
            | TableName::Trace => Some("The other columns of the input stand before puzzle."),
            TableName::Generate => Some(
                "The columns from technique on are there with --technique, --level, --se, --hodoku-level, \
                 --hodoku-score, --mix or --where, those that begin with se only with --se or with ratings in \
                 --mix, and those that begin with hodoku only with --hodoku-level or --hodoku-score. grid_row, \
                 pattern_line, near and near_row stand before puzzle, with the other columns of the file.",
            ),
            _ => None,
        }
    }
}

/// The columns of these groups, without the columns that come from the input.
fn own_columns(groups: &[ColumnGroup]) -> Vec<DescribedColumn> {
    let chosen_columns = COLUMNS
        .iter()
        .filter(|column| groups.contains(&column.group));
    chosen_columns.map(Column::described).collect()
}

/// The rows to print: one for each column, followed by rows for its nested fields, such as `steps[].technique`.
/// Types are given by name.
fn table_rows(rows: &[DescribedColumn]) -> Vec<[String; 4]> {
    fn add_with_fields(
        rows: &mut Vec<[String; 4]>,
        name: &str,
        data_type: &DataType,
        nullable: bool,
        doc: &str,
    ) {
        let (name_of_items, fields) = match data_type {
            DataType::List(item) => match item.data_type() {
                DataType::Struct(fields) => (format!("{name}[]"), Some(fields)),
                _ => (String::new(), None),
            },
            _ => (String::new(), None),
        };
        let null = if nullable { "yes" } else { "no" };
        rows.push([
            name.to_owned(),
            type_words(data_type),
            null.to_owned(),
            doc.to_owned(),
        ]);
        for field in fields.into_iter().flatten() {
            let field: &Field = field;
            let name = format!("{name_of_items}.{}", field.name());
            add_with_fields(rows, &name, field.data_type(), field.is_nullable(), "");
        }
    }
    let mut printed_rows = Vec::new();
    for row in rows {
        add_with_fields(
            &mut printed_rows,
            &row.name,
            &row.data_type,
            row.nullable,
            &row.doc,
        );
    }
    printed_rows
}

/// The name of a type, without the fields of structs.
fn type_words(data_type: &DataType) -> String {
    match data_type {
        DataType::List(item) => format!("List of {}", type_words(item.data_type())),
        DataType::Struct(_) => "Struct".to_owned(),
        other => other.to_string(),
    }
}

/// The width of the text in characters if standard output is not a terminal.
const WIDTH: usize = 100;

/// The minimum width of the column `meaning`, in characters. On a terminal without this room, each column of the
/// described table is a paragraph.
const LEAST_DOC_WIDTH: usize = 30;

/// The minimum width of a paragraph, even on narrower terminals.
const LEAST_WIDTH: usize = 20;

/// The table as text. The texts of the column `meaning` are wrapped, so that a line has at most `width` characters.
fn text(rows: &[DescribedColumn], note: Option<&str>, width: usize) -> String {
    let headings = ["column", "type", "null", "meaning"].map(str::to_owned);
    let rows: Vec<[String; 4]> = [headings].into_iter().chain(table_rows(rows)).collect();
    let widest_cell = |at: usize| rows.iter().map(|row| row[at].chars().count()).max();
    let widths = [0, 1, 2].map(|at| widest_cell(at).unwrap_or(0));
    let width_before: usize = widths.iter().map(|width| width + 2).sum();
    let doc_width = width.saturating_sub(width_before + 1);
    let mut text = String::new();
    if doc_width < LEAST_DOC_WIDTH {
        let line_width = width.saturating_sub(1).max(LEAST_WIDTH);
        for [name, data_type, null, doc] in &rows[1..] {
            let nulls = if null == "yes" { ", may be null" } else { "" };
            text += &format!(
                "{}\n",
                wrap_text(&format!("{name}: {data_type}{nulls}"), 0, line_width)
            );
            if !doc.is_empty() {
                text += &format!("  {}\n", wrap_text(doc, 2, line_width - 2));
            }
        }
        return text + &note_text(note, line_width);
    }
    for [name, data_type, null, doc] in &rows {
        let [first, second, third] = widths;
        let cells = format!("{name:first$}  {data_type:second$}  {null:third$}  ");
        let doc = wrap_text(doc, 0, doc_width);
        let mut lines = doc.lines();
        let line = lines.next().unwrap_or_default();
        text += &format!("{}\n", format!("{cells}{line}").trim_end());
        for line in lines {
            text += &format!("{}{line}\n", " ".repeat(width_before));
        }
    }
    text + &note_text(note, width.saturating_sub(1))
}

/// The note below the table; empty if there is none.
fn note_text(note: Option<&str>, width: usize) -> String {
    note.map_or_else(String::new, |note| {
        format!("\n{}\n", wrap_text(note, 0, width))
    })
}

fn markdown(rows: &[DescribedColumn]) -> String {
    let mut text = String::from("| column | type | null | meaning |\n|---|---|---|---|\n");
    for [name, data_type, null, doc] in table_rows(rows) {
        text += &format!("| `{name}` | {data_type} | {null} | {doc} |\n");
    }
    text
}

fn json(rows: &[DescribedColumn]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "name": row.name,
                "type": row.data_type.to_string(),
                "nullable": row.nullable,
                "doc": row.doc,
            })
        })
        .collect();
    serde_json::Value::Array(rows).to_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: no table had HoDoKu's columns.
    #[test]
    fn every_column_is_in_some_table() {
        let tables = TableName::value_variants().iter();
        let rows: Vec<DescribedColumn> = tables.flat_map(|table| table.rows()).collect();
        for column in COLUMNS.iter() {
            let is_described =
                |row: &DescribedColumn| row.name == column.name && row.doc == column.doc;
            assert!(rows.iter().any(is_described), "{}", column.name);
        }
    }

    #[test]
    fn the_text_fits_its_width_and_loses_no_word() {
        for table in TableName::value_variants() {
            let rows = table.rows();
            for width in [40, 80, 100, 173] {
                let printed = text(&rows, table.note(), width);
                let words: Vec<&str> = printed.split_whitespace().collect();
                for row in &rows {
                    let doc: Vec<&str> = row.doc.split_whitespace().collect();
                    assert!(doc.iter().all(|word| words.contains(word)), "{}", row.name);
                }
                let longest = printed.lines().map(|line| line.chars().count()).max();
                assert!(longest < Some(width), "{width}: {longest:?}\n{printed}");
            }
        }
    }
}
