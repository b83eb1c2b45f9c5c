//! Assigns classes to the parts of a split, by a pseudo-random number for each class.
//!
//! ```text
//! 0            ends[0]                    ends[1]      1      the random number of a class
//! ├─ 1000 rows ──┼─ 0.8 of the others ──────┼─ 0.2 ──────┤
//! ```

use std::collections::BinaryHeap;

use sudoku_core::random::Rng;

use crate::error::Error;
use crate::table::class_key::ClassKey;

/// The size of a part of a split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartSize {
    /// The fraction, from 0 to 1, of the rows that are not in parts with a fixed number of rows.
    Share(f64),
    /// A fixed number of rows.
    Rows(u64),
}

/// The pseudo-random number of a class, from 0 to 1. It depends only on the class and on the seed of the split.
pub(super) fn class_fraction(key: ClassKey, seed: u64) -> f64 {
    let item = key.0[0] ^ key.0[1].rotate_left(32);
    Rng::for_item(seed, item).fraction()
}

/// Divides the range of random numbers from 0 to 1 into intervals. Each interval belongs to a part of the split.
pub(super) struct PartIntervals {
    /// The upper end of each interval and the index of its part, in ascending order.
    ends_and_parts: Vec<(f64, usize)>,
}

impl PartIntervals {
    /// The intervals for parts of which none has a fixed number of rows.
    pub(super) fn from_shares(sizes: &[PartSize]) -> PartIntervals {
        PartIntervals::from_start(0.0, Vec::new(), sizes)
    }

    /// Adds intervals that divide the range from `start` to 1 among the parts with shares.
    fn from_start(start: f64, mut ends: Vec<(f64, usize)>, sizes: &[PartSize]) -> PartIntervals {
        let mut share_before = 0.0;
        for (part, size) in sizes.iter().enumerate() {
            if let PartSize::Share(share) = size {
                share_before += share;
                ends.push((start + share_before * (1.0 - start), part));
            }
        }
        PartIntervals {
            ends_and_parts: ends,
        }
    }

    /// The index of the part whose interval contains this random number.
    pub(super) fn part_at(&self, fraction: f64) -> usize {
        let mut interval_ends = self.ends_and_parts.iter();
        let part = interval_ends.find(|(end, _)| fraction < *end);
        // Because of rounding, the sum of the shares can be slightly less than 1. The last part gets the rest.
        let part = part.or(self.ends_and_parts.last());
        part.map_or(0, |(_, part)| *part)
    }
}

/// Finds the random numbers that belong to parts with a fixed number of rows. These parts get the rows with the lowest
/// random numbers.
pub(super) struct LowestRows {
    part_sizes: Vec<PartSize>,
    /// The total number of rows in parts with a fixed number of rows.
    wanted_rows: u64,
    /// The lowest random numbers of rows, as the bits of floats: one for each wanted row, and one more.
    lowest_fractions: BinaryHeap<u64>,
    row_count: u64,
}

impl LowestRows {
    /// Starts counting rows; `None` if no part has a fixed number of rows.
    pub(super) fn new(sizes: &[PartSize]) -> Option<LowestRows> {
        let wanted_rows = sizes.iter().map(|size| match size {
            PartSize::Rows(rows) => *rows,
            PartSize::Share(_) => 0,
        });
        let wanted_rows: u64 = wanted_rows.fold(0, u64::saturating_add);
        (wanted_rows > 0).then(|| LowestRows {
            part_sizes: sizes.to_vec(),
            wanted_rows,
            lowest_fractions: BinaryHeap::new(),
            row_count: 0,
        })
    }

    /// Counts rows whose classes have these random numbers, in any order.
    pub(super) fn add_rows(&mut self, fractions: impl Iterator<Item = f64>) {
        for fraction in fractions {
            self.row_count += 1;
            // For non-negative floats, the order of the bits is the order of the values.
            let bits = fraction.to_bits();
            if self.lowest_fractions.len() as u64 <= self.wanted_rows {
                self.lowest_fractions.push(bits);
            } else if let Some(mut highest) = self.lowest_fractions.peek_mut()
                && bits < *highest
            {
                *highest = bits;
            }
        }
    }

    /// For each part, its share of all rows.
    ///
    /// # Errors
    ///
    /// The dataset has fewer rows than the parts with a fixed number of rows.
    pub(super) fn part_shares(&self) -> Result<Vec<f64>, Error> {
        if self.row_count < self.wanted_rows {
            return Err(Error::TooFewRows {
                rows: self.row_count,
                wanted: self.wanted_rows,
            });
        }
        let all_rows = (self.row_count as f64).max(1.0);
        let share_of_others = (self.row_count - self.wanted_rows) as f64 / all_rows;
        let shares = self.part_sizes.iter().map(|size| match size {
            PartSize::Share(share) => share * share_of_others,
            PartSize::Rows(rows) => *rows as f64 / all_rows,
        });
        Ok(shares.collect())
    }

    /// The intervals of random numbers of the parts. A class is never divided, so a part with a fixed number of rows
    /// may get slightly fewer rows. It never gets more.
    pub(super) fn intervals(&mut self) -> PartIntervals {
        let sorted = std::mem::take(&mut self.lowest_fractions).into_sorted_vec();
        let mut interval_ends = Vec::new();
        let (mut first, mut start) = (0, 0.0);
        for (part, size) in self.part_sizes.iter().enumerate() {
            let PartSize::Rows(rows) = size else {
                continue;
            };
            let mut end_index = (first + *rows as usize).min(sorted.len());
            // All rows of a class have the same random number. A class that does not fit completely into this part
            // belongs to the next part.
            while end_index > first && sorted.get(end_index) == sorted.get(end_index - 1) {
                end_index -= 1;
            }
            start = sorted
                .get(end_index)
                .map_or(1.0, |bits| f64::from_bits(*bits));
            interval_ends.push((start, part));
            first = end_index;
        }
        PartIntervals::from_start(start, interval_ends, &self.part_sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_rows_by_part(sizes: &[PartSize], classes: &[(f64, usize)]) -> Vec<u64> {
        let mut lowest = LowestRows::new(sizes).unwrap();
        for (fraction, rows) in classes {
            lowest.add_rows((0..*rows).map(|_| *fraction));
        }
        let intervals = lowest.intervals();
        let mut rows_by_part = vec![0; sizes.len()];
        for (fraction, rows) in classes {
            rows_by_part[intervals.part_at(*fraction)] += *rows as u64;
        }
        rows_by_part
    }

    #[test]
    fn parts_with_a_fixed_number_of_rows_have_exactly_this_number() {
        let mut rng = Rng::new(4);
        let classes: Vec<(f64, usize)> = (0..1000).map(|_| (rng.fraction(), 1)).collect();
        let sizes = [
            PartSize::Share(0.75),
            PartSize::Rows(100),
            PartSize::Rows(31),
            PartSize::Share(0.25),
        ];
        let rows_by_part = count_rows_by_part(&sizes, &classes);
        assert_eq!(rows_by_part[1..3], [100, 31]);
        assert_eq!(rows_by_part.iter().sum::<u64>(), 1000);
        assert!((600..710).contains(&rows_by_part[0]), "{rows_by_part:?}");
        // The two parts with a fixed number of rows take all 1,000 rows, so nothing is left for the third part.
        let sizes = [
            PartSize::Rows(600),
            PartSize::Rows(400),
            PartSize::Share(1.0),
        ];
        assert_eq!(count_rows_by_part(&sizes, &classes), [600, 400, 0]);
    }

    #[test]
    fn classes_stay_whole_so_that_a_part_may_have_fewer_rows() {
        let mut rng = Rng::new(5);
        let classes: Vec<(f64, usize)> = (0..300).map(|_| (rng.fraction(), 7)).collect();
        let sizes = [PartSize::Rows(100), PartSize::Share(1.0)];
        assert_eq!(count_rows_by_part(&sizes, &classes), [98, 2002]);
        let one_class = [(0.5, 10)];
        assert_eq!(
            count_rows_by_part(&[PartSize::Rows(5), PartSize::Share(1.0)], &one_class),
            [0, 10]
        );
    }

    #[test]
    fn fewer_rows_than_the_parts_need_are_an_error() {
        let mut lowest = LowestRows::new(&[PartSize::Rows(3), PartSize::Share(1.0)]).unwrap();
        lowest.add_rows([0.5; 2].into_iter());
        assert!(matches!(
            lowest.part_shares(),
            Err(Error::TooFewRows { rows: 2, wanted: 3 })
        ));
    }
}
