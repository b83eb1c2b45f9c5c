//! The solving technique "X-wing": its manual, the search for its steps, and its tests.

use super::basic::fish;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// In two rows, all places of a digit are in at most two columns. The digit is removed from
    /// the rest of these columns. The same holds with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// The digit is once in each of the two rows, each time in another column. Both columns
    /// have their digit in these rows.
    XWing {
        name: "X-wing",
        level: Level::Hard,
        effort: 140,
        hodoku_codes: &["0300"],
        hodoku_order: Some(130),
        explainer: "3.2",
        hodoku_names: &["X-Wing"],
        explainer_names: &["X-wing"],
        example: Example {
            grid: "539274816768.15.422146..57.397842651642591738185763294.21.5..67973126485.56..712.",
            removed: "",
            effect: "r9c4<>3",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    fish::<2>(board, TechniqueName::XWing, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &XWing,
    &[
        // The base lines are rows.
        ("5@r2=37 5@r6=37", "r1345789c37<>5"),
        // The base lines are columns.
        ("5@c1=46 5@c8=46", "r46c2345679<>5"),
        // There are two X-wings of different digits.
        (
            "5@r2=37 5@r6=37 6@c1=46 6@c8=46",
            "r1345789c37<>5, r46c2345679<>6",
        ),
    ],
    &[
        // Finds nothing: the places of the rows are in three columns.
        "5@r2=37 5@r6=38",
        // Finds nothing: the rows have different digits.
        "5@r2=37 6@r6=37",
        // Finds nothing: one row has a third place.
        "5@r2=37 5@r6=379",
    ],
);
