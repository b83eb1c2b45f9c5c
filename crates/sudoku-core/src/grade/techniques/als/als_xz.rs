//! The solving technique "ALS-XZ": its manual, the search for its steps, and its tests.

use super::listed::links::AlsLinks;
use super::listed::reach::restricted_common;
use super::quick::net::AlsNet;
use crate::board::{CandidateSet, Digit, DigitSet};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Link, Pattern, Position, SetName, Steps};

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
}

fn find_all(board: &Position, found: &mut Steps) {
    if found.is_listing() {
        list(board, board.derived::<AlsLinks>(), found);
        return;
    }
    let net = board.derived::<AlsNet>();
    let mut eliminations = net.over_one_set();
    eliminations |= &net.doubly_linked(board, &eliminations);
    if !eliminations.is_empty() {
        found.eliminate(board, eliminations.by_digit(), Pattern::default);
    }
}

/// Lists a step for each pair of almost locked sets that have a restricted common digit and remove a candidate.
fn list(board: &Position, links: &AlsLinks, found: &mut Steps) {
    for one in 0..links.sets.len() {
        for two in one + 1..links.sets.len() {
            let restricted = restricted_common(links, one, two);
            for &(x, _, _) in &restricted {
                let effect = links.common_exclusions(one, two, DigitSet::from_iter([x]));
                found.eliminate(board, effect.by_digit(), || {
                    pattern(links, one, two, &restricted, DigitSet::from_iter([x])).because(
                        format!(
                            "{x} cannot be in both A and B, so one of them lacks it and holds all \
                             its other digits; each removed candidate sees all places of its digit \
                             in both"
                        ),
                    )
                });
            }
            if restricted.len() >= 2 {
                let digits: DigitSet = restricted.iter().map(|&(x, _, _)| x).collect();
                let mut effect = CandidateSet::EMPTY;
                for &(_, a, b) in &restricted {
                    effect |= &(links.graph.excluded_by(a) & &links.graph.excluded_by(b));
                }
                for set in [one, two] {
                    for (digit, node) in links.digit_nodes(set) {
                        if !digits.contains(digit) {
                            links.graph.exclude(node, &mut effect);
                        }
                    }
                }
                for &(x, _, _) in &restricted {
                    effect |= &links.common_exclusions(one, two, DigitSet::from_iter([x]));
                }
                found.eliminate(board, effect.by_digit(), || {
                    let [x, y] = [restricted[0].0, restricted[1].0];
                    pattern(links, one, two, &restricted, digits).because(format!(
                        "neither {x} nor {y} can be in both A and B, so A lacks one of them and B \
                         the other: each set holds all its other digits, and {x} and {y} each \
                         stand in one of the two; each removed candidate sees all places of its \
                         digit in a set that holds it, or in both"
                    ))
                });
            }
        }
    }
}

/// The pattern of an ALS-XZ step: the two almost locked sets, and a weak link for each restricted common digit.
fn pattern(
    links: &AlsLinks,
    one: usize,
    two: usize,
    restricted: &[(Digit, u16, u16)],
    digits: DigitSet,
) -> Pattern {
    let [one, two] = [links.sets[one], links.sets[two]];
    let used = restricted.iter().filter(|(x, _, _)| digits.contains(*x));
    let weak = used.map(|&(_, a, b)| Link::weak(links.graph.end(a), links.graph.end(b)));
    Pattern::new([], one.cells, digits)
        .with_others(two.cells.without(one.cells))
        .with_sets(vec![
            one.named(SetName::Letter(0)),
            two.named(SetName::Letter(1)),
        ])
        .with_chain(weak.collect())
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
