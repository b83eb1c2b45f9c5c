use super::hidden::hidden_subsets;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::{Watch, WatchSlot};
use crate::grade::{Position, Steps};

technique! {
    /// Three digits of a house whose places are at most three cells: all other candidates go out
    /// of these cells.
    ///
    /// # Why it is sound
    ///
    /// Three digits stand in three different cells; with three to choose from, these cells hold
    /// nothing else.
    HiddenTriple {
        id: "hidden_triple",
        name: "Hidden triple",
        level: Level::Medium,
        effort: 100,
        hodoku: &["0211"],
        hodoku_place: Some(100),
        explainer: "4.0",
        watch: Watch::Houses,
        example: Example {
            grid: "598...231637251948124..3675759..64124625197833814725699.....8242.3..81568...2.397",
            removed: "",
            effect: "r7c4<>7",
        },
    }
}

const WATCH: WatchSlot = WatchSlot::of(&HiddenTriple::INFO);

fn find_all(board: &Position, found: &mut Steps) {
    hidden_subsets::<3>(board, WATCH, found);
}
