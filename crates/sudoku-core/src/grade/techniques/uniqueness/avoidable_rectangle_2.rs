//! Avoidable rectangle, type 2: a technique that assumes exactly one solution.

use super::avoidable::{SolvedDigits, pattern};
use super::rectangle::rectangles_at;
use crate::board::{Cell, CellSet, Digit};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four cells are in two rows, two columns and two boxes, and none of them is a clue. Two
    /// of them are solved. Each of the other two has two candidates: a digit with which two
    /// digits would alternate in the four cells, and a further digit, which is the same for
    /// both. The further digit is removed from all cells that see both.
    ///
    /// # Why it is sound
    ///
    /// If neither of the two cells held the further digit, two digits would alternate in four
    /// cells that are no clues. Exchanging them would give a second solution. So one of the two
    /// cells holds the further digit.
    AvoidableRectangle2 {
        id: "avoidable_rectangle_2",
        name: "Avoidable rectangle, type 2",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0608"],
        hodoku_order: Some(330),
        explainer: "~4.5",
        hodoku_names: &["Avoidable Rectangle Type 2"],
        explainer_names: &[],
        example: Example {
            grid: "368.71....7...9.83...3.8...5.41378...1.486..568.925....52893..484.652.3.936714528",
            removed: "427 437 438 757 937 938 939",
            effect: "r1c8<>9, r4c9<>9, r5c7<>9",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    let solved = SolvedDigits::new(board);
    for corner in board.unsolved() {
        for cells in rectangles_at(corner) {
            let [_, beside, below, opposite] = cells;
            // The two unsolved cells are opposite corners, so the rectangle is found from each of them. Only the search
            // from the lower corner counts.
            if opposite > corner
                && board.unsolved().contains(opposite)
                && let (Some(one), Some(two)) = (solved.digit(beside), solved.digit(below))
                && one == two
            {
                // Both candidates of the corner can be the second digit of the pattern.
                for digit in board.digits(corner) {
                    shared_digit(board, cells, [corner, opposite], [digit; 2], one, found);
                }
            }
            for (open, far) in [(beside, below), (below, beside)] {
                if open > corner
                    && board.unsolved().contains(open)
                    && let (Some(own), Some(across)) = (solved.digit(far), solved.digit(opposite))
                {
                    // In the deadly pattern, opposite cells have the same digit.
                    shared_digit(board, cells, [corner, open], [across, own], own, found);
                }
            }
        }
    }
}

/// Handles two unsolved cells that each have two candidates: the digit that completes the deadly pattern, and an extra
/// digit that is the same for both. One of the cells must hold the extra digit, so it is removed from the cells that
/// see both.
fn shared_digit(
    board: &Position,
    cells: [Cell; 4],
    open: [Cell; 2],
    [first, second]: [Digit; 2],
    solved: Digit,
    found: &mut Steps,
) {
    let [mut one, mut two] = open.map(|cell| board.digits(cell));
    if !one.contains(first) || !two.contains(second) {
        return;
    }
    one.remove(first);
    two.remove(second);
    if let Some(digit) = one.single()
        && one == two
    {
        let open_cells: CellSet = open.into_iter().collect();
        found.eliminate(board, [(digit, open_cells.common_peers())], || {
            let reason = format!("{digit} has to break the rectangle in one of the open cells");
            pattern(cells, [first, solved], reason).with_others(open_cells)
        });
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &AvoidableRectangle2,
    &[
        // The solved cells are in the same row.
        ("r1c1!1 r1c4!2 r2c1=23 r2c4=13", "r2c2356789<>3"),
        // The solved cells are in the same column.
        (
            "r1c1!1 r2c1!2 r1c4=23 r2c4=13",
            "r12c56<>3, r3c456<>3, r456789c4<>3",
        ),
        // The solved cells are opposite corners, so the extra digit of the other two cells can be 2 or 3.
        ("r1c1!1 r2c4!1 r1c4=23 r2c1=23", "r1c23<>23, r2c56<>23"),
    ],
    &[
        // Finds nothing: the two unsolved cells have different extra digits.
        "r1c1!1 r1c4!2 r2c1=23 r2c4=14",
        // Finds nothing: r1c4 is a clue.
        "r1c1!1 r1c4!2 r2c1=23 r2c4=13 r1c4*",
    ],
);
