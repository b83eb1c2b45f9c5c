//! The depth of trial and error (T&E) of a puzzle, as Denis Berthier defines it.
//!
//! ```text
//! T&E(0)    naked and hidden singles
//! T&E(n)    assume each candidate, follow it by T&E(n - 1), and remove it if this leads to a
//!           contradiction; repeat until nothing is removed
//! depth     the smallest n for which T&E(n) solves the puzzle
//! ```
//!
//! The final board of T&E(n) does not depend on the order of the assumptions, so all isomorphs have the same depth.

use super::branches::Branches;
use super::{lanes, propagate};
use crate::board::{CandidateSet, Candidates, CellSet, Contradiction, Digit};
use crate::solve::Kernel;
use crate::vectors::Vectors;

/// The greatest depth of trial and error that is tried. Only a few known puzzles need it.
const DEEPEST: u8 = 3;

/// The largest number of first assumptions that are tried at depth [`DEEPEST`].
const MOST_ASSUMPTIONS: usize = 3000;

/// The depth of trial and error that a puzzle needs, or the reason why the depth is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrialOutcome {
    /// The lowest depth that solves the puzzle, from 0 to 3.
    Depth(u8),
    /// Trial and error of depth 3 does not solve the puzzle.
    Beyond,
    /// At depth 3, more assumptions would be needed than the limit allows.
    GaveUp,
}

impl TrialOutcome {
    /// The ids of all outcomes in output tables.
    pub const IDS: [&'static str; 3] = ["known", "beyond", "gave_up"];

    /// The id of the outcome in output tables, one of [`TrialOutcome::IDS`].
    pub fn id(self) -> &'static str {
        let [known, beyond, gave_up] = TrialOutcome::IDS;
        match self {
            TrialOutcome::Depth(_) => known,
            TrialOutcome::Beyond => beyond,
            TrialOutcome::GaveUp => gave_up,
        }
    }

    /// The depth of trial and error that the puzzle needs; `None` if it is not known.
    pub fn depth(self) -> Option<u8> {
        match self {
            TrialOutcome::Depth(depth) => Some(depth),
            _ => None,
        }
    }
}

/// The depth of trial and error of a puzzle that has exactly one solution. The result does not depend on
/// the kernel.
///
/// ```
/// use sudoku_core::grade::{TrialOutcome, trial_depth};
/// use sudoku_core::{Kernel, Puzzle};
///
/// let puzzle: Puzzle =
///     "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6".parse()?;
/// let depth = trial_depth(Kernel::fastest(), &puzzle.board());
/// assert_eq!(depth, TrialOutcome::Depth(2));
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
pub fn trial_depth(kernel: Kernel, board: &Candidates) -> TrialOutcome {
    let vectors = kernel.vectors();
    let mut board = board.clone();
    for depth in 0..=DEEPEST {
        match solve(vectors, &mut board, depth) {
            Ok(true) => return TrialOutcome::Depth(depth),
            Ok(false) => {}
            Err(TooMany) => return TrialOutcome::GaveUp,
        }
    }
    TrialOutcome::Beyond
}

/// The error if more than [`MOST_ASSUMPTIONS`] first assumptions would be needed.
struct TooMany;

/// Applies trial and error of this depth. Returns whether this solves the board.
fn solve(vectors: Option<Vectors>, board: &mut Candidates, depth: u8) -> Result<bool, TooMany> {
    let mut assumptions = 0;
    loop {
        if depth == DEEPEST {
            // Apply the next lower depth until it finds nothing, so that the count of assumptions is the same for all
            // isomorphs.
            if close(vectors, board, depth - 1).is_err() {
                return Ok(false);
            }
            let open_places = board.all_open_places();
            assumptions += open_places.iter().map(|cells| cells.len()).sum::<usize>();
            if assumptions > MOST_ASSUMPTIONS {
                return Err(TooMany);
            }
        }
        match round(vectors, board, depth) {
            // There is no contradiction if the puzzle has a solution.
            Err(Contradiction) => return Ok(false),
            Ok(changed) if board.is_solved() || !changed => return Ok(board.is_solved()),
            Ok(_) => {}
        }
    }
}

/// Applies trial and error of this depth until it removes nothing more.
fn close(vectors: Option<Vectors>, board: &mut Candidates, depth: u8) -> Result<(), Contradiction> {
    while round(vectors, board, depth)? {}
    Ok(())
}

/// Makes one round of trial and error: assumes each candidate once, and removes those that lead to a contradiction.
/// Returns whether any candidate was removed.
fn round(
    vectors: Option<Vectors>,
    board: &mut Candidates,
    depth: u8,
) -> Result<bool, Contradiction> {
    propagate::singles(board)?;
    if depth == 0 {
        return Ok(false);
    }
    if propagate::nishio(board)? {
        return Ok(true);
    }
    let refuted = match (depth, vectors) {
        _ if depth == 1 || board.is_solved() => return Ok(false),
        (2, Some(vectors)) => lanes::nishio(vectors, &Branches::with_singles(board)).refuted(),
        _ => refuted_one_by_one(vectors, board, depth)?,
    };
    for (digit, cells) in refuted.by_digit() {
        board.eliminate(digit, cells);
    }
    propagate::singles(board)?;
    Ok(!refuted.is_empty())
}

/// The candidates that lead to a contradiction by trial and error of depth `depth - 1` if they are assumed.
fn refuted_one_by_one(
    vectors: Option<Vectors>,
    board: &mut Candidates,
    depth: u8,
) -> Result<CandidateSet, Contradiction> {
    // Apply the lower depth to the board itself first. Otherwise, the candidates that it removes would be removed again
    // on every branch.
    close(vectors, board, depth - 1)?;
    let mut refuted_candidates = CandidateSet::EMPTY;
    for digit in Digit::ALL {
        for cell in board.open_places(digit) {
            let mut branch = board.clone();
            branch.place(cell, digit);
            if close(vectors, &mut branch, depth - 1).is_err() {
                refuted_candidates.insert(digit, CellSet::of(cell));
            }
        }
    }
    Ok(refuted_candidates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Isomorph;
    use crate::generate::Generator;
    use crate::random::Rng;
    use crate::text::Puzzle;

    /// A slower version of [`solve`] that is easier to read: it follows the definition of trial and error.
    fn follow(board: &mut Candidates, depth: u8) -> Result<(), Contradiction> {
        loop {
            propagate::singles(board)?;
            let mut has_changed = false;
            for digit in Digit::ALL {
                for cell in board.open_places(digit) {
                    if depth == 0 {
                        continue;
                    }
                    let mut branch = board.clone();
                    branch.place(cell, digit);
                    if follow(&mut branch, depth - 1).is_err() {
                        board.eliminate(digit, CellSet::of(cell));
                        has_changed = true;
                    }
                }
            }
            if !has_changed {
                return Ok(());
            }
        }
    }

    fn by_definition(board: &Candidates) -> Option<u8> {
        (0..=2).find(|depth| {
            let mut board = board.clone();
            follow(&mut board, *depth).is_ok() && board.is_solved()
        })
    }

    /// The environment variable `TRIAL_PUZZLES` sets the number of generated puzzles; without it there are 60.
    #[test]
    fn the_depth_is_that_of_the_definition_for_every_kernel() {
        let seed = 3;
        let generator = Generator::any(seed);
        let count = std::env::var("TRIAL_PUZZLES").map_or(60, |count| count.parse().unwrap());
        let generated_puzzles = (0..count).map(|n| generator.puzzle(n).unwrap().puzzle.to_string());
        let hard_puzzles = [
            "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6",
            "98.7..6..7.5.......4..5....3..8..9......2..1......13.42...8..93.7....2....92...6.",
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        ];
        let mut depths = [0; 3];
        for text in generated_puzzles.chain(hard_puzzles.map(str::to_owned)) {
            let puzzle: Puzzle = text.parse().unwrap();
            let expected_depth = by_definition(&puzzle.board());
            for kernel in Kernel::available() {
                let depth = trial_depth(kernel, &puzzle.board());
                let case_text = format!("seed {seed}, {}: {text}", kernel.name());
                assert_eq!(depth.depth(), expected_depth, "{case_text}");
            }
            depths[usize::from(expected_depth.unwrap())] += 1;
        }
        assert!(depths.iter().all(|count| *count > 0), "{depths:?}");
    }

    #[test]
    fn isomorphs_have_the_same_depth() {
        let seed = 8;
        let mut rng = Rng::new(seed);
        let text =
            "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6";
        let puzzle: Puzzle = text.parse().unwrap();
        let depth = trial_depth(Kernel::fastest(), &puzzle.board());
        for _ in 0..20 {
            let isomorph = Isomorph::random(&mut rng).apply(&puzzle.clues);
            let depth_of_isomorph = trial_depth(Kernel::fastest(), &Candidates::new(&isomorph));
            assert_eq!(depth_of_isomorph, depth, "seed {seed}: {isomorph}");
        }
    }
}
