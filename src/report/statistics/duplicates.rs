//! Rows that repeat others.

use serde::{Deserialize, Serialize};

/// The rows whose value in a column is that of another row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duplicates {
    /// The name of the column whose values are compared.
    pub column: String,
    /// Rows with a value.
    pub rows: u64,
    /// Different values.
    pub distinct: u64,
    /// Rows that repeat an earlier one: `rows` less `distinct`.
    pub repeating: u64,
    /// Values that more than one row has.
    pub repeated_values: u64,
    /// The rows of the most frequent value.
    pub most: u64,
    /// The most frequent of the repeated values.
    pub examples: Vec<Repeated>,
}

/// A value that several rows have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    /// How many rows have it.
    pub count: u64,
    /// The numbers of the first of them, from 0, in the order of the inputs.
    pub rows: Vec<u64>,
    /// The puzzles of the first rows, in normal form.
    pub puzzles: Vec<String>,
}
