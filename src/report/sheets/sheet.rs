//! Sheets: the small tables that reports consist of.

use serde_json::Value;

/// A small table in a report. It is rendered for terminals, Markdown, CSV, JSON and pages.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The id of the sheet in data files, such as `technique`.
    pub id: String,
    /// The title above the displayed table.
    pub title: String,
    /// The names of the columns. A column whose name ends with `share` has fractions, which are displayed
    /// as percentages.
    pub columns: Vec<String>,
    /// The number of columns, from the first, that identify a row.
    pub keys: usize,
    /// The rows, each with one value per column.
    pub rows: Vec<Vec<Value>>,
    /// Sentences that are displayed below the table.
    pub notes: Vec<String>,
    /// Whether the sheet is only written to data files, because it is too long to be displayed.
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
