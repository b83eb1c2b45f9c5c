//! The solving technique "Death blossom": its manual, the search for its steps, and its tests.

use super::listed::links::AlsLinks;
use super::listed::reach::lacking;
use super::listed::sets::AlmostLockedSet;
use super::quick::net::AlsNet;
use super::quick::packed::PackedSet;
use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet};
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, SetName, Steps};

technique! {
    /// The stem is a cell. For each of its candidates there is a petal: an almost locked set
    /// with this digit, whose places in the set all see the stem. Any other digit z that all
    /// petals have is removed from all cells that see every place of z in every petal.
    ///
    /// # Why it is sound
    ///
    /// The digit in the stem is missing in its petal. An almost locked set lacks at most one
    /// digit, so that petal holds z.
    DeathBlossom {
        name: "Death blossom",
        level: Level::Unfair,
        effort: 360,
        hodoku_codes: &["0904"],
        hodoku_order: Some(470),
        explainer: "~7.5",
        hodoku_names: &[],
        explainer_names: &[],
        example: Example {
            grid: "...8.53696.932..5435...91.2..7..3548.3.5.2697.65...231.46.5.9.3193..64.55.2934.16",
            removed: "735 774 778",
            effect: "r8c4<>7",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    if !found.is_listing() {
        find_quickly(board, found);
        return;
    }
    let links = board.derived::<AlsLinks>();
    let lacking = lacking(&links.graph);
    for stem in board.unsolved() {
        let digits = board.digits(stem);
        let mut all = CandidateSet::FULL;
        for digit in digits {
            let mut excluded = CandidateSet::EMPTY;
            for &node in &links.by_digit[digit.index()] {
                if links.graph.cells(node).is_subset(stem.peers()) {
                    excluded |= &lacking[usize::from(node)];
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
        list(board, links, stem, &all, found);
    }
}

/// Finds all candidates that any death blossom of a board removes, without listing the steps.
fn find_quickly(board: &Position, found: &mut Steps) {
    let net = board.derived::<AlsNet>();
    let mut stems = board.unsolved();
    // If the stem cell has two candidates, the stem is an almost locked set, and the pattern is an ALS-XY-wing.
    if board.is_missed(TechniqueName::AlsXyWing, found) {
        let [_, two, three] = board.at_least();
        stems = stems.without(two.without(three));
    }
    for part in net.exclusions() {
        let mut by_candidate = ByCandidate::new(board, stems);
        part.for_each_petal(net, stems, |stem, digit, excluded| {
            by_candidate.get_mut(stem, digit).add(excluded);
        });
        for stem in stems {
            let digits = board.digits(stem);
            // A petal for a digit excludes no candidates of that digit.
            let mut all = PackedSet::FULL;
            digits.for_each(|digit| all.clear(digit));
            for digit in digits {
                all.keep(by_candidate.get_mut(stem, digit));
                if all.is_empty() {
                    break;
                }
            }
            if !all.is_empty() && !digits.is_empty() {
                found.eliminate(board, part.unpack(&all).by_digit(), Pattern::default);
            }
        }
    }
}

/// For each candidate of the stems, the candidates that its petals exclude.
struct ByCandidate {
    /// For each digit and cell, the index in `excluded`.
    indexes: [[u16; 81]; 9],
    excluded: Vec<PackedSet>,
}

impl ByCandidate {
    fn new(board: &Position, stems: CellSet) -> ByCandidate {
        let mut indexes = [[0; 81]; 9];
        let mut count = 0;
        for digit in Digit::ALL {
            (board.places(digit) & stems).for_each(|cell| {
                indexes[digit.index()][cell.index()] = count;
                count += 1;
            });
        }
        ByCandidate {
            indexes,
            excluded: vec![PackedSet::EMPTY; count.into()],
        }
    }

    fn get_mut(&mut self, stem: Cell, digit: Digit) -> &mut PackedSet {
        let index = self.indexes[digit.index()][stem.index()];
        &mut self.excluded[usize::from(index)]
    }
}

/// Lists the steps for one stem cell. For each removed candidate, lists choices of petals that remove it: one petal for
/// each digit of the stem. Of the petals for a digit, only the few smallest are tried.
fn list(board: &Position, links: &AlsLinks, stem: Cell, all: &CandidateSet, found: &mut Steps) {
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
        let sees = |(other, node): (Digit, u16)| {
            other == digit && links.graph.cells(node).is_subset(stem.peers())
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

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &DeathBlossom,
    &[
        // Each of the two petals is a single cell, so this is also an XY-wing.
        ("r5c5=12 r5c1=19 r1c5=29", "r1c1<>9"),
        // The stem has three petals.
        ("r5c5=123 r5c1=19 r5c9=29 r4c4=39", "r5c46<>9"),
        // One petal has two cells.
        ("r5c5=12 r5c12=189 r4c6=29", "r4c123<>9, r5c46<>9"),
    ],
    &[
        // Finds nothing: the third petal has no 9.
        "r5c5=123 r5c1=19 r5c9=29 r4c4=38",
        // Finds nothing: the digit 4 of the stem has no petal.
        "r5c5=124 r5c1=19 r1c5=29",
        // Finds nothing: no cell sees every 9 of the petals.
        "r5c5=12 r5c12=189 r1c5=29",
    ],
);
