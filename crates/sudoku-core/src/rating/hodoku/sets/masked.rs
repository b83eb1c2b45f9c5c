//! Enumerates the subsets of up to nine bit masks, with the union of each subset.

use crate::bit_rows::bits;
use crate::board::count_nine;

/// Up to nine cells, digits or lines, each with a bit mask of its digits or places.
pub(crate) struct MaskedItems<T> {
    items: [Option<T>; 9],
    masks: [u16; 9],
    count: usize,
}

/// Collects the first nine items.
impl<T: Copy> FromIterator<(T, u16)> for MaskedItems<T> {
    fn from_iter<I: IntoIterator<Item = (T, u16)>>(items: I) -> MaskedItems<T> {
        let mut masked = MaskedItems {
            items: [None; 9],
            masks: [0; 9],
            count: 0,
        };
        for (item, mask) in items.into_iter().take(9) {
            masked.items[masked.count] = Some(item);
            masked.masks[masked.count] = mask;
            masked.count += 1;
        }
        masked
    }
}

impl<T: Copy> MaskedItems<T> {
    pub(crate) fn masks(&self) -> &[u16] {
        &self.masks[..self.count]
    }

    /// The items whose bit is set in `subset`.
    pub(crate) fn chosen(&self, subset: u16) -> impl Iterator<Item = T> {
        bits(subset).filter_map(|at| self.items[at])
    }

    pub(crate) fn subsets(&self) -> Subsets<'_> {
        Subsets {
            masks: self.masks(),
            chosen: 0,
            size: 0,
            unions: [0; 10],
            next: 0,
        }
    }

    /// The subsets of exactly `size` items whose masks have a union of at most `most` bits, in lexicographic order.
    pub(crate) fn of_size(&self, size: usize, most: usize) -> impl Iterator<Item = (u16, u16)> {
        let mut subsets = self.subsets();
        std::iter::from_fn(move || {
            loop {
                let (chosen, union) = subsets.next()?;
                let fits = count_nine(union) <= most;
                let is_whole = subsets.size == size;
                if !fits || is_whole || subsets.size + subsets.left() < size {
                    subsets.leave_longer();
                }
                if fits && is_whole {
                    return Some((chosen, union));
                }
            }
        })
    }

    /// The subsets of `size` items whose masks have a union of exactly `size` bits, in lexicographic order.
    pub(crate) fn locked(&self, size: usize) -> impl Iterator<Item = (u16, u16)> {
        let subsets = self.of_size(size, size);
        subsets.filter(move |(_, union)| count_nine(*union) == size)
    }
}

/// An iterator over the subsets of one or more masks: the indexes of the masks as bits, and the union of the masks. A
/// subset comes before longer subsets that begin with the same masks.
pub(crate) struct Subsets<'a> {
    masks: &'a [u16],
    chosen: u16,
    size: usize,
    /// `unions[n]` is the union of the first n chosen masks.
    unions: [u16; 10],
    /// The index of the mask that is tried next.
    next: usize,
}

impl Subsets<'_> {
    /// Skips the longer subsets that begin with the current one.
    pub(crate) fn leave_longer(&mut self) {
        self.size -= 1;
        self.chosen ^= 1 << (self.next - 1);
    }

    /// The largest number of masks that can still be added to the current subset.
    pub(crate) fn left(&self) -> usize {
        self.masks.len() - self.next
    }
}

impl Iterator for Subsets<'_> {
    type Item = (u16, u16);

    fn next(&mut self) -> Option<(u16, u16)> {
        while self.next == self.masks.len() {
            self.next = self.chosen.checked_ilog2()? as usize + 1;
            self.leave_longer();
        }
        let union = self.unions[self.size] | self.masks[self.next];
        self.chosen |= 1 << self.next;
        self.size += 1;
        self.unions[self.size] = union;
        self.next += 1;
        Some((self.chosen, union))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_of_a_size_come_in_lexicographic_order() {
        let masks = [1, 2, 4, 8, 16].map(|mask| ((), mask));
        let masked: MaskedItems<()> = masks.into_iter().collect();
        assert_eq!(masked.subsets().count(), 31);
        let pairs: Vec<u16> = masked.of_size(2, 2).map(|(chosen, _)| chosen).collect();
        assert_eq!(pairs, [3, 5, 9, 17, 6, 10, 18, 12, 20, 24]);
        assert_eq!(
            (masked.of_size(3, 2).count(), masked.locked(3).count()),
            (0, 10)
        );
    }
}
