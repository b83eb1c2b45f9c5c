//! Patterns that a wanted technique needs, planted in a full grid: which clues are taken out first, and
//! which stay.
//!
//! A jellyfish that no smaller fish stands in for, and a hidden quad that no naked subset does, need a
//! digit or a house of which next to nothing is known, and around it clues that leave it just the places
//! of the pattern. Clues that are taken out in random order leave hardly ever that.
//!
//! So the clues that would resolve the pattern go first, those that make it stay, and all others go that
//! can. Then clues come back, as long as the pattern is of use, until nothing else is missing.

use crate::board::{Cell, Digit, Grid, House};
use crate::grade::Rank;
use crate::random::Rng;

/// When a clue is to be taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Turn {
    /// It would resolve the pattern.
    First,
    /// It has nothing to do with the pattern.
    Any,
    /// It makes the pattern, and stays.
    Never,
}

/// How many lines or digits the patterns have.
const SIZE: usize = 4;

/// A technique whose pattern can be planted.
#[derive(Clone, Copy)]
pub(super) enum Plant {
    HiddenQuad,
    Jellyfish,
}

impl Plant {
    /// That of a technique; `None` where random clues do.
    pub(super) fn of(rank: Rank) -> Option<Plant> {
        match rank.id() {
            "hidden_quad" => Some(Plant::HiddenQuad),
            "jellyfish" => Some(Plant::Jellyfish),
            _ => None,
        }
    }

    /// The turn of each cell's clue, for a pattern at a place drawn at random.
    pub(super) fn turns(self, solution: &Grid, rng: &mut Rng) -> [Turn; 81] {
        match self {
            Plant::HiddenQuad => hidden_quad(solution, rng),
            Plant::Jellyfish => jellyfish(solution, rng),
        }
    }
}

/// Four digits that have no other places in a house than four cells. No clue is in the house; clues of the
/// four digits see the other five cells, and none sees the four cells; and so does none of a fifth
/// digit, which the four cells have besides.
fn hidden_quad(solution: &Grid, rng: &mut Rng) -> [Turn; 81] {
    let house = House::ALL[rng.below(House::ALL.len())];
    let mut cells: Vec<Cell> = house.cells().collect();
    rng.shuffle(&mut cells);
    let (pattern, rest) = cells.split_at(SIZE);
    let sees = |cell: Cell, others: &[Cell]| cell.peers().any(|peer| others.contains(&peer));
    let mut turns = [Turn::Any; 81];
    for own in pattern.iter().chain(&rest[..1]) {
        let is_digit = |cell: &Cell| solution.get(*cell) == solution.get(*own);
        let mut places: Vec<Cell> = Cell::all().filter(is_digit).collect();
        rng.shuffle(&mut places);
        let mut open = match pattern.contains(own) {
            true => rest.to_vec(),
            false => Vec::new(),
        };
        for place in places {
            if sees(place, pattern) {
                turns[place.index()] = Turn::First;
            } else if sees(place, &open) {
                turns[place.index()] = Turn::Never;
                open.retain(|cell| !place.peers().any(|peer| peer == *cell));
            }
        }
    }
    cells
        .iter()
        .for_each(|cell| turns[cell.index()] = Turn::First);
    turns
}

/// Four lines in which a digit has no other places than four lines across. No clue is of the digit, but
/// perhaps one, and the other cells of the four lines have clues.
fn jellyfish(solution: &Grid, rng: &mut Rng) -> [Turn; 81] {
    let digit = Digit::from_index(rng.below(9));
    let by_rows = rng.below(2) == 0;
    let base = |cell: Cell| if by_rows { cell.row() } else { cell.column() };
    let cover = |cell: Cell| if by_rows { cell.column() } else { cell.row() };
    let is_digit = |cell: &Cell| solution.get(*cell) == Some(digit);
    let mut places: Vec<Cell> = Cell::all().filter(is_digit).collect();
    rng.shuffle(&mut places);
    let (pattern, rest) = places.split_at(SIZE);
    let known = rest[0];
    let mut turns = [Turn::Any; 81];
    for cell in Cell::all().filter(|cell| *cell != known) {
        let is_base = pattern.iter().any(|own| base(*own) == base(cell));
        let is_cover = pattern.iter().any(|own| cover(*own) == cover(cell));
        turns[cell.index()] = match is_digit(&cell) {
            true => Turn::First,
            false if is_base && !is_cover => Turn::Never,
            false => Turn::Any,
        };
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Generator, Target};
    use crate::grade::Ladder;

    #[test]
    fn a_jellyfish_is_reached() {
        let rank = Rank::from_id("jellyfish").unwrap();
        let generator = Generator {
            target: Target::Technique(rank),
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
            let of = |turns: [Turn; 81], turn| turns.into_iter().filter(|own| *own == turn).count();
            let quad = Plant::HiddenQuad.turns(&solution, &mut rng);
            assert!(of(quad, Turn::First) >= 9);
            let fish = Plant::Jellyfish.turns(&solution, &mut rng);
            assert_eq!((of(fish, Turn::First), of(fish, Turn::Never)), (8, 20));
        }
    }
}
