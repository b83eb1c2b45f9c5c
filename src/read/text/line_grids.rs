//! Splits a line into the grids on it and the text after them.
//!
//! ```text
//! 4...3.......6..8…  # ED=7.2          a puzzle and a comment
//! 4...3.......6..8…  468931527…        a puzzle and its solution
//! [4, 0, 0, 0, 3, …]                   a puzzle in another notation, which is all of the line
//! 4...3….6..8… .1.5.....97.42…         two puzzles, which is an error
//! ```

use std::borrow::Cow;

use crate::read::text::lined::LineParts;
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::board::Size;
use sudoku_core::sizes::is_grid_text;
use sudoku_core::text::boards::pencil_marks;
use sudoku_core::text::notation::{self, Digits};
use sudoku_core::text::{is_cell, is_clean};

/// A line starts with a byte order mark where files that have one were concatenated.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Characters other than ASCII that separate records in some files: next line, line separator, paragraph separator.
const WIDE_SEPARATORS: [&[u8]; 3] = [b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9"];

/// Splits a line. `with_solutions`: a full grid after the puzzle is its solution, even if it is a wrong one.
pub(super) fn split_line(line: &[u8], with_solutions: bool) -> Result<LineParts<'_>, RejectReason> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.len() > 2 * 81
        && let Some(parts) = split_pencil_marks(line)
    {
        return Ok(parts);
    }
    let (puzzle, rest) = split_puzzle(line);
    if rest.is_empty() && puzzle.len() == 81 {
        return Ok(parts(puzzle, None, None));
    }
    if !is_grid_text(puzzle)
        && let Some(parts) = split_notation(line)
    {
        return Ok(parts);
    }
    match second_grid(puzzle, rest) {
        Some((grid, after)) if is_full(grid) && (with_solutions || completes(puzzle, grid)) => {
            if let Some((third, _)) = second_grid(puzzle, after) {
                return Err(several(1 + count_grids(third, after)));
            }
            Ok(parts(puzzle, Some(grid), comment(after)))
        }
        Some(_) if !starts_comment(rest) => Err(several(1 + count_grids(puzzle, rest))),
        _ => Ok(parts(puzzle, None, comment(rest))),
    }
}

/// The full grid of the same size that follows the puzzle on this line, if it is its solution; `None` otherwise.
pub(super) fn solution(line: &[u8]) -> Option<&[u8]> {
    let (puzzle, rest) = split_puzzle(line);
    match second_grid(puzzle, rest) {
        // A comma has always announced a solution.
        Some((grid, _)) if is_full(grid) && (rest.starts_with(b",") || completes(puzzle, grid)) => {
            Some(grid)
        }
        Some(_) => None,
        None => split_notation(line)?.solution,
    }
}

fn parts<'a>(
    puzzle: &'a [u8],
    solution: Option<&'a [u8]>,
    comment: Option<&'a [u8]>,
) -> LineParts<'a> {
    LineParts {
        puzzle: Cow::Borrowed(puzzle),
        solution,
        fields: [comment, None],
    }
}

fn several(puzzles: usize) -> RejectReason {
    let message = format!(
        "{puzzles} grids stand on this line, and the second does not complete the first: put each puzzle on a line of \
         its own"
    );
    RejectReason::new(RejectKind::WrongLength, message)
}

/// Whether the text after a puzzle is marked as a comment.
fn starts_comment(rest: &[u8]) -> bool {
    rest.trim_ascii_start().starts_with(b"#")
}

/// The grid of the same size that follows a puzzle and separators, and the text after it.
fn second_grid<'a>(puzzle: &[u8], rest: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    if rest.is_empty() || !is_grid_text(puzzle) {
        return None;
    }
    let rest = after_separators(rest);
    let (grid, after) = rest.split_at_checked(puzzle.len())?;
    let is_end =
        after.is_empty() || after_separators(after).len() < after.len() || after.starts_with(b"#");
    (is_end && is_grid_text(grid)).then_some((grid, after))
}

/// The number of grids in the text after the first.
fn count_grids(puzzle: &[u8], rest: &[u8]) -> usize {
    let mut rest = rest;
    let mut count = 0;
    while let Some((_, after)) = second_grid(puzzle, rest) {
        count += 1;
        rest = after;
    }
    count
}

/// The text without the separators at its start.
fn after_separators(text: &[u8]) -> &[u8] {
    let mut text = text;
    loop {
        if let [first, rest @ ..] = text
            && (is_separator(*first) || matches!(first, 0 | b'=' | b'>' | b'/' | b'"'))
        {
            text = rest;
        } else if let Some(rest) = WIDE_SEPARATORS
            .iter()
            .find_map(|mark| text.strip_prefix(*mark))
        {
            text = rest;
        } else {
            return text;
        }
    }
}

fn is_full(grid: &[u8]) -> bool {
    match grid.len() {
        81 => grid.iter().all(|cell| matches!(cell, b'1'..=b'9')),
        cells => {
            let has_letters = Size::from_cells(cells).is_some_and(Size::has_letters);
            let is_digit = |cell: &u8| cell.is_ascii_digit() && (*cell != b'0' || has_letters);
            grid.iter()
                .all(|cell| is_digit(cell) || has_letters && cell.is_ascii_alphabetic())
        }
    }
}

/// Whether a full grid has all clues of a puzzle of the same size.
fn completes(puzzle: &[u8], grid: &[u8]) -> bool {
    let is_clue = |cell: u8| cell.is_ascii_alphanumeric() && !matches!(cell, b'0' | b'x' | b'X');
    let mut cells = puzzle.iter().zip(grid);
    cells.all(|(clue, digit)| !is_clue(*clue) || clue.eq_ignore_ascii_case(digit))
}

/// Splits a line that is a grid in another notation, or such a puzzle and its solution, with an optional comment after
/// `#`. `None` for other lines.
fn split_notation(line: &[u8]) -> Option<LineParts<'_>> {
    // Nothing shorter is a grid in another notation, apart from `1234/3412/2143/4321`.
    const SHORTEST: usize = 19;
    // A tab at either end can stand beside an empty cell.
    let text = match line {
        [b'\t', ..] | [.., b'\t'] => line,
        line => line.trim_ascii(),
    };
    if text.len() < SHORTEST {
        return None;
    }
    if let Some(grids) = two_rows_of_numbers(text) {
        let (puzzle, solution) = grids;
        return Some(parts(puzzle, Some(solution), None));
    }
    let hash = memchr::memrchr(b'#', text);
    let commented = hash.map(|at| (text[..at].trim_ascii_end(), &text[at..]));
    let whole = [(text, &b""[..])];
    let mut readings = whole.into_iter().chain(commented);
    readings.find_map(|(grid, rest)| {
        // A list or line of cells with a wrong number of them is a record too: its error says how many there are.
        let is_record = notation::read(grid, Digits::default()).is_some();
        is_record.then(|| parts(grid, None, comment(rest)))
    })
}

/// The puzzle and the solution on a line that has both, as numbers between delimiters or white space.
fn two_rows_of_numbers(line: &[u8]) -> Option<(&[u8], &[u8])> {
    const FEWEST: usize = 2 * 16;
    let delimiter = [b',', b';', b'\t', b'|']
        .into_iter()
        .find(|delimiter| memchr::memchr(*delimiter, line).is_some());
    let is_end = |at: usize| match delimiter {
        Some(delimiter) => line[at] == delimiter,
        None => line[at].is_ascii_whitespace() && !line[at - 1].is_ascii_whitespace(),
    };
    let ends: Vec<usize> = (1..line.len()).filter(|at| is_end(*at)).collect();
    let fields = ends.len() + 1;
    if fields < FEWEST || !fields.is_multiple_of(2) || !Size::is_cell_count(fields / 2) {
        return None;
    }
    let middle = *ends.get(fields / 2 - 1)?;
    let (puzzle, solution) = (&line[..middle], &line[middle + 1..]);
    let is_read = |grid| matches!(notation::read(grid, Digits::default()), Some(Ok(_)));
    (is_read(puzzle) && is_read(solution)).then_some((puzzle, solution))
}

/// Splits a line with pencil marks (729 characters, or 81 groups of digits) into the pencil marks and the comment after
/// `#`. `None` for other lines.
pub(super) fn split_pencil_marks(line: &[u8]) -> Option<LineParts<'_>> {
    if let Some((cells, rest)) = line.split_at_checked(pencil_marks::MARKS_LENGTH)
        && rest
            .first()
            .is_none_or(|next| is_separator(*next) || *next == b'#')
        && let Some(marks) = pencil_marks::from_characters(cells)
    {
        return Some(LineParts {
            puzzle: Cow::Owned(marks),
            solution: None,
            fields: [comment(rest), None],
        });
    }
    let hash = memchr::memchr(b'#', line).unwrap_or(line.len());
    let (groups, rest) = line.split_at(hash);
    Some(LineParts {
        puzzle: Cow::Owned(pencil_marks::from_groups(groups)?),
        solution: None,
        fields: [comment(rest), None],
    })
}

/// Whether a byte may separate a puzzle from the text after it.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|' | b':')
}

/// Splits a line into the puzzle and the rest. If the line does not start with 81 cells, its first word is taken for
/// the puzzle, so that the message about the rejected record states the length of that word.
pub(super) fn split_puzzle(line: &[u8]) -> (&[u8], &[u8]) {
    let trimmed = line.trim_ascii_start();
    if line.len() != 81
        && !has_symbols(line)
        && let Some(parts) = split_other_size(trimmed)
    {
        return parts;
    }
    // Symbols such as `:;<=>?@` of larger grids are also separators, so a line that is a grid is not split.
    if line.len() <= 81 || Size::from_cells(line.len()).is_some() && has_symbols(line) {
        return (line, b"");
    }
    // The untrimmed line is tried first: if spaces stand for empty cells, a space at its start may be a cell.
    for text in [line, trimmed] {
        if let Some((cells, rest)) = text.split_first_chunk::<81>()
            && is_clean(cells)
            && !is_longer_grid(cells, rest)
        {
            return (cells, rest);
        }
    }
    let cells = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    if cells.clone().count() == 81 && cells.copied().all(is_cell) {
        // The line consists of nine rows of cells, separated by spaces.
        return (line, b"");
    }
    match trimmed.iter().position(|byte| is_separator(*byte)) {
        Some(0) | None => (trimmed, b""),
        Some(end) => trimmed.split_at(end),
    }
}

/// Splits off a grid of another size than 9 × 9, if a separator follows it. A small grid is accepted only on a short
/// line: on a longer one it may be the start of 81 cells that are separated by spaces.
fn split_other_size(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let longest_grid = Size::TwentyFive.cells() + 1;
    let end = line
        .iter()
        .take(longest_grid)
        .position(|byte| is_separator(*byte))?;
    let (grid, rest) = line.split_at(end);
    let is_grid = match Size::from_cells(end)? {
        Size::Four | Size::Six => line.len() < 81 && grid.iter().copied().all(is_cell),
        Size::Twelve | Size::Sixteen | Size::TwentyFive => true,
    };
    is_grid.then_some((grid, rest))
}

/// Whether the 81 cells are the start of a longer grid, such as a 16 × 16 grid.
fn is_longer_grid(cells: &[u8; 81], rest: &[u8]) -> bool {
    rest.first().is_some_and(|next| {
        next.is_ascii_digit() || (is_cell(*next) && *next != b' ' && cells.contains(next))
    })
}

/// The text after a puzzle, without separators at its start; `None` if there is no text.
fn comment(rest: &[u8]) -> Option<&[u8]> {
    let separators = |text: &'_ [u8]| text.iter().take_while(|byte| is_separator(**byte)).count();
    let text = rest.get(separators(rest)..)?;
    let text = text.strip_prefix(b"#").unwrap_or(text);
    let is_control = |byte: &u8| byte.is_ascii_control() || byte.is_ascii_whitespace();
    let start = text.iter().position(|byte| !is_control(byte))?;
    let end = text.iter().rposition(|byte| !is_control(byte))?;
    Some(&text[start..=end])
}

/// Whether a line has the symbols of a larger grid that follow the digits in ASCII, and no white space.
fn has_symbols(line: &[u8]) -> bool {
    let symbols = line
        .iter()
        .filter(|byte| matches!(byte, b'<'..=b'>' | b'@'));
    line.len() >= Size::Twelve.cells()
        && line.iter().all(u8::is_ascii_graphic)
        && symbols.count() > 2
}
