//! The definition of an output column: its name, type and documentation, and the function that computes its
//! values.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryBuilder, Float64Array, StringArray, UInt8Array, UInt16Array, UInt32Array,
    UInt64Array,
};
use arrow::datatypes::{DataType, Field};
use arrow::error::ArrowError;

use crate::table::columns::described::DescribedColumn;
use crate::table::outcome::Outcome;

/// The rows of a batch, from which the functions of columns compute values.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// The name of the input that the rows came from.
    pub source: &'a str,
    /// The results of the processing steps, one per row.
    pub outcomes: &'a [Outcome],
}

/// Selects the columns that a command writes: each group is written by certain commands or options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnGroup {
    /// All commands except `convert` and `generate` write these columns: the origin of the row.
    Origin,
    /// All commands write this column: the puzzle.
    Puzzle,
    /// `convert` writes this column if the input has solutions.
    Given,
    /// `generate` writes this column.
    Generated,
    /// Commands that solve the puzzles write these columns.
    Solution,
    /// Commands that grade the puzzles write these columns.
    Grade,
    /// Commands that grade the puzzles write these columns if `--with` names `waves`.
    Waves,
    /// Commands that grade the puzzles write these columns if `--uniqueness` is set.
    Uniqueness,
    /// `augment` writes these columns: the puzzle that the row is a copy of.
    Copy,
    /// `trace` writes this column: the steps of the solution.
    Trace,
    /// `trace --format chat` writes this column: the steps as chat messages.
    Chat,
    /// `trace --format steps-npy` writes this column: the placements as numbers.
    StepArray,
    /// Columns that are written only if `--with` names them.
    Request,
    /// Columns that are written only if `--with` names them, by commands that grade the puzzles.
    GradeRequest,
    /// Columns with ratings of Sudoku Explainer, which are written only if `--with` names `se`.
    Rating,
    /// Columns with ratings of HoDoKu, which are written only if `--with` names `hodoku`.
    Hodoku,
    /// Columns with the depth of trial and error, which are written only if `--with` names `te`.
    Trial,
    /// `evaluate` writes these columns: the prediction and the verdict.
    Judged,
    /// `evaluate --extract` writes these columns: how the answer was found in a text.
    JudgedAnswer,
    /// `evaluate --steps` writes these columns: the verdicts on the moves of the prediction.
    JudgedSteps,
    /// `evaluate --steps --moves` writes this column: the list of the moves.
    JudgedMoves,
    /// `evaluate --against` writes this column: the verdict on the prediction of the second model.
    JudgedAgainst,
}

/// An output column: its name and type, and the function that computes its values.
pub struct Column {
    /// The name of the column in the table.
    pub name: String,
    /// The Arrow type of the values.
    pub data_type: DataType,
    /// Whether a value can be null.
    pub nullable: bool,
    /// The documentation of the column in Markdown, for `pipeline schema` and the manual.
    pub doc: String,
    /// All possible values of a column with ids; empty for other columns.
    pub values: Vec<&'static str>,
    /// The commands and options that write the column.
    pub group: ColumnGroup,
    fill: Box<FillColumn>,
}

type FillColumn = dyn Fn(Rows<'_>) -> Result<ArrayRef, ArrowError> + Send + Sync;

impl Column {
    /// Computes the values of the column for these rows.
    ///
    /// # Errors
    ///
    /// A text is not UTF-8, so Arrow rejects the values.
    pub fn fill(&self, rows: Rows<'_>) -> Result<ArrayRef, ArrowError> {
        (self.fill)(rows)
    }

    /// The name, the type and the documentation of the column, without the code that fills it.
    pub fn described(&self) -> DescribedColumn {
        DescribedColumn {
            name: self.name.clone(),
            data_type: self.data_type.clone(),
            nullable: self.nullable,
            doc: self.doc.clone(),
        }
    }

    /// The Arrow field of the column.
    pub fn field(&self) -> Field {
        Field::new(&self.name, self.data_type.clone(), self.nullable)
    }
}

pub(crate) fn array_column(
    name: impl Into<String>,
    data_type: DataType,
    group: ColumnGroup,
    doc: impl Into<String>,
    fill: impl Fn(Rows<'_>) -> Result<ArrayRef, ArrowError> + Send + Sync + 'static,
) -> Column {
    Column {
        name: name.into(),
        data_type,
        nullable: true,
        doc: doc.into(),
        values: Vec::new(),
        group,
        fill: Box::new(fill),
    }
}

pub(crate) fn without_nulls(column: Column) -> Column {
    Column {
        nullable: false,
        ..column
    }
}

/// Adds to a column the list of all values that it can have.
pub(crate) fn with_values(
    values: impl IntoIterator<Item = &'static str>,
    column: Column,
) -> Column {
    Column {
        values: values.into_iter().collect(),
        ..column
    }
}

pub(crate) fn text_column(
    name: &str,
    group: ColumnGroup,
    doc: impl Into<String>,
    value: impl for<'a> Fn(Rows<'a>, &'a Outcome) -> Option<&'a [u8]> + Send + Sync + 'static,
) -> Column {
    array_column(name, DataType::Utf8, group, doc, move |rows| {
        let first_value = rows.outcomes.iter().find_map(|row| value(rows, row));
        let width = first_value.map_or(0, <[u8]>::len);
        let count = rows.outcomes.len();
        let mut builder = BinaryBuilder::with_capacity(count, width * count);
        for row in rows.outcomes {
            builder.append_option(value(rows, row));
        }
        text_array(builder)
    })
}

/// A text column. `text` makes the text of each row.
pub(crate) fn owned_text_column(
    name: &str,
    group: ColumnGroup,
    doc: impl Into<String>,
    value: impl Fn(&Outcome) -> Option<String> + Send + Sync + 'static,
) -> Column {
    array_column(name, DataType::Utf8, group, doc, move |rows| {
        let values = rows.outcomes.iter().map(&value);
        Ok(Arc::new(values.collect::<StringArray>()))
    })
}

/// Converts bytes to texts. They are checked for UTF-8 all at once, which is faster than one by one.
pub(crate) fn text_array(mut builder: BinaryBuilder) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(StringArray::try_from_binary(builder.finish())?))
}

/// Defines a constructor of numeric columns. The new column computes its values with a function of the row.
macro_rules! number_column {
    ($function:ident, $array:ident, $native:ty, $data_type:expr) => {
        pub(crate) fn $function(
            name: impl Into<String>,
            group: ColumnGroup,
            doc: impl Into<String>,
            value: impl Fn(&Outcome) -> Option<$native> + Send + Sync + 'static,
        ) -> Column {
            array_column(name, $data_type, group, doc, move |rows| {
                Ok(Arc::new(
                    rows.outcomes.iter().map(&value).collect::<$array>(),
                ))
            })
        }
    };
}

number_column!(uint8, UInt8Array, u8, DataType::UInt8);
number_column!(uint16, UInt16Array, u16, DataType::UInt16);
number_column!(uint32, UInt32Array, u32, DataType::UInt32);
number_column!(uint64, UInt64Array, u64, DataType::UInt64);
number_column!(float64, Float64Array, f64, DataType::Float64);
