//! The predictions that are solutions of other puzzles.
//!
//! If the rows of the predictions are in another order than those of the puzzles, nearly all predictions are solutions of other
//! puzzles, and nearly all of these are different. A model that answers every puzzle with the same grid also gives such
//! predictions, but few different ones.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::hash::{fnv1a, spread_bits};

/// The most different grids whose repetitions are counted.
const MOST_HASHES: usize = 4096;

/// Counts predictions that are solutions of other puzzles. The counts do not depend on the order in which the threads
/// add them.
#[derive(Default)]
pub struct OtherGrids(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    all: u64,
    /// How often each grid occurs, by its hash. Of more than [`MOST_HASHES`] grids, these are the ones with the smallest
    /// hashes, which are a random sample.
    by_hash: BTreeMap<u64, u64>,
}

impl OtherGrids {
    /// Counts a prediction.
    pub(super) fn add(&self, grid: &str) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.all += 1;
        *counts
            .by_hash
            .entry(spread_bits(fnv1a(grid.as_bytes())))
            .or_default() += 1;
        if counts.by_hash.len() > MOST_HASHES {
            counts.by_hash.pop_last();
        }
    }

    /// The number of predictions that are solutions of other puzzles.
    pub fn count(&self) -> u64 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.all
    }

    /// The number of different grids among them. It is estimated if there are more than 4096.
    pub fn different(&self) -> u64 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sampled: u64 = counts.by_hash.values().sum();
        let different = counts.by_hash.len() as u64;
        if sampled == counts.all {
            return different;
        }
        (different as f64 / sampled as f64 * counts.all as f64).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_grids_are_counted_in_any_order() {
        let grids = OtherGrids::default();
        assert_eq!((grids.count(), grids.different()), (0, 0));
        for grid in ["a", "b", "a", "a"] {
            grids.add(grid);
        }
        assert_eq!((grids.count(), grids.different()), (4, 2));
        // 10,000 different grids, each of them three times.
        let rows: Vec<String> = (0..30_000).map(|row| (row % 10_000).to_string()).collect();
        let (forwards, backwards) = (OtherGrids::default(), OtherGrids::default());
        rows.iter().for_each(|grid| forwards.add(grid));
        rows.iter().rev().for_each(|grid| backwards.add(grid));
        assert_eq!(forwards.count(), 30_000);
        assert_eq!(forwards.different(), 10_000);
        assert_eq!(forwards.different(), backwards.different());
    }
}
