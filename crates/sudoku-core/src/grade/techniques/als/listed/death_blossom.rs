//! Lists the steps of the technique death blossom.

use super::links::AlsLinks;
use super::reach::lacking;
use super::sets::AlmostLockedSet;
use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet};
use crate::grade::techniques::link_graph::NodeId;
use crate::grade::{Pattern, Position, SetName, Steps};

pub(in super::super) fn list_steps(board: &Position, found: &mut Steps) {
    let links = board.derived::<AlsLinks>();
    let lacking = lacking(&links.graph);
    for stem in board.unsolved() {
        let digits = board.digits(stem);
        let mut all = CandidateSet::FULL;
        for digit in digits {
            let mut excluded = CandidateSet::EMPTY;
            for &node in &links.by_digit[digit.index()] {
                if links.graph.node(node).cells.is_subset(stem.peers()) {
                    excluded |= &lacking[node.index()];
                }
            }
            all &= &excluded;
            if all.is_empty() {
                break;
            }
        }
        if all.is_empty() || digits.is_empty() {
            continue;
        }
        list_stem(board, links, stem, &all, found);
    }
}

/// Lists the steps for one stem cell. For each removed candidate, lists choices of petals that remove it: one petal for
/// each digit of the stem. Of the petals for a digit, only the few smallest are tried.
fn list_stem(
    board: &Position,
    links: &AlsLinks,
    stem: Cell,
    all: &CandidateSet,
    found: &mut Steps,
) {
    const PETALS: usize = 4;
    let petals: Vec<Vec<Petal>> = board
        .digits(stem)
        .map(|digit| petals(links, stem, digit))
        .collect();
    for (z, cells) in all.by_digit() {
        for cell in cells {
            let target = CandidateSet::with_digit(z, CellSet::of(cell));
            let fitting: Vec<Vec<&Petal>> = petals
                .iter()
                .map(|petals| {
                    let fits = |petal: &&Petal| !(petal.excluded & &target).is_empty();
                    petals.iter().filter(fits).take(PETALS).collect()
                })
                .collect();
            choose(&fitting, &mut Vec::new(), &mut |choice| {
                let effect = choice
                    .iter()
                    .fold(CandidateSet::FULL, |common, petal| common & &petal.excluded);
                found.eliminate(board, effect.by_digit(), || {
                    let cells = choice
                        .iter()
                        .fold(CellSet::EMPTY, |all, petal| all | petal.set.cells);
                    let named =
                        |(digit, petal): (Digit, &&Petal)| petal.set.named(SetName::Petal(digit));
                    let sets = board.digits(stem).zip(choice).map(named);
                    Pattern::new(
                        [],
                        CellSet::of(stem),
                        board.digits(stem).union(DigitSet::from_iter([z])),
                    )
                    .with_others(cells)
                    .with_sets(sets.collect())
                    .because(format!(
                        "{stem} sees all places of each of its digits in that digit's petal. \
                         Whichever stands there, its petal lacks it and holds all its other \
                         digits; each removed candidate sees all places of its digit in every \
                         petal"
                    ))
                });
            });
        }
    }
}

/// A petal: an almost locked set that does not contain a digit if the stem holds it; and the candidates that are then
/// false.
struct Petal {
    set: AlmostLockedSet,
    excluded: CandidateSet,
}

fn petals(links: &AlsLinks, stem: Cell, digit: Digit) -> Vec<Petal> {
    let mut petals = Vec::new();
    for (set, als) in links.sets.iter().enumerate() {
        let sees = |(other, node): (Digit, NodeId)| {
            other == digit && links.graph.node(node).cells.is_subset(stem.peers())
        };
        if links.digit_nodes(set).any(sees) {
            let mut excluded = CandidateSet::EMPTY;
            for (other, node) in links.digit_nodes(set) {
                if other != digit {
                    links.graph.exclude(node, &mut excluded);
                }
            }
            petals.push(Petal {
                set: *als,
                excluded,
            });
        }
    }
    petals.sort_by_key(|petal| petal.set.cells.len());
    petals
}

/// Calls `visit` with every choice of one petal from each list.
fn choose<'a>(
    lists: &[Vec<&'a Petal>],
    chosen: &mut Vec<&'a Petal>,
    visit: &mut impl FnMut(&[&'a Petal]),
) {
    let Some((first, rest)) = lists.split_first() else {
        visit(chosen);
        return;
    };
    for petal in first {
        chosen.push(petal);
        choose(rest, chosen, visit);
        chosen.pop();
    }
}
