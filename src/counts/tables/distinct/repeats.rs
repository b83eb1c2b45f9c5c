//! Finds rows of a table that repeat a value of another row in the same column.

use std::collections::BTreeSet;

use crate::counts::statistics::{Duplicates, Repeated};
use crate::counts::tables::distinct::sorted_counts::{MemoryBudget, SortedCounts};
use crate::error::Error;

/// The maximum number of repeated values that are kept as examples, and the maximum number of rows that each example
/// lists.
const MOST_EXAMPLES: usize = 3;

/// Finds the rows that have the same value in a column. Values are represented by hashes.
pub(crate) struct RepeatCounter {
    sorted_rows: SortedCounts<(u64, u64)>,
}

/// Counts how many values of a column occur in several rows. Values are represented by hashes.
#[derive(Default)]
struct RepeatCounts {
    row_count: u64,
    distinct_count: u64,
    repeated_value_count: u64,
    most_rows_of_value: u64,
    /// The most frequent values. Each value is stored as the number of its rows, negated so that the most frequent
    /// value comes first, and the numbers of the first rows that have it.
    most_frequent: BTreeSet<(i64, Vec<u64>)>,
    /// The hash whose rows are being counted, the number of these rows so far, and the first of them.
    current_value: Option<(u64, u64, Vec<u64>)>,
}

impl RepeatCounts {
    /// Adds the hash of a row's value. Rows have to be added in the order of their hashes, and then of their numbers.
    fn add_row(&mut self, hash: u64, row: u64) {
        match &mut self.current_value {
            Some((current, count, rows)) if *current == hash => {
                *count += 1;
                if rows.len() < MOST_EXAMPLES {
                    rows.push(row);
                }
            }
            _ => {
                self.end_value();
                self.current_value = Some((hash, 1, vec![row]));
            }
        }
    }

    fn end_value(&mut self) {
        let Some((_, count, rows)) = self.current_value.take() else {
            return;
        };
        self.row_count += count;
        self.distinct_count += 1;
        self.most_rows_of_value = self.most_rows_of_value.max(count);
        if count > 1 {
            self.repeated_value_count += 1;
            self.most_frequent.insert((-(count as i64), rows));
            if self.most_frequent.len() > MOST_EXAMPLES {
                self.most_frequent.pop_last();
            }
        }
    }
}

impl RepeatCounter {
    pub(crate) fn new(budget: &MemoryBudget) -> RepeatCounter {
        RepeatCounter {
            sorted_rows: SortedCounts::new(budget),
        }
    }

    /// Adds the hashes of the values in consecutive rows. `first_row` is the number of the first of these rows.
    pub(crate) fn add_hashes(
        &mut self,
        hashes: &[Option<u64>],
        first_row: u64,
    ) -> Result<(), Error> {
        let rows = (first_row..).zip(hashes);
        self.sorted_rows
            .add_keys(rows.filter_map(|(row, hash)| hash.map(|hash| ((hash, row), 1))))
    }

    /// The counts of repeated values. The caller has to fill in the puzzles of the examples.
    pub(crate) fn finish(self, column: &str) -> Result<Duplicates, Error> {
        let mut repeat_counts = RepeatCounts::default();
        self.sorted_rows
            .visit_all(|(hash, row), _| repeat_counts.add_row(hash, row))?;
        repeat_counts.end_value();
        let examples = repeat_counts
            .most_frequent
            .into_iter()
            .map(|(count, rows)| Repeated {
                count: count.unsigned_abs(),
                rows,
                puzzles: Vec::new(),
            });
        Ok(Duplicates {
            column: column.to_owned(),
            rows: repeat_counts.row_count,
            distinct: repeat_counts.distinct_count,
            repeating: repeat_counts.row_count - repeat_counts.distinct_count,
            repeated_values: repeat_counts.repeated_value_count,
            most: repeat_counts.most_rows_of_value,
            examples: examples.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_ordered_by_frequency_and_then_by_first_row() {
        let mut repeats = RepeatCounter::new(&MemoryBudget::with_limit(u64::MAX));
        let hashes = [3, 7, 5, 2, 7, 7, 2, 9, 5, 7, 1, 1].map(Some);
        repeats.add_hashes(&hashes[..5], 0).unwrap();
        repeats.add_hashes(&hashes[5..], 5).unwrap();
        repeats.add_hashes(&[None], 12).unwrap();
        let repeat_counts = repeats.finish("puzzle").unwrap();
        assert_eq!(
            (
                repeat_counts.rows,
                repeat_counts.distinct,
                repeat_counts.repeated_values,
                repeat_counts.most
            ),
            (12, 6, 4, 4)
        );
        let examples: Vec<_> = repeat_counts
            .examples
            .into_iter()
            .map(|of| (of.count, of.rows))
            .collect();
        assert_eq!(
            examples,
            [(4, vec![1, 4, 5]), (2, vec![2, 8]), (2, vec![3, 6])]
        );
    }
}
