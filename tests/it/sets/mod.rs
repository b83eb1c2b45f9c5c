//! Tests of duplicates, splits, leakage and audits.

mod audit;
mod copies;
mod duplicates;
mod leakage;
mod split_sizes;
mod splits;
