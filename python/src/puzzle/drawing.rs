//! Draws a puzzle.

use pyo3::prelude::*;
use sudoku_core::explain::{StepBoard, board_svg};
use sudoku_core::sizes::SizedBoard;
use sudoku_core::solve::Status;

use super::Puzzle;
use super::failures::exception_for;
use super::form::{Form, NoResult, clue_cells};

impl Puzzle {
    /// The board as an SVG image, with the solution or the candidates if `shown` names them.
    pub(super) fn board_svg(&self, shown: &str) -> PyResult<String> {
        let label = format!("Sudoku {}", self.form.as_str());
        let find_solution = || {
            let solution = self.form.solve();
            Python::attach(|py| {
                let solution = solution.map_err(|why| exception_for(py, &why))?;
                solution.ok_or_else(|| exception_for(py, &NoResult::NotUnique(Status::None)))
            })
        };
        Ok(match &self.form {
            Form::Nine(puzzle) => {
                let clues = clue_cells(&puzzle.clues);
                let mut board = puzzle.board();
                match shown {
                    "candidates" => {}
                    "solution" => {
                        if let Form::Nine(solution) = find_solution()? {
                            board = solution.board();
                        }
                    }
                    _ if puzzle.marks.is_some() => {}
                    _ => {
                        for digit in sudoku_core::Digit::ALL {
                            board.eliminate(digit, board.unsolved());
                        }
                    }
                }
                board_svg(&board, clues, None, &label)
            }
            Form::Other(grid) => {
                let clues = SizedBoard::clues(grid);
                let draw = |board: SizedBoard| board.svg(&clues, None, &label);
                match shown {
                    "solution" => match find_solution()? {
                        Form::Other(solution) => draw(SizedBoard::from(&*solution)),
                        Form::Nine(_) => String::new(),
                    },
                    "candidates" => draw(SizedBoard::from(&**grid)),
                    _ => draw(SizedBoard::from(&**grid).without_candidates()),
                }
            }
        })
    }
}
