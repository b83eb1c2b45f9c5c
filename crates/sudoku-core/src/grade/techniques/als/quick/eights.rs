//! Vector functions on sets of digits, for eight sets at a time.

use wide::u16x8;

/// The number of cells in each of the 512 subsets of a house's nine cells, in arrays of eight. Bit n of the subset's
/// index is set if the subset contains cell n.
pub(super) static CELL_COUNTS: [[u16; 8]; 64] = {
    let mut counts = [[0; 8]; 64];
    let mut choice = 0;
    while choice < 512 {
        counts[choice / 8][choice % 8] = choice.count_ones() as u16;
        choice += 1;
    }
    counts
};

/// Counts the set bits of eight numbers. Only the ten low bits of each number may be set.
pub(super) fn count(numbers: u16x8) -> u16x8 {
    let twos = numbers - ((numbers >> 1) & u16x8::splat(0x155));
    let fours = (twos & u16x8::splat(0x333)) + ((twos >> 2) & u16x8::splat(0x333));
    // Multiplying by 0x111 makes the third group of four bits the sum of the three groups.
    ((fours * u16x8::splat(0x111)) >> 8) & u16x8::splat(0xf)
}

/// A mask with bit n set if number n is zero.
pub(super) fn zeros(numbers: u16x8) -> u32 {
    numbers.simd_eq(u16x8::ZERO).to_bitmask() & 0xff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_low_bits_are_counted() {
        for n in 0..1024_u16 {
            let counts = count(u16x8::splat(n)).to_array();
            assert_eq!(counts, [n.count_ones() as u16; 8]);
        }
        assert_eq!(CELL_COUNTS[63][7], 9);
    }
}
