use super::colours::{Group, groups};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

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
        hodoku_place: Some(380),
        explainer: "~5.0",
        watch: Watch::Board,
        example: Example {
            grid: "1546.379.37.54.6.12.67.1534.67.1534.413.679.55.2.341766354..817741358269.2.176453",
            removed: "",
            effect: "r1c5<>8, r2c8<>8, r3c2<>8, r4c1<>8, r4c9<>8, r5c4<>8, r6c4<>8, r9c3<>8",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
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
