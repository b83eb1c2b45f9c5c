//! The solving technique "Grouped alternating inference chain": its manual, the search for its steps, and its tests.

use super::graphs::GroupGraph;
use super::quick::colours;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::techniques::chains;
use crate::grade::{Position, Steps};

technique! {
    /// Alternating inference chains whose nodes can be groups: two or three cells where a box
    /// and a line cross. A group is true if one of its cells holds the digit.
    ///
    /// # Why it is sound
    ///
    /// If the places of a digit in a house are two groups, one of the groups is true. Two
    /// groups whose cells all see each other are not both true. So the argument of the
    /// alternating inference chain holds for groups.
    GroupedAic {
        name: "Grouped alternating inference chain",
        level: Level::Unfair,
        effort: 300,
        hodoku_codes: &["0709-1", "0710-1", "0710-2", "0711-1", "0711-2"],
        hodoku_order: Some(430),
        explainer: "~7.5",
        hodoku_names: &["Grouped Discontinuous Nice Loop", "Grouped Continuous Nice Loop", "Grouped AIC"],
        explainer_names: &[],
        example: Example {
            grid: ".16.759.37.93..1.53.5..1746..1637852832...6.7567...3.41.47...386.81.3.79.73.8..61",
            removed: "",
            effect: "r2c5<>2",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    let graph = &board.derived::<GroupGraph>().0;
    chains::find_union(board, graph, colours::eliminations, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    let graph = board.derived::<GroupGraph>().0.clone();
    chains::list_steps(board, &graph.build(board, true), found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &GroupedAic,
    &[
        // In row 8, r8c1 and r8c2 act as one node, a group.
        ("r9c3=12 r5c9=12 1@r8=129", "r9c9<>2, r5c3<>2"),
        // The two groups are in a box, so this is also an empty rectangle.
        ("5@b1=2456 5@c7=26", "r6c2<>5"),
        // In row 2, r2c7 and r2c8 act as one node, a group.
        ("5@r2=378 5@r6=37", "r13c7<>5"),
    ],
    &[
        // Finds nothing: r8c1 and r8c4 are not in the same box, so they are not a group.
        "r9c3=12 r5c9=12 1@r8=149",
        // Finds nothing: a link needs two groups, but the places in the box form three.
        "5@b1=1357 5@c7=26",
    ],
);
