//! One of the datasets that a page shows.

use crate::counts::statistics::Statistics;

/// One of the datasets that a page shows. A page shows one dataset, or two side by side.
#[derive(Clone, Debug)]
pub struct Side {
    /// The name of the dataset in headings and legends.
    pub name: String,
    /// The statistics of the dataset.
    pub statistics: Statistics,
}
