//! The options for reading: inputs, format, and columns.

use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use bytesize::ByteSize;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use sudoku_core::sizes::Alphabet;
use sudoku_pipeline::carry;
use sudoku_pipeline::counts::RejectLimit;
use sudoku_pipeline::job::RunOptions;
use sudoku_pipeline::read::{InferTypes, InputFormat, ReadOptions};
use sudoku_pipeline::store::{display_name, path_text};
use sudoku_pipeline::write::Shard;

use crate::cli::host;
use crate::cli::options::choose::{KeepArg, SelectionArgs};
use crate::cli::options::numbers::size;

#[derive(Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct InputArgs {
    /// The files or folders to read: also patterns in quotes, in any input format; text can be compressed with gzip or
    /// zstd; - is standard input
    #[arg(value_name = "INPUT", required = true, value_parser = input_name())]
    pub(crate) inputs: Vec<String>,
    /// The format of the inputs [default: recognised from the first bytes]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<InputFormat>,
    /// The column with the puzzles [default: found by well-known names]
    #[arg(long, value_name = "NAME")]
    pub(crate) puzzle_column: Option<String>,
    /// The column with the solutions [default: found by well-known names]
    #[arg(long, value_name = "NAME")]
    pub(crate) solution_column: Option<String>,
    /// The symbols of 12 × 12, 16 × 16 or 25 × 25 grids in order, for
    /// instance 1-9A-G, 0-9A-F or A-Y [default: inferred from the first grids]
    #[arg(long, value_name = "SYMBOLS")]
    pub(crate) alphabet: Option<Alphabet>,
    /// The number for an empty cell in NumPy arrays, and in lists of numbers in JSON, Parquet
    /// and Arrow, from -1 to 255; the numbers of the digits follow it [default: 1 if the numbers are 1 to 10, -1 if they
    /// are -1 to 8, otherwise 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i16).range(-1..=255))]
    pub(crate) token_offset: Option<i16>,
    /// The other columns to copy to the output: all, none, or names separated by commas; a name that has a
    /// comma, or that is all or none, must be in double quotes; one of several inputs may lack a named column, and has
    /// null there
    #[arg(long, value_name = "COLUMNS", default_value = "all")]
    pub(crate) keep: KeepArg,
    /// The character between the fields of CSV; \t is a tab [default: inferred from the header]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// The longest record of a text format, from 128KiB to 1GiB; longer records are rejected [default:
    /// 1MiB]
    #[arg(long, value_name = "SIZE", value_parser = record_size)]
    pub(crate) max_record_bytes: Option<ByteSize>,
    /// Infer the types of columns from the first records: auto for JSON only, all for JSON and CSV, none
    /// for no format
    #[arg(
        long,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "all"
    )]
    pub(crate) infer_types: InferTypes,
    /// Read these columns of CSV or JSON as these types: NAME=text, int64, uint64, float64, boolean, date, timestamp,
    /// timestamptz
    #[arg(
        long,
        value_name = "NAME=TYPE",
        value_delimiter = ',',
        value_parser = column_type
    )]
    pub(crate) types: Vec<(String, DataType)>,
}

impl ReadArgs {
    /// Whether the run continues with the readable part of damaged inputs.
    fn keeps_going(&self) -> bool {
        self.keep_going || self.max_damaged.is_some()
    }

    /// The options of the library for choosing and reading records. The limits and the memory are those of a run without
    /// options.
    pub(crate) fn run_options(&self) -> RunOptions {
        RunOptions {
            read: read_options(&self.input),
            selection: self.selection.records(),
            shard: self.shard,
            keep_going: self.keeps_going(),
            allow_empty: self.allow_empty,
            owns_process: !host::is_called(),
            ..RunOptions::default()
        }
    }

    /// The number of damaged inputs that are no error.
    pub(crate) fn tolerated_damage(&self) -> RejectLimit {
        self.max_damaged.unwrap_or(RejectLimit::Count(0))
    }
}

impl InputArgs {
    /// The names of the inputs as they are displayed, as a JSON array.
    pub(crate) fn display_names(&self) -> serde_json::Value {
        self.inputs
            .iter()
            .map(|input| display_name(input))
            .collect()
    }
}

/// Parses `NAME=TYPE`, such as `rating=float64`.
fn column_type(text: &str) -> Result<(String, DataType), String> {
    let (name, data_type) = text.rsplit_once('=').ok_or("must be NAME=TYPE")?;
    let data_type = data_type.trim();
    let named_types = carry::named_types();
    let found_type = named_types.iter().find(|(id, _)| *id == data_type);
    let (_, data_type) = found_type.ok_or_else(|| {
        let ids: Vec<&str> = named_types.iter().map(|(id, _)| *id).collect();
        format!("{data_type:?} is not one of {}", ids.join(", "))
    })?;
    Ok((name.trim().to_owned(), data_type.clone()))
}

#[derive(Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Process share I of N of the inputs, with I from 0 to N - 1: every N-th row group of a Parquet file with several,
    /// and the other inputs for whose names a hash gives I
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Process damaged inputs as far as they can be read, and write the output; the summary says what was
    /// lost; the exit code is then 5
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// As --keep-going, but damaged inputs are no error if they are at most this many: a number, or a
    /// percentage of the inputs [default: 0]
    #[arg(long, value_name = "N|P%")]
    pub(crate) max_damaged: Option<RejectLimit>,
    /// Accept inputs without puzzles: empty files, tables without rows, and inputs whose records
    /// are all rejected
    #[arg(long)]
    pub(crate) allow_empty: bool,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

/// Parses the name of an input, which may have any bytes.
fn input_name() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|name| path_text(Path::new(&name)))
}

fn record_size(text: &str) -> Result<ByteSize, String> {
    let size = size(text)?;
    if (ByteSize::kib(128)..=ByteSize::gib(1)).contains(&size) {
        Ok(size)
    } else {
        Err("the limit is from 128KiB to 1GiB".to_owned())
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [b'"' | b'\r' | b'\n'] => Err("quotes and line ends cannot be delimiters".into()),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("the delimiter is one ASCII character".into()),
    }
}

/// The reading options as the library takes them.
pub(crate) fn read_options(args: &InputArgs) -> ReadOptions {
    ReadOptions {
        format: args.input_format,
        puzzle_column: args.puzzle_column.clone(),
        solution_column: args.solution_column.clone(),
        keep: args.keep.keep.clone(),
        alphabet: args.alphabet.clone(),
        delimiter: args.delimiter,
        max_record_bytes: args.max_record_bytes.map(|size| size.0),
        infer_types: args.infer_types,
        token_offset: args.token_offset,
        column_types: (args.types.iter())
            .map(|(name, data_type)| Arc::new(Field::new(name, data_type.clone(), true)))
            .collect::<Vec<FieldRef>>(),
        ..ReadOptions::default()
    }
}
