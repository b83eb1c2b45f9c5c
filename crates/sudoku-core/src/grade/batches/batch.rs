//! Grades many puzzles at the same time: [`Ladder::begin`] and [`Ladder::finish`]. The easiest techniques, up to locked
//! candidates, run with vector instructions, with one puzzle in each lane.

use crate::board::{Candidates, Grid};
use crate::grade::climb::Climb;
use crate::grade::grades::Grade;
use crate::grade::ladder::Ladder;
use crate::grade::lanes::{self, LaneCounts, LaneFeed, MAX_LANES};
use crate::grade::position::Position;
use crate::grade::rank::{Rank, SEARCH};
use crate::grade::start::Start;
use crate::grade::waves::Waves;
use crate::solve::Kernel;
use crate::vectors::Vectors;

/// A partly graded puzzle, the result of [`Ladder::begin`]: how often each technique up to locked candidates was
/// applied, and the board or grid that these techniques reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradeProgress {
    pub(crate) waves: Waves,
    reached: ReachedState,
}

/// The board or grid that the techniques up to locked candidates reached.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ReachedState {
    /// A board with unsolved cells, on which singles and locked candidates find nothing more.
    Board(Candidates),
    /// A grid in which every cell is filled. If the puzzle has no solution, the grid is not valid.
    Grid(Grid),
}

impl GradeProgress {
    /// The only solution of the puzzle; `None` if the techniques applied so far do not solve it.
    pub fn solution(&self) -> Option<Grid> {
        match &self.reached {
            ReachedState::Grid(grid) => grid.is_solution().then_some(*grid),
            ReachedState::Board(_) => None,
        }
    }

    /// The board after the techniques applied so far; `None` if no cell is unsolved.
    pub fn board(&self) -> Option<&Candidates> {
        match &self.reached {
            ReachedState::Grid(_) => None,
            ReachedState::Board(board) => Some(board),
        }
    }
}

/// See [`Ladder::begin`].
pub(in crate::grade) fn begin(
    ladder: &Ladder,
    kernel: Kernel,
    puzzles: impl Iterator<Item = Start>,
) -> Vec<GradeProgress> {
    let Some(vectors) = vectors_for(ladder, kernel) else {
        return puzzles.map(|start| begin_one(ladder, start)).collect();
    };
    let (_, most) = puzzles.size_hint();
    let mut feed = FirstWavesFeed {
        puzzles,
        progress: Vec::with_capacity(most.unwrap_or(0)),
        lanes: [0; MAX_LANES],
    };
    lanes::apply_waves(vectors, highest_in_lanes(ladder), &mut feed);
    feed.progress
}

fn begin_one(ladder: &Ladder, start: Start) -> GradeProgress {
    let mut climb = Climb::new(ladder, start);
    climb.climb_to(Rank::LOCKED_CLAIMING);
    GradeProgress {
        reached: if climb.is_solved() {
            ReachedState::Grid(climb.position.solved_grid())
        } else {
            ReachedState::Board(climb.position.board().clone())
        },
        waves: climb.waves,
    }
}

/// See [`Ladder::finish`].
pub(in crate::grade) fn finish(
    ladder: &Ladder,
    kernel: Kernel,
    progress: Vec<GradeProgress>,
) -> Vec<Grade> {
    let Some(vectors) = vectors_for(ladder, kernel) else {
        return progress
            .into_iter()
            .map(|one| finish_one(ladder, kernel, one))
            .collect();
    };
    let mut feed = GradingFeed {
        ladder,
        kernel,
        grades: Vec::with_capacity(progress.len()),
        progress: progress.into_iter(),
        lanes: Vec::new(),
    };
    lanes::apply_waves(vectors, highest_in_lanes(ladder), &mut feed);
    feed.grades.into_iter().flatten().collect()
}

fn finish_one(ladder: &Ladder, kernel: Kernel, progress: GradeProgress) -> Grade {
    let GradeProgress { waves, reached } = progress;
    match reached {
        ReachedState::Grid(_) => waves.grade(ladder, true),
        ReachedState::Board(board) => {
            let position = Position::from(Start::Board(board)).with_kernel(kernel);
            let mut climb = Climb::after(ladder, waves, position);
            climb.climb_to(SEARCH);
            climb.grade()
        }
    }
}

/// The instruction set for vector lanes; `None` for the scalar kernel, or if the ladder does not start with the
/// techniques that run in vector lanes.
fn vectors_for(ladder: &Ladder, kernel: Kernel) -> Option<Vectors> {
    let singles = Rank::HIDDEN_SINGLE_LINE.index() + 1;
    kernel
        .vectors()
        .filter(|_| ladder.lowest_rungs() >= singles)
}

/// The rank (position in the default order) of the hardest technique of the ladder that runs in vector lanes.
fn highest_in_lanes(ladder: &Ladder) -> Rank {
    let highest = ladder.lowest_rungs().min(lanes::RUNGS) - 1;
    ladder.rungs[highest].rank
}

/// Supplies the vector lanes with the puzzles of [`Ladder::begin`], and collects their results.
struct FirstWavesFeed<P> {
    puzzles: P,
    /// The results so far, in the order of the puzzles.
    progress: Vec<GradeProgress>,
    /// For each vector lane, the index in `progress` of its current puzzle.
    lanes: [usize; MAX_LANES],
}

impl<P> FirstWavesFeed<P> {
    fn store_result(&mut self, lane: usize, counts: &LaneCounts, reached: ReachedState) {
        let progress = &mut self.progress[self.lanes[lane]];
        progress.waves.add_counts(counts);
        progress.reached = reached;
    }
}

impl<P: Iterator<Item = Start>> LaneFeed for FirstWavesFeed<P> {
    fn next(&mut self, lane: usize) -> Option<Start> {
        let start = self.puzzles.next()?;
        self.lanes[lane] = self.progress.len();
        self.progress.push(GradeProgress {
            waves: Waves::NONE,
            reached: ReachedState::Grid(Grid::EMPTY),
        });
        Some(start)
    }

    fn solved(&mut self, lane: usize, counts: &LaneCounts, grid: Grid) {
        self.store_result(lane, counts, ReachedState::Grid(grid));
    }

    fn stalled(
        &mut self,
        lane: usize,
        counts: &LaneCounts,
        board: Candidates,
    ) -> Option<Candidates> {
        self.store_result(lane, counts, ReachedState::Board(board));
        None
    }
}

/// Supplies the vector lanes with the puzzles of [`Ladder::finish`], and collects their grades. If no technique that
/// runs in lanes finds anything more in a puzzle, a harder technique is applied to the puzzle outside the lanes. Then
/// the lane continues with the puzzle.
struct GradingFeed<'a> {
    ladder: &'a Ladder,
    kernel: Kernel,
    progress: std::vec::IntoIter<GradeProgress>,
    /// The grades, in the order of the puzzles; `None` for a puzzle that is not graded yet.
    grades: Vec<Option<Grade>>,
    /// For each vector lane, the index in `grades` of its current puzzle, and the state of the puzzle's grading.
    lanes: Vec<(usize, Climb<'a>)>,
}

impl GradingFeed<'_> {
    /// Puts the next puzzle into a lane. `waves` counts how often each technique has already been applied to the
    /// puzzle.
    fn start(&mut self, lane: usize, waves: Waves, board: Candidates) {
        let grade_index = self.grades.len();
        if let Some((puzzle, climb)) = self.lanes.get_mut(lane) {
            *puzzle = grade_index;
            climb.restart(waves, board);
        } else {
            let position = Position::from(Start::Board(board)).with_kernel(self.kernel);
            self.lanes
                .push((grade_index, Climb::after(self.ladder, waves, position)));
        }
        self.grades.push(None);
    }

    /// Finds the easiest technique that has any steps, among the techniques that do not run in lanes, and applies all
    /// its steps. If no technique finds anything, stores the grade of the puzzle and returns `None`.
    fn apply_wave(&mut self, lane: usize) -> Option<Candidates> {
        let (grade_index, climb) = &mut self.lanes[lane];
        let first_rung = self.ladder.lowest_rungs().min(lanes::RUNGS);
        if climb.apply_wave(first_rung, SEARCH) {
            return Some(climb.position.board().clone());
        }
        self.grades[*grade_index] = Some(climb.grade());
        None
    }
}

impl LaneFeed for GradingFeed<'_> {
    fn next(&mut self, lane: usize) -> Option<Start> {
        loop {
            let GradeProgress { waves, reached } = self.progress.next()?;
            match reached {
                ReachedState::Grid(_) => self.grades.push(Some(waves.grade(self.ladder, true))),
                ReachedState::Board(board) => {
                    self.start(lane, waves, board);
                    if let Some(board) = self.apply_wave(lane) {
                        return Some(Start::Board(board));
                    }
                }
            }
        }
    }

    fn solved(&mut self, lane: usize, counts: &LaneCounts, _: Grid) {
        let (grade_index, climb) = &mut self.lanes[lane];
        climb.waves.add_counts(counts);
        self.grades[*grade_index] = Some(climb.waves.grade(self.ladder, true));
    }

    fn stalled(
        &mut self,
        lane: usize,
        counts: &LaneCounts,
        board: Candidates,
    ) -> Option<Candidates> {
        self.lanes[lane].1.apply_lane(counts, board);
        self.apply_wave(lane)
    }
}
