//! The solving technique "ALS-XY-wing": its manual and its tests.

use super::{listed, quick};
use crate::grade::technique::{Example, Level, technique};

technique! {
    /// An almost locked set C shares a restricted common digit x with a set A, and another one,
    /// y, with a set B. Restricted common means that all places of the digit in one set see all
    /// its places in the other. Any other digit z that A and B share is removed from all cells
    /// that see every place of z in both sets.
    ///
    /// # Why it is sound
    ///
    /// C lacks at most one digit, so it holds x or y. If it holds x, A lacks x and therefore
    /// holds z. If it holds y, B lacks y and therefore holds z.
    AlsXyWing {
        name: "ALS-XY-wing",
        level: Level::Unfair,
        effort: 320,
        hodoku_codes: &["0902"],
        hodoku_order: Some(450),
        explainer: "~7.2",
        hodoku_names: &["Almost Locked Set XY-Wing"],
        explainer_names: &[],
        example: Example {
            grid: "..3..91...1..6389.49.8173.5..9...53113..5..49.54391.86.4.13695.9.5...6133619.54..",
            removed: "799",
            effect: "r4c1<>27",
        },
    }
    union: quick::als_xy_wing::find_union,
    list: listed::als_xy_wing::list_steps,
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &AlsXyWing,
    &[
        // Each set is a single cell, so this is also an XY-wing.
        ("r1c1=12 r1c5=13 r5c1=23", "r5c5<>3"),
        // The centre is r15c7, so r1c12 or r5c1 holds 2.
        ("r1c12=123 r1c7=14 r5c1=25 r5c7=45", "r23c1<>2"),
        // The centre is r4c4 and r5c5, so r4c9 or r9c5 holds 4.
        ("r4c4=12 r5c5=23 r4c9=14 r9c5=34", "r4c5<>4, r9c9<>4"),
    ],
    &[
        // Finds nothing: the two outer sets have no digit in common.
        "r1c1=12 r1c5=13 r5c1=24",
        // Finds nothing: the set in the centre does not see r5c2.
        "r1c1=12 r1c5=13 r5c2=23",
    ],
);
