//! Statistics as small tables: for a terminal, in Markdown, and as rows of data.

mod by;
mod data;
mod facts;
mod render;

use serde_json::Value;

pub(crate) use by::in_words;
pub use data::sheet_rows;
pub(crate) use render::shown;
pub use render::{markdown, terminal};

use crate::report::statistics::Statistics;

/// A small table.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Its id.
    pub id: String,
    /// Its title, for people.
    pub title: String,
    /// The names of its columns. Those that end with `share` hold parts of 1.
    pub columns: Vec<String>,
    /// The number of columns at the start that say what a row is about.
    pub keys: usize,
    /// The rows.
    pub rows: Vec<Vec<Value>>,
    /// Sentences below it.
    pub notes: Vec<String>,
    /// Whether it is too long for people.
    pub only_data: bool,
}

impl Sheet {
    fn new(id: &str, title: &str, keys: usize, columns: &[&str]) -> Sheet {
        Sheet {
            id: id.to_owned(),
            title: title.to_owned(),
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            keys,
            ..Sheet::default()
        }
    }
}

/// The statistics as sheets; those without rows are left out.
pub fn sheets(statistics: &Statistics) -> Vec<Sheet> {
    let mut sheets = vec![
        facts::overview(statistics),
        facts::status(statistics),
        facts::levels(statistics),
        facts::techniques(statistics),
        facts::numbers(statistics),
        facts::clues_by_technique(statistics),
        facts::technique_by_clues(statistics),
        facts::given(statistics),
        facts::duplicates(statistics),
        facts::repeated(statistics),
        facts::rejects(statistics),
        facts::first_rejects(statistics),
        facts::columns(statistics),
        facts::values(statistics),
    ];
    for breakdown in &statistics.by {
        sheets.extend(by::sheets(breakdown));
    }
    sheets.retain(|sheet| !sheet.rows.is_empty());
    sheets
}

/// A part of a whole; null of nothing.
fn share(part: u64, whole: u64) -> Value {
    match whole {
        0 => Value::Null,
        whole => Value::from(part as f64 / whole as f64),
    }
}
