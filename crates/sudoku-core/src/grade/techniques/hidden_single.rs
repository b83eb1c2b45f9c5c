use crate::board::{Candidates, Digit, DigitLanes, DigitSet, House};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// A digit that has one place left in a box goes there. Also called disguised single.
    ///
    /// # Why it is sound
    ///
    /// Every box holds every digit, and this one can be in no other cell of the box.
    HiddenSingleBox {
        id: "hidden_single_box",
        name: "Hidden single in a box",
        level: Level::Easy,
        effort: 14,
        hodoku: &["0002"],
        explainer: "1.2",
        example: Example {
            grid: "942538716736491582851726349318249675..916.43846.38.921.8.6.31946938142571.49..863",
            removed: "",
            effect: "r9c6=2",
        },
    }
}

technique! {
    /// A digit that has one place left in a row or a column goes there.
    ///
    /// # Why it is sound
    ///
    /// Every line holds every digit, and this one can be in no other cell of the line.
    HiddenSingleLine {
        id: "hidden_single_line",
        name: "Hidden single in a line",
        level: Level::Easy,
        effort: 14,
        hodoku: &["0002"],
        explainer: "1.5",
        example: Example {
            grid: "2751693..689734521143825.7.7914862535683127..324957.1.437591..2956248137812673..5",
            removed: "",
            effect: "r9c7=4",
        },
    }
}

impl Technique for HiddenSingleBox {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        if found.is_listing() {
            only_places(board, House::boxes(), found);
        } else if let Some(singles) = DigitLanes::open(board).alone_in_boxes() {
            found.place_sets(&singles);
        }
    }
}

impl Technique for HiddenSingleLine {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        if found.is_listing() {
            only_places(board, House::lines(), found);
        } else if let Some(singles) = DigitLanes::open(board).alone_in_lines() {
            found.place_sets(&singles);
        }
    }
}

/// Places each digit that has one open place in one of these houses.
fn only_places(board: &Candidates, houses: &[House], found: &mut Steps) {
    for digit in Digit::ALL {
        let open = board.open_places(digit);
        if open.is_empty() {
            continue;
        }
        for &house in houses {
            if let Some(cell) = (open & house.cells()).single() {
                found.place(cell, digit, || {
                    Pattern::new([house], house.cells(), DigitSet::from_iter([digit]))
                });
            }
        }
    }
}
