//! Draws boards and steps as self-contained SVG files.

use super::drawing;
use super::parts::SharedParts;
use crate::board::{Candidates, CellSet};
use crate::explain::shown::ShownBoard;
use crate::grade::Step;
use crate::sizes::{SizedBoard, SizedStep};

/// The CSS in the SVG file of a single drawing, with colours for light and dark themes.
const STYLE_SHEET: &str = concat!(
    include_str!("styles/colours.css"),
    include_str!("styles/board.css")
);

/// The id under which the board is defined in the file. The drawing refers to it.
const BOARD_ID: &str = "board";

/// Draws a 9 × 9 board as a self-contained SVG file: its filled cells, its candidates and, if one is given, a
/// step. `clues` are the cells of the clues, which are emphasised. `label` is the title for screen readers.
///
/// ```
/// use sudoku_core::Puzzle;
/// use sudoku_core::board::CellSet;
/// use sudoku_core::explain::board_svg;
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let clues: CellSet = puzzle.clues.clues().map(|(cell, _)| cell).collect();
/// assert!(board_svg(&puzzle.board(), clues, None, "A puzzle").starts_with("<svg xmlns="));
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
pub fn board_svg(board: &Candidates, clues: CellSet, step: Option<&Step>, label: &str) -> String {
    shown_board_svg(board, &clues, step, label)
}

impl SizedBoard {
    /// Draws a board of another size as a self-contained SVG file, as [`board_svg`] does for 9 × 9. `clues`
    /// says for each cell whether it is a clue.
    pub fn svg(&self, clues: &[bool], step: Option<&SizedStep>, label: &str) -> String {
        shown_board_svg(self, &clues.to_vec(), step, label)
    }
}

fn shown_board_svg<B: ShownBoard>(
    board: &B,
    clues: &B::Clues,
    step: Option<&B::Step>,
    label: &str,
) -> String {
    let definitions = drawing::draw_board(&mut SharedParts::new("p"), BOARD_ID, board, clues);
    let steps = step.map_or(&[][..], std::slice::from_ref);
    standalone_svg(
        &definitions,
        &drawing::draw_steps(BOARD_ID, board, steps, label),
    )
}

/// A complete SVG file with a drawing, and the definition of the board to which the drawing refers.
fn standalone_svg(board: &str, drawing: &str) -> String {
    let svg_tag = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"420\" height=\"420\"";
    let style = format!("<style>\n{STYLE_SHEET}</style>\n<defs>\n{board}</defs>\n");
    // Puts the style and the definitions right after the opening tag of the drawing.
    match drawing
        .strip_prefix("<svg")
        .and_then(|rest| rest.split_once('>'))
    {
        Some((attributes, content)) => format!("{svg_tag}{attributes}>\n{style}{content}"),
        None => drawing.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Puzzle;
    use crate::explain::{Explanation, Walk};

    #[test]
    fn a_drawing_has_one_root_and_all_that_it_refers_to() {
        let text =
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";
        let puzzle: Puzzle = text.parse().unwrap();
        let Ok(Explanation::Puzzle(walk)) = Explanation::from_text(text.as_bytes()) else {
            panic!("a puzzle")
        };
        let Walk { waves, .. } = *walk;
        let clues = waves[0].clues;
        let last_wave = waves.last().unwrap();
        for svg in [
            board_svg(&puzzle.board(), clues, None, "5 < 6"),
            board_svg(&last_wave.board, clues, last_wave.steps.first(), "a step"),
        ] {
            assert_eq!(svg.matches("<svg").count(), 1);
            assert_eq!(svg.matches("</svg>").count(), 1);
            assert!(svg.contains("<style>") && svg.contains("viewBox=\"0 0 568 568\""));
            for reference in svg.split("href=\"#").skip(1) {
                let id = reference.split('"').next().unwrap();
                assert!(svg.contains(&format!("id=\"{id}\"")), "{id}");
            }
        }
    }
}
