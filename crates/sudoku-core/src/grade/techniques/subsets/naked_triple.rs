use super::naked::naked_subsets;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::{Watch, WatchSlot};
use crate::grade::{Position, Steps};

technique! {
    /// Three cells of a house whose candidates are at most three digits: the digits go out of the
    /// rest of the house.
    ///
    /// # Why it is sound
    ///
    /// Three cells hold three different digits; with three to choose from, all of them stand in
    /// these cells.
    NakedTriple {
        id: "naked_triple",
        name: "Naked triple",
        level: Level::Medium,
        effort: 80,
        hodoku: &["0201", "0111"],
        hodoku_place: Some(80),
        explainer: "3.6",
        watch: Watch::Houses,
        example: Example {
            grid: "...2869412814793566..5132789253648173167584294781925638..64.1321.283..9....921.8.",
            removed: "",
            effect: "r8c2<>5, r9c2<>5, r9c3<>7",
        },
    }
}

const WATCH: WatchSlot = WatchSlot::of(&NakedTriple::INFO);

fn find_all(board: &Position, found: &mut Steps) {
    naked_subsets::<3>(board, WATCH, found);
}
