//! The types of the columns of a text: inferred from its first records, or given by the options.
//!
//! ```text
//! values of the first records ─ InferredType ─▶ DataType ─┐
//!                                                  ├─▶ arrays
//! values of a batch ───────────────────────────────┘
//! ```
//!
//! A type is widened until it holds every value of the first records without loss. A column without
//! such a type is text. A later value that does not fit the type is an error; it is never changed.

mod arrays;
mod inferred;
mod scalars;
mod syntax;

use std::borrow::Cow;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, FieldRef};

use super::text::json_text::unescape;
use crate::error::Error;
use crate::table::type_name;
pub(crate) use inferred::InferredType;
pub(crate) use syntax::Syntax;

/// The most characters of a value in a message.
const SHOWN: usize = 80;

/// The types of the carried columns of a text.
#[derive(Debug)]
pub struct ColumnTypes {
    source_name: String,
    syntax: Syntax,
    fields: Vec<FieldRef>,
}

impl ColumnTypes {
    pub(crate) fn new(source_name: &str, syntax: Syntax, fields: Vec<FieldRef>) -> ColumnTypes {
        ColumnTypes {
            source_name: source_name.to_owned(),
            syntax,
            fields,
        }
    }

    pub(crate) fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    /// Converts the values of column `at`; `row(n)` is the record of the n-th value.
    ///
    /// # Errors
    /// A value that does not fit the type.
    pub(crate) fn column(
        &self,
        at: usize,
        values: &[Option<&str>],
        row: impl Fn(usize) -> u64,
    ) -> Result<ArrayRef, Error> {
        let field = &self.fields[at];
        arrays::array(self.syntax, field.data_type(), values).map_err(|place| {
            let value = values.get(place).copied().flatten().unwrap_or_default();
            let mut excerpt: String = value.chars().take(SHOWN).collect();
            if excerpt.len() < value.len() {
                excerpt.push('…');
            }
            Error::WrongType {
                source_name: self.source_name.clone(),
                row: row(place),
                column: field.name().clone(),
                data_type: type_name(field.data_type()),
                value: excerpt.escape_debug().to_string().replace("\\\"", "\""),
            }
        })
    }

    /// A field as a person would read it, without JSON's quotes and escapes.
    pub(crate) fn display<'f>(&self, field: &'f str) -> Cow<'f, str> {
        match self.syntax {
            Syntax::Plain => Cow::Borrowed(field),
            Syntax::Json => unescape(field),
        }
    }
}

/// Whether values of a text can be read as this type.
pub(crate) fn is_readable(data_type: &DataType) -> bool {
    match data_type {
        DataType::Boolean
        | DataType::Int64
        | DataType::UInt64
        | DataType::Float64
        | DataType::Utf8 => true,
        DataType::List(item) => is_readable(item.data_type()),
        DataType::Struct(fields) => fields.iter().all(|field| is_readable(field.data_type())),
        _ => false,
    }
}
