//! Sets of small numbers, each a row of bits.

/// Sets of numbers below a common limit. Each set is a row of bits, and all rows have the same number of
/// words.
///
/// ```text
/// row n, word w   bit b: number 64·w + b is in set n
/// ```
#[derive(Clone, Debug, Default)]
pub(crate) struct BitRows {
    bits: Vec<u64>,
    words: usize,
}

impl BitRows {
    /// Makes `rows` empty sets, for numbers below `columns`.
    pub(crate) fn new(rows: usize, columns: usize) -> BitRows {
        let words = columns.div_ceil(64);
        BitRows {
            bits: vec![0; rows * words],
            words,
        }
    }

    /// Makes a list without sets, with memory reserved for `rows` sets of `words` words each.
    pub(super) fn with_capacity(rows: usize, words: usize) -> BitRows {
        BitRows {
            bits: Vec::with_capacity(rows * words),
            words,
        }
    }

    /// Appends an empty set. Returns the words of all earlier sets, and the words of the new set.
    pub(super) fn push_empty(&mut self) -> (&[u64], &mut [u64]) {
        let length = self.bits.len();
        self.bits.resize(length + self.words, 0);
        let (before, new) = self.bits.split_at_mut(length);
        (before, new)
    }

    /// The number of sets, which is the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.bits.len() / self.words.max(1)
    }

    /// The number of 64-bit words of each set.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    pub(crate) fn row(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..][..self.words]
    }

    pub(crate) fn row_mut(&mut self, at: usize) -> &mut [u64] {
        &mut self.bits[at * self.words..][..self.words]
    }

    /// Adds a number to the set with the index `row`.
    pub(crate) fn insert(&mut self, row: usize, number: usize) {
        insert(self.row_mut(row), number);
    }

    /// Removes a number from the set with the index `row`.
    pub(crate) fn remove(&mut self, row: usize, number: usize) {
        self.row_mut(row)[number / 64] &= !(1 << (number % 64));
    }
}

/// Adds a number to a set, given as its words.
pub(crate) fn insert(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

/// Adds all numbers of the set `other` to `set`.
pub(crate) fn add(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

/// Whether a set, given as its words, contains this number.
pub(crate) fn has(set: &[u64], number: usize) -> bool {
    set[number / 64] >> (number % 64) & 1 == 1
}

/// Whether two sets have a number in common.
pub(crate) fn meets(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The number of elements of a set, given as its words.
pub(crate) fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// The elements of a set in ascending order. `words` are the words of the set.
pub(crate) fn members(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    let words = words.enumerate();
    words.flat_map(|(at, word)| bits(word).map(move |bit| 64 * at + bit))
}

/// The indexes of the set bits of a mask, in ascending order.
pub(crate) fn bits(mask: impl Into<u64>) -> impl Iterator<Item = usize> + Clone {
    let mut mask = mask.into();
    std::iter::from_fn(move || {
        let at = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(at)
    })
}
