use super::rectangle::{Rectangle, are_in_line, for_each_rectangle};
use crate::board::{Candidates, CellSet};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four unsolved cells in two rows, two columns and two boxes, three of which can hold two
    /// digits only, the same: both digits go out of the fourth.
    ///
    /// # Why it is sound
    ///
    /// If the fourth cell held one of the two, the two digits would alternate in the four cells.
    /// Exchanging them would give another solution, since none of the cells is given: but the puzzle
    /// has exactly one.
    UniqueRectangle1 {
        id: "unique_rectangle_1",
        name: "Unique rectangle, type 1",
        level: Level::Hard,
        effort: 100,
        hodoku: &["0600"],
        explainer: "4.5",
        example: Example {
            grid: ".4.3968.79.34876..687152943.389.176..765.31891.96783.48927145367648352913..269478",
            removed: "",
            effect: "r4c1<>24",
        },
    }
}

technique! {
    /// Four unsolved cells in two rows, two columns and two boxes; two of them can hold two digits
    /// only, and the other two, which lie in one row or column, these digits and one more, the same
    /// for both. This one goes out of all cells that see both.
    ///
    /// # Why it is sound
    ///
    /// If neither of the two cells held the further digit, the two digits would alternate in the
    /// four cells, and exchanging them would give another solution. So one of the two cells holds
    /// it.
    UniqueRectangle2 {
        id: "unique_rectangle_2",
        name: "Unique rectangle, type 2",
        level: Level::Hard,
        effort: 100,
        hodoku: &["0601"],
        explainer: "4.5",
        example: Example {
            grid: ".5462.97337259461869.7.3254426139785913875462785462139.493.7.2656.24.39.23.9.6.4.",
            removed: "",
            effect: "r3c3<>8, r7c1<>8",
        },
    }
}

technique! {
    /// As type 2, but the cells that can hold the further digit are two opposite ones, or three. It
    /// goes out of all cells that see all of them.
    ///
    /// # Why it is sound
    ///
    /// If none of these cells held the further digit, the two digits would alternate in the four
    /// cells, and exchanging them would give another solution. So one of the cells holds it.
    UniqueRectangle5 {
        id: "unique_rectangle_5",
        name: "Unique rectangle, type 5",
        level: Level::Hard,
        effort: 100,
        hodoku: &["0604"],
        explainer: "~4.5",
        example: Example {
            grid: "4621.8..393526.18.1785.36.23.672.8.1..16...3....3.1.698194..326...836915653912478",
            removed: "456 761 955",
            effect: "r5c9<>7",
        },
    }
}

impl Technique for UniqueRectangle1 {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        for_each_rectangle(board, |rectangle| {
            let extra = rectangle.extra_cells();
            if extra.len() == 1 {
                let removals = rectangle.pair.map(|digit| (digit, extra));
                found.eliminate(board, removals, || {
                    rectangle.pattern(Vec::new(), "only this cell can break the rectangle".into())
                });
            }
        });
    }
}

impl Technique for UniqueRectangle2 {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        for_each_rectangle(board, |rectangle| {
            let extra = rectangle.extra_cells();
            if extra.len() == 2 && are_in_line(extra) {
                shared_digit(board, rectangle, extra, found);
            }
        });
    }
}

impl Technique for UniqueRectangle5 {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        for_each_rectangle(board, |rectangle| {
            let extra = rectangle.extra_cells();
            if extra.len() == 3 || extra.len() == 2 && !are_in_line(extra) {
                shared_digit(board, rectangle, extra, found);
            }
        });
    }
}

/// Where the extra cells have one further digit in common and no other: one of them holds it.
fn shared_digit(board: &Candidates, rectangle: &Rectangle, extra: CellSet, found: &mut Steps) {
    if let Some(digit) = rectangle.extras().single() {
        found.eliminate(board, [(digit, extra.common_peers())], || {
            let why = format!("{digit} has to break the rectangle in one of these cells");
            rectangle.pattern(Vec::new(), why)
        });
    }
}
