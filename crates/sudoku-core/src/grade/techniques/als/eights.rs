//! Sets of digits, eight at once.

use wide::u16x8;

/// The number of cells of each choice of nine cells, in eights. A choice has the cells whose bits are
/// set in its number.
pub(super) static CELL_COUNTS: [[u16; 8]; 64] = {
    let mut counts = [[0; 8]; 64];
    let mut choice = 0;
    while choice < 512 {
        counts[choice / 8][choice % 8] = choice.count_ones() as u16;
        choice += 1;
    }
    counts
};

/// How many of the ten low bits of each number are set. The others are 0.
pub(super) fn count(numbers: u16x8) -> u16x8 {
    let twos = numbers - ((numbers >> 1) & u16x8::splat(0x155));
    let fours = (twos & u16x8::splat(0x333)) + ((twos >> 2) & u16x8::splat(0x333));
    // The product has the sum of the three in its third four bits.
    ((fours * u16x8::splat(0x111)) >> 8) & u16x8::splat(0xf)
}

/// A bit for each number that is zero.
pub(super) fn zeros(numbers: u16x8) -> u32 {
    numbers.simd_eq(u16x8::ZERO).to_bitmask() & 0xff
}

/// The indexes of the set bits.
pub(super) fn bits(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then_some(bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(bit)
    })
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
