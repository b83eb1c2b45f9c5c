//! The types for a digit and for a set of digits.

use std::fmt;

/// One of the digits 1–9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit(u8);

impl Digit {
    /// All digits, from 1 to 9.
    pub const ALL: [Digit; 9] = {
        let mut digits = [Digit(0); 9];
        let mut i = 0;
        while i < 9 {
            digits[i] = Digit(i as u8);
            i += 1;
        }
        digits
    };

    /// The digit with this value; `None` unless it is 1–9.
    pub const fn from_value(value: u8) -> Option<Digit> {
        match value {
            1..=9 => Some(Digit(value - 1)),
            _ => None,
        }
    }

    /// The digit `index + 1`. Panics unless `index < 9`.
    pub const fn from_index(index: usize) -> Digit {
        assert!(index < 9);
        Digit(index as u8)
    }

    /// The index of the digit in [`Digit::ALL`], 0–8.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The digit as a number, 1–9.
    pub const fn value(self) -> u8 {
        self.0 + 1
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

/// A set of digits: bit `d - 1` is set for digit `d`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct DigitSet(u16);

impl DigitSet {
    /// The set without digits.
    pub const EMPTY: DigitSet = DigitSet(0);
    /// The set of all nine digits.
    pub const FULL: DigitSet = DigitSet(0x1ff);

    /// The set with the nine low bits of `bits`.
    pub const fn from_bits(bits: u16) -> DigitSet {
        DigitSet(bits & 0x1ff)
    }

    /// The set as bits: bit `d - 1` for digit `d`.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Adds a digit to the set.
    pub fn insert(&mut self, digit: Digit) {
        self.0 |= 1 << digit.0;
    }

    /// Removes a digit from the set.
    pub fn remove(&mut self, digit: Digit) {
        self.0 &= !(1 << digit.0);
    }

    /// Whether the digit is in the set.
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 >> digit.0 & 1 == 1
    }

    /// The number of digits in the set, 0–9.
    pub const fn len(self) -> usize {
        count_nine(self.0)
    }

    /// Whether the set has no digit.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The digit of a set with exactly one digit; `None` for all other sets.
    pub fn single(self) -> Option<Digit> {
        (self.len() == 1).then(|| Digit(self.0.trailing_zeros() as u8))
    }

    /// The digits that are in at least one of the sets.
    #[must_use]
    pub const fn union(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 | other.0)
    }

    /// The digits that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 & other.0)
    }

    /// The digits of the set that are greater than `digit`.
    #[must_use]
    pub(crate) const fn above(self, digit: Digit) -> DigitSet {
        DigitSet(self.0 & 0x1fe << digit.0)
    }

    /// The digits that are not in the set.
    #[must_use]
    pub const fn complement(self) -> DigitSet {
        DigitSet(!self.0 & 0x1ff)
    }
}

impl Iterator for DigitSet {
    type Item = Digit;

    fn next(&mut self) -> Option<Digit> {
        if self.0 == 0 {
            return None;
        }
        let digit = Digit(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(digit)
    }
}

impl FromIterator<Digit> for DigitSet {
    fn from_iter<T: IntoIterator<Item = Digit>>(digits: T) -> DigitSet {
        let mut set = DigitSet::EMPTY;
        for digit in digits {
            set.insert(digit);
        }
        set
    }
}

impl fmt::Debug for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.map(Digit::value)).finish()
    }
}

impl fmt::Display for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.into_iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

/// The number of set bits among the low nine bits. It is read from a table, because some machines have no
/// instruction that counts bits.
pub(crate) const fn count_nine(bits: u16) -> usize {
    static COUNTS: [u8; 512] = {
        let mut counts = [0; 512];
        let mut bits = 0;
        while bits < 512 {
            counts[bits] = bits.count_ones() as u8;
            bits += 1;
        }
        counts
    };
    COUNTS[(bits & 0x1ff) as usize] as usize
}
