use super::wings;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

technique! {
    /// A cell with the candidates x and y (the pivot) sees a cell with x and z and a cell with y
    /// and z (the pincers): z goes out of all cells that see both pincers.
    ///
    /// # Why it is sound
    ///
    /// The pivot holds x or y, so one of the pincers cannot, and holds z.
    XyWing {
        id: "xy_wing",
        name: "XY-wing",
        level: Level::Hard,
        effort: 160,
        hodoku: &["0800"],
        hodoku_place: Some(230),
        explainer: "4.2",
        watch: Watch::Board,
        example: Example {
            grid: "7312465984869153..259783..45423.198.6934.8..58175.94.3378194.5.125637849964852731",
            removed: "",
            effect: "r2c8<>2",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    wings(board, 2, found);
}
