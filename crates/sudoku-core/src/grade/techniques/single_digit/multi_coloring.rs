//! The solving technique "Multi-colouring": its manual, the search for its steps, and its tests.

use super::colours::{ColourGroup, groups, pair_in_sight, pattern};
use super::x_chains::XChains;
use crate::board::Digit;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// The pairs of a digit's only two places in a house form connected groups. The cells of
    /// two groups are coloured, each group with two colours of its own, so that the cells of a
    /// pair have different colours. If a cell with a colour a of the first group sees a cell
    /// with a colour b of the second, the digit is removed from all cells that see both a cell
    /// with the other colour of the first group and one with the other colour of the second. If
    /// cells with a see both colours of the second group, the digit is removed from all cells
    /// with a.
    ///
    /// # Why it is sound
    ///
    /// The cells of a colour either all hold the digit, or none of them does. The colours a and
    /// b do not both hold it, so one of the other two colours does. If a held the digit,
    /// neither colour of the second group could.
    MultiColoring {
        name: "Multi-colouring",
        level: Level::Hard,
        effort: 200,
        hodoku_codes: &["0502", "0503"],
        hodoku_order: Some(390),
        explainer: "~5.5",
        hodoku_names: &["Multi Colors 1", "Multi Colors 2"],
        explainer_names: &[],
        example: Example {
            grid: ".192..6.7.7896.2.1.62.71.4.93512687468174..23724...1..2936874158564137921475923..",
            removed: "",
            effect: "r1c1<>5",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    for (digit, _) in board.derived::<XChains>().removed.by_digit() {
        let groups = groups(board, digit);
        for (at, first) in groups.iter().enumerate() {
            for second in &groups[at + 1..] {
                let listed_count = found.list().len();
                let group_pair = GroupPair {
                    board,
                    digit,
                    groups: [*first, *second],
                };
                group_pair.eliminate_contradicted(found);
                group_pair.eliminate_linked(found);
                found.eliminate_all_from(board, listed_count, SEVERAL_REASON);
            }
        }
    }
}

const SEVERAL_REASON: &str = "the two groups remove something in several ways";

/// Two colour groups of a digit. The first has colours 1 and 2, the second has colours 3 and 4.
struct GroupPair<'a> {
    board: &'a Position,
    digit: Digit,
    groups: [ColourGroup; 2],
}

impl GroupPair<'_> {
    /// If a colour of one group sees both colours of the other group, removes the digit from all cells of that colour.
    fn eliminate_contradicted(&self, found: &mut Steps) {
        let digit = self.digit;
        let [first, second] = self.groups.map(|group| group.colours);
        for (from, own, across, others) in [(1, first, 3, second), (3, second, 1, first)] {
            for (n, colour) in own.into_iter().enumerate() {
                let [Some((a, c)), Some((b, d))] = others.map(|other| pair_in_sight(colour, other))
                else {
                    continue;
                };
                found.eliminate(self.board, [(digit, colour)], || {
                    self.pattern().because(format!(
                        "one of the colours {across} and {} holds {digit}, and colour {} sees both \
                         ({a} sees {c}, {b} sees {d}), so it does not",
                        across + 1,
                        from + n
                    ))
                });
            }
        }
    }

    /// If a colour of the first group sees a colour of the second, removes the digit from cells that see both opposite
    /// colours.
    fn eliminate_linked(&self, found: &mut Steps) {
        let digit = self.digit;
        let [first, second] = self.groups.map(|group| group.colours);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let Some((one, other)) = pair_in_sight(first[i], second[j]) else {
                continue;
            };
            let targets = first[1 - i].all_peers() & second[1 - j].all_peers();
            found.eliminate(self.board, [(digit, targets)], || {
                let [a, b, opposite_a, opposite_b] = [i + 1, j + 3, 2 - i, 4 - j];
                self.pattern().because(format!(
                    "{one} of colour {a} sees {other} of colour {b}, so these do not both hold \
                     {digit}: colour {opposite_a} or colour {opposite_b} does, and what is removed \
                     sees both"
                ))
            });
        }
    }

    fn pattern(&self) -> Pattern {
        pattern(self.board, self.digit, &self.groups)
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &MultiColoring,
    &[
        // The colours are linked because r1c5 sees r8c5.
        ("5@r1=15 5@r8=25", "r79c1<>5, r23c2<>5"),
        // The colour of r1c1 and r4c5 sees both colours of row 6.
        ("5@r1=15 5@c5=14 5@r6=14", "r1c1<>5, r4c5<>5, r23c4<>5"),
        // r8c6 of one group sees r4c6 of the other.
        ("5@c3=28 5@r8=36 5@r4=26", "r79c2<>5"),
    ],
    &[
        // Finds nothing: no colour sees a colour of the other group.
        "5@r1=15 5@r8=26",
        // Finds nothing: no cell sees both of the opposite colours.
        "5@r1=15 5@r8=58",
    ],
);
