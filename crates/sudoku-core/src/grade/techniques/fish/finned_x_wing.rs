//! The solving technique "Finned X-wing": its manual, the search for its steps, and its tests.

use super::finned;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// In two rows, all places of a digit are in at most two columns, except for some in one
    /// box (the fins). The digit is removed from the cells of these columns that are in this
    /// box but not in the two rows. The same holds with rows and columns exchanged. Sashimi
    /// fish are included, which are no X-wing without their fins.
    ///
    /// # Why it is sound
    ///
    /// If a fin holds the digit, the rest of its box does not. Otherwise the two rows make an
    /// X-wing, and the rest of the columns does not hold it.
    FinnedXWing {
        name: "Finned X-wing",
        level: Level::Hard,
        effort: 130,
        hodoku_codes: &["0310", "0320"],
        hodoku_order: Some(340),
        explainer: "~4.4",
        hodoku_names: &["Finned X-Wing", "Sashimi X-Wing"],
        explainer_names: &[],
        example: Example {
            grid: "..4..218..2..14.56.....94325492816733764952182186375944921.836.....46.2.765923841",
            removed: "",
            effect: "r3c5<>7",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    finned::find_union::<2>(board, TechniqueName::FinnedXWing, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    finned::list_steps::<2>(board, TechniqueName::FinnedXWing, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &FinnedXWing,
    &[
        // The fin is r6c8.
        ("5@r2=37 5@r6=378", "r45c7<>5"),
        // A sashimi fish: r6c7 lacks the digit.
        ("5@r2=37 5@r6=389", "r45c7<>5"),
        // The base lines are columns; the fin is r4c6.
        ("5@c1=25 5@c6=245", "r5c45<>5"),
    ],
    &[
        // Finds nothing: the fin is in a box that no column of the fish crosses.
        "5@r2=37 5@r6=367",
        // Finds nothing: the fins are in two boxes.
        "5@r2=37 5@r6=3478",
        // Finds nothing: there is no fin.
        "5@r2=37 5@r6=37",
    ],
);
