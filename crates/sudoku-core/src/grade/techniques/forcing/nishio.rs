use super::{refute, trace};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

technique! {
    /// Assume a candidate and fill in naked and hidden singles only: where that ends with a cell
    /// without candidates, a house without a place for a digit, or a digit twice in a house, the
    /// candidate goes out.
    ///
    /// # Why it is sound
    ///
    /// Everything that is filled in follows from the assumption, so a contradiction disproves it.
    Nishio {
        id: "nishio",
        name: "Nishio",
        level: Level::Extreme,
        effort: 500,
        hodoku: &["1301"],
        hodoku_place: None,
        explainer: "7.5–8.1",
        watch: Watch::Board,
        example: Example {
            grid: ".5..138..8.4.7531.3.148.5.718254..3.5.3.2.1..47..312.564.15.923.3..6.451215394..8",
            removed: "",
            effect: "r1c8<>6",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    let refuted = board.filled_with_singles().refuted();
    refute(board, &refuted, found, |digit, cell| {
        trace::contradiction(board, digit, cell)
    });
}
