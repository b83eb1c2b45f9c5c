//! The solving technique "Finned swordfish": its manual, the search for its steps, and its tests.

use super::finned;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// In three rows, all places of a digit are in at most three columns, except for some in
    /// one box (the fins). The digit is removed from the cells of these columns that are in
    /// this box but not in the three rows. The same holds with rows and columns exchanged.
    /// Sashimi fish are included, which are no swordfish without their fins.
    ///
    /// # Why it is sound
    ///
    /// If a fin holds the digit, the rest of its box does not. Otherwise the three rows make a
    /// swordfish, and the rest of the columns does not hold it.
    FinnedSwordfish {
        name: "Finned swordfish",
        level: Level::Unfair,
        effort: 200,
        hodoku_codes: &["0311", "0321"],
        hodoku_order: Some(350),
        explainer: "~5.0",
        hodoku_names: &["Finned Swordfish", "Sashimi Swordfish"],
        explainer_names: &[],
        example: Example {
            grid: "3974186526..7.9483.4.6.3971.79.3..262...9.73..3.27.19.72.341.69964582317..396724.",
            removed: "",
            effect: "r7c3<>8",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    finned::find_union::<3>(board, TechniqueName::FinnedSwordfish, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    finned::list_steps::<3>(board, TechniqueName::FinnedSwordfish, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &FinnedSwordfish,
    &[
        // The fin is r9c8.
        ("5@r1=14 5@r5=47 5@r9=178", "r78c7<>5"),
        // A sashimi fish: r9c7 lacks the digit.
        ("5@r1=14 5@r5=47 5@r9=189", "r78c7<>5"),
        // The base lines are columns; the fin is r2c5.
        ("5@c2=158 5@c8=158 5@c5=1258", "r1c46<>5"),
    ],
    &[
        // Finds nothing: the fin is in a box that no column of the fish crosses.
        "5@r1=14 5@r5=45 5@r9=158",
        // Finds nothing: there is no fin.
        "5@r1=14 5@r5=45 5@r9=15",
    ],
);
