//! Finds the candidates that chains of one digit remove (X-chains), from the colours of conjugate pairs.
//!
//! In a group of connected conjugate pairs, all cells of one colour are true or all are false. So
//! chains lead from colour to colour, and there are only a few colours.

use super::conjugate::conjugate_pairs;
use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet};
use crate::grade::order::TechniqueName;
use crate::grade::position::Derived;
use crate::grade::{Position, Steps};

/// The candidates that chains of one digit remove, whatever their form and length.
pub(in crate::grade::techniques) struct XChains {
    pub(in crate::grade::techniques) removed: CandidateSet,
}

impl Derived for XChains {
    fn from_position(board: &Position) -> XChains {
        let steps = Steps::union_only();
        let digits = board.changes(TechniqueName::XChain, &steps).digits();
        let eliminations = x_chains(board, board.with_places_in_no_placement(digits));
        if eliminations.is_empty() {
            board.record_miss(TechniqueName::XChain, &steps);
        }
        XChains {
            removed: eliminations,
        }
    }
}

/// The candidates that X-chains of these digits remove.
fn x_chains(board: &Position, digits: DigitSet) -> CandidateSet {
    let mut eliminations = CandidateSet::EMPTY;
    let mut groups = ColourGroups::default();
    for digit in digits {
        groups.fill(board, digit);
        eliminations.insert(digit, groups.eliminations() & board.open_places(digit));
    }
    eliminations
}

/// The largest number of colour groups of a digit: at most one for each of the 27 houses.
const MOST_GROUPS: usize = 27;

/// The colours of all groups of connected conjugate pairs of a digit. Group n has the colours 2n and 2n + 1; exactly
/// one of the two is true.
pub(super) struct ColourGroups {
    colours: [CellSet; 2 * MOST_GROUPS],
    /// For each colour, the cells that see at least one of its cells.
    seen_by_colour: [CellSet; 2 * MOST_GROUPS],
    count: usize,
}

impl Default for ColourGroups {
    fn default() -> ColourGroups {
        ColourGroups {
            colours: [CellSet::EMPTY; 2 * MOST_GROUPS],
            seen_by_colour: [CellSet::EMPTY; 2 * MOST_GROUPS],
            count: 0,
        }
    }
}

impl ColourGroups {
    /// Finds the colour groups of a digit: connected conjugate pairs, coloured with two colours.
    pub(super) fn for_digit(board: &Position, digit: Digit) -> ColourGroups {
        let mut groups = ColourGroups::default();
        groups.fill(board, digit);
        groups
    }

    fn fill(&mut self, board: &Position, digit: Digit) {
        self.count = 0;
        for pair in conjugate_pairs(board, digit) {
            self.add_pair(pair.ends);
        }
    }

    /// The cells of this cell's colour, and the cells of the opposite colour; `None` if the cell is in no group.
    pub(super) fn colours_from(&self, cell: Cell) -> Option<[CellSet; 2]> {
        let colour = self.colour_of(cell)?;
        Some([self.colours[colour], self.colours[colour ^ 1]])
    }

    /// Adds a conjugate pair, which gives its two cells opposite colours.
    fn add_pair(&mut self, [a, b]: [Cell; 2]) {
        match (self.colour_of(a), self.colour_of(b)) {
            (None, None) => {
                self.colours[2 * self.count] = CellSet::of(a);
                self.colours[2 * self.count + 1] = CellSet::of(b);
                self.count += 1;
            }
            (Some(colour), None) => self.colours[colour ^ 1].insert(b),
            (None, Some(colour)) => self.colours[colour ^ 1].insert(a),
            (Some(of_a), Some(of_b)) if of_a / 2 == of_b / 2 => {
                self.colours[of_a ^ 1].insert(b);
                self.colours[of_b ^ 1].insert(a);
            }
            (Some(of_a), Some(of_b)) => self.merge(of_a ^ 1, of_b),
        }
    }

    fn colour_of(&self, cell: Cell) -> Option<usize> {
        let mut colours = self.colours[..2 * self.count].iter();
        colours.position(|cells| cells.contains(cell))
    }

    /// Merges two groups, so that `colour` of one group becomes the colour `into` of the other. The last group gets the
    /// number of the removed group.
    fn merge(&mut self, into: usize, colour: usize) {
        self.count -= 1;
        for other in 0..2 {
            let cells = self.colours[colour ^ other];
            self.colours[into ^ other] |= cells;
        }
        for other in 0..2 {
            self.colours[colour & !1 | other] = self.colours[2 * self.count + other];
        }
    }

    /// The cells that lose the digit. They see some colour, so they are false if it is true; and by chains of any
    /// length they are also false if it is false.
    fn eliminations(&mut self) -> CellSet {
        let colours = &self.colours[..2 * self.count];
        let seen_by_colour = &mut self.seen_by_colour;
        for (seen, cells) in seen_by_colour.iter_mut().zip(colours) {
            *seen = cells.all_peers();
        }
        let mut eliminations = CellSet::EMPTY;
        for start in 0..colours.len() {
            let mut is_false = 1u64 << start;
            let mut fresh = is_false;
            let mut excluded_places = CellSet::EMPTY;
            while fresh != 0 {
                let colour_on = fresh.trailing_zeros() as usize ^ 1;
                fresh &= fresh - 1;
                excluded_places |= seen_by_colour[colour_on];
                for (colour, cells) in colours.iter().enumerate() {
                    let bit = 1 << colour;
                    if is_false & bit == 0 && !(seen_by_colour[colour_on] & *cells).is_empty() {
                        is_false |= bit;
                        fresh |= bit;
                    }
                }
            }
            eliminations |= excluded_places & seen_by_colour[start];
        }
        eliminations
    }
}
