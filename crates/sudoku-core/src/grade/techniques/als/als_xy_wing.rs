//! The solving technique "ALS-XY-wing": its manual, the search for its steps, and its tests.

use super::listed::links::AlsLinks;
use super::listed::reach::restricted_common;
use super::quick::net::AlsNet;
use crate::board::DigitSet;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Link, Pattern, Position, SetName, Steps};

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
}

fn find_all(board: &Position, found: &mut Steps) {
    if found.is_listing() {
        list(board, board.derived::<AlsLinks>(), found);
        return;
    }
    let eliminations = board.derived::<AlsNet>().over_two_sets();
    if !eliminations.is_empty() {
        found.eliminate(board, eliminations.by_digit(), Pattern::default);
    }
    board.record_miss(TechniqueName::AlsXyWing, found);
}

fn list(board: &Position, links: &AlsLinks, found: &mut Steps) {
    let sets = 0..links.sets.len();
    for centre in sets.clone() {
        let wings: Vec<_> = sets
            .clone()
            .flat_map(|wing| {
                let digits = restricted_common(links, centre, wing);
                digits.into_iter().map(move |link| (wing, link))
            })
            .collect();
        for (at, &(one, (x, c_x, a_x))) in wings.iter().enumerate() {
            for &(two, (y, c_y, b_y)) in &wings[at + 1..] {
                if x == y {
                    continue;
                }
                let restricted = DigitSet::from_iter([x, y]);
                let effect = links.common_exclusions(one, two, restricted);
                if effect.is_empty() {
                    continue;
                }
                found.eliminate(board, effect.by_digit(), || {
                    let [a, b, c] = [one, two, centre].map(|set| links.sets[set]);
                    let end = |node| links.graph.end(node);
                    let names = [a, b, c].into_iter().zip((0..).map(SetName::Letter));
                    Pattern::new([], c.cells, restricted)
                        .with_others((a.cells | b.cells).without(c.cells))
                        .with_sets(names.map(|(set, name)| set.named(name)).collect())
                        .with_chain(vec![
                            Link::weak(end(a_x), end(c_x)),
                            Link::weak(end(c_y), end(b_y)),
                        ])
                        .because(format!(
                            "C lacks one digit at most, so it holds {x} or {y}. If it holds {x}, A \
                             lacks {x}; if it holds {y}, B lacks {y}. The set that lacks it holds \
                             all its other digits; each removed candidate sees all places of its \
                             digit in A and in B"
                        ))
                });
            }
        }
    }
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
