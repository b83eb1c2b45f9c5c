//! A shard: a deterministic share of the inputs, for jobs on several machines.

use std::fmt;
use std::str::FromStr;

use crate::hash::{fnv1a, spread_bits};

/// A share of the inputs. `index` is the number of this share, from 0, and `count` is the number of all shares. All
/// shares have about the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// The error for a text that is not `I/N`, where I is from 0 to N - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be I/N with I from 0 to N - 1")]
pub struct InvalidShard;

impl Shard {
    /// The share with this index of `count` shares. The index is from 0.
    ///
    /// # Errors
    ///
    /// `index` is not less than `count`.
    pub fn new(index: u64, count: u64) -> Result<Shard, InvalidShard> {
        if index < count {
            Ok(Shard { index, count })
        } else {
            Err(InvalidShard)
        }
    }

    /// The number of shares.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether the whole input with this name belongs to this share.
    pub fn owns(self, input: &str) -> bool {
        self.owner(input, 0) == self.index
    }

    /// The index of the shard that processes this row group of the input. Both are counted from 0. The result does not
    /// depend on the other inputs, so an additional input does not move other inputs to another shard. An input without
    /// row groups belongs to the shard of its row group 0.
    pub fn owner(self, input: &str, row_group: usize) -> u64 {
        let hash = spread_bits(fnv1a(input.as_bytes()));
        (hash % self.count + row_group as u64 % self.count) % self.count
    }

    /// The index of this share, from 0.
    pub fn index(self) -> u64 {
        self.index
    }
}

/// Parses `3/8`, the fourth of eight shares.
impl FromStr for Shard {
    type Err = InvalidShard;

    fn from_str(text: &str) -> Result<Shard, InvalidShard> {
        let (index, count) = text.split_once('/').ok_or(InvalidShard)?;
        let parse_number = |text: &str| text.parse().map_err(|_| InvalidShard);
        Shard::new(parse_number(index)?, parse_number(count)?)
    }
}

/// Formats the shard for names of files: `3-of-8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_with_similar_names_are_divided_evenly() {
        for count in [2, 3, 8, 100] {
            let mut sizes = vec![0; count];
            let shard = Shard::new(0, count as u64).unwrap();
            for n in 0..count * 1000 {
                sizes[shard.owner(&format!("in/part-{n:05}.csv.gz"), 0) as usize] += 1;
            }
            let is_even = |size: &i32| (850..1150).contains(size);
            assert!(sizes.iter().all(is_even), "{count}: {sizes:?}");
        }
    }

    #[test]
    fn a_shard_is_an_index_below_a_count() {
        let shard: Shard = "3/8".parse().unwrap();
        assert_eq!((shard.index(), shard.count()), (3, 8));
        assert_eq!(shard.to_string(), "3-of-8");
        assert_eq!((shard.owner("a", 0) + 11) % 8, shard.owner("a", 11));
        for text in ["8/8", "3", "a/8", "-1/8", "0/0", "", "1/2/3"] {
            assert_eq!(text.parse::<Shard>(), Err(InvalidShard), "{text}");
        }
    }
}
