use super::conjugate::{ConjugatePair, conjugate_pairs};
use crate::board::{Cell, CellSet, Digit, DigitSet, HouseKind};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Link, Node, Pattern, Position, Steps};

technique! {
    /// A digit has two places in each of two rows, and one place of the first row stands in the
    /// same column as one of the second: the digit goes out of all cells that see both other
    /// places. Likewise with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// The two places in one column cannot both hold the digit. So in one of the rows it stands in
    /// the other place, and a cell that sees both of these cannot hold it.
    Skyscraper {
        id: "skyscraper",
        name: "Skyscraper",
        level: Level::Hard,
        effort: 130,
        hodoku: &["0400"],
        explainer: "6.6",
        example: Example {
            grid: "251836749.93.145.6.465.913.134..569.9824613575679.34.1618342975379158264425697813",
            removed: "",
            effect: "r3c5<>2, r4c4<>2",
        },
    }
}

technique! {
    /// A digit has two places in a row and two in a column, and one place of the row shares a box
    /// with one of the column: the digit goes out of the cell that sees both other places.
    ///
    /// # Why it is sound
    ///
    /// The two places in the box cannot both hold the digit. So in the row or in the column it
    /// stands in the other place, and a cell that sees both of these cannot hold it.
    TwoStringKite {
        id: "two_string_kite",
        name: "Two-string kite",
        level: Level::Hard,
        effort: 150,
        hodoku: &["0401", "0404"],
        explainer: "6.6",
        example: Example {
            grid: "435612879296378415817594236..8.23164342165987..184.523..4.3.758..9.86341.8345.692",
            removed: "",
            effect: "r4c1<>7",
        },
    }
}

technique! {
    /// A digit has two places in each of two houses, of whatever kind, and a place in the first
    /// sees a place in the second: the digit goes out of all cells that see both other places.
    ///
    /// # Why it is sound
    ///
    /// The two places that see each other cannot both hold the digit. So in one of the houses it
    /// stands in the other place, and a cell that sees both of these cannot hold it.
    TurbotFish {
        id: "turbot_fish",
        name: "Turbot fish",
        level: Level::Hard,
        effort: 120,
        hodoku: &["0403"],
        explainer: "6.6",
        example: Example {
            grid: "84.3269..2598716346.3495.8.784632.9.1625894733951478265382147694..9.3..89..7.834.",
            removed: "",
            effect: "r8c2<>1",
        },
    }
}

impl Technique for Skyscraper {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let are_parallel =
            |first: HouseKind, second: HouseKind| first == second && first != HouseKind::Box;
        let in_line = |a: Cell, b: Cell| a.row() == b.row() || a.column() == b.column();
        two_pairs(board, found, are_parallel, in_line);
    }
}

impl Technique for TwoStringKite {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let cross = |first: HouseKind, second: HouseKind| {
            first == HouseKind::Row && second == HouseKind::Column
        };
        let in_box = |a: Cell, b: Cell| a.box_index() == b.box_index();
        two_pairs(board, found, cross, in_box);
        if found.is_listing() {
            list_dual_kites(board, found);
        }
    }
}

impl Technique for TurbotFish {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        two_pairs(board, found, |_, _| true, |_, _| true);
    }
}

/// Two conjugate pairs of a digit one end of each of which sees the other, in houses of the wanted
/// kinds and with the wanted cells in the middle.
fn two_pairs(
    board: &Position,
    found: &mut Steps,
    kinds: impl Fn(HouseKind, HouseKind) -> bool,
    middle: impl Fn(Cell, Cell) -> bool,
) {
    // These are chains of one digit: where no such chain removes anything, none of them does.
    for (digit, _) in board.x_chains().by_digit() {
        let open = board.open_places(digit);
        let pairs: Vec<_> = conjugate_pairs(board, digit).collect();
        for (at, &first) in pairs.iter().enumerate() {
            for &second in &pairs[at + 1..] {
                if !kinds(first.house.kind(), second.house.kind()) {
                    continue;
                }
                for (a, b) in first.both_ways() {
                    for (d, c) in second.both_ways() {
                        if !b.peers().contains(c) || a == d {
                            continue;
                        }
                        let targets = a.peers() & d.peers() & open;
                        if targets.is_empty() || !middle(b, c) {
                            continue;
                        }
                        found.eliminate(board, [(digit, targets)], || {
                            pattern(digit, first, second, [a, b, c, d])
                        });
                    }
                }
            }
        }
    }
}

fn pattern(
    digit: Digit,
    first: ConjugatePair,
    second: ConjugatePair,
    [a, b, c, d]: [Cell; 4],
) -> Pattern {
    let cells = CellSet::from_iter([a, b, c, d]);
    let link = |from, to, strong| Link {
        from: Node::of(digit, from),
        to: Node::of(digit, to),
        strong,
    };
    Pattern::new(
        [first.house, second.house],
        cells,
        DigitSet::from_iter([digit]),
    )
    .with_chain(vec![link(a, b, true), link(b, c, false), link(c, d, true)])
    .because(format!(
        "{digit} has two places in {} and two in {}; {b} and {c} see each other, so {a} or {d} \
         holds it",
        first.house, second.house
    ))
}

/// Two kites of a digit that share a conjugate pair or their box.
fn list_dual_kites(board: &Position, found: &mut Steps) {
    let kites = found.list().to_vec();
    for (at, first) in kites.iter().enumerate() {
        for second in &kites[at + 1..] {
            let [one, two] = [&first.pattern, &second.pattern];
            let meet = one.houses.iter().any(|house| two.houses.contains(house))
                || middle_box(one) == middle_box(two);
            if one.digits == two.digits && meet {
                found.eliminate_both(board, first, second);
            }
        }
    }
}

/// The box that the weak link of two conjugate pairs lies in.
fn middle_box(pattern: &Pattern) -> Option<usize> {
    let weak = pattern.chain.get(1)?;
    Some(weak.from.cells.single()?.box_index())
}
