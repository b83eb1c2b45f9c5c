//! Conjugate pairs of a digit that hang together, in two colours.

use super::conjugate::conjugate_pairs;
use crate::board::{CellSet, Digit, DigitSet};
use crate::grade::{Pattern, Position};

/// Conjugate pairs that hang together: all cells of one colour hold the digit, none of the other.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) colours: [CellSet; 2],
}

impl Group {
    pub(super) fn both_ways(self) -> [(CellSet, CellSet); 2] {
        let [a, b] = self.colours;
        [(a, b), (b, a)]
    }

    pub(super) fn pattern(&self, digit: Digit) -> Pattern {
        let [a, b] = self.colours;
        Pattern::new([], a, DigitSet::from_iter([digit])).with_others(b)
    }

    pub(super) fn pattern_with(&self, other: &Group, digit: Digit) -> Pattern {
        let [[a, b], [c, d]] = [self.colours, other.colours];
        Pattern::new([], a | c, DigitSet::from_iter([digit])).with_others(b | d)
    }
}

pub(super) fn groups(board: &Position, digit: Digit) -> Vec<Group> {
    let pairs: Vec<_> = conjugate_pairs(board, digit).collect();
    let mut groups: Vec<Group> = Vec::new();
    let mut coloured = CellSet::EMPTY;
    for pair in &pairs {
        if coloured.contains(pair.ends[0]) {
            continue;
        }
        let mut colours = [CellSet::of(pair.ends[0]), CellSet::EMPTY];
        loop {
            let mut grown = colours;
            for (from, to) in pairs.iter().flat_map(|pair| pair.both_ways()) {
                for at in 0..2 {
                    if grown[at].contains(from) {
                        grown[1 - at].insert(to);
                    }
                }
            }
            if grown == colours {
                break;
            }
            colours = grown;
        }
        coloured |= colours[0] | colours[1];
        groups.push(Group { colours });
    }
    groups
}
