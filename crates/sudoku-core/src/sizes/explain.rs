//! Explains a puzzle of another size than 9 × 9, wave by wave.

use std::fmt::Write;

use super::board::SizedBoard;
use super::board::bits;
use super::ladder::{SizedWave, board_of, grade_board, ranks};
use super::solve_sized;
use super::step::SizedStep;
use super::{SizedGrid, Symbol};
use crate::explain::{ColumnValue, ExplainError, aligned, grade_columns, verdict};
use crate::grade::{Grade, Ladder, Rank};
use crate::solve::{Limits, Status};

/// The text for a board on which the techniques of ranks 1–15 find nothing.
pub(super) const BEYOND: &str =
    "Ranks 1 to 15 find nothing here, and there are no other ranks for sizes other than 9 × 9.";

/// The solution path of a puzzle by the techniques of ranks 1–15, wave by wave.
pub struct SizedWalk {
    pub(super) puzzle: SizedGrid,
    pub(super) solution: SizedGrid,
    pub(super) grade: Grade,
    pub(super) waves: Vec<SizedWave>,
    pub(super) left: SizedBoard,
}

/// A step of a [`SizedWalk`].
#[derive(Clone, Copy)]
pub struct SizedWalkStep<'a> {
    pub(super) walk: &'a SizedWalk,
    pub(super) wave: &'a SizedWave,
    pub(super) step: &'a SizedStep,
}

impl SizedWalkStep<'_> {
    /// The rank of the technique.
    pub fn rank(&self) -> Rank {
        self.wave.rank
    }

    /// The cells of the pattern, as indices in row order.
    pub fn cells(&self) -> &[usize] {
        &self.step.cells
    }

    /// The symbols that the step places, each after the index of its cell.
    pub fn placed(&self) -> impl Iterator<Item = (usize, Symbol)> + '_ {
        let placed = self.step.placed.iter();
        placed.map(|(cell, symbol)| (*cell, Symbol::new(*symbol)))
    }

    /// The candidates that the step removes, each after the index of its cell.
    pub fn removed(&self) -> impl Iterator<Item = (usize, Symbol)> + '_ {
        let removed = self.step.removed.iter();
        removed.map(|(cell, symbol)| (*cell, Symbol::new(*symbol)))
    }

    /// The pattern as text: `2 and 5 in row 3, at r3c1, r3c4`.
    pub fn pattern(&self) -> String {
        self.step.pattern(self.wave.board.shape)
    }

    /// The effect as text: `r1c4=7`, `r2c5<>3, r2c6<>3`.
    pub fn effect(&self) -> String {
        self.step.effect(self.wave.board.shape)
    }
}

impl SizedWalk {
    /// The step with this index in the wave with this index, both from 0; `None` if there is none.
    pub fn step(&self, wave: usize, step: usize) -> Option<SizedWalkStep<'_>> {
        let wave = self.waves.get(wave)?;
        let step = wave.steps.get(step)?;
        Some(SizedWalkStep {
            walk: self,
            wave,
            step,
        })
    }

    /// Solves and grades the puzzle in the waves of [`grade_sized`](super::grade_sized).
    ///
    /// # Errors
    /// The puzzle does not have exactly one solution.
    pub fn new(puzzle: SizedGrid) -> Result<SizedWalk, ExplainError> {
        let limits = Limits::default();
        let found = solve_sized(&puzzle, limits);
        let solution = match (Status::from_solution(&found), found.first) {
            (Status::Unique, Some(solution)) => solution,
            (Status::Multiple, _) => return Err(ExplainError::SeveralSolutions),
            (Status::GaveUp, _) => {
                return Err(ExplainError::GaveUp { nodes: found.nodes });
            }
            _ => return Err(ExplainError::NoSolution),
        };
        let mut waves = Vec::new();
        let (grade, left) = grade_board(board_of(&puzzle), &ranks(&Ladder::default()), |wave| {
            waves.push(wave);
        });
        Ok(SizedWalk {
            puzzle,
            solution,
            grade,
            waves,
            left,
        })
    }

    /// The grade of the puzzle.
    pub fn grade(&self) -> &Grade {
        &self.grade
    }

    /// The clues of the puzzle.
    pub fn puzzle(&self) -> &SizedGrid {
        &self.puzzle
    }

    /// The only solution of the puzzle.
    pub fn solution(&self) -> &SizedGrid {
        &self.solution
    }

    /// For each wave, the rank of its technique and its steps as two texts each: the pattern and the
    /// effect.
    pub fn steps(
        &self,
    ) -> impl Iterator<Item = (Rank, impl Iterator<Item = (String, String)> + '_)> {
        self.waves.iter().map(|wave| {
            let shape = wave.board.shape;
            let steps = wave.steps.iter();
            (
                wave.rank,
                steps.map(|step| (step.pattern(shape), step.effect(shape))),
            )
        })
    }

    /// Text for a terminal: the steps of every wave, and the columns of the grade. Unless `brief`, also
    /// the board before each wave and after the last one.
    pub fn text(&self, brief: bool) -> String {
        let clues = self.puzzle.clue_count();
        let waves = self.grade.total_waves();
        let rank = self.grade.needed().rank;
        let verdict = rank.map(|rank| verdict(rank, clues, waves) + "\n\n");
        let mut text = verdict.unwrap_or_default();
        for (n, wave) in self.waves.iter().enumerate() {
            let _ = writeln!(text, "── Wave {} ──\n", n + 1);
            if !brief {
                text += &board(&wave.board);
            }
            let name = wave.rank.technique().map(|technique| technique.info().name);
            let _ = writeln!(
                text,
                "{} (rank {}), {} found\n",
                name.unwrap_or_default(),
                wave.rank.number(),
                wave.steps.len()
            );
            let shape = wave.board.shape;
            for step in &wave.steps {
                let _ = writeln!(text, "  {}: {}", step.pattern(shape), step.effect(shape));
            }
            text.push('\n');
        }
        if self.grade.beyond {
            let _ = writeln!(text, "── Beyond ──\n\n{BEYOND}\n");
            text += &board(&self.left);
        }
        text + &self.summary()
    }

    fn summary(&self) -> String {
        let mut text = "── Summary ──\n\n".to_owned();
        let order = self.puzzle.size().order();
        for (name, grid) in [("Puzzle", &self.puzzle), ("Solution", &self.solution)] {
            let _ = writeln!(text, "{name}");
            for row in grid.as_str().as_bytes().chunks(order) {
                let _ = writeln!(text, "  {}", String::from_utf8_lossy(row));
            }
            text.push('\n');
        }
        text + &aligned(&self.columns())
    }

    /// The size, the clues and the columns of the grade, as names and values.
    pub fn columns(&self) -> Vec<(String, ColumnValue)> {
        let size = ColumnValue::Number(self.puzzle.size().order());
        let grade = grade_columns(&self.grade, self.puzzle.clue_count());
        let grade = (grade.into_iter()).filter(|(_, value)| !matches!(value, ColumnValue::Null));
        [("size".to_owned(), size)]
            .into_iter()
            .chain(grade)
            .collect()
    }
}

/// Draws a board with its candidates as text. Each column is as wide as its widest cell.
fn board(board: &SizedBoard) -> String {
    let shape = board.shape;
    let cells: Vec<String> = (board.candidates.iter().zip(&board.open))
        .map(|(candidates, open)| {
            let symbols = bits(*candidates).map(|at| Symbol::new(at).character());
            match open {
                // Parentheses mark an open cell with one candidate, to distinguish it from a filled cell.
                true if candidates.is_power_of_two() => {
                    format!("({})", symbols.collect::<String>())
                }
                _ => symbols.collect(),
            }
        })
        .collect();
    let width = |column: usize| {
        let of_column = cells.iter().skip(column).step_by(shape.order);
        of_column.map(String::len).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..shape.order).map(width).collect();
    let mut text = String::new();
    for (row, cells) in cells.chunks(shape.order).enumerate() {
        if row > 0 && row % shape.box_rows == 0 {
            text.push('\n');
        }
        for (column, cell) in cells.iter().enumerate() {
            if column > 0 && column % shape.box_columns == 0 {
                text += " |";
            }
            let _ = write!(text, " {cell:<0$}", widths[column]);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::generate::{GradeTarget, Symmetry};
    use crate::sizes::SizedGenerator;

    #[test]
    fn the_steps_say_what_they_change_and_where_from() {
        let text = "1.......3......4";
        let cells = text
            .chars()
            .map(|c| c.to_digit(10).map(|d| Symbol::new(d as usize - 1)));
        let puzzle = SizedGrid::new(Size::Four, cells).unwrap();
        assert!(matches!(
            SizedWalk::new(puzzle),
            Err(ExplainError::SeveralSolutions)
        ));
        let generator = SizedGenerator {
            size: Size::Four,
            seed: 2,
            target: GradeTarget::Any,
            clues: None,
            symmetry: Symmetry::None,
            minimal: false,
            solutions: 1,
            max_attempts: 1,
        };
        let puzzle = generator.puzzle(0).unwrap().puzzle;
        let walk = SizedWalk::new(puzzle).unwrap();
        let text = walk.text(false);
        for part in ["Wave 1", "(rank ", "=", "Solution", "technique"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(walk.text(true).len() < text.len());
    }
}
