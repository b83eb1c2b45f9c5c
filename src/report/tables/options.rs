//! What is counted of tables.

/// Options for counting the rows of tables.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    /// Group the rows by these columns.
    pub by: Vec<String>,
    /// Group them also by columns in which datasets say how hard a puzzle is.
    pub find_labels: bool,
}
