//! A small table.

use serde_json::Value;

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
    pub(super) fn new(id: &str, title: &str, keys: usize, columns: &[&str]) -> Sheet {
        Sheet {
            id: id.to_owned(),
            title: title.to_owned(),
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            keys,
            ..Sheet::default()
        }
    }
}

/// A part of a whole; null of nothing.
pub(super) fn share(part: u64, whole: u64) -> Value {
    match whole {
        0 => Value::Null,
        whole => Value::from(part as f64 / whole as f64),
    }
}
