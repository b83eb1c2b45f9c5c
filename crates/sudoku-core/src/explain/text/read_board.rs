//! Reads the drawing of a board from the text of an explanation: the inverse of [`super::board`].

use crate::board::Size;
use crate::sizes::Symbol;

/// A board that was read from a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnBoard {
    /// A character for each cell, `.` for an open one.
    pub filled: String,
    /// The symbols of each cell, with bit s for symbol s: the candidates of an open cell, or the one symbol of a filled cell.
    pub symbols: Vec<u32>,
}

/// Reads the first board with candidates that is drawn in a text, as explanations draw it; `None` if there is none.
///
/// ```
/// use sudoku_core::Explanation;
/// use sudoku_core::explain::{TextOptions, read_drawn_board};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let text = Explanation::from_text(puzzle.as_bytes())?.text(TextOptions::default());
/// assert_eq!(read_drawn_board(&text).unwrap().filled, puzzle);
/// # Ok::<(), sudoku_core::explain::ExplainError>(())
/// ```
pub fn read_drawn_board(text: &str) -> Option<DrawnBoard> {
    let lines = text.lines();
    let mut lines = lines.skip_while(|line| !line.trim_start().starts_with('┏'));
    let columns = lines.next()?.matches(['┯', '┳']).count() + 1;
    let rows = lines.take_while(|line| !line.trim_start().starts_with('┗'));
    // A line of cells, without the name of its row before the frame. Other lines are rules.
    let cells_of = |line: &'_ str| -> Option<Vec<String>> {
        let (_, cells) = line.trim_end().split_once('┃')?;
        let cells = cells.strip_suffix('┃')?.split(['┃', '│']);
        Some(cells.map(str::to_owned).collect())
    };
    let rows: Vec<Vec<String>> = rows.filter_map(cells_of).collect();
    Size::is_cell_count(columns * columns).then_some(())?;
    let lines_per_cell = rows.len() / columns;
    if lines_per_cell == 0
        || !rows.len().is_multiple_of(columns)
        || rows.iter().any(|row| row.len() != columns)
    {
        return None;
    }
    let mut board = DrawnBoard {
        filled: String::new(),
        symbols: Vec::new(),
    };
    for row in rows.chunks(lines_per_cell) {
        for column in 0..columns {
            let marks = row.iter().flat_map(|line| line[column].chars());
            let marks: Vec<char> = marks.filter(|mark| !mark.is_whitespace()).collect();
            let symbols = marks.iter().filter(|mark| **mark != '·').map(|mark| {
                let symbol = Symbol::from_character(u8::try_from(*mark).ok()?)?;
                (symbol.index() < columns).then_some(symbol.index())
            });
            let symbols: Vec<usize> = symbols.collect::<Option<_>>()?;
            // An open cell has a mark for each symbol, a dot for those that are no candidates.
            let is_filled = marks.len() == 1 && symbols.len() == 1;
            if !is_filled && marks.len() != columns {
                return None;
            }
            board.filled.push(if is_filled { marks[0] } else { '.' });
            board
                .symbols
                .push(symbols.iter().fold(0, |all, symbol| all | 1 << symbol));
        }
    }
    Some(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{Explanation, TextOptions};

    #[test]
    fn the_board_of_an_explanation_is_read_back() {
        for (order, puzzle) in [
            (
                9,
                "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
            ),
            (6, "....5....2..5..3..1.6...31.5.6......"),
            (4, "...34....2..1..."),
        ] {
            let explanation = Explanation::from_text(puzzle.as_bytes()).unwrap();
            let text = explanation.text(TextOptions::default());
            let read = read_drawn_board(&text).unwrap();
            assert_eq!(read.filled, puzzle);
            for (cell, symbols) in puzzle.bytes().zip(&read.symbols) {
                let is_open = cell == b'.';
                assert!(*symbols < 1 << order && (is_open || symbols.count_ones() == 1));
            }
        }
    }

    #[test]
    fn a_damaged_drawing_is_no_board() {
        let puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let explanation = Explanation::from_text(puzzle.as_bytes()).unwrap();
        let text = explanation.text(TextOptions::default());
        let lines: Vec<&str> = text.lines().collect();
        let start = lines.iter().position(|line| line.contains('┏')).unwrap();
        let without = |index: usize| {
            let mut lines = lines[..start + 38].to_vec();
            lines.remove(index);
            lines.join("\n")
        };
        assert!(read_drawn_board(&without(start + 2)).is_none());
        assert!(read_drawn_board(&lines[..start + 20].join("\n")).is_none());
        assert!(read_drawn_board("no board").is_none());
        assert!(read_drawn_board(&text.replace('·', "x")).is_none());
    }
}
