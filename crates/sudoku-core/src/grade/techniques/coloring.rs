use super::conjugate::conjugate_pairs;
use crate::board::{CellSet, Digit, DigitSet};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// A digit's conjugate pairs that hang together are coloured in turn with two colours: a cell
    /// that sees both colours loses the digit (trap), and where two cells of one colour see each
    /// other, all cells of that colour lose it (wrap). Also called single's chains.
    ///
    /// # Why it is sound
    ///
    /// Of a conjugate pair exactly one cell holds the digit, so all cells of one colour hold it and
    /// none of the other. A cell that sees both sees a true one; a colour that clashes with itself
    /// is the false one.
    SimpleColoring {
        id: "simple_coloring",
        name: "Simple colouring",
        level: Level::Hard,
        effort: 150,
        hodoku: &["0500", "0501"],
        explainer: "~5.0",
        example: Example {
            grid: "1546.379.37.54.6.12.67.1534.67.1534.413.679.55.2.341766354..817741358269.2.176453",
            removed: "",
            effect: "r1c5<>8, r2c8<>8, r3c2<>8, r4c1<>8, r4c9<>8, r5c4<>8, r6c4<>8, r9c3<>8",
        },
    }
}

technique! {
    /// Two groups of a digit's conjugate pairs are coloured each with its own two colours. Where a
    /// cell of a colour a of the first sees a cell of a colour b of the second, the digit goes out
    /// of all cells that see both opposite colours. Where a sees both colours of the second, all
    /// cells of a lose it.
    ///
    /// # Why it is sound
    ///
    /// The colours a and b are not both true, so one of the opposite colours is. If a were true,
    /// both colours of the second group would be false.
    MultiColoring {
        id: "multi_coloring",
        name: "Multi-colouring",
        level: Level::Hard,
        effort: 200,
        hodoku: &["0502", "0503"],
        explainer: "~5.5",
        example: Example {
            grid: ".192..6.7.7896.2.1.62.71.4.93512687468174..23724...1..2936874158564137921475923..",
            removed: "",
            effect: "r1c1<>5",
        },
    }
}

impl Technique for SimpleColoring {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        // Colours are chains of one digit: where no such chain removes anything, no colour does.
        for (digit, _) in board.x_chains().by_digit() {
            for group in groups(board, digit) {
                let Group { colours: [a, b] } = group;
                let trapped = (a.all_peers() & b.all_peers()).without(a | b);
                found.eliminate(board, [(digit, trapped)], || {
                    group.pattern(digit).because(format!(
                        "all cells of one colour hold {digit}, and these cells see both colours"
                    ))
                });
                for colour in [a, b] {
                    if !(colour & colour.all_peers()).is_empty() {
                        found.eliminate(board, [(digit, colour)], || {
                            group.pattern(digit).because(format!(
                                "two cells of this colour see each other, so none of the colour \
                                 holds {digit}"
                            ))
                        });
                    }
                }
            }
        }
    }
}

impl Technique for MultiColoring {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        for (digit, _) in board.x_chains().by_digit() {
            let groups = groups(board, digit);
            for (at, first) in groups.iter().enumerate() {
                for second in &groups[at + 1..] {
                    let listed = found.list().len();
                    for [one, two] in [[first, second], [second, first]] {
                        contradicted(board, digit, one, two, found);
                    }
                    linked(board, digit, first, second, found);
                    found.eliminate_all_from(board, listed);
                }
            }
        }
    }
}

/// Colours of the first group that see both colours of the second.
fn contradicted(board: &Position, digit: Digit, first: &Group, second: &Group, found: &mut Steps) {
    for colour in first.colours {
        let sees = |other: CellSet| !(colour.all_peers() & other).is_empty();
        if second.colours.into_iter().all(sees) {
            found.eliminate(board, [(digit, colour)], || {
                first.pattern_with(second, digit).because(format!(
                    "this colour sees both colours of another group, one of which holds {digit}"
                ))
            });
        }
    }
}

/// A colour of the first group that sees one of the second.
fn linked(board: &Position, digit: Digit, first: &Group, second: &Group, found: &mut Steps) {
    for (a, opposite_a) in first.both_ways() {
        let seen = a.all_peers();
        for (b, opposite_b) in second.both_ways() {
            if (seen & b).is_empty() {
                continue;
            }
            let targets = opposite_a.all_peers() & opposite_b.all_peers();
            found.eliminate(board, [(digit, targets)], || {
                first.pattern_with(second, digit).because(format!(
                    "a colour of one group sees a colour of the other, so one of the two opposite \
                     colours holds {digit}, and these cells see both"
                ))
            });
        }
    }
}

/// Conjugate pairs that hang together: all cells of one colour hold the digit, none of the other.
#[derive(Clone, Copy)]
struct Group {
    colours: [CellSet; 2],
}

impl Group {
    fn both_ways(self) -> [(CellSet, CellSet); 2] {
        let [a, b] = self.colours;
        [(a, b), (b, a)]
    }

    fn pattern(&self, digit: Digit) -> Pattern {
        let [a, b] = self.colours;
        Pattern::new([], a, DigitSet::from_iter([digit])).with_others(b)
    }

    fn pattern_with(&self, other: &Group, digit: Digit) -> Pattern {
        let [[a, b], [c, d]] = [self.colours, other.colours];
        Pattern::new([], a | c, DigitSet::from_iter([digit])).with_others(b | d)
    }
}

fn groups(board: &Position, digit: Digit) -> Vec<Group> {
    let pairs: Vec<_> = conjugate_pairs(board, digit).collect();
    let mut groups: Vec<Group> = Vec::new();
    let mut coloured = CellSet::EMPTY;
    for pair in &pairs {
        if coloured.contains(pair.ends[0]) {
            continue;
        }
        let mut colours = [CellSet::of(pair.ends[0]), CellSet::EMPTY];
        loop {
            let mut grown = colours;
            for (from, to) in pairs.iter().flat_map(|pair| pair.both_ways()) {
                for at in 0..2 {
                    if grown[at].contains(from) {
                        grown[1 - at].insert(to);
                    }
                }
            }
            if grown == colours {
                break;
            }
            colours = grown;
        }
        coloured |= colours[0] | colours[1];
        groups.push(Group { colours });
    }
    groups
}
