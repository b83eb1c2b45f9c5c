//! Techniques that use a single digit and its conjugate pairs.

mod colours;
pub(crate) mod conjugate;
pub(crate) mod empty_rectangle;
pub(crate) mod multi_coloring;
pub(crate) mod simple_coloring;
pub(crate) mod skyscraper;
pub(crate) mod turbot_fish;
mod two_pairs;
pub(crate) mod two_string_kite;
mod x_chains;

pub(in crate::grade::techniques) use x_chains::XChains;
