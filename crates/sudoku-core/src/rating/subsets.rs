//! Subsets of up to nine items as bit masks, in ascending order of the masks (colex order).

/// All masks of nine bits that have `size` bits set, in ascending order. The masks below `1 << n`, which are the
/// subsets of the first n items, come first.
pub(super) fn subsets(size: usize) -> impl Iterator<Item = u16> {
    ALL[STARTS[size]..STARTS[size + 1]].iter().copied()
}

/// The subsets of the first `of` items that have `size` elements, as bit masks in ascending order.
pub(super) fn subsets_of(of: usize, size: usize) -> impl Iterator<Item = u16> {
    subsets(size).take_while(move |mask| usize::from(*mask) < 1 << of)
}

/// All masks of nine bits, sorted by their number of set bits, then by value.
static ALL: [u16; 512] = {
    let mut masks = [0; 512];
    let mut n = 0;
    let mut size = 0;
    while size <= 9 {
        let mut mask: u16 = 0;
        while mask < 512 {
            if mask.count_ones() == size {
                masks[n] = mask;
                n += 1;
            }
            mask += 1;
        }
        size += 1;
    }
    masks
};

/// For each number of bits, the index in [`ALL`] of the first mask with that many bits.
static STARTS: [usize; 11] = [0, 1, 10, 46, 130, 256, 382, 466, 502, 511, 512];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_by_the_value_of_their_mask() {
        assert_eq!(subsets(2).take(5).collect::<Vec<_>>(), [3, 5, 6, 9, 10]);
        for size in 0..=9 {
            let all: Vec<u16> = subsets(size).collect();
            assert!(all.is_sorted());
            assert!(all.iter().all(|mask| mask.count_ones() as usize == size));
        }
        assert_eq!(subsets_of(4, 2).count(), 6);
    }
}
