//! Finds skyscrapers, two-string kites and turbot fish: two conjugate pairs of a digit in which an end of one sees an
//! end of the other.

use super::conjugate::{ConjugatePair, conjugate_pairs};
use super::x_chains::XChains;
use crate::board::{Cell, CellSet, Digit, DigitSet, HouseKind};
use crate::grade::{Link, Node, Pattern, Position, Steps, StrongReason};

/// Finds steps with two conjugate pairs of a digit, where an end of one pair sees an end of the other. `kinds` accepts
/// or rejects the pairs by the kinds of their houses, `middle` by the two ends that see each other.
pub(super) fn two_pairs(
    board: &Position,
    found: &mut Steps,
    kinds: impl Fn(HouseKind, HouseKind) -> bool,
    middle: impl Fn(Cell, Cell) -> bool,
) {
    // Two such pairs are a chain of one digit. So a digit is skipped if its chains remove nothing.
    for (digit, _) in board.derived::<XChains>().removed.by_digit() {
        let open_places = board.open_places(digit);
        let pairs: Vec<_> = conjugate_pairs(board, digit).collect();
        for (at, &first) in pairs.iter().enumerate() {
            for &second in &pairs[at + 1..] {
                if !kinds(first.house.kind(), second.house.kind()) {
                    continue;
                }
                for (a, b) in first.both_ways() {
                    for (d, c) in second.both_ways() {
                        if !b.peers().contains(c) || a == d {
                            continue;
                        }
                        let targets = a.peers() & d.peers() & open_places;
                        if targets.is_empty() || !middle(b, c) {
                            continue;
                        }
                        found.eliminate(board, [(digit, targets)], || {
                            pattern(digit, first, second, [a, b, c, d])
                        });
                    }
                }
            }
        }
    }
}

fn pattern(
    digit: Digit,
    first: ConjugatePair,
    second: ConjugatePair,
    [a, b, c, d]: [Cell; 4],
) -> Pattern {
    let cells = CellSet::from_iter([a, b, c, d]);
    let [from, near, far, to] = [a, b, c, d].map(|cell| Node::from_candidate(digit, cell));
    Pattern::new(
        [first.house, second.house],
        cells,
        DigitSet::from_iter([digit]),
    )
    .with_chain(vec![
        Link::strong(from, near, StrongReason::House(first.house)),
        Link::weak(near, far),
        Link::strong(far, to, StrongReason::House(second.house)),
    ])
    .because(format!(
        "{digit} has two places in {} and two in {}; {b} and {c} see each other, so {a} or {d} \
         holds it",
        first.house, second.house
    ))
}
