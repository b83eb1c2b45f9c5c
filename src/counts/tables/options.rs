//! The options for counting the rows of tables.

/// The options for counting the rows of tables.
#[derive(Clone, Debug, Default)]
pub struct CountOptions {
    /// The names of the columns by which rows are grouped.
    pub by: Vec<String>,
    /// Whether rows are also grouped by columns with well-known names of difficulty labels.
    pub find_labels: bool,
}
