//! Lists the steps of the technique ALS-XZ.

use super::links::AlsLinks;
use super::reach::restricted_common;
use crate::board::{CandidateSet, Digit, DigitSet};
use crate::grade::techniques::link_graph::NodeId;
use crate::grade::{Link, Pattern, Position, SetName, Steps};

/// Lists a step for each pair of almost locked sets that have a restricted common digit and remove a candidate.
pub(in super::super) fn list_steps(board: &Position, found: &mut Steps) {
    let links = board.derived::<AlsLinks>();
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
    restricted: &[(Digit, NodeId, NodeId)],
    digits: DigitSet,
) -> Pattern {
    let [one, two] = [links.sets[one], links.sets[two]];
    let used = restricted.iter().filter(|(x, _, _)| digits.contains(*x));
    let weak = used.map(|&(_, a, b)| Link::weak(links.graph.node(a), links.graph.node(b)));
    Pattern::new([], one.cells, digits)
        .with_others(two.cells.without(one.cells))
        .with_sets(vec![
            one.named(SetName::Letter(0)),
            two.named(SetName::Letter(1)),
        ])
        .with_chain(weak.collect())
}
