//! How an assumption leads to a contradiction, in words: only the singles that it takes.

use std::collections::BTreeSet;

use crate::board::{Candidates, Cell, CellSet, Digit, House};

/// Why the candidate is false: the singles that follow from it, and where they end.
pub(super) fn contradiction(board: &Candidates, digit: Digit, cell: Cell) -> String {
    let mut trace = Trace::new(board, digit, cell);
    let end = trace.run();
    let Some((end, causes)) = end else {
        return format!("were {cell} {digit}, singles would lead to a contradiction");
    };
    let mut needed = BTreeSet::new();
    let mut open = causes;
    while let Some(at) = open.pop() {
        if needed.insert(at) {
            open.extend(trace.causes(at));
        }
    }
    needed.insert(0);
    let steps: Vec<_> = needed
        .into_iter()
        .skip(1)
        .map(|at| trace.placements[at].to_string())
        .collect();
    if steps.is_empty() {
        format!("were {cell} {digit}, {end}")
    } else {
        format!("were {cell} {digit}, then {}, and {end}", steps.join(", "))
    }
}

/// A digit that was placed, and why.
#[derive(Clone, Copy)]
struct Placement {
    digit: Digit,
    cell: Cell,
    /// The house in which it was the only place; none for a naked single.
    house: Option<House>,
}

impl std::fmt::Display for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.cell, self.digit)?;
        match self.house {
            Some(house) => write!(f, " ({house})"),
            None => Ok(()),
        }
    }
}

/// The assumption and the singles after it, one by one.
struct Trace<'a> {
    start: &'a Candidates,
    board: Candidates,
    placements: Vec<Placement>,
}

impl Trace<'_> {
    fn new(start: &Candidates, digit: Digit, cell: Cell) -> Trace<'_> {
        let mut board = start.clone();
        board.place(cell, digit);
        Trace {
            start,
            board,
            placements: vec![Placement {
                digit,
                cell,
                house: None,
            }],
        }
    }

    /// Goes on to the contradiction: what it is, and the placements it comes from.
    fn run(&mut self) -> Option<(String, Vec<usize>)> {
        loop {
            if let Some(end) = self.end() {
                return Some(end);
            }
            let next = self.next_single()?;
            self.board.place(next.cell, next.digit);
            self.placements.push(next);
        }
    }

    fn end(&self) -> Option<(String, Vec<usize>)> {
        let latest = self.placements.len();
        for cell in self.board.unsolved() {
            if self.board.digits(cell).is_empty() {
                let causes = self
                    .start
                    .digits(cell)
                    .filter_map(|d| self.cause(d, cell, latest));
                return Some((format!("no digit is left for {cell}"), causes.collect()));
            }
        }
        for house in House::ALL {
            for digit in Digit::ALL {
                if (self.board.places(digit) & house.cells()).is_empty() {
                    let places = self.start.places(digit) & house.cells();
                    let causes = places.filter_map(|cell| self.cause(digit, cell, latest));
                    return Some((
                        format!("{house} has no place for {digit}"),
                        causes.collect(),
                    ));
                }
            }
        }
        None
    }

    fn next_single(&self) -> Option<Placement> {
        for cell in self.board.unsolved() {
            if let Some(digit) = self.board.digits(cell).single() {
                return Some(Placement {
                    digit,
                    cell,
                    house: None,
                });
            }
        }
        for house in House::ALL {
            for digit in Digit::ALL {
                let place = (self.board.places(digit) & house.cells()).single();
                if let Some(cell) = place.filter(|cell| self.board.unsolved().contains(*cell)) {
                    return Some(Placement {
                        digit,
                        cell,
                        house: Some(house),
                    });
                }
            }
        }
        None
    }

    /// The earlier placements that a placement comes from.
    fn causes(&self, at: usize) -> Vec<usize> {
        let Placement { digit, cell, house } = self.placements[at];
        if at == 0 {
            return Vec::new();
        }
        match house {
            None => {
                let others = self.start.digits(cell).filter(|other| *other != digit);
                others
                    .filter_map(|other| self.cause(other, cell, at))
                    .collect()
            }
            Some(house) => {
                let others = (self.start.places(digit) & house.cells()).without(CellSet::of(cell));
                others
                    .filter_map(|other| self.cause(digit, other, at))
                    .collect()
            }
        }
    }

    /// The first placement, before this one, that removed a candidate.
    fn cause(&self, digit: Digit, cell: Cell, before: usize) -> Option<usize> {
        self.placements[..before].iter().position(|placement| {
            if placement.cell == cell {
                placement.digit != digit
            } else {
                placement.digit == digit && placement.cell.peers().contains(cell)
            }
        })
    }
}
