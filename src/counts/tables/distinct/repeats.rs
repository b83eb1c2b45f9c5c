//! Finds rows of a table that repeat a value of another row in the same column.

use std::collections::BTreeSet;

use rayon::ThreadPool;

use crate::counts::statistics::{Duplicates, Repeated};
use crate::counts::tables::distinct::partitioned_counts::PartitionedCounts;
use crate::counts::tables::distinct::sorted_counts::MemoryBudget;
use crate::error::Error;

/// The maximum number of repeated values that are kept as examples, and the maximum number of rows that each example
/// lists.
const MOST_EXAMPLES: usize = 3;

/// Finds the rows that have the same value in a column. Values are represented by hashes.
pub(crate) struct RepeatCounter {
    rows_by_hash: PartitionedCounts<(u64, u64)>,
}

/// Counts how many values of a column occur in several rows. Values are represented by hashes. Each thread counts the rows
/// with other hashes.
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
    current_value: Option<(u64, u64, [u64; MOST_EXAMPLES])>,
}

impl RepeatCounts {
    /// Adds the hash of a row's value. Rows have to be added in the order of their hashes, and then of their numbers.
    fn add_row(&mut self, hash: u64, row: u64) {
        match &mut self.current_value {
            Some((current, count, rows)) if *current == hash => {
                if let Some(next) = rows.get_mut(*count as usize) {
                    *next = row;
                }
                *count += 1;
            }
            _ => {
                self.end_value();
                self.current_value = Some((hash, 1, [row; MOST_EXAMPLES]));
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
            let is_frequent = |(least, _): &(i64, Vec<u64>)| -(count as i64) <= *least;
            if self.most_frequent.len() < MOST_EXAMPLES
                || self.most_frequent.last().is_some_and(is_frequent)
            {
                let rows = rows.iter().take(count as usize).copied();
                self.add_frequent(-(count as i64), rows.collect());
            }
        }
    }

    fn add_frequent(&mut self, negated_count: i64, rows: Vec<u64>) {
        self.most_frequent.insert((negated_count, rows));
        if self.most_frequent.len() > MOST_EXAMPLES {
            self.most_frequent.pop_last();
        }
    }

    /// Adds the counts of rows with other hashes.
    fn merge(mut self, other: RepeatCounts) -> RepeatCounts {
        self.row_count += other.row_count;
        self.distinct_count += other.distinct_count;
        self.repeated_value_count += other.repeated_value_count;
        self.most_rows_of_value = self.most_rows_of_value.max(other.most_rows_of_value);
        for (negated_count, rows) in other.most_frequent {
            self.add_frequent(negated_count, rows);
        }
        self
    }
}

impl RepeatCounter {
    /// A counter to which this number of threads adds hashes.
    pub(crate) fn new(budget: &MemoryBudget, threads: usize) -> RepeatCounter {
        RepeatCounter {
            rows_by_hash: PartitionedCounts::new(budget, threads),
        }
    }

    /// Adds the hashes of the values in consecutive rows, in any order. `first_row` is the number of the first of these
    /// rows.
    pub(crate) fn add_hashes(&self, hashes: &[Option<u64>], first_row: u64) -> Result<(), Error> {
        let rows = (first_row..).zip(hashes);
        self.rows_by_hash
            .add_keys(rows.filter_map(|(row, hash)| hash.map(|hash| ((hash, row), 1))))
    }

    /// The counts of repeated values, computed on these threads. The caller has to fill in the puzzles of the examples.
    pub(crate) fn finish(
        self,
        column: &str,
        pool: Option<&ThreadPool>,
    ) -> Result<Duplicates, Error> {
        let add_row = |counts: &mut RepeatCounts, (hash, row), _| counts.add_row(hash, row);
        let partitions = self.rows_by_hash.visit_partitions(pool, add_row)?;
        let partitions = partitions.into_iter().map(|mut counts| {
            counts.end_value();
            counts
        });
        let repeat_counts = partitions.fold(RepeatCounts::default(), RepeatCounts::merge);
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
        for threads in [1, 2, 7] {
            let budget = MemoryBudget::with_limit(u64::MAX);
            check_examples(RepeatCounter::new(&budget, threads));
        }
    }

    fn check_examples(repeats: RepeatCounter) {
        let hashes = [3, 7, 5, 2, 7, 7, 2, 9, 5, 7, 1, 1].map(Some);
        repeats.add_hashes(&hashes[5..], 5).unwrap();
        repeats.add_hashes(&hashes[..5], 0).unwrap();
        repeats.add_hashes(&[None], 12).unwrap();
        let repeat_counts = repeats.finish("puzzle", None).unwrap();
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
