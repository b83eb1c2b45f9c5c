use crate::board::{Candidates, CellSet, Digit, DigitSet};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// A cell that has one candidate left gets it. Also called obvious single, singleton.
    ///
    /// # Why it is sound
    ///
    /// Every cell holds a digit, and the other eight cannot be in this one.
    NakedSingle {
        id: "naked_single",
        name: "Naked single",
        level: Level::Easy,
        effort: 4,
        hodoku: &["0003"],
        explainer: "2.3",
        example: Example {
            grid: "7819.65.35237816494963.51.7847692315915473862632518974354867291278159436169234758",
            removed: "",
            effect: "r1c8=2",
        },
    }
}

impl Technique for NakedSingle {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let singles = board.unsolved() & board.exactly_one();
        if !found.is_listing() {
            place_candidates(board, singles, found);
            return;
        }
        for digit in Digit::ALL {
            for cell in singles & board.places(digit) {
                found.place(cell, digit, || {
                    Pattern::new([], CellSet::of(cell), DigitSet::from_iter([digit]))
                });
            }
        }
    }
}

/// Places what is left in these cells, each of which has one candidate; for finders whose steps
/// nobody asked for.
pub(super) fn place_candidates(board: &Candidates, cells: CellSet, found: &mut Steps) {
    if !cells.is_empty() {
        found.place_sets(&board.all_places().map(|places| places & cells));
    }
}
