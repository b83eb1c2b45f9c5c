//! Different values of a column, and the rows that repeat values of others.
//!
//! Values are told apart by hashes of 64 bits: 10 million different values have two equal hashes with a
//! probability of 3 in a million. Hashes are sorted in memory, part by part: the column is read once for
//! each part, so that memory does not grow with the rows.

use std::collections::BTreeSet;
use std::hash::Hasher;

use polars::prelude::*;
use rayon::slice::ParallelSliceMut;
use siphasher::sip::SipHasher13;

use super::engine::{collect, for_each_batch};
use super::values::text;
use crate::error::Error;
use crate::report::statistics::{Duplicates, Repeated};

/// The hashes that are sorted at a time: 256 MiB.
const HASHES: u64 = 16 << 20;

/// The most repeated values that are shown, and the most rows of each.
const SHOWN: usize = 3;

fn hash(text: &str) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// What is found in the hashes of a column, part by part.
#[derive(Default)]
struct RepeatCounts {
    rows: u64,
    distinct: u64,
    repeated_values: u64,
    most: u64,
    /// The most frequent ones: how often (negative, so that they come first), and their first rows.
    top: BTreeSet<(i64, Vec<u64>)>,
}

impl RepeatCounts {
    /// Takes hashes with the numbers of their rows.
    fn take(&mut self, mut hashes: Vec<(u64, u64)>) {
        hashes.par_sort_unstable();
        for same in hashes.chunk_by(|one, other| one.0 == other.0) {
            let count = same.len() as u64;
            self.rows += count;
            self.distinct += 1;
            self.most = self.most.max(count);
            if count > 1 {
                self.repeated_values += 1;
                let is_small = self
                    .top
                    .last()
                    .is_some_and(|(last, _)| -(count as i64) > *last);
                if self.top.len() < SHOWN || !is_small {
                    let rows = same.iter().take(SHOWN).map(|(_, row)| *row).collect();
                    self.top.insert((-(count as i64), rows));
                    if self.top.len() > SHOWN {
                        self.top.pop_last();
                    }
                }
            }
        }
    }
}

/// The hashes of a part of a column.
struct ColumnPart {
    hashes: Vec<(u64, u64)>,
    row: u64,
    number: u64,
    of: u64,
}

fn find(frame: &LazyFrame, column: &str, rows: u64) -> Result<RepeatCounts, Error> {
    let parts = rows.div_ceil(HASHES).max(1);
    let mut found = RepeatCounts::default();
    for number in 0..parts {
        let part = ColumnPart {
            hashes: Vec::with_capacity((rows / parts) as usize + 1),
            row: 0,
            number,
            of: parts,
        };
        let texts = frame
            .clone()
            .select([col(column).cast(DataType::String).alias("text")]);
        let part = for_each_batch(texts, part, |part, batch| {
            let column = batch.column("text").and_then(|column| column.str());
            let texts = column.map_err(|error| super::engine::failed(&error))?;
            for text in texts.iter() {
                if let Some(hash) = text.map(hash)
                    && hash % part.of == part.number
                {
                    part.hashes.push((hash, part.row));
                }
                part.row += 1;
            }
            Ok(())
        })?;
        found.take(part.hashes);
    }
    Ok(found)
}

/// How many different values a column has. Its type must be one that can be text.
pub(super) fn distinct(frame: &LazyFrame, column: &str, rows: u64) -> Result<u64, Error> {
    Ok(find(frame, column, rows)?.distinct)
}

/// The rows that repeat the value of another row, with examples; `puzzle` is the column that shows
/// them.
pub(super) fn duplicates(
    frame: &LazyFrame,
    column: &str,
    puzzle: &str,
    rows: u64,
) -> Result<Duplicates, Error> {
    let found = find(frame, column, rows)?;
    let examples = found.top.iter().map(|(count, rows)| {
        let puzzles = rows.iter().map(|row| {
            let row = frame.clone().select([col(puzzle)]).slice(*row as i64, 1);
            Ok(text(&collect(row)?, puzzle, 0).unwrap_or_default())
        });
        Ok(Repeated {
            count: count.unsigned_abs(),
            rows: rows.clone(),
            puzzles: puzzles.collect::<Result<_, Error>>()?,
        })
    });
    Ok(Duplicates {
        column: column.to_owned(),
        rows: found.rows,
        distinct: found.distinct,
        repeating: found.rows - found.distinct,
        repeated_values: found.repeated_values,
        most: found.most,
        examples: examples.collect::<Result<_, Error>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_values_come_first_and_then_those_that_come_first() {
        let mut found = RepeatCounts::default();
        let hashes = [
            (7, 9),
            (5, 2),
            (7, 1),
            (5, 8),
            (3, 0),
            (7, 4),
            (7, 5),
            (2, 6),
            (2, 3),
            (1, 10),
            (1, 11),
        ];
        found.take(hashes.to_vec());
        assert_eq!(
            (
                found.rows,
                found.distinct,
                found.repeated_values,
                found.most
            ),
            (11, 5, 4, 4)
        );
        let top: Vec<_> = found.top.into_iter().collect();
        assert_eq!(
            top,
            [(-4, vec![1, 4, 5]), (-2, vec![2, 8]), (-2, vec![3, 6])]
        );
    }
}
