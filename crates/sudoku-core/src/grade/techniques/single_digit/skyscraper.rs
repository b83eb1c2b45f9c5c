//! The solving technique "Skyscraper": its manual, the search for its steps, and its tests.

use super::two_pairs::two_pairs;
use crate::board::{Cell, HouseKind};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// A digit has two places in each of two rows, and a place in the first row is in the same
    /// column as a place in the second. The digit is removed from all cells that see both other
    /// places. The same holds with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// The two places in one column cannot both hold the digit. So in one of the rows the other
    /// place holds it, and a cell that sees both other places cannot hold it.
    Skyscraper {
        name: "Skyscraper",
        level: Level::Hard,
        effort: 130,
        hodoku_codes: &["0400"],
        hodoku_order: Some(180),
        explainer: "6.6",
        hodoku_names: &["Skyscraper"],
        explainer_names: &[],
        example: Example {
            grid: "251836749.93.145.6.465.913.134..569.9824613575679.34.1618342975379158264425697813",
            removed: "",
            effect: "r3c5<>2, r4c4<>2",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    let are_parallel =
        |first: HouseKind, second: HouseKind| first == second && first != HouseKind::Box;
    let in_line = |a: Cell, b: Cell| a.row() == b.row() || a.column() == b.column();
    two_pairs(board, found, are_parallel, in_line);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &Skyscraper,
    &[
        // Each of the two rows has a place in column 3.
        ("5@r2=37 5@r6=38", "r45c7<>5, r13c8<>5"),
        // Each of the two columns has a place in row 1.
        ("5@c2=19 5@c5=18", "r8c13<>5, r9c46<>5"),
        // Each of the two rows has a place in column 1.
        ("5@r1=14 5@r8=15", "r23c5<>5, r79c4<>5"),
    ],
    &[
        // Finds nothing: the two rows have no places in the same column.
        "5@r2=37 5@r6=48",
        // Finds nothing: one row has a third place.
        "5@r2=37 5@r6=389",
        // Finds nothing: the rows have different digits.
        "5@r2=37 6@r6=38",
    ],
);
