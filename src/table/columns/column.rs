//! The definition of an output column: name, type, documentation, and the function that fills it.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryBuilder, Float64Array, StringArray, UInt8Array, UInt16Array, UInt32Array,
    UInt64Array,
};
use arrow::datatypes::{DataType, Field};
use arrow::error::ArrowError;

use crate::table::outcome::Outcome;

/// The rows of a batch, from which columns are filled.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// The input's name.
    pub source: &'a str,
    /// The results, one for each row.
    pub outcomes: &'a [Outcome],
}

/// When a column is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnGroup {
    /// In all tables but those of `convert` and `generate`: the origin of the row.
    Origin,
    /// In all tables.
    Puzzle,
    /// By `convert`, where the input has solutions.
    Given,
    /// By `generate`.
    Generated,
    /// If the puzzles are solved.
    Solution,
    /// If the puzzles are graded.
    Grade,
    /// If the puzzles are graded, and `--with` names `waves`.
    Waves,
    /// If the puzzles are graded with `--uniqueness`.
    Uniqueness,
    /// By `augment`: the puzzle that the row is a copy of.
    Copy,
    /// By `trace`: the steps.
    Trace,
    /// By `trace --format chat`: the steps as messages.
    Chat,
    /// If `--with` names the column.
    Request,
    /// If `--with` names `se`.
    Rating,
    /// If `--with` names `hodoku`.
    Hodoku,
    /// If `--with` names `te`.
    Trial,
    /// By `evaluate`: the prediction and the verdict.
    Judged,
    /// By `evaluate --against`: the verdict on the other model's prediction.
    JudgedAgainst,
}

/// An output column.
pub struct Column {
    /// The name in the table.
    pub name: String,
    /// Its Arrow type.
    pub data_type: DataType,
    /// Whether it can be null.
    pub nullable: bool,
    /// The meaning of a value, in Markdown, for `schema` and the documents.
    pub doc: String,
    /// All values that it can have, for a column with a few ids; empty for other columns.
    pub values: Vec<&'static str>,
    /// When it is written.
    pub group: ColumnGroup,
    fill: Box<Fill>,
}

type Fill = dyn Fn(Rows<'_>) -> Result<ArrayRef, ArrowError> + Send + Sync;

impl Column {
    /// The values of the column for these rows.
    ///
    /// # Errors
    /// Arrow rejects the values: it checks that texts are UTF-8.
    pub fn fill(&self, rows: Rows<'_>) -> Result<ArrayRef, ArrowError> {
        (self.fill)(rows)
    }

    /// Its Arrow field.
    pub fn field(&self) -> Field {
        Field::new(&self.name, self.data_type.clone(), self.nullable)
    }
}

pub(crate) fn array(
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

pub(crate) fn required(column: Column) -> Column {
    Column {
        nullable: false,
        ..column
    }
}

/// A column that has no other values than these.
pub(crate) fn one_of(values: impl IntoIterator<Item = &'static str>, column: Column) -> Column {
    Column {
        values: values.into_iter().collect(),
        ..column
    }
}

pub(crate) fn text(
    name: &str,
    group: ColumnGroup,
    doc: &str,
    value: impl for<'a> Fn(Rows<'a>, &'a Outcome) -> Option<&'a [u8]> + Send + Sync + 'static,
) -> Column {
    array(name, DataType::Utf8, group, doc, move |rows| {
        let first = rows.outcomes.iter().find_map(|row| value(rows, row));
        let width = first.map_or(0, <[u8]>::len);
        let count = rows.outcomes.len();
        let mut builder = BinaryBuilder::with_capacity(count, width * count);
        for row in rows.outcomes {
            builder.append_option(value(rows, row));
        }
        texts(builder)
    })
}

/// A column of texts that a function makes for each row.
pub(crate) fn text_of(
    name: &str,
    group: ColumnGroup,
    doc: &str,
    value: impl Fn(&Outcome) -> Option<String> + Send + Sync + 'static,
) -> Column {
    array(name, DataType::Utf8, group, doc, move |rows| {
        let values = rows.outcomes.iter().map(&value);
        Ok(Arc::new(values.collect::<StringArray>()))
    })
}

/// Turns bytes into texts. Checking all values for UTF-8 at once is faster than one by one.
pub(crate) fn texts(mut builder: BinaryBuilder) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(StringArray::try_from_binary(builder.finish())?))
}

/// Defines a function that makes a column of numbers from a function of the row.
macro_rules! number_column {
    ($function:ident, $array:ident, $native:ty, $data_type:expr) => {
        pub(crate) fn $function(
            name: impl Into<String>,
            group: ColumnGroup,
            doc: impl Into<String>,
            value: impl Fn(&Outcome) -> Option<$native> + Send + Sync + 'static,
        ) -> Column {
            array(name, $data_type, group, doc, move |rows| {
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
