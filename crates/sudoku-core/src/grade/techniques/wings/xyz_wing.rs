use super::wings;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

technique! {
    /// A cell with the candidates x, y and z (the pivot) sees a cell with x and z and a cell with
    /// y and z (the pincers): z goes out of all cells that see the pivot and both pincers.
    ///
    /// # Why it is sound
    ///
    /// The pivot holds z itself, or x or y, so that one of the pincers holds z.
    XyzWing {
        id: "xyz_wing",
        name: "XYZ-wing",
        level: Level::Hard,
        effort: 180,
        hodoku: &["0801"],
        hodoku_place: Some(240),
        explainer: "4.4",
        watch: Watch::Board,
        example: Example {
            grid: "1476.9...8364.2...2958.1.46418365...762194583359728614684917235923546.7.571283469",
            removed: "",
            effect: "r3c7<>7",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    wings(board, 3, found);
}
