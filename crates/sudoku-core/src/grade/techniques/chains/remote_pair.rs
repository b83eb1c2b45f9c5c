//! The solving technique "Remote pair": its manual, the search for its steps, and its tests.

use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Link, Node, Pattern, Position, Steps, StrongReason};

technique! {
    /// At least four cells with the same two candidates, each linked to another one that it
    /// sees. The cells are coloured with two colours, so that linked cells have different
    /// colours. Both digits are removed from all other cells that see a cell of each colour.
    ///
    /// # Why it is sound
    ///
    /// Linked cells hold different digits. So all cells of one colour hold one digit, and all
    /// cells of the other colour hold the other. A cell that sees both colours sees both
    /// digits.
    RemotePair {
        name: "Remote pair",
        level: Level::Hard,
        effort: 110,
        hodoku_codes: &["0703"],
        hodoku_order: Some(160),
        explainer: "~5.0",
        hodoku_names: &["Remote Pair"],
        explainer_names: &[],
        example: Example {
            grid: "791865423438127.5..5.394817173.4856.84..53.715.9.713483.758.194.8541973.91473..85",
            removed: "",
            effect: "r5c7<>2",
        },
    }
    union: find_union,
    list: list_steps,
}

/// Removes both digits from all cells that see a cell of each colour.
fn find_union(board: &Position, found: &mut Steps) {
    for_each_chain(board, |digits, [even, odd]| {
        let targets = (even.all_peers() & odd.all_peers()).without(even | odd);
        found.eliminate(
            board,
            digits.map(|digit| (digit, targets)),
            Pattern::default,
        );
    });
}

fn list_steps(board: &Position, found: &mut Steps) {
    for_each_chain(board, |digits, colours| {
        list_chains(board, digits, colours, found);
    });
}

/// Calls `visit` with each pair of digits and each set of at least four connected cells that have only these two
/// candidates, in two colours.
fn for_each_chain(board: &Position, mut visit: impl FnMut([Digit; 2], [CellSet; 2])) {
    let [_, two, three] = board.at_least();
    let bivalue = board.unsolved() & two.without(three);
    for (at, &x) in Digit::ALL.iter().enumerate() {
        let with_x = bivalue & board.places(x);
        if with_x.len() < 4 {
            continue;
        }
        for &y in &Digit::ALL[at + 1..] {
            let mut cells = with_x & board.places(y);
            if cells.len() < 4 {
                continue;
            }
            while let Some(start) = cells.first() {
                let colours = two_colours(cells, start);
                cells = cells.without(colours[0] | colours[1]);
                if (colours[0] | colours[1]).len() >= 4 {
                    visit([x, y], colours);
                }
            }
        }
    }
}

/// The cells that are connected with `start`, in two colours: first the cells at an even distance from `start`, then
/// those at an odd distance.
fn two_colours(cells: CellSet, start: Cell) -> [CellSet; 2] {
    let mut colours = [CellSet::of(start), CellSet::EMPTY];
    let mut fresh = colours[0];
    let mut at = 0;
    while !fresh.is_empty() {
        at = 1 - at;
        fresh = (fresh.all_peers() & cells).without(colours[0] | colours[1]);
        colours[at] |= fresh;
    }
    colours
}

/// Lists a step for each cell of one colour and each cell of the other.
fn list_chains(board: &Position, [x, y]: [Digit; 2], colours: [CellSet; 2], found: &mut Steps) {
    let [even, odd] = colours;
    for first in even {
        for last in odd {
            let seen = (first.peers() & last.peers()).without(even | odd);
            found.eliminate(board, [(x, seen), (y, seen)], || {
                let path = path(even | odd, first, last);
                let cells: CellSet = path.iter().copied().collect();
                let ends = CellSet::from_iter([first, last]);
                Pattern::new([], ends, DigitSet::from_iter([x, y]))
                    .with_others(cells.without(ends))
                    .with_chain(alternating(&path, [x, y]))
                    .because(format!(
                        "from {first} to {last}, {x} and {y} alternate in cells that hold nothing \
                         else, so one of the two cells is {x} and the other {y}"
                    ))
            });
        }
    }
}

/// A shortest path from the first to the last cell, in which each cell sees the next one; empty if there is none.
fn path(cells: CellSet, first: Cell, last: Cell) -> Vec<Cell> {
    let mut rings = vec![CellSet::of(first)];
    let mut left = cells.without(rings[0]);
    while let Some(ring) = rings.last().filter(|ring| !ring.contains(last)) {
        let next = ring.all_peers() & left;
        if next.is_empty() {
            return Vec::new();
        }
        left = left.without(next);
        rings.push(next);
    }
    let mut path = vec![last];
    for ring in rings.iter().rev().skip(1) {
        let before = path.last().and_then(|cell| (cell.peers() & *ring).first());
        path.extend(before);
    }
    path.reverse();
    path
}

/// The chain along the path. It starts with the assumption that the first cell does not hold x; then x and y alternate.
fn alternating(path: &[Cell], [x, y]: [Digit; 2]) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for (n, &cell) in path.iter().enumerate() {
        let (off, on) = if n % 2 == 0 { (x, y) } else { (y, x) };
        let (off, on) = (
            Node::from_candidate(off, cell),
            Node::from_candidate(on, cell),
        );
        if let Some(last) = links.last() {
            links.push(Link::weak(last.to, off));
        }
        links.push(Link::strong(off, on, StrongReason::Cell));
    }
    links
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &RemotePair,
    &[
        // Four cells are linked by a row, a column and a row.
        (
            "r1c15=12 r5c59=12",
            "r1c2346789<>12, r2346789c5<>12, r5c1234678<>12",
        ),
        // One link is in a box: r7c1 sees the first and the last cell.
        (
            "r1c1=12 r2c28=12 r7c8=12",
            "r1c238<>12, r2c1345679<>12, r3c1238<>12, r45689c8<>12, r7c1<>12",
        ),
        // The four cells form a ring: each sees the next one, and the last sees the first.
        ("r15c15=78", "r15c2346789<>78, r2346789c15<>78"),
    ],
    &[
        // Finds nothing: there are only three cells.
        "r1c15=12 r5c5=12",
        // Finds nothing: the last cell has a different candidate.
        "r1c15=12 r5c5=12 r5c9=13",
        // Finds nothing: the two pairs of cells are not connected.
        "r1c12=12 r5c89=12",
    ],
);
