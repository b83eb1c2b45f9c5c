//! Plants the pattern of a rare technique in a full grid: decides which clues must be removed, and which must
//! stay, so that the puzzle needs the technique.
//!
//! A jellyfish that no smaller fish replaces needs a digit with hardly any clues. A hidden quad that no naked
//! subset replaces needs a house with hardly any clues. Other clues must exclude all candidates around the
//! pattern. Removing clues in random order hardly ever produces such a puzzle.
//!
//! So the clues that break the pattern are removed first, the clues that form it stay, and all others are
//! removed if they are redundant. Then clues are added, while the technique still finds the pattern, until
//! the puzzle is solved.

use crate::board::{Cell, Digit, Grid, House};
use crate::grade::Rank;
use crate::random::Rng;

/// When the clue of a cell is removed from the full grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Removal {
    /// Removed first: these clues break the pattern.
    First,
    /// Removed next, if redundant: these clues do not matter for the pattern.
    Normal,
    /// Never removed: these clues form the pattern.
    Never,
}

/// The number of lines of a jellyfish, which is also the number of digits of a hidden quad.
const PATTERN_SIZE: usize = 4;

/// A technique whose pattern can be planted in a full grid.
#[derive(Clone, Copy)]
pub(super) enum Plant {
    HiddenQuad,
    Jellyfish,
}

impl Plant {
    /// The pattern to plant for the technique of this rank; `None` if removing clues at random is good
    /// enough.
    pub(super) fn for_rank(rank: Rank) -> Option<Plant> {
        match rank.id() {
            "hidden_quad" => Some(Plant::HiddenQuad),
            "jellyfish" => Some(Plant::Jellyfish),
            _ => None,
        }
    }

    /// For each cell, when its clue is removed, so that the pattern appears at a random place of the grid.
    pub(super) fn removals(self, solution: &Grid, rng: &mut Rng) -> [Removal; 81] {
        match self {
            Plant::HiddenQuad => hidden_quad(solution, rng),
            Plant::Jellyfish => jellyfish(solution, rng),
        }
    }
}

/// Plants a hidden quad: four digits whose only places in a house are four cells. The house has no clues.
/// Clues of the four digits exclude them from the other five cells of the house, but not from the four cells.
/// A fifth digit stays a candidate in the four cells, so that the quad has a candidate to remove.
fn hidden_quad(solution: &Grid, rng: &mut Rng) -> [Removal; 81] {
    let house = House::ALL[rng.below(House::ALL.len())];
    let mut cells: Vec<Cell> = house.cells().collect();
    rng.shuffle(&mut cells);
    let (pattern, rest) = cells.split_at(PATTERN_SIZE);
    let sees_any = |cell: Cell, others: &[Cell]| cell.peers().any(|peer| others.contains(&peer));
    let mut removals = [Removal::Normal; 81];
    for own in pattern.iter().chain(&rest[..1]) {
        let is_digit = |cell: &Cell| solution.get(*cell) == solution.get(*own);
        let mut cells_of_digit: Vec<Cell> = Cell::all().filter(is_digit).collect();
        rng.shuffle(&mut cells_of_digit);
        let mut possible_cells = if pattern.contains(own) {
            rest.to_vec()
        } else {
            Vec::new()
        };
        for place in cells_of_digit {
            if sees_any(place, pattern) {
                removals[place.index()] = Removal::First;
            } else if sees_any(place, &possible_cells) {
                removals[place.index()] = Removal::Never;
                possible_cells.retain(|cell| !place.peers().any(|peer| peer == *cell));
            }
        }
    }
    cells
        .iter()
        .for_each(|cell| removals[cell.index()] = Removal::First);
    removals
}

/// Plants a jellyfish: four lines in which all places of a digit are in four crossing lines. At most one clue
/// has this digit, and the other cells of the four lines have clues.
fn jellyfish(solution: &Grid, rng: &mut Rng) -> [Removal; 81] {
    let digit = Digit::from_index(rng.below(9));
    let bases_are_rows = rng.below(2) == 0;
    let base = |cell: Cell| {
        if bases_are_rows {
            cell.row()
        } else {
            cell.column()
        }
    };
    let cover_index = |cell: Cell| {
        if bases_are_rows {
            cell.column()
        } else {
            cell.row()
        }
    };
    let is_digit = |cell: &Cell| solution.get(*cell) == Some(digit);
    let mut cells_of_digit: Vec<Cell> = Cell::all().filter(is_digit).collect();
    rng.shuffle(&mut cells_of_digit);
    let (pattern, rest) = cells_of_digit.split_at(PATTERN_SIZE);
    let first_cell = rest[0];
    let mut removals = [Removal::Normal; 81];
    for cell in Cell::all().filter(|cell| *cell != first_cell) {
        let is_base = pattern.iter().any(|own| base(*own) == base(cell));
        let is_cover = pattern
            .iter()
            .any(|own| cover_index(*own) == cover_index(cell));
        removals[cell.index()] = match is_digit(&cell) {
            true => Removal::First,
            false if is_base && !is_cover => Removal::Never,
            false => Removal::Normal,
        };
    }
    removals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Generator, GradeTarget};
    use crate::grade::Ladder;

    #[test]
    fn a_jellyfish_is_reached() {
        let rank = Rank::from_id("jellyfish").unwrap();
        let generator = Generator {
            target: GradeTarget::Technique(rank),
            max_attempts: 10_000,
            ..Generator::any(15)
        };
        for n in 0..3 {
            let puzzle = generator.puzzle(n).unwrap().puzzle;
            assert_eq!(Ladder::default().grade(&puzzle).rank, rank, "{puzzle}");
        }
    }

    #[test]
    fn a_planted_pattern_has_room_around_it() {
        let solution = Generator::any(3).puzzle(0).unwrap().solution;
        let mut rng = Rng::new(3);
        for _ in 0..50 {
            let count_of_kind = |removals: [Removal; 81], removal| {
                removals.into_iter().filter(|own| *own == removal).count()
            };
            let quad = Plant::HiddenQuad.removals(&solution, &mut rng);
            assert!(count_of_kind(quad, Removal::First) >= 9);
            let fish = Plant::Jellyfish.removals(&solution, &mut rng);
            assert_eq!(
                (
                    count_of_kind(fish, Removal::First),
                    count_of_kind(fish, Removal::Never)
                ),
                (8, 20)
            );
        }
    }
}
