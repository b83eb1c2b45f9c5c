use super::finned::finned_fish;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::{Watch, WatchSlot};
use crate::grade::{Position, Steps};

technique! {
    /// Four rows in which all places of a digit lie in at most four columns, but for some in one
    /// box (the fins): the digit goes out of those cells of the four columns in that box that are
    /// not in the four rows. Likewise with rows and columns exchanged. Without the fins it need not
    /// be a jellyfish (sashimi).
    ///
    /// # Why it is sound
    ///
    /// Either a fin holds the digit, and the rest of its box does not, or the four rows make a
    /// jellyfish, and the rest of the columns does not.
    FinnedJellyfish {
        id: "finned_jellyfish",
        name: "Finned jellyfish",
        level: Level::Unfair,
        effort: 250,
        hodoku: &["0312", "0322"],
        hodoku_place: Some(360),
        explainer: "~5.4",
        watch: Watch::Digits,
        example: Example {
            grid: "6821743...3.562.7.5..83962....2.85..84.7.621...63.1.87....831....1.27.3.3.84157..",
            removed: "927 929",
            effect: "r6c2<>9",
        },
    }
}

const WATCH: WatchSlot = WatchSlot::of(&FinnedJellyfish::INFO);

fn find_all(board: &Position, found: &mut Steps) {
    finned_fish::<4>(board, WATCH, found);
}
