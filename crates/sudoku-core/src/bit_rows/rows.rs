//! Sets of small numbers, each a row of bits.

/// Sets of numbers below a limit. Each set is a row of the same number of words.
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
    /// `rows` empty sets of numbers below `columns`.
    pub(crate) fn new(rows: usize, columns: usize) -> BitRows {
        let words = columns.div_ceil(64);
        BitRows {
            bits: vec![0; rows * words],
            words,
        }
    }

    /// No set yet, with memory for `rows` sets of `words` words.
    pub(super) fn with_capacity(rows: usize, words: usize) -> BitRows {
        BitRows {
            bits: Vec::with_capacity(rows * words),
            words,
        }
    }

    /// Appends an empty set. Returns the words of the sets before it, and the new set.
    pub(super) fn push_empty(&mut self) -> (&[u64], &mut [u64]) {
        let length = self.bits.len();
        self.bits.resize(length + self.words, 0);
        let (before, new) = self.bits.split_at_mut(length);
        (before, new)
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> usize {
        self.bits.len() / self.words.max(1)
    }

    /// The number of words of each set.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    pub(crate) fn row(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..][..self.words]
    }

    pub(crate) fn row_mut(&mut self, at: usize) -> &mut [u64] {
        &mut self.bits[at * self.words..][..self.words]
    }

    /// Adds a number to a set.
    pub(crate) fn insert(&mut self, row: usize, number: usize) {
        insert(self.row_mut(row), number);
    }

    /// Takes a number out of a set.
    pub(crate) fn remove(&mut self, row: usize, number: usize) {
        self.row_mut(row)[number / 64] &= !(1 << (number % 64));
    }
}

/// Adds a number to a set.
pub(crate) fn insert(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

/// Adds the numbers of another set.
pub(crate) fn add(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

/// Whether a set has this number.
pub(crate) fn has(set: &[u64], number: usize) -> bool {
    set[number / 64] >> (number % 64) & 1 == 1
}

/// Whether two sets have a number in common.
pub(crate) fn meets(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The number of elements of a set.
pub(crate) fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// The numbers of a set, given as its words, ascending.
pub(crate) fn members(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    let words = words.enumerate();
    words.flat_map(|(at, word)| bits(word).map(move |bit| 64 * at + bit))
}

/// The indexes of the set bits, ascending.
pub(crate) fn bits(mask: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut mask = mask.into();
    std::iter::from_fn(move || {
        let at = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(at)
    })
}
