//! The small tables that reports consist of.

use serde_json::Value;

/// A small table of a report. Terminal, Markdown, CSV, JSON and page all render the same sheets.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The id that identifies the sheet in data, such as `technique`.
    pub id: String,
    /// The title above the table.
    pub title: String,
    /// The names of the columns. A column whose name ends with `share` has fractions, which are displayed
    /// as percentages.
    pub columns: Vec<String>,
    /// The number of columns at the start that identify a row.
    pub keys: usize,
    /// The rows.
    pub rows: Vec<Vec<Value>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
    /// Whether the table is only in data outputs, because it is too long for people.
    pub only_data: bool,
}

impl Sheet {
    pub(in crate::report) fn new(id: &str, title: &str, keys: usize, columns: &[&str]) -> Sheet {
        Sheet {
            id: id.to_owned(),
            title: title.to_owned(),
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            keys,
            ..Sheet::default()
        }
    }

    pub(in crate::report) fn with_rows(mut self, rows: impl Iterator<Item = Vec<Value>>) -> Sheet {
        self.rows = rows.collect();
        self
    }
}

/// The fraction `part / whole`; null if `whole` is 0.
pub(super) fn fraction(part: u64, whole: u64) -> Value {
    match whole {
        0 => Value::Null,
        whole => Value::from(part as f64 / whole as f64),
    }
}
