use crate::board::{Candidates, CellSet, DigitSet};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Steps};

technique! {
    /// The last empty cell of a row, a column or a box gets the one digit that the house lacks.
    ///
    /// # Why it is sound
    ///
    /// A house holds each digit once. Eight digits stand already, so the ninth is left for the
    /// ninth cell.
    FullHouse {
        id: "full_house",
        name: "Full house",
        level: Level::Easy,
        effort: 4,
        hodoku: &["0000"],
        explainer: "1.0",
        example: Example { grid: "", removed: "", effect: "" },
    }
}

impl Technique for FullHouse {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Candidates, found: &mut Steps) {
        // The last empty cell of a house sees the other eight digits: it is a naked single.
        let [_, two, _] = board.at_least();
        let singles = board.unsolved() & !two;
        if singles.is_empty() {
            return;
        }
        for cell in singles {
            for house in cell.houses() {
                if house.cells() & board.unsolved() == CellSet::of(cell)
                    && let Some(digit) = board.digits(cell).single()
                {
                    found.place(cell, digit, || {
                        Pattern::new([house], house.cells(), DigitSet::from_iter([digit]))
                    });
                }
            }
        }
    }
}
