//! Many puzzles up a ladder, the lowest rungs of it in lanes.

use super::climb::{Climb, Waves};
use super::grades::Grade;
use super::ladder::Ladder;
use super::lanes::{self, Counted, LaneFeed, MAX_LANES};
use super::position::Position;
use super::rank::{Rank, SEARCH};
use crate::board::{Candidates, CellSet, Grid};
use crate::solve::Kernel;
use crate::text::Puzzle;
use crate::vectors::Vectors;

/// What a climb starts from.
#[derive(Clone, Debug)]
pub enum Beginning {
    /// The clues of a puzzle.
    Clues(Grid),
    /// A board.
    Board(Candidates),
}

impl From<Beginning> for Position {
    fn from(start: Beginning) -> Position {
        match start {
            Beginning::Clues(clues) => Position::new(&clues),
            Beginning::Board(board) => Position::with_clues(board, CellSet::EMPTY),
        }
    }
}

/// A puzzle after the waves of the techniques up to locked candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    pub(super) waves: Waves,
    left: Left,
}

/// What the techniques have left of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Left {
    /// A board on which they find nothing.
    Board(Candidates),
    /// A digit in every cell; none that is a solution, where the puzzle has none.
    Grid(Grid),
}

impl Begun {
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
    pub fn begin(&self, kernel: Kernel, puzzles: impl Iterator<Item = Beginning>) -> Vec<Begun> {
        let Some(vectors) = self.vectors(kernel) else {
            return puzzles.map(|start| self.begin_one(start)).collect();
        };
        let (_, most) = puzzles.size_hint();
        let mut beginners = Beginners {
            puzzles,
            begun: Vec::with_capacity(most.unwrap_or(0)),
            lanes: [0; MAX_LANES],
        };
        lanes::climb(vectors, self.highest_in_lanes(), &mut beginners);
        beginners.begun
    }

    fn begin_one(&self, start: Beginning) -> Begun {
        let mut climb = Climb::new(self, start);
        climb.go_on(Rank::LOCKED_CLAIMING);
        Begun {
            left: if climb.is_solved() {
                Left::Grid(climb.position.solved_grid())
            } else {
                Left::Board(climb.position.board().clone())
            },
            waves: climb.waves,
        }
    }

    /// The grades of puzzles that have one solution each: as [`Ladder::grade`] of each.
    pub fn finish(&self, kernel: Kernel, begun: Vec<Begun>) -> Vec<Grade> {
        let Some(vectors) = self.vectors(kernel) else {
            return begun.into_iter().map(|one| self.finish_one(one)).collect();
        };
        let mut climbers = Climbers {
            ladder: self,
            grades: Vec::with_capacity(begun.len()),
            begun: begun.into_iter(),
            lanes: Vec::new(),
        };
        lanes::climb(vectors, self.highest_in_lanes(), &mut climbers);
        climbers.grades.into_iter().flatten().collect()
    }

    fn finish_one(&self, Begun { waves, left }: Begun) -> Grade {
        match left {
            Left::Grid(_) => waves.grade(self, true),
            Left::Board(board) => {
                let mut climb = Climb::after(self, waves, Beginning::Board(board).into());
                climb.go_on(SEARCH);
                climb.grade()
            }
        }
    }

    /// The lanes, if there are any and this ladder begins as they do.
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
struct Beginners<P> {
    puzzles: P,
    /// What has become of them, in their order.
    begun: Vec<Begun>,
    /// Which of them is in which lane.
    lanes: [usize; MAX_LANES],
}

impl<P> Beginners<P> {
    fn end(&mut self, lane: usize, counted: &Counted, left: Left) {
        let begun = &mut self.begun[self.lanes[lane]];
        begun.waves.add_counted(counted);
        begun.left = left;
    }
}

impl<P: Iterator<Item = Beginning>> LaneFeed for Beginners<P> {
    fn next(&mut self, lane: usize) -> Option<Beginning> {
        let start = self.puzzles.next()?;
        self.lanes[lane] = self.begun.len();
        self.begun.push(Begun {
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

/// Puzzles that go on, each with a wave of the techniques above whenever it comes out of the lanes.
struct Climbers<'a> {
    ladder: &'a Ladder,
    begun: std::vec::IntoIter<Begun>,
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
            let position = Beginning::Board(board).into();
            self.lanes
                .push((at, Climb::after(self.ladder, waves, position)));
        }
        self.grades.push(None);
    }

    /// Has a wave above the lanes, or ends.
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
    fn next(&mut self, lane: usize) -> Option<Beginning> {
        loop {
            let Begun { waves, left } = self.begun.next()?;
            match left {
                Left::Grid(_) => self.grades.push(Some(waves.grade(self.ladder, true))),
                Left::Board(board) => {
                    self.start(lane, waves, board);
                    if let Some(board) = self.wave(lane) {
                        return Some(Beginning::Board(board));
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

/// What a climb starts from.
impl From<&Puzzle> for Beginning {
    fn from(puzzle: &Puzzle) -> Beginning {
        match &puzzle.marks {
            None => Beginning::Clues(puzzle.clues),
            Some(_) => Beginning::Board(puzzle.board()),
        }
    }
}
