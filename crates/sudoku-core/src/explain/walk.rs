//! Explains a puzzle wave by wave: a wave is all steps that one technique finds on a board.

use std::fmt;

use super::choose::{Changes, simplest_cover, simplest_first};
use super::step_board::StepBoard;
use super::words;
use crate::board::{Candidates, Grid};
use crate::grade::{
    Grade, GradeValue, Info, Ladder, Position, Rank, Step, Steps, Technique, fill_traces,
};
use crate::rating::Rating;
use crate::sizes::{SizedBoard, SizedGrid, waves_sized};
use crate::text::Puzzle;

/// The solution path of a puzzle, and its grade. The path is a list of waves: all steps that one technique
/// finds on a board.
#[derive(Clone, Debug)]
pub struct Walk<B: StepBoard = Candidates> {
    /// The puzzle whose solution path is explained.
    pub puzzle: B::Puzzle,
    /// The only solution of the puzzle.
    pub solution: B::Grid,
    /// The grade of the puzzle, as tables have it.
    pub grade: Grade,
    /// The waves in the order in which they are applied: for each, all steps that one technique finds on a
    /// board. A final search is not among them.
    pub waves: Vec<Wave<B>>,
    /// The board on which no technique finds anything; `None` if the techniques solve the puzzle.
    pub stalled: Option<B>,
}

/// The solution path of a puzzle of a size other than 9 × 9.
pub type SizedWalk = Walk<SizedBoard>;

/// A wave: all steps that one technique finds on a board, which are applied together.
#[derive(Clone, Debug)]
pub struct Wave<B: StepBoard = Candidates> {
    /// The description of the technique that finds the steps.
    pub technique: &'static Info,
    /// The rank of the technique on the ladder, which is the ordered list of techniques. A technique that is
    /// not on the ladder has the rank of jellyfish.
    pub rank: Rank,
    /// The board on which the technique finds the steps.
    pub board: B,
    /// The cells of the puzzle's clues.
    pub clues: B::Clues,
    /// The number of steps that the technique finds on this board.
    pub instances: usize,
    /// The steps to show, simplest first. On the solution path of a puzzle, they have together the same effect
    /// as all steps that the technique finds.
    pub steps: Vec<B::Step>,
}

impl Walk {
    /// Grades a puzzle with the default ladder of techniques, and collects the steps that each technique finds
    /// on the way.
    pub fn new(puzzle: Puzzle, solution: Grid) -> Walk {
        Walk::with_ladder(&Ladder::default(), puzzle, solution)
    }

    /// The wave of the lowest technique on the ladder that finds any steps; `None` if the puzzle is already solved, or
    /// if no technique finds anything. The puzzle may have several solutions.
    pub fn first_wave(puzzle: &Puzzle, ladder: &Ladder) -> Option<Wave> {
        let position = Position::from(puzzle);
        if position.is_solved() {
            return None;
        }
        next_wave(ladder, &position, &mut Steps::listing())
    }

    /// A wave for each technique on the ladder that finds steps on the board of the puzzle, in the order of the ladder.
    /// Each has all steps of its technique, the simplest first. The puzzle may have several solutions.
    pub fn waves_on_board(puzzle: &Puzzle, ladder: &Ladder) -> Vec<Wave> {
        let position = Position::from(puzzle);
        let mut found = Steps::listing();
        let waves = ladder.rungs().filter_map(|(rank, technique)| {
            found.clear();
            technique.find_all(&position, &mut found);
            let steps = simplest_first(found.list()).into_iter();
            let steps: Vec<Step> = steps.map(|(step, _)| step.clone()).collect();
            let has_steps = !steps.is_empty();
            has_steps.then(|| Wave::new(rank, technique, &position, &found, steps))
        });
        waves.collect()
    }

    /// Grades a puzzle as [`Walk::new`] does, but with another ladder (list of techniques), which must have no
    /// uniqueness techniques.
    pub(super) fn with_ladder(ladder: &Ladder, puzzle: Puzzle, solution: Grid) -> Walk {
        let mut position = Position::from(&puzzle);
        let mut steps = Steps::listing();
        let mut waves = Vec::new();
        let mut stalled = None;
        while !position.is_solved() {
            let Some(wave) = next_wave(ladder, &position, &mut steps) else {
                stalled = Some(position.board().clone());
                break;
            };
            waves.push(wave);
            position.apply(steps.union());
        }
        Walk {
            grade: ladder.grade(&puzzle),
            puzzle,
            solution,
            waves,
            stalled,
        }
    }
}

impl<B: StepBoard> Walk<B> {
    /// The names and values of the columns that a grade fills in tables, in the order of the table. They
    /// include the number of clues, the depth of trial and error for 9 × 9, and the size for other sizes.
    pub fn columns(&self) -> Vec<(String, ColumnValue)> {
        let order = B::from_puzzle(&self.puzzle).order();
        let size = (order != 9).then(|| ("size".to_owned(), ColumnValue::Number(order)));
        let grade = grade_columns(&self.grade, B::clue_count(&self.puzzle));
        let trial_columns = B::trial(&self.puzzle).map(|trial_columns| {
            let depth = ColumnValue::from_number(trial_columns.depth());
            [
                ("te_depth", depth),
                ("te_status", ColumnValue::Text(trial_columns.id())),
            ]
        });
        let trial_columns = trial_columns.into_iter().flatten();
        let trial_columns = trial_columns.map(|(name, value)| (name.to_owned(), value));
        size.into_iter().chain(grade).chain(trial_columns).collect()
    }
}

impl SizedWalk {
    /// Grades a puzzle of another size than 9 × 9 with [`grade_sized`](crate::sizes::grade_sized), and collects
    /// all steps that each technique finds on the way.
    pub fn sized(puzzle: SizedGrid, solution: SizedGrid) -> SizedWalk {
        let mut waves = Vec::new();
        let clues = SizedBoard::clues(&puzzle);
        let (grade, left) = waves_sized(&puzzle, &Ladder::default(), |wave| {
            if let Some(technique) = wave.rank.technique() {
                waves.push(Wave {
                    technique: technique.info(),
                    rank: wave.rank,
                    board: wave.board,
                    clues: clues.clone(),
                    instances: wave.steps.len(),
                    steps: wave.steps,
                });
            }
        });
        Walk {
            puzzle,
            solution,
            stalled: grade.beyond.then_some(left),
            grade,
            waves,
        }
    }
}

/// The names and values of the columns that a grade fills in tables, starting with the number of clues.
fn grade_columns(grade: &Grade, clues: usize) -> Vec<(String, ColumnValue)> {
    let columns = Grade::COLUMNS.iter().map(|column| {
        let value = ColumnValue::from_grade(column.value, grade);
        (column.name.to_owned(), value)
    });
    let clues = ("clues".to_owned(), ColumnValue::Number(clues));
    let waves = Rank::all().map(|rank| (rank, grade.waves[rank.index()]));
    let waves = waves.filter(|(_, waves)| *waves > 0);
    let waves = waves.map(|(rank, waves)| (rank.waves_column(), ColumnValue::Number(waves.into())));
    [clues].into_iter().chain(columns).chain(waves).collect()
}

/// The steps of the first technique on the ladder that finds any; `None` if no technique does. Afterwards,
/// `found` has all of these steps.
fn next_wave(ladder: &Ladder, position: &Position, found: &mut Steps) -> Option<Wave> {
    let rank = ladder.wave(position, found)?;
    let technique = rank.technique()?;
    let shown_steps = simplest_cover(found.list(), Changes::from_effect(found.union()));
    Some(Wave::new(rank, technique, position, found, shown_steps))
}

impl Wave {
    pub(super) fn new(
        rank: Rank,
        technique: &dyn Technique,
        position: &Position,
        found: &Steps,
        mut shown: Vec<Step>,
    ) -> Wave {
        for step in &mut shown {
            fill_traces(position.board(), step);
        }
        Wave {
            technique: technique.info(),
            rank,
            board: position.board().clone(),
            clues: position.clues(),
            instances: found.list().len(),
            steps: shown,
        }
    }
}

impl<B: StepBoard> Wave<B> {
    /// The rank and the level of the technique, such as `rank 7, medium`.
    pub(super) fn rank_and_level(&self) -> String {
        format!("rank {}, {}", self.rank.number(), self.technique.level)
    }

    /// How many steps the technique finds and, if not all are shown, how many are shown, as text.
    pub(super) fn counts_sentence(&self) -> String {
        let shown_count = self.steps.len();
        let instances = words::count_with_noun(self.instances, "instance");
        if shown_count == self.instances {
            instances
        } else if shown_count == 0 {
            format!("{instances}, none shown")
        } else {
            format!(
                "{instances}; {} shown",
                words::count_with_noun(shown_count, "step")
            )
        }
    }
}

/// The value of a column in a row of a table.
#[derive(Clone, Copy)]
pub enum ColumnValue {
    /// No value: the column is null in this row.
    Null,
    /// A number, such as a count.
    Number(usize),
    /// A text, such as an id.
    Text(&'static str),
    /// A rating of Sudoku Explainer.
    Rating(Rating),
}

impl ColumnValue {
    fn from_grade(value: GradeValue, grade: &Grade) -> ColumnValue {
        match value {
            GradeValue::Id { read, .. } => read(grade).map_or(ColumnValue::Null, ColumnValue::Text),
            GradeValue::U8(read) => ColumnValue::from_number(read(grade)),
            GradeValue::U16(read) => ColumnValue::from_number(read(grade)),
            GradeValue::U32(read) => ColumnValue::from_number(read(grade)),
        }
    }

    pub(super) fn from_number(number: Option<impl TryInto<usize>>) -> ColumnValue {
        let number = number.and_then(|number| number.try_into().ok());
        number.map_or(ColumnValue::Null, ColumnValue::Number)
    }
}

impl fmt::Display for ColumnValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnValue::Null => f.write_str("–"),
            ColumnValue::Number(number) => write!(f, "{number}"),
            ColumnValue::Text(text) => f.write_str(text),
            ColumnValue::Rating(rating) => write!(f, "{rating}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::manual::ABOUT_SEARCH;
    use super::super::{Explanation, TextOptions};
    use super::*;
    use crate::generate::{Generator, GradeTarget};
    use crate::text::Normalised;
    use crate::text::validate;

    #[test]
    fn the_waves_on_a_board_are_those_of_each_technique_alone() {
        let puzzle: Puzzle =
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
                .parse()
                .unwrap();
        let ladder = Ladder::up_to(Rank::UNIQUENESS);
        let waves = Walk::waves_on_board(&puzzle, &ladder);
        let alone = ladder.rungs().filter_map(|(_, technique)| {
            let alone = Ladder::from_techniques([technique]);
            Walk::first_wave(&puzzle, &alone).map(|wave| (technique.info().id, wave.instances))
        });
        let alone: Vec<_> = alone.collect();
        let found = waves
            .iter()
            .map(|wave| (wave.technique.id, wave.steps.len()));
        assert_eq!(found.collect::<Vec<_>>(), alone);
        assert!(alone.len() > 1, "{alone:?}");
    }

    #[test]
    fn shown_steps_together_are_the_wave_and_the_waves_are_the_grade() {
        let generator = Generator {
            seed: 4711,
            target: GradeTarget::Any,
            clues: None,
            max_attempts: 1,
            ..Generator::any(0)
        };
        // The second ladder (list of techniques) is short, so it does not solve some of the puzzles.
        let ladders = [Ladder::default(), Ladder::up_to(Rank::LOCKED_CLAIMING)];
        let mut stalled_count = 0;
        for n in 0..60 {
            let ladder = &ladders[n as usize % 2];

            let generated = generator.puzzle(n).unwrap();
            let puzzle = validate(Normalised::Clues(generated.puzzle), None).unwrap();
            let walk = Walk::with_ladder(ladder, puzzle, generated.solution);
            let case_text = format!("seed {}, puzzle {n}: {}", generator.seed, walk.puzzle);
            let mut waves = [0; Rank::COUNT];
            let mut position = Position::from(&walk.puzzle);
            for wave in &walk.waves {
                assert_eq!(position.board(), &wave.board, "{case_text}");
                let mut steps = Steps::union_only();
                assert_eq!(ladder.wave(&position, &mut steps), Some(wave.rank));
                let mut shown_changes = Changes::default();
                for step in &wave.steps {
                    assert!(
                        shown_changes.add_all(&Changes::from_effect(&step.effect)),
                        "{case_text}: of no use"
                    );
                }
                assert_eq!(
                    shown_changes,
                    Changes::from_effect(steps.union()),
                    "{case_text}"
                );
                assert!(wave.steps.len() <= wave.instances);
                position.apply(steps.union());
                waves[wave.rank.index()] += 1;
            }
            if let Some(board) = &walk.stalled {
                assert_eq!(position.board(), board, "{case_text}");
                waves[crate::grade::SEARCH.index()] += 1;
            } else {
                assert_eq!(position.solution(), Some(walk.solution), "{case_text}");
            }
            assert_eq!(waves, walk.grade.waves, "{case_text}");
            let is_stalled = walk.stalled.is_some();
            stalled_count += usize::from(is_stalled);
            let explanation = Explanation::Puzzle(Box::new(walk));
            let text = explanation.text(TextOptions::default());
            assert_eq!(text.contains("── Search ──"), is_stalled, "{case_text}");
            assert_eq!(
                explanation.html().contains(ABOUT_SEARCH),
                is_stalled,
                "{case_text}"
            );
        }
        assert!(stalled_count > 0, "some puzzle stalls");
    }
}
