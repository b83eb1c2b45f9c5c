//! Unique rectangle, type 3: a technique that assumes exactly one solution.

use super::rectangle::{Rectangle, for_each_rectangle, shared_houses};
use crate::board::{Candidates, Cell, CellSet, DigitSet, House, HouseKind};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::techniques::subset::rest_of_both;
use crate::grade::{Position, Steps};

technique! {
    /// Four unsolved cells are in two rows, two columns and two boxes. Two of them have only
    /// two candidates, the same ones. The other two are in one row or column, and have further
    /// digits. N other cells of a house that has both make a naked subset with the further
    /// digits: these digits and the candidates of the N cells are together at most N + 1
    /// digits. All of them are removed from the rest of the house.
    ///
    /// # Why it is sound
    ///
    /// One of the two cells holds a further digit. Otherwise the two digits would alternate in
    /// the four cells, and exchanging them would give a second solution. This cell and the N
    /// other cells are N + 1 cells of a house for N + 1 digits, so no other cell of the house
    /// holds these digits.
    UniqueRectangle3 {
        id: "unique_rectangle_3",
        name: "Unique rectangle, type 3",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0602"],
        hodoku_order: Some(270),
        explainer: "4.6–4.8",
        hodoku_names: &["Uniqueness Test 3"],
        explainer_names: &["Unique rectangle type 3"],
        example: Example {
            grid: "...21875.8524671931.7395.28...176285721853.6.5869243173146895722.574183..78532.41",
            removed: "",
            effect: "r8c2<>6",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    for_each_rectangle(board, |rectangle| {
        if let Some(extra) = rectangle.two_extra_cells_in_line() {
            for house in shared_houses(extra) {
                subsets(board, rectangle, extra, house, found);
            }
        }
    });
}

/// Finds the naked subsets of a house that contain both extra cells, which together count as one cell.
fn subsets(
    board: &Candidates,
    rectangle: &Rectangle,
    extra: CellSet,
    house: House,
    found: &mut Steps,
) {
    let other_cells = house.cells() & board.unsolved() & !extra;
    let cells: Vec<(Cell, DigitSet)> = other_cells.map(|cell| (cell, board.digits(cell))).collect();
    for choice in 1..1_u32 << cells.len() {
        let chosen_cells = || (cells.iter().enumerate()).filter(|(n, _)| choice >> n & 1 == 1);
        let digits = chosen_cells().fold(rectangle.extra_digits(), |all, (_, (_, set))| {
            all.union(*set)
        });
        if digits.len() > choice.count_ones() as usize + 1 {
            continue;
        }
        let subset = chosen_cells().fold(extra, |all, (_, (cell, _))| all | CellSet::of(*cell));
        let mut eliminate = |from: CellSet, houses: &[House]| {
            found.eliminate(board, digits.map(|digit| (digit, from)), || {
                let reason = format!(
                    "one of the two cells holds one of {}, and makes {digits} a naked subset",
                    rectangle.extra_digits()
                );
                let mut pattern = rectangle.pattern(houses, reason);
                pattern.others = subset;
                pattern
            });
        };
        eliminate(house.cells() & !subset, &[house]);
        if house.kind() != HouseKind::Box {
            for box_ in shared_houses(subset).filter(|house| house.kind() == HouseKind::Box) {
                // The search of the box finds the subset again. This step combines the removals from both houses, only
                // for the list of steps.
                if let Some(rest) = rest_of_both(board, [house, box_], subset, digits) {
                    eliminate(rest, &[house, box_]);
                }
            }
        }
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &UniqueRectangle3,
    &[
        // The naked subset has one more cell, in the column.
        ("r12c1=12 r1c4=123 r2c4=124 r5c4=34", "r346789c4<>34"),
        // The naked subset has one more cell, in the box.
        (
            "r12c1=12 r1c4=123 r2c4=124 r3c5=34",
            "r12c56<>34, r3c46<>34",
        ),
        // The naked subset has two more cells, in the column.
        (
            "r12c1=12 r1c4=1235 r2c4=124 r5c4=345 r6c4=35",
            "r34789c4<>345",
        ),
    ],
    &[
        // Finds nothing: r5c4 has the digit 5, one digit too many for a naked subset.
        "r12c1=12 r1c4=123 r2c4=124 r5c4=35",
        // Finds nothing: no house contains both extra cells and r5c5.
        "r12c1=12 r1c4=123 r2c4=124 r5c5=34",
    ],
);
