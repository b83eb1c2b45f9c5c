//! The solving technique "Simple colouring": its manual, the search for its steps, and its tests.

use super::colours::{ColourGroup, groups, pair_in_sight, pattern};
use super::x_chains::XChains;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// The pairs of a digit's only two places in a house form a connected group. Its cells are
    /// coloured with two colours, so that the cells of a pair have different colours. The digit
    /// is removed from a cell that sees both colours (trap). If two cells of one colour see
    /// each other, the digit is removed from all cells of that colour (wrap). Also called
    /// single's chains.
    ///
    /// # Why it is sound
    ///
    /// Exactly one cell of a pair holds the digit, so all cells of one colour hold it and no
    /// cell of the other. A cell that sees both colours sees a cell that holds it. Two cells
    /// that see each other cannot both hold it, so their colour does not.
    SimpleColoring {
        name: "Simple colouring",
        level: Level::Hard,
        effort: 150,
        hodoku_codes: &["0500", "0501"],
        hodoku_order: Some(380),
        explainer: "~5.0",
        hodoku_names: &["Simple Colors Wrap", "Simple Colors Trap"],
        explainer_names: &[],
        example: Example {
            grid: "1546.379.37.54.6.12.67.1534.67.1534.413.679.55.2.341766354..817741358269.2.176453",
            removed: "",
            effect: "r1c5<>8, r2c8<>8, r3c2<>8, r4c1<>8, r4c9<>8, r5c4<>8, r6c4<>8, r9c3<>8",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    // Chains of one digit remove everything that simple colouring removes. So a digit is skipped if its chains remove
    // nothing.
    for (digit, _) in board.derived::<XChains>().removed.by_digit() {
        for group in groups(board, digit) {
            let ColourGroup { colours: [a, b] } = group;
            let trapped = (a.all_peers() & b.all_peers()).without(a | b);
            found.eliminate(board, [(digit, trapped)], || {
                pattern(board, digit, &[group]).because(format!(
                    "the cells of one of the two colours hold {digit}, and what is removed \
                         sees both colours"
                ))
            });
            for (n, colour) in [(1, a), (2, b)] {
                if let Some((one, other)) = pair_in_sight(colour, colour) {
                    found.eliminate(board, [(digit, colour)], || {
                        pattern(board, digit, &[group]).because(format!(
                            "{one} and {other} are both of colour {n} and see each other, so \
                                 no cell of this colour holds {digit}"
                        ))
                    });
                }
            }
        }
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &SimpleColoring,
    &[
        // A colour trap: r8c1 sees r1c1 and r8c6, which have different colours.
        ("5@r1=15 5@b2=26 5@c6=28", "r8c1<>5"),
        // A colour wrap: r1c1 and r3c2 have the same colour and see each other.
        (
            "5@r1=15 5@c5=15 5@r5=25 5@c2=35",
            "r1c1<>5, r3c2<>5, r5c5<>5, r46c1<>5, r3c46<>5",
        ),
        // A colour trap for each of two digits.
        (
            "5@r1=15 5@b2=26 5@c6=28 6@c1=15 6@b4=48 6@r6=28",
            "r8c1<>5, r1c8<>6",
        ),
    ],
    &[
        // Finds nothing: the last pair has a third place, so it is not conjugate.
        "5@r1=15 5@b2=26 5@c6=248",
        // Finds nothing: no candidate sees cells of both colours.
        "5@r1=15 5@c5=17 5@r7=58",
    ],
);
