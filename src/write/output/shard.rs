//! One shard of the inputs: which share of them a run takes.

use std::fmt;
use std::str::FromStr;

/// Share `index` of `count` equal shares of the inputs; the first share has index 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// A text that is not `I/N` with I from 0 to N - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be I/N with I from 0 to N - 1")]
pub struct InvalidShard;

impl Shard {
    /// The share with this index, from 0, of so many.
    ///
    /// # Errors
    /// There is no such share.
    pub fn new(index: u64, count: u64) -> Result<Shard, InvalidShard> {
        match index < count {
            true => Ok(Shard { index, count }),
            false => Err(InvalidShard),
        }
    }

    /// How many shares there are.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether the n-th item, from 0, is in this share.
    pub fn owns(self, n: usize) -> bool {
        self.owner(n) == self.index
    }

    /// The index of the share that the n-th item is in.
    pub fn owner(self, n: usize) -> u64 {
        n as u64 % self.count
    }

    /// The index of this share.
    pub fn index(self) -> u64 {
        self.index
    }
}

/// `3/8`: the fourth of eight.
impl FromStr for Shard {
    type Err = InvalidShard;

    fn from_str(text: &str) -> Result<Shard, InvalidShard> {
        let (index, count) = text.split_once('/').ok_or(InvalidShard)?;
        let number = |text: &str| text.parse().map_err(|_| InvalidShard);
        Shard::new(number(index)?, number(count)?)
    }
}

/// `3-of-8`, as names of files have it.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_an_index_below_a_count() {
        let shard: Shard = "3/8".parse().unwrap();
        assert_eq!((shard.index(), shard.count()), (3, 8));
        assert_eq!(shard.to_string(), "3-of-8");
        assert!(shard.owns(11) && !shard.owns(8));
        for text in ["8/8", "3", "a/8", "-1/8", "0/0", "", "1/2/3"] {
            assert_eq!(text.parse::<Shard>(), Err(InvalidShard), "{text}");
        }
    }
}
