use super::hidden::hidden_subsets;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::{Watch, WatchSlot};
use crate::grade::{Position, Steps};

technique! {
    /// Four digits of a house whose places are at most four cells: all other candidates go out of
    /// these cells.
    ///
    /// # Why it is sound
    ///
    /// Four digits stand in four different cells; with four to choose from, these cells hold
    /// nothing else.
    HiddenQuad {
        id: "hidden_quad",
        name: "Hidden quad",
        level: Level::Hard,
        effort: 150,
        hodoku: &["0212"],
        hodoku_place: Some(120),
        explainer: "5.4",
        watch: Watch::Houses,
        example: Example {
            grid: "..2385479.4.197....79246.3..5.96....29.51......8723....216.9.84.8.4.2...934851726",
            removed: "131 621 623",
            effect: "r4c7<>1, r4c9<>1, r5c7<>6",
        },
    }
}

const WATCH: WatchSlot = WatchSlot::of(&HiddenQuad::INFO);

fn find_all(board: &Position, found: &mut Steps) {
    hidden_subsets::<4>(board, WATCH, found);
}
