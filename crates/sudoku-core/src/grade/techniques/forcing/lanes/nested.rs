//! Follows every assumption of a board by nishio, with or without ranks 1–15.
//!
//! An assumption p is followed on a branch. Its board is closed under the other techniques at the start, and
//! loses every candidate q that contradicts it by singles. Branches run in step. What one of them finds is of
//! use to the others: a candidate that is placed on a branch leads to everything that its own branch
//! leads to.

use super::super::branches::Branches;
use super::super::propagate;
use super::basics::{Follow, Squares, quiet_squares};
use super::queue::{BLOCK, Block, BlockTest, MOST, Round, TestQueue};
use crate::board::{Candidates, Cell, CellSet, Contradiction, Digit};
use crate::vectors::Vectors;

/// The number of branches that are tested together. Each has a test of one block, and a round has room for [`MOST`].
const IN_STEP: usize = MOST / BLOCK;

/// Extends the branches that are closed under ranks 1–15 by nishio, and these ranks again. `singles` are
/// the same branches, closed under singles.
pub(in super::super) fn nested(
    vectors: Vectors,
    board: &Candidates,
    singles: &Branches,
    basics: &Branches,
) -> Branches {
    let known = quiet_squares(vectors, board);
    follow(vectors, singles, basics, Some(&known))
}

/// Extends the branches that are closed under singles by nishio alone.
pub(in super::super) fn nishio(vectors: Vectors, singles: &Branches) -> Branches {
    follow(vectors, singles, singles, None)
}

/// Follows branches from `start`, closed under `singles` or more. With squares of the board that are known
/// to lose nothing, also by ranks 1–15.
fn follow(
    vectors: Vectors,
    singles: &Branches,
    start: &Branches,
    basics: Option<&Squares>,
) -> Branches {
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
    };
    let mut waiting: Vec<usize> = (0..all.boards.len()).collect();
    // The last is the first that is followed: the one with the most unsolved cells.
    waiting.sort_by_key(|at| {
        let board = all.boards[*at].as_ref();
        board.map_or(0, |board| board.unsolved().len())
    });
    let mut queue = TestQueue::new();
    let mut refuted = Vec::new();
    let mut running: Vec<Running> = Vec::new();
    loop {
        while running.len() < IN_STEP
            && let Some(at) = waiting.pop()
        {
            running.extend(all.start(at));
        }
        // A branch goes on when all of its tests have passed.
        running.retain_mut(|branch| {
            !branch.untested.is_empty()
                || queue.waiting().contains(&(branch.at as u16))
                || all.go_on(branch).is_some()
        });
        if running.is_empty() {
            if waiting.is_empty() {
                break;
            }
            continue;
        }
        let tests: Vec<_> = running
            .iter_mut()
            .filter_map(|branch| {
                let (block, with) = branch.untested.take_block(&mut branch.next)?;
                Some(BlockTest {
                    board: all.boards[branch.at].as_ref()?,
                    name: branch.at as u16,
                    block: &others.blocks[block],
                    first: (BLOCK * block) as u16,
                    with,
                })
            })
            .collect();
        refuted.clear();
        vectors.run_shorts(Round {
            queue: &mut queue,
            tests: &tests,
            refuted: &mut refuted,
        });
        for [name, other] in &refuted {
            // Tests of a branch that has ended meanwhile may still have been waiting.
            if let Some(branch) = running
                .iter_mut()
                .find(|branch| branch.at == usize::from(*name))
                && branch.open.contains(*other)
            {
                branch.gone.push(others.list[usize::from(*other)]);
            }
        }
        running.retain_mut(|branch| {
            let gone = std::mem::take(&mut branch.gone);
            gone.is_empty() || all.remove(branch, gone.into_iter()).is_some()
        });
    }
    start.with_boards(all.boards)
}

/// A set of the second assumptions, by their index in [`Others::list`].
#[derive(Clone, Debug)]
struct OtherSet(Vec<u32>);

impl OtherSet {
    fn is_empty(&self) -> bool {
        self.0.iter().all(|block| *block == 0)
    }

    fn insert(&mut self, other: u16) {
        self.0[usize::from(other) / BLOCK] |= 1 << (usize::from(other) % BLOCK);
    }

    fn remove(&mut self, other: u16) {
        self.0[usize::from(other) / BLOCK] &= !(1 << (usize::from(other) % BLOCK));
    }

    fn contains(&self, other: u16) -> bool {
        self.0[usize::from(other) / BLOCK] >> (usize::from(other) % BLOCK) & 1 == 1
    }

    /// Takes the others of the next block that has any out. `next` is where it looks first.
    fn take_block(&mut self, next: &mut usize) -> Option<(usize, u32)> {
        for _ in 0..self.0.len() {
            let block = *next;
            *next = (block + 1) % self.0.len();
            if self.0[block] != 0 {
                return Some((block, std::mem::take(&mut self.0[block])));
            }
        }
        None
    }
}

/// The second assumptions: those that singles alone do not disprove.
struct Others {
    /// Those whose boards have the fewest candidates first, because these fail most.
    list: Vec<(Digit, Cell)>,
    /// By digit and cell: the index in the list; `NONE` for the others.
    index: Box<[[u16; 81]; 9]>,
    /// Their boards, closed under singles.
    blocks: Vec<Block>,
}

const NONE: u16 = u16::MAX;

impl Others {
    fn new(singles: &Branches) -> Others {
        let cases = singles.cases().iter();
        let alive = cases.filter_map(|(digit, cell, board)| Some((*digit, *cell, board.as_ref()?)));
        let mut alive: Vec<_> = alive
            .map(|(digit, cell, board)| {
                let candidates: usize = board.all_open_places().iter().map(|c| c.len()).sum();
                (candidates, digit, cell, board)
            })
            .collect();
        alive.sort_by_key(|(candidates, ..)| *candidates);
        let mut others = Others {
            list: Vec::new(),
            index: Box::new([[NONE; 81]; 9]),
            blocks: vec![[[0; BLOCK]; 81]; alive.len().div_ceil(BLOCK)],
        };
        for (at, (_, digit, cell, board)) in alive.into_iter().enumerate() {
            others.list.push((digit, cell));
            others.index[digit.index()][cell.index()] = at as u16;
            let block = &mut others.blocks[at / BLOCK];
            for (words, digits) in block.iter_mut().zip(board.by_cell()) {
                words[at % BLOCK] = digits.bits();
            }
        }
        others
    }

    fn none(&self) -> OtherSet {
        OtherSet(vec![0; self.blocks.len()])
    }

    /// Those among these candidates.
    fn among(&self, places: &[CellSet; 9]) -> OtherSet {
        let mut set = self.none();
        for (index, cells) in self.index.iter().zip(places) {
            cells.for_each(|cell| {
                let at = index[cell.index()];
                if at != NONE {
                    set.insert(at);
                }
            });
        }
        set
    }
}

/// A branch that is followed.
struct Running {
    /// The index of its case.
    at: usize,
    /// The open candidates of its board that are second assumptions.
    open: OtherSet,
    /// Those that have not been tested since the board changed.
    untested: OtherSet,
    /// The block that is tested next.
    next: usize,
    /// What the tests of the last round have refuted.
    gone: Vec<(Digit, Cell)>,
}

/// All branches.
struct All<'a> {
    vectors: Vectors,
    /// Squares that lose nothing, if branches are followed by ranks 1–15 too.
    basics: Option<&'a Squares>,
    branches: &'a Branches,
    /// The board of each case so far; `None` for a contradiction.
    boards: Vec<Option<Candidates>>,
    /// Whether the board of each case is final.
    finished: Vec<bool>,
    /// For each case the second assumptions that cannot fail: those that are open on the final board of a
    /// case that places this one.
    safe: Vec<OtherSet>,
    others: &'a Others,
}

impl All<'_> {
    /// Starts to follow a case; `None` if that ends at once.
    fn start(&mut self, at: usize) -> Option<Running> {
        let board = self.boards[at].as_ref()?;
        let open = board.all_open_places();
        let mut running = Running {
            at,
            open: self.others.among(&open),
            untested: self.others.none(),
            next: 0,
            gone: Vec::new(),
        };
        // Those that fail alone.
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

    /// Removes candidates from a running branch, and follows that; `None` if the branch ends.
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

    /// Goes on with a branch in which every test has passed: by ranks 1–15, or to its end.
    fn go_on(&mut self, running: &mut Running) -> Option<()> {
        if let Some(known) = self.basics {
            let vectors = self.vectors;
            let before = self.boards[running.at].clone();
            self.change(running, |board| vectors.run_shorts(Follow { board, known }))?;
            if self.boards[running.at] != before {
                return Some(());
            }
        }
        self.finish(running.at);
        None
    }

    /// Changes the board of a running branch; `None` if the branch ends.
    fn change(
        &mut self,
        running: &mut Running,
        change: impl FnOnce(&mut Candidates) -> Result<(), Contradiction>,
    ) -> Option<()> {
        let mut board = self.boards[running.at].take()?;
        let before = board.all_open_places();
        change(&mut board).ok()?;
        let equal = self.follow_placed(running.at, &mut board).ok()?;
        for ((before, open), index) in
            (before.iter().zip(board.all_open_places())).zip(&*self.others.index)
        {
            before.without(open).for_each(|cell| {
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
        let safe = &self.safe[running.at];
        for ((untested, open), safe) in
            (running.untested.0.iter_mut().zip(&running.open.0)).zip(&safe.0)
        {
            *untested = open & !safe;
        }
        Some(())
    }

    /// Takes over what the branches of placed candidates have found. Returns whether the board is the
    /// final board of one of them.
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

    /// Records that the board of a case is final.
    fn finish(&mut self, at: usize) {
        self.finished[at] = true;
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
