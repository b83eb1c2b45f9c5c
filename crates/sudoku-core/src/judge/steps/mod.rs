//! Judges a sequence of moves, such as the steps of a language model: which of them follow from the board, and which is
//! the first wrong one.
//!
//! # The board of a moment
//!
//! The judge keeps a board. It starts with the puzzle. Each move is judged on the board of its moment, which is the puzzle
//! after all earlier moves that are not wrong:
//!
//! - A move that some solution allows changes the board: a placement fills its cell and removes the digit from the peers, an
//!   elimination removes one candidate. Both stay for all later moves.
//! - A wrong move ([`MoveVerdict::False`], [`MoveVerdict::Illegal`]) changes nothing. So later moves are judged as if it had
//!   not been made, and the right digit for the same cell is a right move.
//!
//! Thus the board always has a solution. The *solutions of a moment* are those of its board.
//!
//! # The verdicts
//!
//! They are tried in this order:
//!
//! | verdict | placement of a digit | elimination of a digit |
//! |---|---|---|
//! | `illegal` | the cell or the digit does not exist; the cell has another digit; a peer has the digit | the cell or the digit does not exist; the cell has this digit |
//! | `repeated` | the cell has the digit | the digit is not a candidate of the cell any more |
//! | `false` | no solution has the digit there | every solution has the digit there |
//! | `possible` | some solutions have it there | some solutions have it there |
//! | `implied` | the ladder gives it | the ladder gives it |
//! | `true` | every solution has it there | no solution has it there |
//!
//! A puzzle with exactly one solution has no `possible` moves. For other puzzles, the solver is asked for one more solution
//! with the digit or without it; solutions are never listed.
//!
//! # What the ladder gives
//!
//! **Placements have to be written; eliminations may be left out.** The judge finds eliminations on a copy of the board as a
//! grade does, in waves: the lowest technique that removes candidates removes all that it finds, then the lowest is tried
//! again. Nothing is placed on the way. A move is implied with the lowest rank whose techniques give it in this way. So a
//! hidden single has its own rank if it stands on the board. If it stands there only after locked candidates have removed
//! something that no earlier move has removed, the move has the rank of locked candidates.
//!
//! A technique gives a placement if it places the digit in the cell. It gives an elimination if the candidate is gone after
//! everything that the technique places and removes.
//!
//! # The board as it is written
//!
//! Wrong moves are part of what was written, although the judge's board leaves them out. The written board can still be
//! solved ([`StepJudge::is_solvable`]) unless a false move stands: a false placement stands until another digit is placed
//! in its cell or the digit is eliminated there, a false elimination until its digit is placed in the cell. Illegal moves
//! never stand.

mod lowest;
mod moves;
mod read;
mod sequence;
mod solutions;
#[cfg(test)]
mod tests;

pub use moves::{JudgedMove, Move, MoveKind, MoveVerdict};
pub use read::{ReadSteps, STEP_FORMS, StepForm, read_steps};
pub use sequence::JudgedSteps;

use crate::board::{Candidates, Cell, CellSet, Digit, Grid};
use crate::grade::Ladder;
use crate::solve::{Kernel, Limits, Solution, Status};
use crate::text::Puzzle;
use lowest::lowest_rank;
use solutions::{KnownSolutions, Occurrence};

/// Judges moves one after the other.
///
/// ```
/// use sudoku_core::judge::{Move, MoveVerdict, StepJudge};
/// use sudoku_core::{Kernel, Ladder, Puzzle, Rank};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let ladder = Ladder::up_to(Rank::HIDDEN_SINGLE_LINE);
/// let mut judge = StepJudge::new(&puzzle, &ladder, Kernel::fastest()).unwrap();
/// let mut verdict = |text: &str| {
///     let judged = judge.judge(text.parse().unwrap());
///     (judged.verdict, judged.rank.map(|rank| rank.id()))
/// };
/// assert_eq!(verdict("r5c5=5"), (MoveVerdict::Implied, Some("naked_single")));
/// assert_eq!(verdict("r5c5=5"), (MoveVerdict::Repeated, None));
/// assert_eq!(verdict("r1c3=1"), (MoveVerdict::False, None));
/// assert_eq!(verdict("r1c3=4"), (MoveVerdict::True, None));
/// assert_eq!(verdict("r1c3=6"), (MoveVerdict::Illegal, None));
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
#[derive(Clone)]
pub struct StepJudge<'a> {
    ladder: &'a Ladder,
    board: Candidates,
    blanks: u32,
    solutions: KnownSolutions,
    /// The false moves that stand.
    standing: Vec<(MoveKind, Cell, Digit)>,
}

impl<'a> StepJudge<'a> {
    /// Starts with a puzzle. The ladder must not have uniqueness techniques.
    ///
    /// # Errors
    /// [`Status::None`] if the puzzle has no solution, [`Status::GaveUp`] if the search for one gave up.
    pub fn new(
        puzzle: &Puzzle,
        ladder: &'a Ladder,
        kernel: Kernel,
    ) -> Result<StepJudge<'a>, Status> {
        let solved = crate::solve::solve_all(kernel, &[puzzle], Limits::default());
        StepJudge::with_solution(puzzle, &solved[0], ladder, kernel)
    }

    /// Starts with a puzzle whose solutions have been counted up to two or more, as [`StepJudge::new`] does.
    ///
    /// # Errors
    /// As for [`StepJudge::new`].
    pub fn with_solution(
        puzzle: &Puzzle,
        solution: &Solution,
        ladder: &'a Ladder,
        kernel: Kernel,
    ) -> Result<StepJudge<'a>, Status> {
        let solutions = KnownSolutions::new(kernel, solution);
        let board = puzzle.board();
        Ok(StepJudge {
            ladder,
            blanks: board.unsolved().len() as u32,
            board,
            solutions: solutions.ok_or_else(|| Status::from_solution(solution))?,
            standing: Vec::new(),
        })
    }

    /// The verdict on a move, and the technique that it needs. Changes nothing.
    pub fn check(&mut self, made: Move) -> JudgedMove {
        let verdict = |verdict| JudgedMove {
            made,
            verdict,
            rank: None,
        };
        let Some((cell, digit)) = made.target() else {
            return verdict(MoveVerdict::Illegal);
        };
        if let Some(known) = self.without_solutions(made.kind, cell, digit) {
            return verdict(known);
        }
        let occurrence = self.solutions.occurrence(&self.board, cell, digit);
        match (made.kind, occurrence) {
            (_, Occurrence::Some) => return verdict(MoveVerdict::Possible),
            (MoveKind::Place, Occurrence::None) | (MoveKind::Eliminate, Occurrence::All) => {
                return verdict(MoveVerdict::False);
            }
            (MoveKind::Place, Occurrence::All) | (MoveKind::Eliminate, Occurrence::None) => {}
        }
        let rank = lowest_rank(self.ladder, &self.board, made.kind, cell, digit);
        JudgedMove {
            made,
            verdict: rank.map_or(MoveVerdict::True, |_| MoveVerdict::Implied),
            rank,
        }
    }

    /// The verdict that follows from the board without its solutions; `None` if the solutions decide.
    fn without_solutions(&self, kind: MoveKind, cell: Cell, digit: Digit) -> Option<MoveVerdict> {
        let board = &self.board;
        let is_candidate = board.places(digit).contains(cell);
        let is_filled = !board.unsolved().contains(cell);
        let filled_peers = cell.peers() & !board.unsolved();
        match kind {
            MoveKind::Place if is_filled && is_candidate => Some(MoveVerdict::Repeated),
            MoveKind::Place if is_filled || !(board.places(digit) & filled_peers).is_empty() => {
                Some(MoveVerdict::Illegal)
            }
            MoveKind::Place if !is_candidate => Some(MoveVerdict::False),
            MoveKind::Eliminate if is_filled && is_candidate => Some(MoveVerdict::Illegal),
            MoveKind::Eliminate if !is_candidate => Some(MoveVerdict::Repeated),
            _ => None,
        }
    }

    /// Judges a move, and makes it unless it is wrong.
    pub fn judge(&mut self, made: Move) -> JudgedMove {
        let judged = self.check(made);
        let Some((cell, digit)) = made.target() else {
            return judged;
        };
        match judged.verdict {
            MoveVerdict::Illegal | MoveVerdict::Repeated => {}
            MoveVerdict::False => {
                self.standing
                    .retain(|(kind, own_cell, own_digit)| match made.kind {
                        MoveKind::Place => *kind != made.kind || *own_cell != cell,
                        MoveKind::Eliminate => {
                            (*kind, *own_cell, *own_digit) != (made.kind, cell, digit)
                        }
                    });
                self.standing.push((made.kind, cell, digit));
            }
            MoveVerdict::Implied | MoveVerdict::True | MoveVerdict::Possible => {
                self.make(made.kind, cell, digit);
                if judged.verdict == MoveVerdict::Possible {
                    self.solutions
                        .keep(cell, digit, made.kind == MoveKind::Place);
                }
            }
        }
        judged
    }

    /// Makes a move that some solution allows, and drops the false moves that it takes back.
    fn make(&mut self, kind: MoveKind, cell: Cell, digit: Digit) {
        match kind {
            MoveKind::Place => {
                self.board.place(cell, digit);
                // A right placement replaces the false digit in the cell, and brings back an eliminated one.
                self.standing.retain(|(_, own_cell, _)| *own_cell != cell);
            }
            MoveKind::Eliminate => {
                self.board.eliminate(digit, CellSet::of(cell));
                self.standing
                    .retain(|false_move| *false_move != (MoveKind::Place, cell, digit));
            }
        }
    }

    /// Judges a sequence of moves.
    pub fn judge_all(mut self, moves: impl IntoIterator<Item = Move>) -> JudgedSteps {
        let moves = moves.into_iter().map(|made| self.judge(made)).collect();
        JudgedSteps::new(moves, &self)
    }

    /// The board of the moment: the puzzle after all moves that are not wrong.
    pub fn board(&self) -> &Candidates {
        &self.board
    }

    /// Whether the written board has a solution: no false move stands.
    pub fn is_solvable(&self) -> bool {
        self.standing.is_empty()
    }

    /// The written board: the clues and all placements, with the false ones that stand.
    pub fn written(&self) -> Grid {
        let mut grid = self.board.solved_grid();
        for (kind, cell, digit) in &self.standing {
            if *kind == MoveKind::Place {
                grid.set(*cell, Some(*digit));
            }
        }
        grid
    }

    /// The number of empty cells of the puzzle.
    pub fn blanks(&self) -> u32 {
        self.blanks
    }
}
