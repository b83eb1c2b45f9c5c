//! Finds the candidates that the technique death blossom removes.

use super::net::AlsNet;
use super::packed::PackedSet;
use crate::board::{Cell, CellSet, Digit};
use crate::grade::order::TechniqueName;
use crate::grade::{Pattern, Position, Steps};

pub(in super::super) fn find_union(board: &Position, found: &mut Steps) {
    let net = board.derived::<AlsNet>();
    let mut stems = board.unsolved();
    // If the stem cell has two candidates, the stem is an almost locked set, and the pattern is an ALS-XY-wing.
    if board.is_missed(TechniqueName::AlsXyWing, found) {
        let [_, two, three] = board.at_least();
        stems = stems.without(two.without(three));
    }
    for part in net.exclusions() {
        let mut by_candidate = ByCandidate::new(board, stems);
        part.for_each_petal(net, stems, |stem, digit, excluded| {
            by_candidate.get_mut(stem, digit).add(excluded);
        });
        for stem in stems {
            let digits = board.digits(stem);
            // A petal for a digit excludes no candidates of that digit.
            let mut all = PackedSet::FULL;
            digits.for_each(|digit| all.clear(digit));
            for digit in digits {
                all.keep(by_candidate.get_mut(stem, digit));
                if all.is_empty() {
                    break;
                }
            }
            if !all.is_empty() && !digits.is_empty() {
                found.eliminate(board, part.unpack(&all).by_digit(), Pattern::default);
            }
        }
    }
}

/// For each candidate of the stems, the candidates that its petals exclude.
struct ByCandidate {
    /// For each digit and cell, the index in `excluded`.
    indexes: [[u16; 81]; 9],
    excluded: Vec<PackedSet>,
}

impl ByCandidate {
    fn new(board: &Position, stems: CellSet) -> ByCandidate {
        let mut indexes = [[0; 81]; 9];
        let mut count = 0;
        for digit in Digit::ALL {
            (board.places(digit) & stems).for_each(|cell| {
                indexes[digit.index()][cell.index()] = count;
                count += 1;
            });
        }
        ByCandidate {
            indexes,
            excluded: vec![PackedSet::EMPTY; count.into()],
        }
    }

    fn get_mut(&mut self, stem: Cell, digit: Digit) -> &mut PackedSet {
        let index = self.indexes[digit.index()][stem.index()];
        &mut self.excluded[usize::from(index)]
    }
}
