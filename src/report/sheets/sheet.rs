//! The small tables of which reports consist.

use serde_json::Value;

/// A small table of a report. Terminal, Markdown, CSV, JSON and page render the same sheets.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The id, which names the table in data: `technique`.
    pub id: String,
    /// The title, which stands above the table.
    pub title: String,
    /// The names of the columns. Columns whose names end with `share` hold fractions, shown as percentages.
    pub columns: Vec<String>,
    /// The number of columns at the start that say what a row is about.
    pub keys: usize,
    /// The rows.
    pub rows: Vec<Vec<Value>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
    /// Whether the table is only in the data, because it is too long to be shown.
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

/// A part of a whole; null of nothing.
pub(super) fn share(part: u64, whole: u64) -> Value {
    match whole {
        0 => Value::Null,
        whole => Value::from(part as f64 / whole as f64),
    }
}
