//! The solving technique "Sue de Coq": its manual and its tests.

use super::{listed, quick};
use crate::grade::technique::{Example, Level, technique};

technique! {
    /// The centre is two or three cells where a line and a box cross, with at least two more
    /// candidates than cells. The line's part is some cells of the rest of the line, the box's
    /// part some cells of the rest of the box. Each candidate of all these cells is counted
    /// once, or twice if it is in the line's part and in the box's part. If the count is at
    /// most the number of cells, every digit is in the cells exactly as often as it is counted.
    /// So a digit of the line's part is removed from the rest of the line, a digit of the box's
    /// part from the rest of the box, and a digit of neither part from both. A digit that is
    /// counted twice is removed from both and from the centre. Also called two-sector disjoint
    /// subsets.
    ///
    /// # Why it is sound
    ///
    /// Each of the cells holds a digit, and no digit is in them more often than it is counted.
    /// The counts add up to the number of cells, so every digit is in them exactly as often. A
    /// digit that is in them twice is once in each part, because in the centre it would use up
    /// both the line and the box.
    SueDeCoq {
        name: "Sue de Coq",
        level: Level::Unfair,
        effort: 250,
        hodoku_codes: &["1101"],
        hodoku_order: Some(370),
        explainer: "~5.5",
        hodoku_names: &["Sue de Coq"],
        explainer_names: &[],
        example: Example {
            grid: "583419627167285934294763518978326...32154876945619728381.9....664.8.....73.65.8..",
            removed: "",
            effect: "r7c8<>4, r8c9<>1, r9c6<>2",
        },
    }
    union: quick::sue_de_coq::find_union,
    list: listed::sue_de_coq::list_steps,
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &SueDeCoq,
    &[
        // The centre is two cells of the crossing.
        (
            "r1c12=1234 r1c5=12 r2c1=34",
            "r1c346789<>12, r1c3<>34, r2c23<>34, r3c123<>34",
        ),
        // The centre is three cells. Its fifth digit is in neither of the other parts.
        (
            "r1c123=12345 r1c5=12 r2c1=34",
            "r1c46789<>125, r2c23<>345, r3c123<>345",
        ),
        // The line is a column.
        (
            "r45c5=6789 r9c5=67 r6c4=89",
            "r123678c5<>67, r6c5<>89, r45c46<>89, r6c6<>89",
        ),
    ],
    &[
        // Finds nothing: the four cells have five digits, one too many.
        "r1c12=1234 r1c5=12 r2c1=35",
        // Finds nothing: r2c4 is not in the box.
        "r1c12=1234 r1c5=12 r2c4=34",
    ],
);
