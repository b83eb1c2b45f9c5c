//! Hidden rectangle: a technique that assumes exactly one solution.

use super::rectangle::{for_each_rectangle, has_no_place_but};
use crate::board::{CellSet, House};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four unsolved cells are in two rows, two columns and two boxes. One of them has only two
    /// candidates. In the row and in the column of the opposite cell, one of these digits has
    /// no other place than the four cells. The other digit is removed from the opposite cell.
    ///
    /// # Why it is sound
    ///
    /// If the opposite cell held the other digit, the first digit would be next to it in the
    /// row and in the column. Then the cell with only two candidates would hold the other digit
    /// too. Exchanging the two digits would give a second solution.
    HiddenRectangle {
        id: "hidden_rectangle",
        name: "Hidden rectangle",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0606"],
        hodoku_order: Some(310),
        explainer: "~4.5",
        hodoku_names: &["Hidden Rectangle"],
        explainer_names: &[],
        example: Example {
            grid: "29678415335719624841832567918....5977658193249.25.78618.9.5.71662197843557...1982",
            removed: "",
            effect: "r4c5<>4",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    for_each_rectangle(board, |rectangle| {
        let (all, extra) = (rectangle.all(), rectangle.extra_cells());
        let opposites = rectangle.cells.into_iter().rev();
        for (corner, opposite) in rectangle.cells.into_iter().zip(opposites) {
            if extra.contains(corner) {
                continue;
            }
            let lines = [House::row(opposite.row()), House::column(opposite.column())];
            for (strong, other) in rectangle.both_orders() {
                if has_no_place_but(board, strong, &lines, all) {
                    let removal = (other, CellSet::of(opposite));
                    found.eliminate(board, [removal], || {
                        let reason = format!("{other} in {opposite} would complete it");
                        rectangle.pattern(lines, reason)
                    });
                }
            }
        }
    });
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &HiddenRectangle,
    &[
        // In row 2 and column 4, 1 has no place outside the rectangle.
        ("r1c1=12 1@r2=14 1@c4=12", "r2c4<>2"),
        // In row 2 and column 4, 2 has no place outside the rectangle.
        ("r1c1=12 2@r2=14 2@c4=12", "r2c4<>1"),
        ("r5c5=67 6@r4=58 6@c8=45", "r4c8<>7"),
    ],
    &[
        // Finds nothing: 1 has a third place in the column.
        "r1c1=12 1@r2=14 1@c4=125",
        // Finds nothing: 1 has only two places in the row, but more in the column.
        "r1c1=12 1@r2=14 2@c4=12",
    ],
);
