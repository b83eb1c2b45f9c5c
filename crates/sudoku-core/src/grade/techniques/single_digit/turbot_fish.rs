//! The solving technique "Turbot fish": its manual, the search for its steps, and its tests.

use super::two_pairs::two_pairs;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// A digit has two places in each of two houses of any kind, and a place in the first house
    /// sees a place in the second. The digit is removed from all cells that see both other
    /// places.
    ///
    /// # Why it is sound
    ///
    /// The two places that see each other cannot both hold the digit. So in one of the houses
    /// the other place holds it, and a cell that sees both other places cannot hold it.
    TurbotFish {
        name: "Turbot fish",
        level: Level::Hard,
        effort: 120,
        hodoku_codes: &["0403"],
        hodoku_order: Some(200),
        explainer: "6.6",
        hodoku_names: &["Turbot Fish"],
        explainer_names: &[],
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

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &TurbotFish,
    &[
        // The conjugate pairs are in a box and a row.
        ("5@b1=18 5@r7=19", "r3c9<>5"),
        // The conjugate pairs are in a box and a column.
        ("5@b5=19 5@c9=48", "r8c6<>5"),
        // The conjugate pairs are in two rows, so this is also a skyscraper.
        ("5@r2=37 5@r6=38", "r45c7<>5, r13c8<>5"),
    ],
    &[
        // Finds nothing: no place in the row sees a place in the box.
        "5@b1=18 5@r7=49",
        // Finds nothing: the box has a third place.
        "5@b1=158 5@r7=19",
    ],
);
