//! Counts the distinct values of columns, any number of them, in bounded memory.

pub(crate) mod column_batch_counts;
pub(crate) mod column_kind;
pub(crate) mod column_totals;
mod key_figures;
pub(crate) mod partitioned_counts;
pub(crate) mod repeats;
pub(crate) mod sorted_counts;
