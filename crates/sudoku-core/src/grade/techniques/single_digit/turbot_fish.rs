use super::two_pairs::two_pairs;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

technique! {
    /// A digit has two places in each of two houses, of whatever kind, and a place in the first
    /// sees a place in the second: the digit goes out of all cells that see both other places.
    ///
    /// # Why it is sound
    ///
    /// The two places that see each other cannot both hold the digit. So in one of the houses it
    /// stands in the other place, and a cell that sees both of these cannot hold it.
    TurbotFish {
        id: "turbot_fish",
        name: "Turbot fish",
        level: Level::Hard,
        effort: 120,
        hodoku: &["0403"],
        hodoku_place: Some(200),
        explainer: "6.6",
        watch: Watch::Board,
        example: Example {
            grid: "84.3269..2598716346.3495.8.784632.9.1625894733951478265382147694..9.3..89..7.834.",
            removed: "",
            effect: "r8c2<>1",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    two_pairs(board, found, |_, _| true, |_, _| true);
}
