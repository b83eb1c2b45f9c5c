//! The solving technique "Empty rectangle": its manual, the search for its steps, and its tests.

use crate::board::{CellSet, Digit, DigitSet, House, count_nine};
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// All places of a digit in a box are in one row and one column of the box. The digit has
    /// two places in another column, and one of them is in that row. The digit is removed from
    /// the cell where the row of the other place crosses the column of the box. The same holds
    /// with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// If the digit is in that row of the box, it is not in the place of the other column that
    /// is in this row, so it is in the other place. Otherwise it is in that column of the box.
    /// The cell sees both.
    EmptyRectangle {
        name: "Empty rectangle",
        level: Level::Hard,
        effort: 120,
        hodoku_codes: &["0402", "0405"],
        hodoku_order: Some(210),
        explainer: "–",
        hodoku_names: &["Empty Rectangle"],
        explainer_names: &[],
        example: Example {
            grid: "81.37.9566..9153.835968..17.65.31.8994325876118..965.3496127835..8563194531849672",
            removed: "",
            effect: "r2c8<>2",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    let changed = board.changes(TechniqueName::EmptyRectangle, found).digits();
    find(board, board.with_places_in_no_placement(changed), found);
    board.record_miss(TechniqueName::EmptyRectangle, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    find(board, DigitSet::FULL, found);
    list_duals(board, found);
    board.record_miss(TechniqueName::EmptyRectangle, found);
}

/// Finds the empty rectangles of these digits.
fn find(board: &Position, digits: DigitSet, found: &mut Steps) {
    for digit in digits {
        for (lines, across) in [
            (House::rows(), House::columns()),
            (House::columns(), House::rows()),
        ] {
            for pair in 0..9 {
                let pair_ends = board.open_in(across[pair], digit);
                if count_nine(pair_ends) == 2 {
                    let arm = Arm {
                        digit,
                        lines,
                        across,
                        pair,
                    };
                    let [low, high] = [pair_ends.trailing_zeros(), 15 - pair_ends.leading_zeros()];
                    arm.find(board, low as usize, high as usize, found);
                    arm.find(board, high as usize, low as usize, found);
                }
            }
        }
    }
}

/// A conjugate pair in one line, `across[pair]`, and the nine lines that cross this line.
struct Arm {
    digit: Digit,
    lines: &'static [House],
    across: &'static [House],
    pair: usize,
}

impl Arm {
    /// Finds empty rectangles in the boxes on the line through the near end of the pair. In such a box, all places of
    /// the digit must be in that line and in one line parallel to the pair. Then the digit is removed from the cell
    /// where the parallel line crosses the line through the far end.
    fn find(&self, board: &Position, near: usize, far: usize, found: &mut Steps) {
        let Arm {
            digit, lines, pair, ..
        } = *self;
        if near / 3 == far / 3 {
            return;
        }
        let through_far = board.open_in(lines[far], digit);
        for stack in (0..3).filter(|stack| *stack != pair / 3) {
            let through_box = 0o7 << (3 * stack);
            if through_far & through_box == 0 {
                continue;
            }
            let in_line = |line: usize| board.open_in(lines[line], digit) & through_box;
            let band = 3 * (near / 3)..3 * (near / 3) + 3;
            let other_lines = band
                .filter(|line| *line != near)
                .fold(0, |beside, line| beside | in_line(line));
            if other_lines == 0 && in_line(near) == 0 || count_nine(other_lines) > 1 {
                continue;
            }
            for cross in 3 * stack..3 * stack + 3 {
                if other_lines & !(1 << cross) == 0 && through_far >> cross & 1 == 1 {
                    self.step(board, [near, far, cross], found);
                }
            }
        }
    }

    fn step(&self, board: &Position, [near, far, cross]: [usize; 3], found: &mut Steps) {
        let Arm {
            digit,
            lines,
            across,
            pair,
        } = *self;
        let target = across[cross].cell(far);
        found.eliminate(board, [(digit, CellSet::of(target))], || {
            let box_ = House::box_(across[cross].cell(near).box_index());
            let pair_cells = [near, far].map(|at| across[pair].cell(at));
            Pattern::new(
                [box_, across[pair]],
                CellSet::from_iter(pair_cells),
                DigitSet::from_iter([digit]),
            )
            .with_others(board.open_places(digit) & box_.cells())
            .because(format!(
                "{digit} stands in {box_} either in {}, so that {} holds it, or in {}",
                lines[near], pair_cells[1], across[cross]
            ))
        });
    }
}

const DUAL_REASON: &str = "two empty rectangles are in the same box (dual empty rectangle)";

/// Lists dual empty rectangles: two empty rectangles in the same box, combined into one step.
fn list_duals(board: &Position, found: &mut Steps) {
    let single_steps = found.list().to_vec();
    for (at, first) in single_steps.iter().enumerate() {
        for second in &single_steps[at + 1..] {
            let [one, two] = [&first.pattern, &second.pattern];
            if one.digits == two.digits && one.houses[0] == two.houses[0] {
                found.eliminate_both(board, first, second, DUAL_REASON);
            }
        }
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &EmptyRectangle,
    &[
        // The places of box 1 are in row 2 and column 2.
        ("5@b1=2456 5@c7=26", "r6c2<>5"),
        // The crossing of the row and the column lacks the digit.
        ("5@b1=248 5@c7=26", "r6c2<>5"),
        // The conjugate pair is in a row.
        ("5@b9=2468 5@r1=28", "r8c2<>5"),
    ],
    &[
        // Finds nothing: the box has a place outside the row and the column.
        "5@b1=12456 5@c7=26",
        // Finds nothing: no end of the pair is in the row of the box.
        "5@b1=2456 5@c7=36",
        // Finds nothing: the column has three places.
        "5@b1=2456 5@c7=268",
    ],
);
