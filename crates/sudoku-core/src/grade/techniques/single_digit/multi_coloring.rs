use super::colours::{Group, groups};
use crate::board::{CellSet, Digit};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

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
        hodoku_place: Some(390),
        explainer: "~5.5",
        watch: Watch::Board,
        example: Example {
            grid: ".192..6.7.7896.2.1.62.71.4.93512687468174..23724...1..2936874158564137921475923..",
            removed: "",
            effect: "r1c1<>5",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
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

#[cfg(test)]
mod tests {
    use super::MultiColoring;
    use crate::grade::techniques::cases::check;

    #[test]
    fn finds_this_and_no_near_miss() {
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
                // No colour sees one of the other group.
                "5@r1=15 5@r8=26",
                // Nothing sees both opposite colours.
                "5@r1=15 5@r8=58",
            ],
        );
    }
}
