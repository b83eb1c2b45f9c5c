//! The solving technique "Death blossom": its manual and its tests.

use super::{listed, quick};
use crate::grade::technique::{Example, Level, technique};

technique! {
    /// The stem is a cell. For each of its candidates there is a petal: an almost locked set
    /// with this digit, whose places in the set all see the stem. Any other digit z that all
    /// petals have is removed from all cells that see every place of z in every petal.
    ///
    /// # Why it is sound
    ///
    /// The digit in the stem is missing in its petal. An almost locked set lacks at most one
    /// digit, so that petal holds z.
    DeathBlossom {
        name: "Death blossom",
        level: Level::Unfair,
        effort: 360,
        hodoku_codes: &["0904"],
        hodoku_order: Some(470),
        explainer: "~7.5",
        hodoku_names: &[],
        explainer_names: &[],
        example: Example {
            grid: "...8.53696.932..5435...91.2..7..3548.3.5.2697.65...231.46.5.9.3193..64.55.2934.16",
            removed: "735 774 778",
            effect: "r8c4<>7",
        },
    }
    union: quick::death_blossom::find_union,
    list: listed::death_blossom::list_steps,
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &DeathBlossom,
    &[
        // Each of the two petals is a single cell, so this is also an XY-wing.
        ("r5c5=12 r5c1=19 r1c5=29", "r1c1<>9"),
        // The stem has three petals.
        ("r5c5=123 r5c1=19 r5c9=29 r4c4=39", "r5c46<>9"),
        // One petal has two cells.
        ("r5c5=12 r5c12=189 r4c6=29", "r4c123<>9, r5c46<>9"),
    ],
    &[
        // Finds nothing: the third petal has no 9.
        "r5c5=123 r5c1=19 r5c9=29 r4c4=38",
        // Finds nothing: the digit 4 of the stem has no petal.
        "r5c5=124 r5c1=19 r1c5=29",
        // Finds nothing: no cell sees every 9 of the petals.
        "r5c5=12 r5c12=189 r1c5=29",
    ],
);
