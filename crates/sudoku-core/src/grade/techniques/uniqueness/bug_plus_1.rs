//! Bivalue universal grave + 1: a technique that assumes exactly one solution.

use crate::board::{CellSet, DigitSet, House};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// All unsolved cells have two candidates, except for one cell that has three. If one of
    /// its three candidates is left out, every digit has two places or none among the unsolved
    /// cells of each house. This candidate is placed in the cell. BUG stands for bivalue
    /// universal grave.
    ///
    /// # Why it is sound
    ///
    /// Without this candidate, every unsolved cell of a solution could hold the other one of
    /// its two candidates. Each digit would move to its other place in every house, so this
    /// would be a second solution, but the puzzle has exactly one.
    BugPlus1 {
        id: "bug_plus_1",
        name: "Bivalue universal grave + 1",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0610"],
        hodoku_order: Some(170),
        explainer: "5.6",
        hodoku_names: &["Bivalue Universal Grave + 1"],
        explainer_names: &["BUG type 1"],
        example: Example {
            grid: "61937285448.69513..35148.69896437521541289673.2.56149897.854.16.54916.8.168723945",
            removed: "",
            effect: "r8c7=2",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    let [_, two, three] = board.at_least();
    let unsolved = board.unsolved();
    let Some(cell) = (three & unsolved).single() else {
        return;
    };
    let digits = board.digits(cell);
    if !unsolved.is_subset(two) || digits.len() != 3 {
        return;
    }
    for digit in digits {
        let is_grave = DigitSet::FULL.into_iter().all(|other| {
            let mut places = board.open_places(other);
            if other == digit {
                places.remove(cell);
            }
            House::ALL
                .into_iter()
                .all(|house| matches!((places & house.cells()).len(), 0 | 2))
        });
        if is_grave {
            found.place(cell, digit, || {
                Pattern::new([], unsolved, DigitSet::from_iter([digit]))
                    .with_others(CellSet::of(cell))
                    .because("without it every unsolved cell could be exchanged")
            });
        }
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &BugPlus1,
    &[
        // Without 2 in r5c7, every digit would have either two places or none in each house.
        (
            "79168..4.32415978665874.9.11864.5.97.49.71.68.739681.4862.174.9437.9681.9158.467. -317 -219",
            "r5c7=2",
        ),
        (
            "587.2.16442918673531647598267384.25.2457..8.619865234796...45788345.762.75..684.3 -155",
            "r5c6=9",
        ),
        (
            "...49.2.64..62.8...267584....32467..745139682612587934179364528268915347534872169 -118 -128 -129",
            "r2c8=5",
        ),
    ],
    &[
        // Finds nothing: two cells have three candidates.
        "587.2.16442918673531647598267384.25.2457..8.619865234796...45788345.762.75..684.3",
        // Finds nothing: no cell has three candidates.
        "587.2.16442918673531647598267384.25.2457..8.619865234796...45788345.762.75..684.3 -155 -956",
    ],
);
