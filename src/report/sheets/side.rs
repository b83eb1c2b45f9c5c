//! A dataset on a page.

use crate::report::statistics::Statistics;

/// A dataset on a page, which can show two.
#[derive(Clone, Debug)]
pub struct Side {
    /// The name in headings and legends.
    pub name: String,
    /// The statistics of the dataset.
    pub statistics: Statistics,
}
