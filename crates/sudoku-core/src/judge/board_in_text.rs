//! Finds the last board in a text, such as the answer of a language model.
//!
//! The text is read line by line. A *stretch* is a part of a line that consists of cells and separators only;
//! separators are skipped. There are two kinds of boards:
//!
//! - a stretch with as many cells as the grid has: `534678912…`, or `[[5, 3, 4, …], …]` in one line;
//! - as many lines as the grid has rows, each a stretch with as many cells as a row has. Between them can be
//!   lines without cells: rules such as `------+-------+------`, and empty lines.
//!
//! After the last row of a board, an empty line, a line that only ends a code block, or words end the board: a row behind
//! them does not belong to it. Marks of emphasis, such as `**534678912**`, are skipped if a stretch is a board or a
//! row only without them.
//!
//! The board that ends last counts. A full stop after a full board is not a cell. An empty cell is `.`, `0`,
//! `_`, `*`, `?`, `x` or `X`; a `-` too, unless its line has no other cells.

/// The cells of the last board of this order in the text, `.` for an empty cell; `None` if there is none.
/// Orders above 9 have no boards in texts: their symbols are letters, like the characters of words.
///
/// ```
/// use sudoku_core::judge::last_board;
///
/// let answer = "I start with 1 . . .\n\nThe solution is:\n1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 3 | 2 1\nDone.";
/// assert_eq!(last_board(answer, 4).as_deref(), Some("1234341221434321"));
/// ```
pub fn last_board(text: &str, order: usize) -> Option<String> {
    if order > 9 {
        return None;
    }
    let mut last = None;
    let mut rows: Vec<String> = Vec::new();
    for line in text.lines() {
        let has_cells = line.chars().any(|letter| is_cell(letter, order));
        if !has_cells
            && line
                .chars()
                .all(|letter| is_separator(letter) || letter == '-' || letter == '=')
        {
            let is_rule = line.contains(['-', '=']);
            if !is_rule && rows.len() >= order {
                rows.clear();
            }
            continue;
        }
        if rows.len() >= order && line.contains(|letter: char| is_of_word(letter, order)) {
            rows.clear();
        }
        let stretches = cell_stretches(line, order);
        if let Some(board) = stretches
            .iter()
            .rev()
            .find_map(|cells| whole_board(cells, order))
        {
            last = Some(board.to_owned());
        }
        match stretches.as_slice() {
            [row] if row.len() == order => rows.push(row.clone()),
            _ => rows.clear(),
        }
        if rows.len() >= order {
            last = Some(rows[rows.len() - order..].concat());
        }
    }
    last
}

/// The cells of a board, if a stretch of text is a whole board. A full stop after a full board is not a cell.
fn whole_board(cells: &str, order: usize) -> Option<&str> {
    match cells.len().checked_sub(order * order)? {
        0 => Some(cells),
        1 => cells.strip_suffix('.').filter(|board| !board.contains('.')),
        _ => None,
    }
}

/// The cells of each stretch of a line, for the stretches that have at least one cell.
fn cell_stretches(line: &str, order: usize) -> Vec<String> {
    let mut stretches = vec![String::new()];
    for letter in line.chars() {
        match stretches.last_mut() {
            Some(cells) if is_cell(letter, order) || letter == '-' => cells.push(letter),
            Some(_) if is_separator(letter) => {}
            _ => stretches.push(String::new()),
        }
    }
    stretches.retain(|cells| !cells.is_empty());
    let digit_or_empty = |letter: char| match letter {
        '1'..='9' => letter,
        _ => '.',
    };
    let stretches = stretches.into_iter();
    let stretches = stretches.map(|cells| without_emphasis(cells, order));
    stretches
        .map(|cells| cells.chars().map(digit_or_empty).collect())
        .collect()
}

/// The stretch without marks of emphasis, if it is a row or a board only without them. Otherwise they are empty cells.
fn without_emphasis(cells: String, order: usize) -> String {
    const MARKS: [char; 2] = ['*', '_'];
    let is_whole = |cells: &str| cells.len() == order || cells.len() == order * order;
    if is_whole(&cells) || !cells.contains(MARKS) {
        return cells;
    }
    let sentence_end = cells.strip_suffix('.').filter(|rest| !rest.contains('.'));
    let inner = sentence_end.unwrap_or(&cells).trim_matches(MARKS);
    if is_whole(inner) && !inner.contains(MARKS) {
        return inner.to_owned();
    }
    // Single bold cells, such as the digits that were added to the clues.
    let parts: Vec<&str> = cells.split("**").collect();
    let mut bold = parts.iter().skip(1).step_by(2);
    let plain = parts.concat();
    let is_bold = parts.len() % 2 == 1 && bold.all(|part| !part.is_empty());
    if is_bold && is_whole(&plain) && !plain.contains(MARKS) {
        plain
    } else {
        cells
    }
}

/// Whether a character is part of a word, and not of a board.
fn is_of_word(letter: char, order: usize) -> bool {
    letter.is_alphabetic() && !is_cell(letter, order)
}

/// Whether a character always stands for a cell. A `-` is not such a character, because it can be part of a
/// rule.
fn is_cell(letter: char, order: usize) -> bool {
    match letter.to_digit(10) {
        Some(digit) => digit as usize <= order,
        None => matches!(letter, '.' | '_' | '*' | '?' | 'x' | 'X'),
    }
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '|' | '+' | ',' | ';' | '[' | ']' | '(' | ')' | '{' | '}' | '"' | '\'' | '`'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn board_lines(separator: &str) -> String {
        let cells: Vec<String> = BOARD.chars().map(String::from).collect();
        let rows: Vec<String> = cells.chunks(9).map(|row| row.join(separator)).collect();
        rows.join("\n")
    }

    #[test]
    fn boards_are_found_in_the_layouts_of_answers() {
        let list = format!("[[{}]]", board_lines(", ").replace('\n', "], ["));
        let table = format!("| {} |", board_lines(" | ").replace('\n', " |\n| "));
        for text in [
            BOARD.to_owned(),
            format!("<answer>{BOARD}</answer>"),
            format!("Answer: {BOARD}."),
            format!(
                "The puzzle: {}\nSolution:\n```\n{}\n```\n",
                ".".repeat(81),
                board_lines(" ")
            ),
            format!("Step 9. r1c1 = 5\n{list}"),
            format!("{table}\nI hope that this helps, 1 of 1!"),
            board_lines("").replace("567\n", "567\n------+-------+------\n\n"),
        ] {
            assert_eq!(last_board(&text, 9).as_deref(), Some(BOARD), "{text}");
        }
    }

    #[test]
    fn the_board_that_ends_last_counts() {
        let first = BOARD.replace('5', ".");
        let text = format!("{}\nso\n{first}", board_lines(" "));
        assert_eq!(last_board(&text, 9), Some(first.clone()));
        let text = format!("{first}\nso\n{}", board_lines(" "));
        assert_eq!(last_board(&text, 9).as_deref(), Some(BOARD));
    }

    /// Regression test: one more row behind a board moved the board by one row.
    #[test]
    fn a_row_behind_a_board_does_not_belong_to_it() {
        for behind in [
            "\n\nCheck row: 534678912",
            "\n\n534678912",
            "\n\n.........",
            "\nRow: 534678912",
            "\n```\n345286179",
        ] {
            let text = format!("{}{behind}", board_lines(""));
            assert_eq!(last_board(&text, 9).as_deref(), Some(BOARD), "{behind}");
        }
        let spaced = board_lines("").replace('\n', "\n\n");
        assert_eq!(last_board(&spaced, 9).as_deref(), Some(BOARD));
    }

    #[test]
    fn emphasis_is_skipped_and_empty_cells_are_not() {
        let bold_rows: Vec<String> = board_lines("")
            .lines()
            .map(|row| format!("**{row}**"))
            .collect();
        for text in [
            format!("The answer is **{BOARD}**."),
            format!("**Answer:** {BOARD}"),
            format!("_{BOARD}_"),
            format!("`{BOARD}`"),
            bold_rows.join("\n"),
            board_lines(" ").replace("5", "**5**"),
        ] {
            assert_eq!(last_board(&text, 9).as_deref(), Some(BOARD), "{text}");
        }
        let stars = BOARD.replace(['5', '9'], "*");
        assert_eq!(last_board(&stars, 9), Some(stars.replace('*', ".")));
        assert_eq!(last_board(&format!("**{}", &BOARD[1..]), 9), None);
    }

    #[test]
    fn words_and_short_grids_are_no_boards() {
        for text in [
            "",
            "no board",
            "12345678",
            &BOARD[1..],
            &board_lines(" ")[18..],
            "9 of 81 cells",
        ] {
            assert_eq!(last_board(text, 9), None, "{text}");
        }
        assert_eq!(last_board(&"1".repeat(256), 16), None);
    }
}
