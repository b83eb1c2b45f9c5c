//! The solving technique "Jellyfish": its manual, the search for its steps, and its tests.

use super::basic::fish;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// In four rows, all places of a digit are in at most four columns. The digit is removed
    /// from the rest of these columns. The same holds with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// The digit is once in each of the four rows, each time in another column. All four
    /// columns have their digit in these rows.
    Jellyfish {
        name: "Jellyfish",
        level: Level::Hard,
        effort: 160,
        hodoku_codes: &["0302"],
        hodoku_order: Some(150),
        explainer: "5.2",
        hodoku_names: &["Jellyfish"],
        explainer_names: &["Jellyfish"],
        example: Example {
            grid: "71.4.56836.53.1472.347.6159.4813.7653.6578.14157.64.38..36475.1461.538.757.81.346",
            removed: "",
            effect: "r7c1<>2",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    fish::<4>(board, TechniqueName::Jellyfish, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &Jellyfish,
    &[
        // The base lines are rows with two places each.
        ("5@r1=12 5@r3=23 5@r5=34 5@r7=14", "r24689c1234<>5"),
        // The base lines are columns with four places each.
        ("5@c1=1357 5@c3=1357 5@c5=1357 5@c9=1357", "r1357c24678<>5"),
        // The base lines are rows with two or three places.
        ("5@r2=27 5@r3=78 5@r6=89 5@r8=279", "r14579c2789<>5"),
    ],
    &[
        // Finds nothing: the places of the rows are in five columns.
        "5@r1=12 5@r3=23 5@r5=34 5@r7=15",
        // Finds nothing: the pattern is only a swordfish.
        "5@r1=14 5@r5=47 5@r9=17",
    ],
);
