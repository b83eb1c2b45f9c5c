use super::conjugate::{ConjugatePair, conjugate_pairs};
use crate::board::{Cell, CellSet, Digit, DigitSet, House, HouseKind};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// All places of a digit in a box lie in one row and one column of it, and the digit has two
    /// places in another column, one of them in that row: the digit goes out of the cell where the
    /// row of the other place crosses the box's column. Likewise with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// If the digit stands in the box's row, it is not in the first place of the pair, so it is in
    /// the second. Otherwise it stands in the box's column. The removed candidate sees both.
    EmptyRectangle {
        id: "empty_rectangle",
        name: "Empty rectangle",
        level: Level::Hard,
        effort: 120,
        hodoku: &["0402", "0405"],
        explainer: "–",
        example: Example {
            grid: "81.37.9566..9153.835968..17.65.31.8994325876118..965.3496127835..8563194531849672",
            removed: "",
            effect: "r2c8<>2",
        },
    }
}

impl Technique for EmptyRectangle {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        for digit in Digit::ALL {
            for pair in conjugate_pairs(board, digit) {
                let (crossing, parallel) = match pair.house.kind() {
                    HouseKind::Row => (House::columns(), House::rows()),
                    HouseKind::Column => (House::rows(), House::columns()),
                    HouseKind::Box => continue,
                };
                for (near, far) in pair.both_ways() {
                    let through = |cell: Cell| {
                        let crosses = |line: &&House| line.cells().contains(cell);
                        crossing.iter().copied().find(|line| crosses(&line))
                    };
                    if let (Some(near_line), Some(far_line)) = (through(near), through(far)) {
                        let arm = Arm {
                            digit,
                            pair,
                            near,
                            near_line,
                            far,
                            far_line,
                        };
                        arm.find(board, parallel, found);
                    }
                }
            }
        }
        if found.is_listing() {
            list_duals(board, found);
        }
    }
}

/// A conjugate pair in a line, looked at from one end, with the lines that cross it at its ends.
struct Arm {
    digit: Digit,
    pair: ConjugatePair,
    near: Cell,
    near_line: House,
    far: Cell,
    far_line: House,
}

impl Arm {
    /// The boxes that the near line runs through, off the pair's own line and off the far line, and
    /// the lines through them that are parallel to the pair.
    fn find(&self, board: &Position, parallel: &[House], found: &mut Steps) {
        let Arm {
            digit, near, far, ..
        } = *self;
        let open = board.open_places(digit);
        let meets = |house: House, box_: House| !(house.cells() & box_.cells()).is_empty();
        for &box_ in House::boxes() {
            if !meets(self.near_line, box_)
                || meets(self.far_line, box_)
                || meets(self.pair.house, box_)
                || (open & box_.cells()).is_empty()
            {
                continue;
            }
            let beside = (open & box_.cells()).without(self.near_line.cells());
            for &line in parallel {
                let target = line.cells() & self.far_line.cells() & open;
                if !meets(line, box_) || target.is_empty() || !beside.is_subset(line.cells()) {
                    continue;
                }
                found.eliminate(board, [(digit, target)], || {
                    Pattern::new(
                        [box_, self.pair.house],
                        CellSet::from_iter([near, far]),
                        DigitSet::from_iter([digit]),
                    )
                    .with_others(open & box_.cells())
                    .because(format!(
                        "{digit} stands in {box_} either in {}, so that {far} holds it, or in {line}",
                        self.near_line
                    ))
                });
            }
        }
    }
}

/// Two empty rectangles in the same box.
fn list_duals(board: &Position, found: &mut Steps) {
    let single = found.list().to_vec();
    for (at, first) in single.iter().enumerate() {
        for second in &single[at + 1..] {
            let [one, two] = [&first.pattern, &second.pattern];
            if one.digits == two.digits && one.houses[0] == two.houses[0] {
                found.eliminate_both(board, first, second);
            }
        }
    }
}
