//! The solving technique "Nested forcing chains": its manual, the search for its steps, and its tests.

use super::branch_caches::{WithBasics, WithSingles};
use super::{find_common_removals, lanes, list_refuted, propagate, remove_refuted};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, Propagation, Steps};

technique! {
    /// Dynamic forcing chains in which each assumption is also followed by nishio: a candidate
    /// is also gone if a second assumption and singles disprove it.
    ///
    /// # Why it is sound
    ///
    /// A candidate that nishio disproves under an assumption is false if the assumption is
    /// true.
    NestedForcing {
        name: "Nested forcing chains",
        level: Level::Extreme,
        effort: 1000,
        hodoku_codes: &[],
        hodoku_order: None,
        explainer: "9.5–11.9",
        hodoku_names: &[],
        explainer_names: &[],
        example: Example {
            grid: "98.7..6..76.5.......4.8..7.6...47.9..4....3.....2......7..58.6...64....5.....21..",
            removed: "",
            effect: "r1c3<>1",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    let basics = &board.derived::<WithBasics>().0;
    if let Some(vectors) = board.vectors() {
        let singles = &board.derived::<WithSingles>().0;
        let eliminated = lanes::nested_eliminations(vectors, board, singles, basics);
        found.eliminate(board, eliminated.by_digit(), Pattern::default);
        return;
    }
    let branches = basics.extend(propagate::nested);
    remove_refuted(board, &branches.refuted(), found);
    find_common_removals(board, &branches, Propagation::Nested, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    let basics = &board.derived::<WithBasics>().0;
    let branches = match board.vectors() {
        Some(vectors) => lanes::nested(vectors, board, &board.derived::<WithSingles>().0, basics),
        None => basics.extend(propagate::nested),
    };
    list_refuted(board, &branches.refuted(), Propagation::Nested, found);
    find_common_removals(board, &branches, Propagation::Nested, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &NestedForcing,
    &[
        // Every unsolved cell gets the digit of the solution.
        (
            "587.2.16442918673531647598267384.25.2457..8.619865234796...45788345.762.75..684.3",
            "r1c4<>3, r1c6<>9, r4c6<>9, r4c9<>1, r5c5<>19, r5c6<>13, r5c8<>9, r7c3<>1, r7c4<>2, r7c5<>3, r8c5<>1, r8c9<>9, r9c3<>2, r9c4<>9, r9c8<>1",
        ),
        (
            "...49.2.64..62.8...267584....32467..745139682612587934179364528268915347534872169",
            "r1c1<>3, r1c2<>8, r1c3<>7, r1c6<>1, r1c8<>15, r2c2<>5, r2c3<>1, r2c6<>3, r2c8<>179, r2c9<>15, r3c1<>9, r3c8<>1, r3c9<>3, r4c1<>8, r4c2<>9, r4c8<>5, r4c9<>1",
        ),
        (
            "241579863398.6.547765438192.829..3.6913..64.5.76...2.98396547216578..934124.9.658",
            "r2c4<>2, r2c6<>1, r4c1<>4, r4c5<>1, r4c6<>15, r4c8<>7, r5c4<>7, r5c5<>2, r5c8<>8, r6c1<>5, r6c48<>1, r6c5<>48, r6c6<>13, r8c5<>1, r8c6<>2, r9c4<>3, r9c6<>7",
        ),
    ],
    &[
        // Finds nothing: the board has two solutions, and each candidate is in one of them.
        ".8792316..2918673.316475982673841259245739816198652347962314578834597621751268493",
        "5.79.31644.91.6735316475982673841259245739816198652347962314578834597621751268493",
    ],
);
