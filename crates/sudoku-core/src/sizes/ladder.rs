//! Grades puzzles of sizes other than 9 × 9 with the techniques of ranks 1–15, wave by wave as [`Ladder`] does
//! for 9 × 9. A wave is all steps that one technique finds on a board.

use super::board::SizedBoard;
use super::grid::SizedGrid;
use super::step::{SizedStep, apply};
use super::techniques::first_that_finds;
use crate::grade::{Grade, Ladder, Rank, Waves};

/// A wave of grading: the board before the wave, and all steps of the first technique that finds any.
pub(crate) struct SizedWave {
    pub(crate) board: SizedBoard,
    pub(crate) rank: Rank,
    pub(crate) steps: Vec<SizedStep>,
}

/// Grades a puzzle that has exactly one solution with the techniques of ranks 1–15 that `ladder` has, in its
/// order. A puzzle that they do not solve gets the grade of a puzzle that no technique solves.
pub fn grade_sized(puzzle: &SizedGrid, ladder: &Ladder) -> Grade {
    waves_sized(puzzle, ladder, |_| {}).0
}

/// The board on which no technique of ranks 1–15 that `ladder` has finds anything more; `None` if they solve the puzzle.
/// The puzzle may have several solutions.
pub fn stalled_sized(puzzle: &SizedGrid, ladder: &Ladder) -> Option<SizedBoard> {
    let (grade, board) = waves_sized(puzzle, ladder, |_| {});
    grade.beyond.then_some(board)
}

/// Grades a puzzle as [`grade_sized`] does. Also calls `seen` with every wave (all steps that one technique
/// finds on a board), and returns the board after the last wave.
pub(crate) fn waves_sized(
    puzzle: &SizedGrid,
    ladder: &Ladder,
    seen: impl FnMut(SizedWave),
) -> (Grade, SizedBoard) {
    grade_board(SizedBoard::from(puzzle), ladder, seen)
}

/// Grades a board with the techniques of ranks 1–15 that `ladder` has, in its order. Returns the grade and the final
/// board, and calls `seen` with every wave (all steps that one technique finds on a board).
fn grade_board(
    mut board: SizedBoard,
    ladder: &Ladder,
    mut seen: impl FnMut(SizedWave),
) -> (Grade, SizedBoard) {
    let ranks: Vec<Rank> = ladder.rungs().map(|(rank, _)| rank).collect();
    let mut waves = Waves::NONE;
    while !board.is_solved()
        && let Some((rung, steps)) = first_that_finds(&board, &ranks)
    {
        let rank = ranks[rung];
        let places = steps.iter().any(|step| !step.placed.is_empty());
        waves.add_wave(rung, rank, places);
        let mut board_after = board.clone();
        apply(&steps, &mut board_after);
        seen(SizedWave { board, rank, steps });
        board = board_after;
    }
    // Other sizes have no final search, so a puzzle that these techniques do not solve is beyond any ladder.
    let grade = Grade {
        beyond: !board.is_solved(),
        ..waves.grade(ladder, true)
    };
    (grade, board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Candidates, Cell, CellSet, Digit};
    use crate::generate::Generator;
    use crate::grade::{LADDER, Position, Steps};
    use crate::random::Rng;
    use crate::sizes::Shape;
    use crate::sizes::techniques::FINDERS_BY_RANK;

    fn sized_board(board: &Candidates) -> SizedBoard {
        let mut sized = SizedBoard::new(Shape::nine(), std::iter::repeat_n(None, 81));
        for cell in Cell::all() {
            sized.candidates[cell.index()] = board.digits(cell).bits().into();
            sized.is_open[cell.index()] = board.unsolved().contains(cell);
        }
        sized
    }

    /// Checks that these techniques find the same steps on 9 × 9 boards as the fast techniques, whose
    /// readable twins they are.
    #[test]
    fn at_9x9_each_sized_technique_finds_the_steps_of_the_quick_one() {
        let seed = 1515;
        let mut rng = Rng::new(seed);
        let generator = Generator::any(seed);
        assert_eq!(FINDERS_BY_RANK.len(), Rank::UNIQUENESS.index() + 1);
        let mut effective = [0; 15];
        for n in 0..150 {
            let crate::generate::Generated {
                puzzle, solution, ..
            } = generator.puzzle(n).unwrap();
            let mut position = Position::new(&puzzle);
            for _ in 0..12 {
                if position.is_solved() {
                    break;
                }
                // Add random candidates to those of the solution, so that every technique finds steps.
                let mut marks = position.board().clone();
                let removal_count = rng.below(60);
                for _ in 0..removal_count {
                    let cell = Cell::new(rng.below(81));
                    let digit = Digit::from_index(rng.below(9));
                    if solution.get(cell) != Some(digit) && marks.unsolved().contains(cell) {
                        marks.eliminate(digit, CellSet::of(cell));
                    }
                }
                let marked = Position::with_clues(marks, CellSet::EMPTY);
                let sized = sized_board(marked.board());
                let ladder = LADDER.iter().zip(Rank::all()).zip(FINDERS_BY_RANK);
                for ((technique, rank), find) in ladder {
                    let mut union_steps = Steps::union_only();
                    technique.find_all(&marked, &mut union_steps);
                    let listed_steps = find(&sized);
                    let mut applied = marked.clone();
                    if !union_steps.is_empty() {
                        applied.apply(union_steps.union());
                    }
                    let mut board_after = sized.clone();
                    apply(&listed_steps, &mut board_after);
                    let case_text = format!("seed {seed}, puzzle {n}, {}", technique.info().id);
                    assert_eq!(
                        union_steps.is_empty(),
                        listed_steps.is_empty(),
                        "{case_text}"
                    );
                    let sized_twin = sized_board(applied.board());
                    assert_eq!(
                        (board_after.candidates, board_after.is_open),
                        (sized_twin.candidates, sized_twin.is_open),
                        "{case_text}"
                    );
                    effective[rank.index()] += usize::from(!listed_steps.is_empty());
                }
                let mut steps = Steps::union_only();
                if Ladder::default().wave(&position, &mut steps).is_none() {
                    break;
                }
                position.apply(steps.union());
            }
        }
        assert!(effective.iter().all(|times| *times > 10), "{effective:?}");
    }

    /// Checks that the grade of a 9 × 9 puzzle is the same as with the fast techniques, in all columns.
    #[test]
    fn at_nine_the_grade_is_that_of_the_basic_ladder() {
        let seed = 1516;
        let basic_ladder = Ladder::named("basic").unwrap().ending_at(Rank::UNIQUENESS);
        let count = if std::env::var_os("FULL").is_some() {
            20_000
        } else {
            300
        };
        let mut beyond_ladder = 0;
        for n in 0..count {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let board = SizedBoard::new(
                Shape::nine(),
                Cell::all().map(|cell| puzzle.get(cell).map(Digit::index)),
            );
            let (grade, _) = grade_board(board, &basic_ladder, |_| {});
            assert_eq!(grade, basic_ladder.grade(&puzzle), "seed {seed}: {puzzle}");
            beyond_ladder += u64::from(grade.beyond);
        }
        assert!((1..count).contains(&beyond_ladder), "{beyond_ladder}");
    }
}
