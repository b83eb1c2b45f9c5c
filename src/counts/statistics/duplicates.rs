//! Counts rows whose value in a column occurs in several rows.

use serde::{Deserialize, Serialize};

/// Counts of the rows whose value in a column also occurs in another row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duplicates {
    /// The name of the column whose values are compared.
    pub column: String,
    /// The number of rows that have a value in the column.
    pub rows: u64,
    /// The number of distinct values in the column.
    pub distinct: u64,
    /// The number of rows whose value occurs in an earlier row: `rows` minus `distinct`.
    pub repeating: u64,
    /// The number of values that occur in several rows.
    pub repeated_values: u64,
    /// The number of rows that have the most frequent value.
    pub most: u64,
    /// The most frequent repeated values, as examples.
    pub examples: Vec<Repeated>,
}

/// A value that occurs in several rows, with the first of these rows as examples.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    /// The number of rows with the value.
    pub count: u64,
    /// The numbers of the first rows with the value. Rows are counted from 0, over all inputs in order.
    pub rows: Vec<u64>,
    /// The puzzles in the first of these rows, as written in the column `puzzle`.
    pub puzzles: Vec<String>,
}
