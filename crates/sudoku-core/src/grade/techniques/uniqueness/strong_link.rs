use super::rectangle::{are_in_line, for_each_rectangle, shared_houses};
use crate::board::{Candidates, CellSet, Digit, House};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four unsolved cells in two rows, two columns and two boxes; two of them can hold two digits
    /// only, and the other two lie in one row or column. In a house that has these other two, one of
    /// the two digits has no other place: the other of the two goes out of both.
    ///
    /// # Why it is sound
    ///
    /// One of the two cells holds the first digit. If the other cell held the second one, the digits
    /// would alternate in the four cells, and exchanging them would give another solution.
    UniqueRectangle4 {
        id: "unique_rectangle_4",
        name: "Unique rectangle, type 4",
        level: Level::Hard,
        effort: 100,
        hodoku: &["0603"],
        explainer: "4.5",
        example: Example {
            grid: "23954.67.481796325756.239.456743.2...1425.76..92.6745.673985142928614537145372896",
            removed: "",
            effect: "r5c9<>8, r6c9<>8",
        },
    }
}

technique! {
    /// Four unsolved cells in two rows, two columns and two boxes; two opposite ones can hold two
    /// digits only. In both rows, or in both columns, one of these digits has no place but the four
    /// cells: it goes out of the other two opposite cells.
    ///
    /// # Why it is sound
    ///
    /// The digit stands in two opposite cells, as in an X-wing. If these were the cells that can
    /// hold further digits, the cells that cannot would both hold the second digit, and exchanging
    /// the two would give another solution.
    UniqueRectangle6 {
        id: "unique_rectangle_6",
        name: "Unique rectangle, type 6",
        level: Level::Hard,
        effort: 100,
        hodoku: &["0605"],
        explainer: "~4.5",
        example: Example {
            grid: "796514...435782961821369..5187235.9.3641978522598461..972451...5486.3.196139.85..",
            removed: "",
            effect: "r1c8<>8, r7c9<>8",
        },
    }
}

technique! {
    /// Four unsolved cells in two rows, two columns and two boxes; one of them can hold two digits
    /// only. In the row and in the column of the opposite cell, one of these digits has no place but
    /// the four cells: the other one goes out of the opposite cell.
    ///
    /// # Why it is sound
    ///
    /// If the opposite cell held the second digit, the first one would stand beside it in the row
    /// and in the column, and so the second one in the cell that can hold these two only. Exchanging
    /// the two digits would give another solution.
    HiddenRectangle {
        id: "hidden_rectangle",
        name: "Hidden rectangle",
        level: Level::Hard,
        effort: 100,
        hodoku: &["0606"],
        explainer: "~4.5",
        example: Example {
            grid: "29678415335719624841832567918....5977658193249.25.78618.9.5.71662197843557...1982",
            removed: "",
            effect: "r4c5<>4",
        },
    }
}

impl Technique for UniqueRectangle4 {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        for_each_rectangle(board, |rectangle| {
            let extra = rectangle.extra_cells();
            if extra.len() != 2 || !are_in_line(extra) {
                return;
            }
            for (strong, other) in rectangle.orders() {
                for house in shared_houses(extra) {
                    if has_no_place_but(board, strong, house, extra) {
                        found.eliminate(board, [(other, extra)], || {
                            let why = format!("one of the two cells holds {strong}");
                            rectangle.pattern([house], why)
                        });
                    }
                }
            }
        });
    }
}

impl Technique for UniqueRectangle6 {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        for_each_rectangle(board, |rectangle| {
            let extra = rectangle.extra_cells();
            if extra.len() != 2 || are_in_line(extra) {
                return;
            }
            let [corner, .., opposite] = rectangle.cells;
            for digit in rectangle.pair {
                for lines in [
                    [corner, opposite].map(|cell| House::row(cell.row())),
                    [corner, opposite].map(|cell| House::column(cell.column())),
                ] {
                    let all = rectangle.all();
                    if lines
                        .into_iter()
                        .all(|line| has_no_place_but(board, digit, line, all))
                    {
                        found.eliminate(board, [(digit, extra)], || {
                            let why = format!("{digit} stands in two opposite cells");
                            rectangle.pattern(lines, why)
                        });
                    }
                }
            }
        });
    }
}

impl Technique for HiddenRectangle {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        for_each_rectangle(board, |rectangle| {
            let (all, extra) = (rectangle.all(), rectangle.extra_cells());
            let opposites = rectangle.cells.into_iter().rev();
            for (corner, opposite) in rectangle.cells.into_iter().zip(opposites) {
                if extra.contains(corner) {
                    continue;
                }
                let lines = [House::row(opposite.row()), House::column(opposite.column())];
                for (strong, other) in rectangle.orders() {
                    if lines
                        .into_iter()
                        .all(|line| has_no_place_but(board, strong, line, all))
                    {
                        let removal = (other, CellSet::of(opposite));
                        found.eliminate(board, [removal], || {
                            let why = format!("{other} in {opposite} would complete it");
                            rectangle.pattern(lines, why)
                        });
                    }
                }
            }
        });
    }
}

/// Whether the digit, which stands nowhere in the house yet, has no place there outside the cells.
fn has_no_place_but(board: &Candidates, digit: Digit, house: House, cells: CellSet) -> bool {
    (board.places(digit) & house.cells()).is_subset(cells)
}
