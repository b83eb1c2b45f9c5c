//! `inspect`: shows the format, the columns and the first records of a file.

use std::fmt::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use sudoku_pipeline::carry::type_name;
use sudoku_pipeline::formats;
use sudoku_pipeline::job::inspect::{Inspection, inspect};
use sudoku_pipeline::numbers::{counted, thousands};
use sudoku_pipeline::read::{self, ColumnRole, InferTypes};
use sudoku_pipeline::store::without_secrets;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::wrap::{shorten, wrap_text};

use crate::cli::error::CommandError;
use crate::cli::options::input::InputArgs;
use crate::cli::options::input::read_options;
use crate::cli::terminal;
use crate::cli::terminal::log::printable;
use crate::cli::terminal::quoting::quoted;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline inspect sudoku.csv.gz
  pipeline inspect forum.txt --format json | jq .format
  pipeline inspect strange.csv --delimiter '~' --puzzle-column start

Only the head of the file is read: the first 1,000 records or the first MiB of text.";

#[derive(Args)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    input: InputArgs,
    /// The format of the description
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Writing"
    )]
    format: InspectionFormat,
    /// Short for --format json
    #[arg(long, hide = true)]
    json: bool,
}

/// The format of the description of a file.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InspectionFormat {
    /// Lines for a terminal
    Text,
    /// One JSON object for each file
    Json,
}

impl InspectArgs {
    fn is_json(&self) -> bool {
        self.json || self.format == InspectionFormat::Json
    }
}

pub(crate) fn run(args: &InspectArgs) -> Result<(), CommandError> {
    let expanded = read::expand(&args.input.inputs)?;
    expanded.log_skipped();
    expanded.refuse_empty(false)?;
    for (number, path) in expanded.inputs.iter().enumerate() {
        if number > 0 && !args.is_json() {
            crate::cli::print(b"\n")?;
        }
        inspect_file(path, args)?;
    }
    Ok(())
}

fn inspect_file(path: &str, args: &InspectArgs) -> Result<(), CommandError> {
    let options = read_options(&args.input);
    let mut input = formats::open(path, &options)?;
    let alphabets = read::alphabets(&mut input, &options)?;
    let mut column_groups = vec![ColumnGroup::Puzzle, ColumnGroup::Given];
    if !input.info.has_solutions {
        column_groups.pop();
    }
    let carried_fields = input.carried_fields();
    let names = read::names_of(&(&input).into());
    let layout = Layout::like_inputs(&column_groups, &[], &carried_fields, &names);
    let schema = layout.schema().clone();
    let written_names: Vec<&str> = (schema.fields().iter())
        .map(|field| field.name().as_str())
        .collect();
    let (inspection, read) = inspect(input, &alphabets);
    let convert = convert_command(path, &args.input);
    let text = if args.is_json() {
        json(&inspection, &convert, &written_names)?
    } else {
        text(&inspection, &convert, &written_names)
    };
    crate::cli::print(text.as_bytes())?;
    Ok(read?)
}

fn json(inspection: &Inspection, convert: &str, written: &[&str]) -> Result<String, CommandError> {
    let mut value = serde_json::to_value(inspection)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("convert".into(), convert.into());
        object.insert("convert_columns".into(), written.into());
    }
    Ok(value.to_string() + "\n")
}

/// The width of the labels of a description, in characters.
const LABEL_WIDTH: usize = 10;

/// The description of a file as lines of text. Each line starts with a label.
fn text(inspection: &Inspection, convert: &str, written: &[&str]) -> String {
    let mut text = String::new();
    let width = terminal::width().map(usize::from);
    let mut add_section = |label_text: &str, section: String| {
        let mut label = label_text;
        for line in section.lines() {
            let line = format!("{label:<LABEL_WIDTH$}  {}", printable(line));
            let line = match width {
                Some(width) => {
                    // A puzzle is a single word, which can be longer than a line.
                    let indent = LABEL_WIDTH + 4;
                    let words = line.split(' ');
                    let words: Vec<String> = words
                        .map(|word| shorten(word, width.saturating_sub(indent)))
                        .collect();
                    wrap_text(&words.join(" "), indent, width)
                }
                None => line,
            };
            text += &line;
            text.push('\n');
            label = "";
        }
    };
    let input_info = &inspection.info;
    let detection = &inspection.detection;
    let bytes = input_info
        .bytes
        .map_or_else(String::new, |bytes| format!(", {} bytes", thousands(bytes)));
    let compression = match input_info.compression {
        "none" => "not compressed",
        compression => compression,
    };
    add_section(
        "input",
        format!("{}{bytes}, {compression}", input_info.source),
    );
    add_section(
        "format",
        match detection.why.as_str() {
            "" => input_info.format.to_string(),
            why => format!("{}: {why}", input_info.format),
        },
    );
    if let Some(delimiter) = detection.delimiter {
        add_section("delimiter", format!("{delimiter:?}"));
    }
    let byte_order_mark = detection.byte_order_mark == Some(true);
    let byte_order_mark = byte_order_mark.then_some("a byte order mark");
    let line_ends = detection.line_ends.map(str::to_owned);
    let text_details: Vec<String> = line_ends
        .into_iter()
        .chain(byte_order_mark.map(str::to_owned))
        .collect();
    if !text_details.is_empty() {
        add_section("line ends", text_details.join(", "));
    }
    add_section("columns", columns(inspection));
    add_section("grids", grid_counts(inspection));
    add_section("records", record_counts(inspection));
    if let Some(damage) = &inspection.damage {
        add_section("damage", damage.clone());
    }
    add_section("sample", sample_text(inspection));
    add_section(
        "convert",
        format!("{convert}\nwrites {}", written.join(", ")),
    );
    text
}

fn columns(inspection: &Inspection) -> String {
    let columns = &inspection.detection.columns;
    let width = columns
        .iter()
        .map(|column| column.name.chars().count())
        .max();
    let width = width.unwrap_or(0).min(40);
    let role_text = |role| match role {
        ColumnRole::Puzzle => "the puzzle",
        ColumnRole::Solution => "the solution that comes with it, to be checked",
        ColumnRole::Carried => "carried through",
        ColumnRole::Dropped => "left out",
    };
    let lines = columns
        .iter()
        .map(|column| format!("{:<width$}  {}\n", column.name, role_text(column.role)));
    lines.collect()
}

fn grid_counts(inspection: &Inspection) -> String {
    let grid_size_name = |cells| match cells {
        729 => "9 × 9 with pencil marks".to_owned(),
        cells => {
            let order = usize::isqrt(cells);
            format!("{order} × {order}")
        }
    };
    let mut count_texts: Vec<String> = (inspection.cells.iter())
        .map(|(cells, count)| format!("{} of {}", thousands(*count), grid_size_name(*cells)))
        .collect();
    if count_texts.is_empty() {
        count_texts.push("none".to_owned());
    }
    let notations: Vec<&str> = inspection.notations.keys().copied().collect();
    if notations != ["characters"] && !notations.is_empty() {
        count_texts.push(format!("written as {}", notations.join(" or ")));
    }
    let blanks: Vec<String> = (inspection.blanks.iter())
        .map(|(blank, count)| match inspection.blanks.len() {
            1 => quoted_symbol(blank),
            _ => format!("{} in {}", quoted_symbol(blank), thousands(*count)),
        })
        .collect();
    if !blanks.is_empty() {
        count_texts.push(format!("empty cells are {}", blanks.join(", ")));
    }
    count_texts.extend(inspection.digits.clone());
    count_texts.join(", ")
}

/// A symbol in quotes: a character in single quotes, a word in double quotes.
fn quoted_symbol(symbol: &str) -> String {
    match symbol.chars().count() {
        1 => format!("'{symbol}'"),
        _ => format!("{symbol:?}"),
    }
}

fn record_counts(inspection: &Inspection) -> String {
    let which_records = if inspection.is_all {
        "all"
    } else {
        "the first"
    };
    let rejected: u64 = inspection.rejects.values().sum();
    let mut text = format!(
        "{which_records} {} looked at: {}, {} rejected",
        thousands(inspection.records),
        counted(inspection.puzzles, "puzzle"),
        thousands(rejected)
    );
    let reject_texts: Vec<String> = (inspection.rejects.iter())
        .map(|(error, count)| format!("{} {error}", thousands(*count)))
        .collect();
    if !reject_texts.is_empty() {
        let _ = write!(text, " ({})", reject_texts.join(", "));
    }
    text
}

fn sample_text(inspection: &Inspection) -> String {
    let mut text = String::new();
    for sample_text in &inspection.sample {
        let position_text = match sample_text.line {
            Some(line) => format!("row {}, line {line}", sample_text.row),
            None => format!("row {}", sample_text.row),
        };
        let _ = match (&sample_text.puzzle, &sample_text.reject) {
            (Some(puzzle), _) => {
                let fields = inspection.carried.iter().zip(&sample_text.carried);
                let fields = fields
                    .filter_map(|(name, field)| Some(format!(" {name}={:?}", field.as_deref()?)));
                writeln!(
                    text,
                    "{position_text}: {puzzle}{}",
                    fields.collect::<String>()
                )
            }
            (None, Some(reject)) => writeln!(
                text,
                "{position_text}: rejected: {}: {}\n  {:?}",
                reject.error, reject.message, reject.raw
            ),
            (None, None) => Ok(()),
        };
    }
    if text.is_empty() {
        text.push_str("no records\n");
    }
    text
}

/// The command that converts the file with the same reading options. Secrets in a signed address are left
/// out, because other people may read the output.
fn convert_command(input: &str, read: &InputArgs) -> String {
    let mut arguments = vec![
        "pipeline convert".to_owned(),
        quoted(&without_secrets(input)),
    ];
    let mut add_option = |flag: &str, value: Option<&str>| {
        if let Some(value) = value {
            arguments.push(format!("{flag} {}", quoted(value)));
        }
    };
    add_option("--input-format", read.input_format.map(|format| format.id));
    add_option("--puzzle-column", read.puzzle_column.as_deref());
    add_option("--solution-column", read.solution_column.as_deref());
    add_option(
        "--keep",
        Some(read.keep.text.as_str()).filter(|keep| *keep != "all"),
    );
    let delimiter = read.delimiter.map(|delimiter| match delimiter {
        b'\t' => "\\t".to_owned(),
        delimiter => char::from(delimiter).to_string(),
    });
    add_option("--delimiter", delimiter.as_deref());
    let alphabet = read.alphabet.as_ref().map(ToString::to_string);
    add_option("--alphabet", alphabet.as_deref());
    let token_offset = read.token_offset.as_ref().map(ToString::to_string);
    add_option("--token-offset", token_offset.as_deref());
    match read.infer_types {
        InferTypes::Auto => {}
        InferTypes::All => arguments.push("--infer-types".to_owned()),
        InferTypes::None => arguments.push("--infer-types=none".to_owned()),
    }
    for (name, data_type) in &read.types {
        let type_option = format!("{name}={}", type_name(data_type));
        arguments.push(format!("--types {}", quoted(&type_option)));
    }
    arguments.push(format!("-o {}", quoted(&output_name(input))));
    arguments.join(" ")
}

/// The suggested name of the output: `data/puzzles.csv.gz` → `puzzles.parquet`.
fn output_name(input: &str) -> String {
    let name = Path::new(input).file_name().and_then(|name| name.to_str());
    let mut stem = name.filter(|name| *name != "-").unwrap_or("puzzles");
    for ending in [".gz", ".zst"] {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    let stem = match stem.rsplit_once('.') {
        Some((stem, "parquet" | "pq")) => return format!("{stem}.converted.parquet"),
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => stem,
    };
    format!("{stem}.parquet")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suggested_output_is_named_after_the_input() {
        for (input, output) in [
            ("a/puzzles.csv.gz", "puzzles.parquet"),
            ("puzzles", "puzzles.parquet"),
            (".puzzles", ".puzzles.parquet"),
            ("-", "puzzles.parquet"),
            ("a.b.parquet", "a.b.converted.parquet"),
        ] {
            assert_eq!(output_name(input), output);
        }
    }
}
