//! Nested forcing chains: assumes each candidate of a board, and finds its consequences by nishio, optionally with the
//! techniques from full house to jellyfish (ranks 1–15).
//!
//! The branch of a candidate p is the board that follows from assuming p. It loses every candidate q that contradicts p
//! by singles; q is called a second assumption. Many branches are followed at the same time, because they use each
//! other's results: if a candidate is placed on a branch, the branch gets all consequences of that candidate's own
//! branch. Branches start with the results of the other techniques.

use super::super::branches::Branches;
use super::super::propagate;
use super::basics::{Follow, Squares, quiet_squares};
use super::cells::{BLOCK, candidates};
use super::effects::Effects;
use super::others::{NONE, OtherId, OtherSet, Others};
use super::queue::{BlockTest, MOST, Round, TestQueue};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Contradiction, Digit};
use crate::vectors::Vectors;

/// The number of branches that are followed at the same time. In each round, each of these branches tests one block of
/// second assumptions, and a round has room for [`MOST`] tests.
const IN_STEP: usize = MOST / BLOCK;

/// If only the eliminations are needed, the branches of this many groups are followed first. A group is the candidates
/// of a cell, or the places of a digit in a house.
const FIRST_GROUPS: usize = 4;

/// Follows branches by nishio and the techniques of ranks 1–15 until neither finds anything. `singles` and `basics`
/// have the same branches: after singles, and after the techniques of ranks 1–15.
pub(in super::super) fn nested(
    vectors: Vectors,
    board: &Candidates,
    singles: &Branches,
    basics: &Branches,
) -> Branches {
    let known = quiet_squares(vectors, board);
    let (boards, _) = follow(vectors, singles, basics, Some(&known), None);
    basics.with_boards(boards)
}

/// The candidates that nested forcing chains eliminate. The result is the same as from the branches of [`nested`], but
/// a branch is only followed as long as it can add an elimination.
pub(in super::super) fn nested_eliminations(
    vectors: Vectors,
    board: &Candidates,
    singles: &Branches,
    basics: &Branches,
) -> CandidateSet {
    let known = quiet_squares(vectors, board);
    let effects = Effects::new(board, basics);
    let (_, effects) = follow(vectors, singles, basics, Some(&known), Some(effects));
    effects.map_or(CandidateSet::EMPTY, |effects| *effects.eliminated())
}

/// Follows branches by nishio alone. Singles must have been applied to them already.
pub(in super::super) fn nishio(vectors: Vectors, singles: &Branches) -> Branches {
    let (boards, _) = follow(vectors, singles, singles, None, None);
    singles.with_boards(boards)
}

/// Follows the branches `start`, to which at least singles have been applied, and returns their boards. If `basics` is
/// given, it has squares that lose no candidate, and ranks 1–15 are applied too. If `effects` is given, a branch is
/// only followed as long as it can add an elimination; the effects are returned too.
fn follow<'a>(
    vectors: Vectors,
    singles: &Branches,
    start: &'a Branches,
    basics: Option<&Squares>,
    effects: Option<Effects<'a>>,
) -> (Vec<Option<Candidates>>, Option<Effects<'a>>) {
    let others = Others::new(singles);
    let cases = start.cases();
    let mut all = All {
        vectors,
        basics,
        boards: cases.iter().map(|(.., board)| board.clone()).collect(),
        branches: start,
        finished: vec![false; cases.len()],
        safe: vec![others.none(); cases.len()],
        others: &others,
        effects,
    };
    let mut waiting_cases: Vec<usize> = (0..all.boards.len()).collect();
    // The last case of the list is followed first, so the case with the most unsolved cells comes last.
    waiting_cases.sort_by_key(|at| {
        let board = all.boards[*at].as_ref();
        board.map_or(0, |board| board.unsolved().len())
    });
    all.begin(&mut waiting_cases);
    let mut queue = TestQueue::new();
    let mut refuted_tests = Vec::new();
    let mut running: Vec<Running> = Vec::new();
    loop {
        while running.len() < IN_STEP
            && let Some(at) = waiting_cases.pop()
        {
            if all.is_needed(at) {
                running.extend(all.start(at));
            }
        }
        // A branch continues as soon as the results of all its tests are known.
        running.retain_mut(|branch| {
            !branch.untested.is_empty()
                || queue.waiting().contains(&(branch.at as u16))
                || all.go_on(branch).is_some()
        });
        if running.is_empty() {
            if waiting_cases.is_empty() {
                break;
            }
            continue;
        }
        let tests: Vec<_> = running
            .iter_mut()
            .filter_map(|branch| {
                branch.tested = (0, 0);
                let (block, with) = branch.untested.take_block(&mut branch.next)?;
                branch.tested = (block, with);
                Some(BlockTest {
                    board: all.boards[branch.at].as_ref()?,
                    name: branch.at as u16,
                    block: &others.blocks[block],
                    first: (BLOCK * block) as u16,
                    with,
                })
            })
            .collect();
        refuted_tests.clear();
        vectors.run_shorts(Round {
            queue: &mut queue,
            tests: &tests,
            refuted: &mut refuted_tests,
        });
        for [name, other] in &refuted_tests {
            let other = OtherId::new((*other).into());
            // A test in the queue may belong to a branch that is no longer followed.
            if let Some(branch) = running
                .iter_mut()
                .find(|branch| branch.at == usize::from(*name))
                && branch.open.contains(other)
            {
                branch.gone.push(others.list[other.index()]);
            }
        }
        running.retain_mut(|branch| {
            let refuted_assumptions = std::mem::take(&mut branch.gone);
            refuted_assumptions.is_empty()
                || all
                    .remove(branch, refuted_assumptions.into_iter())
                    .is_some()
        });
        for branch in &mut running {
            branch.skip_implied(&queue, &others);
        }
        if all.effects.as_mut().is_some_and(Effects::take_change) {
            if all.effects.as_ref().is_some_and(Effects::is_complete) {
                break;
            }
            running.retain(|branch| all.is_needed(branch.at));
        }
    }
    (all.boards, all.effects)
}

/// A branch that is being followed: an assumption, with the board that follows from it.
struct Running {
    /// The index in [`Branches::cases`] of the assumption of this branch.
    at: usize,
    /// The second assumptions that are possible: the candidates of the branch, without those that singles refute on the
    /// original board.
    open: OtherSet,
    /// The second assumptions that have not been tested since the board of the branch last changed.
    untested: OtherSet,
    /// The index of the block of second assumptions that is tested next.
    next: usize,
    /// The block that was tested in the last round, and a mask of the tested boards in it. The mask is 0 if the board
    /// of the branch has changed since then.
    tested: (usize, u32),
    /// The second assumptions that the tests of the last round have refuted.
    gone: Vec<(Digit, Cell)>,
}

impl Running {
    /// Skips second assumptions that would pass their test, because they follow from a second assumption that has
    /// passed.
    fn skip_implied(&mut self, queue: &TestQueue, others: &Others) {
        let (block, mut passed) = self.tested;
        if passed == 0 {
            return;
        }
        for [name, other] in queue.waiting_tests() {
            if usize::from(name) == self.at && usize::from(other) / BLOCK == block {
                passed &= !(1 << (usize::from(other) % BLOCK));
            }
        }
        while passed != 0 {
            let other_index = BLOCK * block + passed.trailing_zeros() as usize;
            passed &= passed - 1;
            let implied = others.implied[other_index].0.iter();
            for (untested, implied) in self.untested.0.iter_mut().zip(implied) {
                *untested &= !implied;
            }
        }
    }
}

/// The state of all branches of a board.
struct All<'a, 'b> {
    vectors: Vectors,
    /// The squares that are known to lose no candidate; `None` if only nishio is applied, without ranks 1–15.
    basics: Option<&'a Squares>,
    branches: &'a Branches,
    /// For each case, the current board of its branch; `None` for a contradiction.
    boards: Vec<Option<Candidates>>,
    /// For each case, whether its branch has been followed to the end.
    finished: Vec<bool>,
    /// For each case, second assumptions that need no test: the final board of another branch has placed this case's
    /// candidate, and still has these candidates.
    safe: Vec<OtherSet>,
    others: &'a Others,
    /// The candidates eliminated so far; `None` if the boards of all branches are needed.
    effects: Option<Effects<'b>>,
}

impl All<'_, '_> {
    /// Moves the cases that should be followed first to the end of `waiting`. Also records the branches that already
    /// have a contradiction, and the tests that the known solution makes unnecessary.
    fn begin(&mut self, waiting: &mut Vec<usize>) {
        let Some(effects) = &mut self.effects else {
            return;
        };
        for at in (0..self.boards.len()).filter(|at| self.boards[*at].is_none()) {
            effects.end(at, &self.boards);
        }
        if let Some(solution) = effects.solution() {
            // Two candidates of the solution never contradict each other.
            let places = Digit::ALL.map(|digit| solution.cells(digit));
            let others = self.others.among(&places);
            for (digit, cell) in candidates(&places) {
                if let Some(case) = self.branches.case(digit, cell) {
                    self.safe[case] = others.clone();
                }
            }
        }
        let first_cases = effects.first_cases(&self.boards, FIRST_GROUPS);
        waiting.retain(|at| !first_cases.contains(at));
        waiting.extend(first_cases.into_iter().rev());
    }

    fn is_needed(&self, at: usize) -> bool {
        let effects = self.effects.as_ref();
        effects.is_none_or(|effects| effects.is_needed(at, &self.boards))
    }

    /// Reports to `effects` that the branch of a case has been followed to the end.
    fn end(&mut self, at: usize) {
        if let Some(effects) = &mut self.effects {
            effects.end(at, &self.boards);
        }
    }

    /// Starts to follow the branch of a case; `None` if the branch ends at once.
    fn start(&mut self, at: usize) -> Option<Running> {
        let board = self.boards[at].as_ref()?;
        let open = board.all_open_places();
        let mut running = Running {
            at,
            open: self.others.among(&open),
            untested: self.others.none(),
            next: 0,
            tested: (0, 0),
            gone: Vec::new(),
        };
        // The candidates that singles alone refute on the original board are removed from every branch.
        let failing = open.into_iter().zip(&*self.others.index).zip(Digit::ALL);
        let failing: Vec<_> = failing
            .flat_map(|((cells, index), digit)| {
                let fails = move |cell: &Cell| index[cell.index()] == NONE;
                cells.filter(fails).map(move |cell| (digit, cell))
            })
            .collect();
        self.remove(&mut running, failing.into_iter())?;
        Some(running)
    }

    /// Removes candidates from the board of a branch, and fills in singles; `None` if the branch ends.
    fn remove(
        &mut self,
        running: &mut Running,
        gone: impl Iterator<Item = (Digit, Cell)>,
    ) -> Option<()> {
        self.change(running, |board| {
            gone.for_each(|(digit, cell)| board.eliminate(digit, CellSet::of(cell)));
            propagate::singles(board)
        })
    }

    /// Continues a branch after all its tests have passed, by applying ranks 1–15. Returns `None` if the branch ends:
    /// they have changed nothing, or have found a contradiction.
    fn go_on(&mut self, running: &mut Running) -> Option<()> {
        if let Some(known) = self.basics {
            let vectors = self.vectors;
            let board_before = self.boards[running.at].clone();
            self.change(running, |board| vectors.run_shorts(Follow { board, known }))?;
            if self.boards[running.at] != board_before {
                return Some(());
            }
        }
        self.finish(running.at);
        None
    }

    /// Applies `change` to the board of a branch, and prepares the tests of the changed board; `None` if the branch
    /// ends.
    fn change(
        &mut self,
        running: &mut Running,
        change: impl FnOnce(&mut Candidates) -> Result<(), Contradiction>,
    ) -> Option<()> {
        let mut board = self.boards[running.at].take()?;
        let places_before = board.all_open_places();
        let result = change(&mut board);
        let Ok(equal) = result.and_then(|()| self.follow_placed(running.at, &mut board)) else {
            self.end(running.at);
            return None;
        };
        for ((places_before, open), index) in
            (places_before.iter().zip(board.all_open_places())).zip(&*self.others.index)
        {
            places_before.without(open).for_each(|cell| {
                let at = index[cell.index()];
                if at != NONE {
                    running.open.remove(at);
                }
            });
        }
        self.boards[running.at] = Some(board);
        if equal {
            self.finish(running.at);
            return None;
        }
        running.tested = (0, 0);
        let safe = &self.safe[running.at];
        for ((untested, open), safe) in
            (running.untested.0.iter_mut().zip(&running.open.0)).zip(&safe.0)
        {
            *untested = open & !safe;
        }
        Some(())
    }

    /// For each candidate placed on the board, removes what has been removed on that candidate's own branch, until
    /// nothing changes. Returns whether the board equals the final board of one of these branches.
    fn follow_placed(&self, at: usize, board: &mut Candidates) -> Result<bool, Contradiction> {
        loop {
            let mut kept = *board.all_places();
            let mut equal = false;
            for (digit, cell) in self.branches.placed_on(board) {
                let Some(case) = self.branches.case(digit, cell).filter(|case| *case != at) else {
                    continue;
                };
                let other = self.boards[case].as_ref().ok_or(Contradiction)?;
                for (kept, other) in kept.iter_mut().zip(other.all_places()) {
                    *kept &= *other;
                }
                equal |= self.finished[case] && other.all_places() == board.all_places();
            }
            if kept == *board.all_places() {
                return Ok(equal);
            }
            *board = Candidates::from_parts(kept, board.unsolved());
            propagate::singles(board)?;
        }
    }

    /// Records that the branch of a case has been followed to the end. Also records which tests on other branches are
    /// no longer needed.
    fn finish(&mut self, at: usize) {
        self.finished[at] = true;
        self.end(at);
        let Some(board) = &self.boards[at] else {
            return;
        };
        let open = self.others.among(&board.all_open_places());
        for (digit, cell) in self.branches.placed_on(board) {
            if let Some(case) = self.branches.case(digit, cell) {
                let safe = self.safe[case].0.iter_mut();
                safe.zip(&open.0).for_each(|(safe, open)| *safe |= open);
            }
        }
    }
}
