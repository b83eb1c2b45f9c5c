//! The solving technique "W-wing": its manual, the search for its steps, and its tests.

use crate::board::{Cell, CellSet, Digit, DigitSet, House};
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::techniques::single_digit::conjugate::{ConjugatePair, conjugate_pairs};
use crate::grade::{Link, Node, Pattern, Position, Steps, StrongReason};

technique! {
    /// Two cells have the same two candidates x and y. In some house, x has two places, one of
    /// which sees the first cell and the other the second. The digit y is removed from all
    /// cells that see both cells.
    ///
    /// # Why it is sound
    ///
    /// If neither cell held y, both would hold x, and the house would have no place left for x.
    WWing {
        name: "W-wing",
        level: Level::Hard,
        effort: 150,
        hodoku_codes: &["0803"],
        hodoku_order: Some(220),
        explainer: "~4.4",
        hodoku_names: &["W-Wing"],
        explainer_names: &[],
        example: Example {
            grid: "231985764658427391.7.631852547813926192576483863249175.853...1731.75..4.72.1..53.",
            removed: "",
            effect: "r7c1<>9",
        },
    }
    union: find_union,
    list: list_steps,
}

fn list_steps(board: &Position, found: &mut Steps) {
    let [_, two, three] = board.at_least();
    let digits = board.by_cell();
    let mut cells = board.unsolved() & two.without(three);
    while let Some(first) = cells.next() {
        let pair = digits[first.index()];
        for second in cells.filter(|second| digits[second.index()] == pair) {
            let mut pair_digits = pair;
            let (Some(x), Some(y)) = (pair_digits.next(), pair_digits.next()) else {
                continue;
            };
            for [linking_digit, removed_digit] in [[x, y], [y, x]] {
                let wing = Wing {
                    cells: [first, second],
                    linking_digit,
                    removed_digit,
                };
                wing.find(board, found);
            }
        }
    }
}

/// Finds the candidates that W-wings remove, without listing the steps. Cells only lose candidates, so for each wing
/// that is new since the technique last found nothing, one of its cells or its linking digit has changed since then.
fn find_union(board: &Position, found: &mut Steps) {
    let changed_part = board.changes(TechniqueName::WWing, found);
    let [_, two, three] = board.at_least();
    let mut cells = board.unsolved() & two.without(three);
    while let Some(first) = cells.next() {
        let mut pair_digits = board.by_cell()[first.index()];
        let (Some(x), Some(y)) = (pair_digits.next(), pair_digits.next()) else {
            continue;
        };
        let seconds = cells & board.places(x) & board.places(y);
        if seconds.is_empty() {
            continue;
        }
        for [linking_digit, removed_digit] in [[x, y], [y, x]] {
            let may_be_new = |cell| {
                let pair = CellSet::of(first) | CellSet::of(cell);
                !(pair & changed_part.cells()).is_empty()
                    || changed_part.digits().contains(linking_digit)
            };
            let targets = board.open_places(removed_digit) & first.peers();
            let mut other_ends = None;
            for second in seconds {
                let targets = targets & second.peers();
                if targets.is_empty() || !may_be_new(second) {
                    continue;
                }
                let other_ends_of_first =
                    *other_ends.get_or_insert_with(|| other_ends_of(board, linking_digit, first));
                if !(other_ends_of_first & second.peers()).is_empty() {
                    found.eliminate(board, [(removed_digit, targets)], Pattern::default);
                }
            }
        }
    }
    board.record_miss(TechniqueName::WWing, found);
}

/// The cells that must hold the digit if `cell` holds it. Such a cell is one of only two places of the digit in some
/// house, and `cell` sees the other of the two.
fn other_ends_of(board: &Position, digit: Digit, cell: Cell) -> CellSet {
    let pair_ends = conjugate_pairs(board, digit).flat_map(ConjugatePair::both_ways);
    pair_ends
        .filter(|(near, _)| cell.peers().contains(*near))
        .map(|(_, far)| far)
        .collect()
}

/// Two cells with the same two candidates: the linking digit x, and the digit y that is removed.
struct Wing {
    cells: [Cell; 2],
    linking_digit: Digit,
    removed_digit: Digit,
}

impl Wing {
    fn find(&self, board: &Position, found: &mut Steps) {
        let [first, second] = self.cells;
        let targets = first.peers() & second.peers() & board.open_places(self.removed_digit);
        if targets.is_empty() {
            return;
        }
        for pair in conjugate_pairs(board, self.linking_digit) {
            for (a, b) in pair.both_ways() {
                if first.peers().contains(a) && second.peers().contains(b) {
                    found.eliminate(board, [(self.removed_digit, targets)], || {
                        self.pattern(pair.house, [a, b])
                    });
                }
            }
        }
    }

    fn pattern(&self, house: House, [a, b]: [Cell; 2]) -> Pattern {
        let [first, second] = self.cells;
        let [x, y] = [self.linking_digit, self.removed_digit];
        Pattern::new(
            [house],
            CellSet::from_iter(self.cells),
            DigitSet::from_iter([x, y]),
        )
        .with_others(CellSet::from_iter([a, b]))
        .with_chain(vec![
            Link::strong(
                Node::from_candidate(y, first),
                Node::from_candidate(x, first),
                StrongReason::Cell,
            ),
            Link::weak(Node::from_candidate(x, first), Node::from_candidate(x, a)),
            Link::strong(
                Node::from_candidate(x, a),
                Node::from_candidate(x, b),
                StrongReason::House(house),
            ),
            Link::weak(Node::from_candidate(x, b), Node::from_candidate(x, second)),
            Link::strong(
                Node::from_candidate(x, second),
                Node::from_candidate(y, second),
                StrongReason::Cell,
            ),
        ])
        .because(format!(
            "{x} stands in {house} in {a} or {b}, so {first} or {second} holds {y}"
        ))
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &WWing,
    &[
        // In row 8, 1 links the two cells.
        ("r1c1=12 r5c9=12 1@r8=19", "r1c9<>2, r5c1<>2"),
        // In column 8, 2 links the two cells.
        ("r2c2=12 r6c5=12 2@c8=26", "r2c5<>1, r6c2<>1"),
        // In box 7, 1 links the two cells.
        ("r1c1=12 r8c5=12 1@b7=16", "r1c5<>2, r8c1<>2"),
    ],
    &[
        // Finds nothing: r8c8 does not see r5c9.
        "r1c1=12 r5c9=12 1@r8=18",
        // Finds nothing: the two cells have different candidates.
        "r1c1=12 r5c9=13 1@r8=19",
        // Finds nothing: row 8 has a third place for 1.
        "r1c1=12 r5c9=12 1@r8=159",
    ],
);
