use super::naked::naked_subsets;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::{Watch, WatchSlot};
use crate::grade::{Position, Steps};

technique! {
    /// Two cells of a house whose candidates are at most two digits: the digits go out of the rest
    /// of the house. Also called obvious pair, naked group of two.
    ///
    /// # Why it is sound
    ///
    /// Two cells hold two different digits; with two to choose from, both digits stand in these
    /// two cells.
    NakedPair {
        id: "naked_pair",
        name: "Naked pair",
        level: Level::Medium,
        effort: 60,
        hodoku: &["0200", "0110"],
        hodoku_place: Some(70),
        explainer: "3.0",
        watch: Watch::Houses,
        example: Example {
            grid: "9.8621.3..6.398.12123745869..9852641482167395615439278...21698.2.1983.56896574123",
            removed: "",
            effect: "r7c1<>7, r7c2<>47",
        },
    }
}

const WATCH: WatchSlot = WatchSlot::of(&NakedPair::INFO);

fn find_all(board: &Position, found: &mut Steps) {
    naked_subsets::<2>(board, WATCH, found);
}
