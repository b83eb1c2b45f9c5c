//! Colours the cells of a digit's conjugate pairs, for the colouring techniques.

use super::conjugate::conjugate_pairs;
use super::x_chains::ColourGroups;
use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::grade::{Link, NamedSet, Node, Pattern, Position, SetName, StrongReason};

/// A group of connected conjugate pairs of a digit, coloured with two colours so that both cells of a pair differ. All
/// cells of one colour hold the digit, and no cell of the other colour does.
#[derive(Clone, Copy)]
pub(super) struct ColourGroup {
    pub(super) colours: [CellSet; 2],
}

/// Finds the colour groups of a digit, ordered by their first conjugate pair.
pub(super) fn groups(board: &Position, digit: Digit) -> Vec<ColourGroup> {
    let all_groups = ColourGroups::for_digit(board, digit);
    let mut groups: Vec<ColourGroup> = Vec::new();
    let mut coloured = CellSet::EMPTY;
    for pair in conjugate_pairs(board, digit) {
        let [first, _] = pair.ends;
        if !coloured.contains(first)
            && let Some(colours) = all_groups.colours_from(first)
        {
            coloured |= colours[0] | colours[1];
            groups.push(ColourGroup { colours });
        }
    }
    groups
}

/// A cell of the set `one` that sees a cell of the set `other`, with that cell; `None` if there are none.
pub(super) fn pair_in_sight(one: CellSet, other: CellSet) -> Option<(Cell, Cell)> {
    let cell = (one & other.all_peers()).first()?;
    Some((cell, (other & cell.peers()).first()?))
}

/// The pattern of a colouring step that uses these groups: the colours of each group, and conjugate pairs that connect
/// the cells of the group.
pub(super) fn pattern(board: &Position, digit: Digit, groups: &[ColourGroup]) -> Pattern {
    let digits = DigitSet::from_iter([digit]);
    let colour = |at: usize| groups.iter().map(move |group| group.colours[at]);
    let [odd, even] = [0, 1].map(|at| colour(at).fold(CellSet::EMPTY, |all, own| all | own));
    let sets = groups.iter().flat_map(|group| group.colours).zip(1..);
    let sets = sets.map(|(cells, n)| NamedSet {
        name: SetName::Colour(n),
        cells,
        digits,
    });
    let pairs = groups
        .iter()
        .flat_map(|group| spanning_links(board, digit, group));
    Pattern::new([], odd, digits)
        .with_others(even)
        .with_sets(sets.collect())
        .with_chain(pairs.collect())
}

/// The links of a spanning tree of a group: the fewest conjugate pairs that connect all its cells.
fn spanning_links(board: &Position, digit: Digit, group: &ColourGroup) -> Vec<Link> {
    let [odd, even] = group.colours;
    let mut links = Vec::new();
    let mut reached_cells: CellSet = odd.first().into_iter().collect();
    let joins = |reached: CellSet| {
        let pairs = conjugate_pairs(board, digit);
        pairs.into_iter().find_map(|pair| {
            let is_new = |cell: Cell| (odd | even).contains(cell) && !reached.contains(cell);
            let mut ways = pair.both_ways().into_iter();
            let (from, to) = ways.find(|(from, to)| reached.contains(*from) && is_new(*to))?;
            Some((from, to, pair.house))
        })
    };
    while let Some((from, to, house)) = joins(reached_cells) {
        reached_cells.insert(to);
        let (first, second) = if even.contains(from) {
            (from, to)
        } else {
            (to, from)
        };
        let [first, second] = [first, second].map(|cell| Node::from_candidate(digit, cell));
        links.push(Link::strong(first, second, StrongReason::House(house)));
    }
    links
}
