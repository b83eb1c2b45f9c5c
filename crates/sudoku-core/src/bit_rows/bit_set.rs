//! Sets of small numbers, of a fixed size.

/// A set of numbers from 0 to `64 · W − 1`.
///
/// ```text
/// word w   bit b: number 64·w + b is in the set
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BitSet<const W: usize>([u64; W]);

impl<const W: usize> BitSet<W> {
    pub(crate) const EMPTY: BitSet<W> = BitSet([0; W]);

    /// The set of the numbers below `count`.
    pub(crate) fn below(count: usize) -> BitSet<W> {
        let mut set = BitSet::EMPTY;
        set.0[..count / 64].fill(!0);
        if let Some(word) = set.0.get_mut(count / 64) {
            *word = (1 << (count % 64)) - 1;
        }
        set
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, n: usize) {
        self.0[n / 64] |= 1 << (n % 64);
    }

    /// Removes a number.
    #[inline(always)]
    pub(crate) fn remove(&mut self, n: usize) {
        self.0[n / 64] &= !(1 << (n % 64));
    }

    #[inline(always)]
    pub(crate) fn contains(&self, n: usize) -> bool {
        self.0[n / 64] >> (n % 64) & 1 == 1
    }

    /// Adds all numbers of the other set.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &BitSet<W>) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// Removes the numbers that are not in the other set.
    #[inline(always)]
    pub(crate) fn keep(&mut self, other: &BitSet<W>) {
        for (word, kept) in self.0.iter_mut().zip(other.0) {
            *word &= kept;
        }
    }

    /// Removes all numbers of the other set.
    #[inline(always)]
    pub(crate) fn subtract(&mut self, other: &BitSet<W>) {
        for (word, out) in self.0.iter_mut().zip(other.0) {
            *word &= !out;
        }
    }

    /// The numbers that are in both sets.
    #[inline(always)]
    pub(crate) fn common(&self, other: &BitSet<W>) -> BitSet<W> {
        let mut common = *self;
        common.keep(other);
        common
    }

    /// The lowest number in the set; `None` if the set is empty.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<usize> {
        let at = self.0.iter().position(|word| *word != 0)?;
        Some(64 * at + self.0[at].trailing_zeros() as usize)
    }

    /// The set with these words, each computed from a word of this set.
    #[inline(always)]
    pub(crate) fn map_words(self, word: impl FnMut(u64) -> u64) -> BitSet<W> {
        BitSet(self.0.map(word))
    }

    /// Whether the sets have a number in common.
    #[inline(always)]
    pub(crate) fn meets(&self, other: &BitSet<W>) -> bool {
        let common = self
            .0
            .iter()
            .zip(other.0)
            .fold(0, |all, (a, b)| all | a & b);
        common != 0
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The number of elements in the set.
    #[inline(always)]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Calls `visit` with each element of the set, in ascending order.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (at, word) in self.0.iter().enumerate() {
            let mut bits_left = *word;
            while bits_left != 0 {
                visit(64 * at + bits_left.trailing_zeros() as usize);
                bits_left &= bits_left - 1;
            }
        }
    }
}
