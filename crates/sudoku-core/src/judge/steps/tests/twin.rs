//! A slow, readable judge: it lists all solutions, and finds the lowest rank by trying each.

use crate::board::{Candidates, Cell, CellSet, Digit, Grid};
use crate::grade::{Ladder, Position, Rank, Steps};
use crate::judge::{Move, MoveKind, MoveVerdict};

/// The judge of the tests.
pub(super) struct Twin<'a> {
    pub(super) ladder: &'a Ladder,
    pub(super) clues: Grid,
    /// All solutions of the puzzle.
    pub(super) solutions: Vec<Grid>,
    /// The moves that were made.
    pub(super) made: Vec<(MoveKind, Cell, Digit)>,
}

impl Twin<'_> {
    /// The digit that the cell has by the clues or an earlier move.
    fn digit(&self, cell: Cell) -> Option<Digit> {
        let placed = self
            .made
            .iter()
            .find(|(kind, own, _)| *kind == MoveKind::Place && *own == cell);
        self.clues.get(cell).or(placed.map(|(_, _, digit)| *digit))
    }

    fn is_allowed(&self, solution: &Grid) -> bool {
        self.made.iter().all(|(kind, cell, digit)| {
            (solution.get(*cell) == Some(*digit)) == (*kind == MoveKind::Place)
        })
    }

    fn board(&self) -> Candidates {
        let mut grid = self.clues;
        for cell in Cell::all() {
            grid.set(cell, self.digit(cell));
        }
        let mut board = Candidates::new(&grid);
        for (kind, cell, digit) in &self.made {
            if *kind == MoveKind::Eliminate {
                board.eliminate(*digit, CellSet::of(*cell));
            }
        }
        board
    }

    pub(super) fn judge(&mut self, made: Move) -> (MoveVerdict, Option<Rank>) {
        let (verdict, rank) = self.verdict(made);
        if let Some((cell, digit)) = made.target()
            && matches!(
                verdict,
                MoveVerdict::Implied | MoveVerdict::True | MoveVerdict::Possible
            )
        {
            self.made.push((made.kind, cell, digit));
        }
        (verdict, rank)
    }

    fn verdict(&self, made: Move) -> (MoveVerdict, Option<Rank>) {
        let Some((cell, digit)) = made.target() else {
            return (MoveVerdict::Illegal, None);
        };
        let sees = |other: &Cell| {
            *other != cell
                && (other.row() == cell.row()
                    || other.column() == cell.column()
                    || other.box_index() == cell.box_index())
        };
        let is_seen = Cell::all().any(|other| sees(&other) && self.digit(other) == Some(digit));
        let is_eliminated = self.made.contains(&(MoveKind::Eliminate, cell, digit));
        let known = match (made.kind, self.digit(cell)) {
            (MoveKind::Place, Some(own)) if own == digit => Some(MoveVerdict::Repeated),
            (MoveKind::Place, Some(_)) => Some(MoveVerdict::Illegal),
            (MoveKind::Place, None) => is_seen.then_some(MoveVerdict::Illegal),
            (MoveKind::Eliminate, Some(own)) if own == digit => Some(MoveVerdict::Illegal),
            (MoveKind::Eliminate, Some(_)) => Some(MoveVerdict::Repeated),
            (MoveKind::Eliminate, None) => {
                (is_seen || is_eliminated).then_some(MoveVerdict::Repeated)
            }
        };
        if let Some(known) = known {
            return (known, None);
        }
        let mut solutions = self.solutions.iter().filter(|grid| self.is_allowed(grid));
        let agrees =
            |grid: &&Grid| (grid.get(cell) == Some(digit)) == (made.kind == MoveKind::Place);
        let (agreeing, contrary): (Vec<&Grid>, Vec<&Grid>) = solutions.by_ref().partition(agrees);
        if agreeing.is_empty() {
            return (MoveVerdict::False, None);
        }
        if !contrary.is_empty() {
            return (MoveVerdict::Possible, None);
        }
        let ranks = Rank::all().filter(|rank| self.ladder.rungs().any(|(own, _)| own == *rank));
        let mut ranks = ranks.into_iter();
        match ranks.find(|rank| self.is_given(made.kind, cell, digit, *rank)) {
            Some(rank) => (MoveVerdict::Implied, Some(rank)),
            None => (MoveVerdict::True, None),
        }
    }

    /// Whether the techniques up to this rank give the move, after all eliminations that they find.
    fn is_given(&self, kind: MoveKind, cell: Cell, digit: Digit, highest: Rank) -> bool {
        let mut board = self.board();
        loop {
            let before = board.clone();
            for (_, technique) in self.ladder.rungs().filter(|(rank, _)| *rank <= highest) {
                let position = Position::with_clues(board.clone(), CellSet::EMPTY);
                let mut found = Steps::listing();
                technique.find_all(&position, &mut found);
                for step in found.list() {
                    let mut after = before.clone();
                    step.effect.apply(&mut after);
                    let is_placed = step.effect.placed(digit).contains(cell);
                    let is_gone = !after.places(digit).contains(cell);
                    if match kind {
                        MoveKind::Place => is_placed,
                        MoveKind::Eliminate => is_gone,
                    } {
                        return true;
                    }
                    for (digit, cells) in step.effect.removals() {
                        board.eliminate(digit, cells);
                    }
                }
            }
            if board == before {
                return false;
            }
        }
    }
}
