//! A column of an input, and what becomes of it in the output table.

/// The name and the role of a column of an input.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ColumnInfo {
    /// The column's name in the input.
    pub name: String,
    /// How the reader uses the column.
    pub role: ColumnRole,
}

/// How the reader uses a column of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnRole {
    /// The column has the puzzles.
    Puzzle,
    /// The column has given solutions, which are checked.
    Solution,
    /// The column is copied to the output.
    Carried,
    /// The column is not read.
    Dropped,
}
