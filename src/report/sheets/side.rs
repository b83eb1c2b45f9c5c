//! A dataset of a page.

use crate::report::statistics::Statistics;

/// A dataset of a page.
#[derive(Clone, Debug)]
pub struct Side {
    /// The name in headings and keys of charts.
    pub name: String,
    /// Its statistics.
    pub statistics: Statistics,
}
