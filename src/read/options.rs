//! The options for reading inputs.

use arrow::datatypes::FieldRef;
use sudoku_core::sizes::Alphabet;

use crate::read::format::InputFormat;

/// The options for reading an input: its format, its columns, and limits.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The format; `None` to infer it from the first bytes.
    pub format: Option<InputFormat>,
    /// The name of the puzzle column; `None` to find it by well-known names.
    pub puzzle_column: Option<String>,
    /// The name of the solution column; `None` to find it by well-known names.
    pub solution_column: Option<String>,
    /// A column that is not the solution column, whatever its name is: it has the predictions of a model.
    pub prediction_column: Option<String>,
    /// The columns, apart from puzzle and solution, that are copied to the output.
    pub keep: Keep,
    /// Whether this input may lack columns that `keep` names. A run over several inputs sets it, and refuses only names
    /// that none of them has.
    pub keep_may_lack: bool,
    /// The symbols of 16 × 16 or 25 × 25 grids; `None` to infer them from the first records.
    pub alphabet: Option<Alphabet>,
    /// The row groups of a Parquet file that are read; `None` for all. Rows keep the numbers that they have in
    /// the whole file.
    pub row_groups: Option<Vec<usize>>,
    /// The delimiter of CSV, an ASCII character; `None` to infer it from the header.
    pub delimiter: Option<u8>,
    /// The longest record of a text format in bytes; `None` for [`MAX_RECORD_BYTES`].
    pub max_record_bytes: Option<u64>,
    /// The text formats whose columns get types that are inferred from the values of the first records.
    pub infer_types: InferTypes,
    /// Whether arrays and objects of JSON are read as JSON text. Used for output formats that cannot store lists
    /// and structs.
    pub nested_as_text: bool,
    /// Whether the puzzle column is not of puzzles, but of texts, lists and structs, which are read as JSON text. Records of
    /// steps in NumPy arrays are then lists of numbers in the place of solutions.
    pub puzzle_as_json: bool,
    /// Whether tables without a puzzle column are accepted. All their columns are then copied to the output, and every
    /// record that the format allows becomes a row.
    pub any_table: bool,
    /// Whether a number alone on the first line of plain text is a record. By default, it is the number of
    /// records that follow.
    pub no_count_line: bool,
    /// The types of JSON and CSV columns that are copied to the output, by name. They take precedence over inferred
    /// types.
    pub column_types: Vec<FieldRef>,
    /// The number that stands for an empty cell in grids of numbers, from -1 to 255; digit d is this number plus d. `None`
    /// to infer it: 1 if the first grids have the numbers 1 to 10, -1 if they have -1 and the digits 0 to 8, otherwise 0.
    pub token_offset: Option<i16>,
    /// Whether columns with well-known solution names are copied to the output like other columns.
    /// `formats::open` sets it if the values of such a column are something else, such as counts.
    pub carry_solutions: bool,
    /// Names of partition columns. They are allowed in `keep` in addition to the names of the input's columns.
    /// `formats::open` sets them.
    pub in_folders: Vec<String>,
}

impl ReadOptions {
    /// Whether a name in `keep` that is no column of the input is an error.
    pub(super) fn must_have(&self, kept_name: &str) -> bool {
        !self.keep_may_lack && !self.is_in_folders(kept_name)
    }

    /// Whether the input's path has a partition column of this name.
    fn is_in_folders(&self, name: &str) -> bool {
        let mut folders = self.in_folders.iter();
        folders.any(|folder| folder.eq_ignore_ascii_case(name.trim()))
    }
}

/// The formats whose columns get types, inferred from the values of their first records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum InferTypes {
    /// Only JSON, whose values have types.
    #[default]
    Auto,
    /// JSON and CSV.
    All,
    /// None: all columns are text.
    None,
}

/// The default limit for a record of a text format, in bytes. A longer record is rejected.
pub const MAX_RECORD_BYTES: u64 = 1 << 20;

/// The columns, apart from puzzle and solution, that are copied to the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All columns are copied.
    #[default]
    All,
    /// No columns are copied.
    None,
    /// Only the columns with these names are copied.
    Only(Vec<String>),
}
