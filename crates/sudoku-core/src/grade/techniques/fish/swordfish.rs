//! The solving technique "Swordfish": its manual, the search for its steps, and its tests.

use super::basic::fish;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// In three rows, all places of a digit are in at most three columns. The digit is removed
    /// from the rest of these columns. The same holds with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// The digit is once in each of the three rows, each time in another column. All three
    /// columns have their digit in these rows.
    Swordfish {
        name: "Swordfish",
        level: Level::Hard,
        effort: 150,
        hodoku_codes: &["0301"],
        hodoku_order: Some(140),
        explainer: "3.8",
        hodoku_names: &["Swordfish"],
        explainer_names: &["Swordfish"],
        example: Example {
            grid: "8.6.21543.45368.12213.456...524.31.61.45.623.3681.2.54681239475429857361537614829",
            removed: "",
            effect: "r5c5<>7",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    fish::<3>(board, TechniqueName::Swordfish, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &Swordfish,
    &[
        // The base lines are rows with two places each.
        ("5@r1=14 5@r5=47 5@r9=17", "r234678c147<>5"),
        // The base lines are columns with three places each.
        ("5@c2=258 5@c5=258 5@c8=258", "r258c134679<>5"),
        // The base lines are rows with two or three places.
        ("5@r2=19 5@r4=159 5@r7=159", "r135689c159<>5"),
    ],
    &[
        // Finds nothing: the places of the rows are in four columns.
        "5@r1=14 5@r5=47 5@r9=18",
        // Finds nothing: the pattern is only an X-wing.
        "5@r2=37 5@r6=37",
    ],
);
