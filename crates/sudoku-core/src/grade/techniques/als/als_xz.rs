//! The solving technique "ALS-XZ": its manual and its tests.

use super::{listed, quick};
use crate::grade::technique::{Example, Level, technique};

technique! {
    /// Two almost locked sets share a restricted common digit x: all places of x in one set see
    /// all its places in the other. Any other digit z that both sets have is removed from all
    /// cells that see every place of z in both sets. If the sets share two restricted common
    /// digits, each set also keeps all its other digits. Each of these is removed from all
    /// cells that see every place of it in its set. The restricted digits are removed from all
    /// cells that see every place of them in both sets.
    ///
    /// # Why it is sound
    ///
    /// At most one of the sets holds x. The other set lacks x. An almost locked set lacks at
    /// most one digit, so that set holds z. With two restricted common digits, each set lacks
    /// exactly one of them.
    AlsXz {
        name: "ALS-XZ",
        level: Level::Unfair,
        effort: 300,
        hodoku_codes: &["0901"],
        hodoku_order: Some(440),
        explainer: "~7.0",
        hodoku_names: &["Almost Locked Set XZ-Rule"],
        explainer_names: &[],
        example: Example {
            grid: "2743.5.8158....23.9..82.7458.....5.76.71584.34.5.....81596823743689471527425..8..",
            removed: "",
            effect: "r2c5<>6",
        },
    }
    union: quick::als_xz::find_union,
    list: listed::als_xz::list_steps,
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &AlsXz,
    &[
        // 1 can only be in one of r1c1 and r5c1, so r1c12 or r5c13 holds 2.
        ("r1c1=13 r1c2=23 r5c1=14 r5c3=24", "r123c3<>2, r456c2<>2"),
        // 1 and 2 can each be in only one of the sets, so each set keeps its third digit.
        (
            "r1c12=123 r1c78=124",
            "r1c34569<>1234, r23c123<>3, r23c789<>4",
        ),
        // One of the sets is a single cell, so this is also an XY-wing.
        ("r1c1=12 r1c5=13 r5c1=23", "r5c5<>3"),
    ],
    &[
        // Finds nothing: r5c1 and r5c3 have together four digits, so they are not an almost locked set.
        "r1c1=13 r1c2=23 r5c1=14 r5c3=25",
        // Finds nothing: both sets can contain 1, because r1c2 does not see r5c1.
        "r1c12=123 r5c1=14 r5c3=24",
    ],
);
