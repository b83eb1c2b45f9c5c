//! Sets of numbered graph nodes, stored as bits in an array of words.

/// A set of node numbers, as an array of words: bit n for node n.
pub(super) type NodeSet<const W: usize> = [u64; W];

/// The set of the node numbers below `count`.
pub(super) fn first_numbers<const W: usize>(count: usize) -> NodeSet<W> {
    let mut row = [0; W];
    row[..count / 64].fill(!0);
    if let Some(word) = row.get_mut(count / 64) {
        *word = (1 << (count % 64)) - 1;
    }
    row
}

/// Adds the node `n` to the set.
pub(super) fn insert<const W: usize>(row: &mut NodeSet<W>, n: usize) {
    row[n / 64] |= 1 << (n % 64);
}

/// Removes the node `n` from the set.
pub(super) fn remove<const W: usize>(row: &mut NodeSet<W>, n: usize) {
    row[n / 64] &= !(1 << (n % 64));
}

/// Whether the node `n` is in the set.
pub(super) fn contains<const W: usize>(row: &NodeSet<W>, n: usize) -> bool {
    row[n / 64] >> (n % 64) & 1 == 1
}

/// Whether the set is empty.
pub(super) fn is_empty<const W: usize>(row: &NodeSet<W>) -> bool {
    row.iter().fold(0, |all, word| all | word) == 0
}

/// Adds all nodes of the set `more` to the set `row`.
pub(super) fn add<const W: usize>(row: &mut NodeSet<W>, more: &NodeSet<W>) {
    for (word, more) in row.iter_mut().zip(more) {
        *word |= more;
    }
}

/// The nodes that are in `row` but not in `less`.
pub(super) fn without<const W: usize>(row: &NodeSet<W>, less: &NodeSet<W>) -> NodeSet<W> {
    let mut left = *row;
    for (word, less) in left.iter_mut().zip(less) {
        *word &= !less;
    }
    left
}

/// The nodes that are in both sets.
pub(super) fn common<const W: usize>(row: &NodeSet<W>, other: &NodeSet<W>) -> NodeSet<W> {
    let mut common = *row;
    for (word, other) in common.iter_mut().zip(other) {
        *word &= other;
    }
    common
}

/// The node with the lowest number in the set; `None` if the set is empty.
pub(super) fn first<const W: usize>(row: &NodeSet<W>) -> Option<usize> {
    let at = row.iter().position(|word| *word != 0)?;
    Some(64 * at + row[at].trailing_zeros() as usize)
}

/// Calls `visit` with the number of each set bit, in increasing order.
pub(super) fn for_each_bit<const W: usize>(row: &[u64; W], mut visit: impl FnMut(usize)) {
    for (at, word) in row.iter().enumerate() {
        let mut word = *word;
        while word != 0 {
            visit(64 * at + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}
