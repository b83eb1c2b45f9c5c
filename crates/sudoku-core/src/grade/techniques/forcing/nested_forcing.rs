use super::{propagate, refute_and_compare};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

technique! {
    /// Dynamic forcing chains where each assumption is also followed by nishio: candidates that a
    /// second assumption and singles disprove are gone too.
    ///
    /// # Why it is sound
    ///
    /// What a nishio inside an assumption disproves is false where the assumption is true.
    NestedForcing {
        id: "nested_forcing",
        name: "Nested forcing chains",
        level: Level::Extreme,
        effort: 1000,
        hodoku: &[],
        hodoku_place: None,
        explainer: "9.5–11.9",
        watch: Watch::Board,
        example: Example {
            grid: "98.7..6..76.5.......4.8..7.6...47.9..4....3.....2......7..58.6...64....5.....21..",
            removed: "",
            effect: "r1c3<>1",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    let branches = board.filled_with_basics().go_on(propagate::nested);
    let with = "the techniques up to jellyfish and nishio";
    refute_and_compare(board, &branches, with, found);
}
