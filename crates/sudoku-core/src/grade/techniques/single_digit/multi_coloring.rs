//! Multi-colouring: a technique of the ladder.

use super::colours::{ColourGroup, groups, pair_in_sight, pattern};
use super::x_chains::XChains;
use crate::board::Digit;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// Two groups of a digit's conjugate pairs are coloured each with its own two colours. Where a
    /// cell of a colour a of the first sees a cell of a colour b of the second, the digit is
    /// removed from all cells that see both opposite colours. Where a sees both colours of the
    /// second, all cells of a lose it.
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
        hodoku_place: Some(390),
        explainer: "~5.5",
        steps_of_hodoku: &["Multi Colors 1", "Multi Colors 2"],
        steps_of_explainer: &[],
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
                let listed = found.list().len();
                let both = GroupPair {
                    board,
                    digit,
                    groups: [*first, *second],
                };
                both.contradicted(found);
                both.linked(found);
                found.eliminate_all_from(board, listed, SEVERAL);
            }
        }
    }
}

const SEVERAL: &str = "the two groups remove something in several ways";

/// Two groups of a digit. The first group has the colours 1 and 2, the second the colours 3 and 4.
struct GroupPair<'a> {
    board: &'a Position,
    digit: Digit,
    groups: [ColourGroup; 2],
}

impl GroupPair<'_> {
    /// Removes the digit from each colour of one group that sees both colours of the other.
    fn contradicted(&self, found: &mut Steps) {
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

    /// For each colour of the first group that sees a colour of the second, removes the digit from
    /// the cells that see both opposite colours.
    fn linked(&self, found: &mut Steps) {
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
mod tests {
    use super::MultiColoring;
    use crate::grade::techniques::testing::check;

    #[test]
    fn finds_the_pattern_and_no_near_miss() {
        check(
            &MultiColoring,
            &[
                // r1c5 sees r8c5.
                ("5@r1=15 5@r8=25", "r79c1<>5, r23c2<>5"),
                // The colour of r1c1 and r4c5 sees both colours of row 6.
                ("5@r1=15 5@c5=14 5@r6=14", "r1c1<>5, r4c5<>5, r23c4<>5"),
                // r8c6 of one group sees r4c6 of the other.
                ("5@c3=28 5@r8=36 5@r4=26", "r79c2<>5"),
            ],
            &[
                // Near miss: no colour sees a colour of the other group.
                "5@r1=15 5@r8=26",
                // Near miss: no cell sees both opposite colours.
                "5@r1=15 5@r8=58",
            ],
        );
    }
}
