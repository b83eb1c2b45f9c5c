//! Finds rows that repeat the value of another row.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::report::statistics::{Duplicates, Repeated};
use crate::report::tables::values::sorted_counts::{Budget, SortedCounts};

/// The most repeated values that are kept as examples, and the most rows of each.
const MOST_EXAMPLES: usize = 3;

/// The rows of each value of a column. Values are represented by their hashes.
pub(crate) struct Repeats {
    rows: SortedCounts<(u64, u64)>,
}

/// The repetitions that were found among the hashes of a column.
#[derive(Default)]
struct RepeatCounts {
    rows: u64,
    distinct: u64,
    repeated_values: u64,
    most: u64,
    /// The most frequent repeated values: their negative counts, so that the most frequent comes first, and
    /// their first rows.
    top: BTreeSet<(i64, Vec<u64>)>,
    /// The current hash, its number of rows so far, and the first of these rows.
    current: Option<(u64, u64, Vec<u64>)>,
}

impl RepeatCounts {
    /// Adds a row. Rows have to be ordered by hash, and then by row number.
    fn record(&mut self, hash: u64, row: u64) {
        match &mut self.current {
            Some((current, count, rows)) if *current == hash => {
                *count += 1;
                if rows.len() < MOST_EXAMPLES {
                    rows.push(row);
                }
            }
            _ => {
                self.end_value();
                self.current = Some((hash, 1, vec![row]));
            }
        }
    }

    fn end_value(&mut self) {
        let Some((_, count, rows)) = self.current.take() else {
            return;
        };
        self.rows += count;
        self.distinct += 1;
        self.most = self.most.max(count);
        if count > 1 {
            self.repeated_values += 1;
            self.top.insert((-(count as i64), rows));
            if self.top.len() > MOST_EXAMPLES {
                self.top.pop_last();
            }
        }
    }
}

impl Repeats {
    pub(crate) fn new(budget: &Budget) -> Repeats {
        Repeats {
            rows: SortedCounts::new(budget),
        }
    }

    /// Adds the hashes of consecutive rows. `first` is the number of the first row.
    pub(crate) fn add(&mut self, hashes: &[Option<u64>], first: u64) -> Result<(), Error> {
        let rows = (first..).zip(hashes);
        self.rows
            .add(rows.filter_map(|(row, hash)| hash.map(|hash| ((hash, row), 1))))
    }

    /// The rows that repeat others. The puzzles of the examples still have to be filled in.
    pub(crate) fn finish(self, column: &str) -> Result<Duplicates, Error> {
        let mut found = RepeatCounts::default();
        self.rows.finish(|(hash, row), _| found.record(hash, row))?;
        found.end_value();
        let examples = found.top.into_iter().map(|(count, rows)| Repeated {
            count: count.unsigned_abs(),
            rows,
            puzzles: Vec::new(),
        });
        Ok(Duplicates {
            column: column.to_owned(),
            rows: found.rows,
            distinct: found.distinct,
            repeating: found.rows - found.distinct,
            repeated_values: found.repeated_values,
            most: found.most,
            examples: examples.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_values_come_first_and_then_those_that_come_first() {
        let mut repeats = Repeats::new(&Budget::with_limit(u64::MAX));
        let hashes = [3, 7, 5, 2, 7, 7, 2, 9, 5, 7, 1, 1].map(Some);
        repeats.add(&hashes[..5], 0).unwrap();
        repeats.add(&hashes[5..], 5).unwrap();
        repeats.add(&[None], 12).unwrap();
        let found = repeats.finish("puzzle").unwrap();
        assert_eq!(
            (
                found.rows,
                found.distinct,
                found.repeated_values,
                found.most
            ),
            (12, 6, 4, 4)
        );
        let top: Vec<_> = found
            .examples
            .into_iter()
            .map(|of| (of.count, of.rows))
            .collect();
        assert_eq!(top, [(4, vec![1, 4, 5]), (2, vec![2, 8]), (2, vec![3, 6])]);
    }
}
