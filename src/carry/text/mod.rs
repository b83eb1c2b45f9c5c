//! The types of the columns of a text file: inferred from its first records, or given by the options.
//!
//! ```text
//! values of the first records ─ InferredType ─▶ DataType ─┐
//!                                                  ├─▶ arrays
//! values of a batch ───────────────────────────────┘
//! ```
//!
//! A column gets the narrowest type that holds all its values in the first records without loss. If there is no
//! such type, the column is text. If a later value does not fit the type, this is an error; values are never
//! changed.

mod arrays;
mod inferred;
pub(crate) mod json_keys;
pub(crate) mod json_text;
mod scalars;
mod syntax;
mod times;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, FieldRef};

use crate::carry::name_index::NameIndex;
use crate::carry::text::json_text::unescaped_text;
use crate::carry::{timestamp_type, timestamptz_type, type_name};
use crate::error::Error;
use crate::options::TYPES;
pub(crate) use inferred::InferredType;
pub(crate) use syntax::Syntax;

/// The maximum number of characters of a value in a message.
const MOST_CHARACTERS_IN_MESSAGE: usize = 80;

/// The types of those columns of a text file that are copied to the output. Their values are parsed to these types.
#[derive(Debug)]
pub struct ColumnTypes {
    source_name: String,
    syntax: Syntax,
    fields: Vec<FieldRef>,
    /// For each column, whether a warning has been logged that numbers have too many digits for the type.
    has_warned_of_digits: Vec<AtomicBool>,
}

impl ColumnTypes {
    pub(crate) fn new(source_name: &str, syntax: Syntax, fields: Vec<FieldRef>) -> ColumnTypes {
        ColumnTypes {
            source_name: source_name.to_owned(),
            syntax,
            has_warned_of_digits: fields.iter().map(|_| AtomicBool::new(false)).collect(),
            fields,
        }
    }

    pub(crate) fn source_name(&self) -> &str {
        &self.source_name
    }

    pub(crate) fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    /// Converts text or JSON values of one column to an Arrow array. `row_of(n)` returns the record number of the n-th
    /// value, for messages.
    ///
    /// # Errors
    ///
    /// A value does not fit the type.
    pub(crate) fn parse_column(
        &self,
        column_index: usize,
        values: &[Option<&str>],
        row_of: impl Fn(usize) -> u64,
    ) -> Result<ArrayRef, Error> {
        let field = &self.fields[column_index];
        if *field.data_type() == DataType::Float64 {
            self.warn_of_digits(column_index, values);
        }
        arrays::parse_values(self.syntax, field.data_type(), values).map_err(|place| {
            let value = values.get(place).copied().flatten().unwrap_or_default();
            let mut excerpt: String = value.chars().take(MOST_CHARACTERS_IN_MESSAGE).collect();
            if excerpt.len() < value.len() {
                excerpt.push('…');
            }
            Error::WrongType {
                source_name: self.source_name.clone(),
                row: row_of(place),
                column: field.name().clone(),
                data_type: type_name(field.data_type()),
                value: excerpt.escape_debug().to_string().replace("\\\"", "\""),
            }
        })
    }

    /// Logs a warning if a decimal number has more digits than its type can hold. A column gets at most one
    /// warning.
    fn warn_of_digits(&self, column_index: usize, values: &[Option<&str>]) {
        let mut values = values.iter().flatten();
        if let Some(value) = values.find(|value| scalars::loses_digits(value))
            && !self.has_warned_of_digits[column_index].swap(true, Ordering::Relaxed)
        {
            let column = self.fields[column_index].name();
            tracing::warn!(
                "{}: column {column}: {value} has more digits than float64 holds, and is read as the \
                 nearest number; {} keeps all digits; this is said once",
                self.source_name,
                TYPES.set_to(format_args!("{column}=text"))
            );
        }
    }

    /// The text of a field. In JSON, quotes and escapes are removed.
    pub(crate) fn unquoted_field<'f>(&self, field: &'f str) -> Cow<'f, str> {
        match self.syntax {
            Syntax::Plain => Cow::Borrowed(field),
            Syntax::Json => unescaped_text(field),
        }
    }
}

/// The column types that the option `--types` sets, by column name.
pub(crate) struct RequestedTypes<'a> {
    fields: &'a [FieldRef],
    field_index: NameIndex,
}

impl RequestedTypes<'_> {
    pub(crate) fn new(fields: &[FieldRef]) -> RequestedTypes<'_> {
        RequestedTypes {
            fields,
            field_index: NameIndex::new(fields.iter().map(|field| field.name())),
        }
    }

    pub(crate) fn type_of(&self, name: &str) -> Option<DataType> {
        let data_type = self.fields[self.field_index.index_of(name)?].data_type();
        is_readable(data_type).then(|| data_type.clone())
    }
}

/// Whether the values of a text file can be parsed to this type.
fn is_readable(data_type: &DataType) -> bool {
    match data_type {
        DataType::Boolean
        | DataType::Int64
        | DataType::UInt64
        | DataType::Decimal128(_, 0)
        | DataType::Float64
        | DataType::Utf8
        | DataType::Date32 => true,
        DataType::Timestamp(..) => [timestamp_type(), timestamptz_type()].contains(data_type),
        DataType::List(item) => is_readable(item.data_type()),
        DataType::Struct(fields) => fields.iter().all(|field| is_readable(field.data_type())),
        _ => false,
    }
}
