//! Grades many puzzles, with the lowest techniques of the ladder in lanes.

use super::climb::{Climb, Waves};
use super::grades::Grade;
use super::ladder::Ladder;
use super::lanes::{self, Counted, LaneFeed, MAX_LANES};
use super::rank::{Rank, SEARCH};
use super::start::Start;
use crate::board::{Candidates, Grid};
use crate::solve::Kernel;
use crate::vectors::Vectors;

/// A puzzle after the waves of the techniques up to locked candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    pub(super) waves: Waves,
    left: Left,
}

/// The puzzle after these waves.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Left {
    /// A board on which they find nothing.
    Board(Candidates),
    /// A digit in every cell. It is no solution where the puzzle has none.
    Grid(Grid),
}

impl Progress {
    /// The puzzle's only solution, where it has been reached.
    pub fn solution(&self) -> Option<Grid> {
        match &self.left {
            Left::Grid(grid) => grid.is_solution().then_some(*grid),
            Left::Board(_) => None,
        }
    }

    /// What is left to be solved, where cells are open.
    pub fn board(&self) -> Option<&Candidates> {
        match &self.left {
            Left::Grid(_) => None,
            Left::Board(board) => Some(board),
        }
    }
}

impl Ladder {
    /// The first waves of each of these puzzles: those of the techniques up to locked candidates, as far
    /// as they are on this ladder and nothing else comes between.
    pub fn begin(&self, kernel: Kernel, puzzles: impl Iterator<Item = Start>) -> Vec<Progress> {
        let Some(vectors) = self.vectors(kernel) else {
            return puzzles.map(|start| self.begin_one(start)).collect();
        };
        let (_, most) = puzzles.size_hint();
        let mut starters = Starters {
            puzzles,
            progress: Vec::with_capacity(most.unwrap_or(0)),
            lanes: [0; MAX_LANES],
        };
        lanes::climb(vectors, self.highest_in_lanes(), &mut starters);
        starters.progress
    }

    fn begin_one(&self, start: Start) -> Progress {
        let mut climb = Climb::new(self, start);
        climb.go_on(Rank::LOCKED_CLAIMING);
        Progress {
            left: if climb.is_solved() {
                Left::Grid(climb.position.solved_grid())
            } else {
                Left::Board(climb.position.board().clone())
            },
            waves: climb.waves,
        }
    }

    /// The grades of puzzles that have one solution each: as [`Ladder::grade`] of each.
    pub fn finish(&self, kernel: Kernel, progress: Vec<Progress>) -> Vec<Grade> {
        let Some(vectors) = self.vectors(kernel) else {
            return progress
                .into_iter()
                .map(|one| self.finish_one(one))
                .collect();
        };
        let mut climbers = Climbers {
            ladder: self,
            grades: Vec::with_capacity(progress.len()),
            progress: progress.into_iter(),
            lanes: Vec::new(),
        };
        lanes::climb(vectors, self.highest_in_lanes(), &mut climbers);
        climbers.grades.into_iter().flatten().collect()
    }

    fn finish_one(&self, Progress { waves, left }: Progress) -> Grade {
        match left {
            Left::Grid(_) => waves.grade(self, true),
            Left::Board(board) => {
                let mut climb = Climb::after(self, waves, Start::Board(board).into());
                climb.go_on(SEARCH);
                climb.grade()
            }
        }
    }

    /// The vectors of the lanes, where the kernel has them and the ladder starts with the techniques
    /// that run in lanes.
    fn vectors(&self, kernel: Kernel) -> Option<Vectors> {
        let singles = Rank::HIDDEN_SINGLE_LINE.index() + 1;
        kernel.vectors().filter(|_| self.lowest_rungs() >= singles)
    }

    /// The rank of the highest rung that is climbed in lanes.
    fn highest_in_lanes(&self) -> Rank {
        let highest = self.lowest_rungs().min(lanes::RUNGS) - 1;
        self.rungs[highest].rank
    }
}

/// Puzzles before their first wave.
struct Starters<P> {
    puzzles: P,
    /// The results, in the order of the puzzles.
    progress: Vec<Progress>,
    /// Per lane, the index of its puzzle.
    lanes: [usize; MAX_LANES],
}

impl<P> Starters<P> {
    fn end(&mut self, lane: usize, counted: &Counted, left: Left) {
        let progress = &mut self.progress[self.lanes[lane]];
        progress.waves.add_counted(counted);
        progress.left = left;
    }
}

impl<P: Iterator<Item = Start>> LaneFeed for Starters<P> {
    fn next(&mut self, lane: usize) -> Option<Start> {
        let start = self.puzzles.next()?;
        self.lanes[lane] = self.progress.len();
        self.progress.push(Progress {
            waves: Waves::NONE,
            left: Left::Grid(Grid::EMPTY),
        });
        Some(start)
    }

    fn solved(&mut self, lane: usize, counted: &Counted, grid: Grid) {
        self.end(lane, counted, Left::Grid(grid));
    }

    fn stalled(&mut self, lane: usize, counted: &Counted, board: Candidates) -> Option<Candidates> {
        self.end(lane, counted, Left::Board(board));
        None
    }
}

/// Puzzles on the whole ladder: each that stalls in a lane gets a wave of the techniques above.
struct Climbers<'a> {
    ladder: &'a Ladder,
    progress: std::vec::IntoIter<Progress>,
    /// In the order of the puzzles; `None` for those in the lanes.
    grades: Vec<Option<Grade>>,
    /// Per lane, which puzzle it has, and its climb.
    lanes: Vec<(usize, Climb<'a>)>,
}

impl Climbers<'_> {
    /// The climb of a lane becomes that of the next puzzle.
    fn start(&mut self, lane: usize, waves: Waves, board: Candidates) {
        let at = self.grades.len();
        if let Some((puzzle, climb)) = self.lanes.get_mut(lane) {
            *puzzle = at;
            climb.restart(waves, board);
        } else {
            let position = Start::Board(board).into();
            self.lanes
                .push((at, Climb::after(self.ladder, waves, position)));
        }
        self.grades.push(None);
    }

    /// Applies a wave of the techniques above the lanes; `None` where the climb ends.
    fn wave(&mut self, lane: usize) -> Option<Candidates> {
        let (at, climb) = &mut self.lanes[lane];
        let first = self.ladder.lowest_rungs().min(lanes::RUNGS);
        if climb.wave(first, SEARCH) {
            return Some(climb.position.board().clone());
        }
        self.grades[*at] = Some(climb.grade());
        None
    }
}

impl LaneFeed for Climbers<'_> {
    fn next(&mut self, lane: usize) -> Option<Start> {
        loop {
            let Progress { waves, left } = self.progress.next()?;
            match left {
                Left::Grid(_) => self.grades.push(Some(waves.grade(self.ladder, true))),
                Left::Board(board) => {
                    self.start(lane, waves, board);
                    if let Some(board) = self.wave(lane) {
                        return Some(Start::Board(board));
                    }
                }
            }
        }
    }

    fn solved(&mut self, lane: usize, counted: &Counted, _: Grid) {
        let (at, climb) = &mut self.lanes[lane];
        climb.waves.add_counted(counted);
        self.grades[*at] = Some(climb.waves.grade(self.ladder, true));
    }

    fn stalled(&mut self, lane: usize, counted: &Counted, board: Candidates) -> Option<Candidates> {
        self.lanes[lane].1.take(counted, board);
        self.wave(lane)
    }
}
