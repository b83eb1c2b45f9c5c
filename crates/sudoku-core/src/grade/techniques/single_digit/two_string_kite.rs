//! The solving technique "Two-string kite": its manual, the search for its steps, and its tests.

use super::two_pairs::two_pairs;
use crate::board::{Cell, HouseKind};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// A digit has two places in a row and two in a column, and a place in the row is in the
    /// same box as a place in the column. The digit is removed from all cells that see both
    /// other places.
    ///
    /// # Why it is sound
    ///
    /// The two places in the box cannot both hold the digit. So in the row or in the column the
    /// other place holds it, and a cell that sees both other places cannot hold it.
    TwoStringKite {
        name: "Two-string kite",
        level: Level::Hard,
        effort: 150,
        hodoku_codes: &["0401", "0404"],
        hodoku_order: Some(190),
        explainer: "6.6",
        hodoku_names: &["2-String Kite"],
        explainer_names: &[],
        example: Example {
            grid: "435612879296378415817594236..8.23164342165987..184.523..4.3.758..9.86341.8345.692",
            removed: "",
            effect: "r4c1<>7",
        },
    }
    union: find_kites,
    list: list_steps,
}

fn find_kites(board: &Position, found: &mut Steps) {
    let cross = |first: HouseKind, second: HouseKind| {
        first == HouseKind::Row && second == HouseKind::Column
    };
    let in_box = |a: Cell, b: Cell| a.box_index() == b.box_index();
    two_pairs(board, found, cross, in_box);
}

/// Lists the kites, and the dual kites.
fn list_steps(board: &Position, found: &mut Steps) {
    find_kites(board, found);
    list_dual_kites(board, found);
}

const DUAL_REASON: &str = "two kites share two places of the digit or their box (dual kite)";

/// Lists dual kites: two kites of a digit that share a conjugate pair or a box, combined into one step.
fn list_dual_kites(board: &Position, found: &mut Steps) {
    let kites = found.list().to_vec();
    for (at, first) in kites.iter().enumerate() {
        for second in &kites[at + 1..] {
            let [one, two] = [&first.pattern, &second.pattern];
            let meet = one.houses.iter().any(|house| two.houses.contains(house))
                || middle_box(one) == middle_box(two);
            if one.digits == two.digits && meet {
                found.eliminate_both(board, first, second, DUAL_REASON);
            }
        }
    }
}

/// The box that contains the two places in the middle of the kite; `None` if the pattern has no link between two such
/// places.
fn middle_box(pattern: &Pattern) -> Option<usize> {
    let weak = pattern.chain.get(1)?;
    Some(weak.from.cells.single()?.box_index())
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &TwoStringKite,
    &[
        // Row 2 and column 1 are linked in box 1.
        ("5@r2=38 5@c1=16", "r6c8<>5"),
        // Row 9 and column 5 are linked in box 8.
        ("5@r9=49 5@c5=38", "r3c9<>5"),
        // Two kites with different digits.
        ("5@r2=38 5@c1=16 7@r9=49 7@c5=38", "r6c8<>5, r3c9<>7"),
    ],
    &[
        // Finds nothing: the row and the column have no places in the same box.
        "5@r2=48 5@c1=16",
        // Finds nothing: the row has a third place.
        "5@r2=348 5@c1=16",
    ],
);
