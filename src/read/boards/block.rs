//! Which lines of a text make up a board.
//!
//! Rows come in segments with rules or blank lines between them, all of one length:
//!
//! ```text
//! 9            3 + 3 + 3                    1 + 1 + 1 + …
//! ```
//!
//! A board ends with its n-th row. It ends early, and is none, where a segment is too short, where
//! text follows, where two rules stand together (the end of one board and the start of the next),
//! or where too many lines are without cells. Lines of text that are in no board and are not the
//! title of one are blocks too, a paragraph each, which become rejects. Nothing that follows a block decides how it is read,
//! so that a text can be cut between blocks.

use memchr::memchr;

use super::wrapped_row::Wrapping;
use crate::read::boards::board_line::{Kind, LONGEST_ROW, Row, SIZES, kind};
use crate::read::text::fields::without_cr;

/// So many lines without cells end a board, and part a title from it.
const WIDEST_GAP: usize = 4;

/// Cells of a whole board on one line.
const WHOLE: usize = 81;

/// A block of text has at most this many lines: as many as the largest board.
const MOST_LINES: usize = 25;

/// A line of text longer than this is a block by itself, and so is no title.
const LONG_TEXT: usize = 2 * LONGEST_ROW;

/// The next thing in a text.
pub(crate) enum Step {
    /// Rows that are a board, or should have been; or text.
    Board(Block),
    /// No board up to here; what follows has not been seen to its end.
    Passed(usize),
}

/// Rows that are a board, or should have been; or text, which may have been one.
#[derive(Debug)]
pub(crate) struct Block {
    /// Where it starts: at its title, if it has one.
    pub start: usize,
    /// Behind its last line.
    pub end: usize,
    /// The line over it.
    pub title: Option<(usize, usize)>,
    /// Its rows.
    pub rows: Vec<RowAt>,
    /// How many rows and columns it should have; 1 for a whole board on one line, 0 for text.
    pub size: usize,
    /// A line that is no row stands between the rows.
    pub has_text: bool,
}

impl Block {
    /// Whether it is n rows of n cells.
    pub(crate) fn is_whole(&self) -> bool {
        let fits = |row: &RowAt| row.cells == self.size || self.size == 1;
        !self.has_text && self.rows.len() == self.size && self.rows.iter().all(fits)
    }
}

impl Block {
    /// A line of text.
    fn text(line: &Line) -> Block {
        let mut block = Block {
            start: line.start,
            end: line.next,
            title: None,
            rows: Vec::new(),
            size: 0,
            has_text: true,
        };
        block.push(line, Row::default());
        block
    }

    /// Whether it is lines of text.
    pub(crate) fn is_text(&self) -> bool {
        self.size == 0
    }

    fn push(&mut self, line: &Line, row: Row) {
        self.end = line.next;
        self.rows.push(RowAt {
            start: line.start,
            end: line.end,
            cells: row.cells,
            has_marks: row.has_marks,
            wrapping: row.wrapping,
        });
    }
}

/// A row and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowAt {
    pub start: usize,
    pub end: usize,
    pub cells: usize,
    pub has_marks: bool,
    pub wrapping: Wrapping,
}

/// What a row is that may be the first of a board.
enum Opening {
    Row,
    /// The numbers of the columns.
    Header,
    Text,
}

/// A line of the text.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    /// Before its line end.
    end: usize,
    /// Where the next line starts.
    next: usize,
    kind: Kind,
    /// Its end is there.
    is_whole: bool,
}

/// More text is needed.
struct More;

/// A text, of which more may follow.
#[derive(Clone, Copy)]
struct Text<'a> {
    bytes: &'a [u8],
    at_end: bool,
}

/// The first board from `from` on.
pub(crate) fn next(bytes: &[u8], from: usize, at_end: bool) -> Step {
    let text = Text { bytes, at_end };
    let mut passed = from;
    match text.step(from, &mut passed) {
        Ok(Some(block)) => Step::Board(block),
        Ok(None) => Step::Passed(bytes.len()),
        Err(More) => Step::Passed(passed),
    }
}

impl Text<'_> {
    /// The line that starts here; `None` at the end.
    fn line(&self, start: usize) -> Result<Option<Line>, More> {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let found = memchr(b'\n', rest);
        if rest.is_empty() && self.at_end {
            return Ok(None);
        }
        let is_whole = found.is_some() || self.at_end;
        if !is_whole && rest.len() <= LONGEST_ROW + 1 {
            return Err(More);
        }
        let length = found.unwrap_or(rest.len());
        let line = without_cr(&rest[..length]);
        let is_long = line.len() > LONGEST_ROW;
        Ok(Some(Line {
            start,
            end: start + line.len(),
            next: start + length + usize::from(found.is_some()),
            // What a long line is does not depend on how it goes on.
            kind: match line.first() {
                Some(b'#') if is_long => Kind::Comment,
                _ if is_long => Kind::Text { like_row: false },
                _ => kind(line),
            },
            is_whole,
        }))
    }

    /// Goes on to the next block; `passed` is moved over what belongs to none.
    fn step(&self, from: usize, passed: &mut usize) -> Result<Option<Block>, More> {
        let mut at = from;
        // Lines of text, the last of which is the title if a board follows.
        let mut text: Option<Block> = None;
        let mut gap = 0;
        // The numbers of the columns stay with the row below: without it they would be a row.
        let mut has_header = false;
        while let Some(mut line) = self.line(at)? {
            line.kind = self.opening(&line)?;
            if let Kind::Row(row) = line.kind {
                line.kind = match self.first_row(&line, row)? {
                    Opening::Row => {
                        return match text {
                            Some(mut text) if text.rows.len() > 1 => {
                                text.end = text.rows.pop().map_or(text.end, |title| title.start);
                                Ok(Some(text))
                            }
                            title => self.block(line, row, title).map(Some),
                        };
                    }
                    Opening::Header => {
                        has_header = true;
                        Kind::Rule
                    }
                    Opening::Text => Kind::Text { like_row: true },
                };
            }
            let is_long = line.next - line.start > LONG_TEXT;
            match (line.kind, &mut text) {
                (Kind::Text { .. }, Some(text))
                    if text.end == line.start && text.rows.len() < MOST_LINES && !is_long =>
                {
                    if !line.is_whole {
                        return Err(More);
                    }
                    text.push(&line, Row::default());
                }
                (Kind::Text { .. }, Some(_)) => return Ok(text),
                (Kind::Text { .. }, None) => {
                    if !has_header {
                        *passed = line.start;
                    }
                    if !line.is_whole {
                        return Err(More);
                    }
                    if is_long {
                        return Ok(Some(Block::text(&line)));
                    }
                    (text, gap) = (Some(Block::text(&line)), 0);
                }
                (Kind::Section { is_puzzle: false }, Some(_)) => return Ok(text),
                (Kind::Section { is_puzzle: false }, None) => {
                    if !has_header {
                        *passed = line.start;
                    }
                    line.next = match self.after_section(line.next)? {
                        Some(next) => next,
                        None => return Ok(None),
                    };
                }
                // Behind a blank line a paragraph is no title.
                (Kind::Blank, Some(block)) if block.rows.len() > 1 => return Ok(text),
                _ => gap += 1,
            }
            if text.is_some() && (gap >= WIDEST_GAP || is_long) {
                return Ok(text);
            }
            if !line.is_whole {
                return Err(More);
            }
            if text.is_none() && !has_header {
                *passed = line.next;
            }
            at = line.next;
        }
        Ok(text)
    }

    /// Where the section after this one starts.
    fn after_section(&self, mut at: usize) -> Result<Option<usize>, More> {
        while let Some(line) = self.line(at)? {
            if !line.is_whole {
                return Err(More);
            }
            // Comments are the headers of the next file, where files were put together.
            let is_bracket = self.bytes.get(line.start) == Some(&b'[');
            if is_bracket || matches!(line.kind, Kind::Section { .. } | Kind::Comment) {
                return Ok(Some(line.start));
            }
            at = line.next;
        }
        Ok(None)
    }

    /// Whether a row over which there is none is the first of a board.
    fn first_row(&self, line: &Line, row: Row) -> Result<Opening, More> {
        let counts = row.cells == 9 && row.wrapping == Wrapping::Bare && !row.has_marks && {
            let digits = self.bytes[line.start..line.end].iter();
            digits.filter(|byte| byte.is_ascii_digit()).eq(b"123456789")
        };
        if counts && let Some(next) = self.line(line.next)? {
            let below = match next.kind {
                Kind::Row(row) => Some(row),
                _ => self.gap(next.start)?.map(|(_, row)| row),
            };
            if below.is_some_and(|row| row.wrapping == Wrapping::Named) {
                return Ok(Opening::Header);
            }
        }
        // All rows of a board are wrapped alike: one alone is text.
        if row.wrapping != Wrapping::Bare {
            let block = self.block(*line, row, None)?;
            let second = block.rows.get(1);
            if second.is_none_or(|second| second.wrapping != row.wrapping) {
                return Ok(Opening::Text);
            }
        }
        Ok(match self.is_title(line, row)? {
            true => Opening::Text,
            false => Opening::Row,
        })
    }

    /// Whether a row over which there is none is not yet the board: a number, or a line that
    /// happens to look like cells, directly over a whole board.
    fn is_title(&self, line: &Line, row: Row) -> Result<bool, More> {
        if row.cells == WHOLE {
            return Ok(false);
        }
        if row.cells < SIZES[0] {
            return Ok(true);
        }
        let mut count = 0;
        let mut size = row.cells;
        let mut at = line.next;
        while let Some(line) = self.line(at)? {
            let Kind::Row(below) = line.kind else { break };
            if below.cells < SIZES[0] {
                break;
            }
            if count == 0 {
                size = below.cells;
            }
            if below.cells != size || size == row.cells || count == size {
                return Ok(false);
            }
            count += 1;
            at = line.next;
        }
        Ok(count == size && SIZES.contains(&size))
    }

    /// What a line of one character is where there is no row yet: a row if a row directly below
    /// has that character for a blank, or if n such lines stand together.
    fn first_fill(&self, line: &Line, character: char, cells: usize) -> Result<Kind, More> {
        let row = Kind::Row(Row {
            cells,
            blank: Some(character),
            ..Row::default()
        });
        let mut at = line.next;
        for _ in 1..cells {
            let Some(below) = self.line(at)? else {
                return Ok(Kind::Rule);
            };
            match below.kind {
                Kind::Row(Row {
                    blank: None,
                    cells: same,
                    ..
                }) if same == cells => {}
                Kind::Row(below) if below.blank == Some(character) && below.cells == cells => {
                    return Ok(row);
                }
                kind if kind == line.kind => {}
                _ => return Ok(Kind::Rule),
            }
            at = below.next;
        }
        Ok(row)
    }

    /// The block that starts with this row.
    fn block(&self, first: Line, row: Row, title: Option<Block>) -> Result<Block, More> {
        let title = title.and_then(|text| text.rows.first().copied());
        let wrapping = row.wrapping;
        let mut block = Block {
            start: title.map_or(first.start, |title| title.start),
            end: first.next,
            title: title.map(|title| (title.start, title.end)),
            rows: Vec::with_capacity(9),
            size: match row.cells {
                WHOLE => 1,
                cells if SIZES.contains(&cells) => cells,
                _ => 9,
            },
            has_text: false,
        };
        block.push(&first, row);
        // Told from the rows: what an empty cell is.
        let mut blank = row.blank;
        let mut segment = 1;
        let mut segment_length = None;
        let mut at = first.next;
        while block.rows.len() < block.size {
            let Some(line) = self.line(at)? else { break };
            match resolved(line.kind, blank) {
                Kind::Row(row) if row.cells == WHOLE => break,
                // One of another kind would be a damaged row.
                Kind::Row(row) if row.wrapping != wrapping => {
                    block.push(&line, Row::default());
                    block.has_text = true;
                    segment += 1;
                    at = line.next;
                }
                Kind::Row(row) => {
                    block.push(&line, row);
                    blank = blank.or(row.blank);
                    segment += 1;
                    at = line.next;
                }
                Kind::Text { like_row: true } => {
                    block.push(&line, Row::default());
                    block.has_text = true;
                    segment += 1;
                    at = line.next;
                }
                Kind::Comment if line.is_whole && line.next - block.end <= LONGEST_ROW => {
                    at = line.next;
                }
                Kind::Comment | Kind::Section { .. } => break,
                Kind::Text { .. } => {
                    if line.is_whole {
                        self.rows_behind_text(&line, &mut block)?;
                    }
                    break;
                }
                Kind::Blank | Kind::Rule | Kind::Fill(..) => {
                    let Some((line, row)) = self.gap(at)? else {
                        break;
                    };
                    let length = *segment_length.get_or_insert(segment);
                    let below = self.run(line.start, length + 1, block.size)?;
                    let fits = (1..=length).contains(&below);
                    let fits = fits && row.wrapping == wrapping;
                    if !block.size.is_multiple_of(length) || segment != length || !fits {
                        break;
                    }
                    block.push(&line, row);
                    blank = blank.or(row.blank);
                    segment = 1;
                    at = line.next;
                }
            }
        }
        Ok(block)
    }

    /// A line of text in the place of a row, or between two, belongs to the block where the rows
    /// below it are its rest.
    fn rows_behind_text(&self, text: &Line, block: &mut Block) -> Result<(), More> {
        let below = self.run(text.next, block.size, block.size)?;
        let so_far = block.rows.len() + below;
        if below == 0 || (so_far != block.size && so_far + 1 != block.size) {
            return Ok(());
        }
        block.has_text = true;
        let mut at = text.next;
        for _ in 0..below {
            let Some(line) = self.line(at)? else { break };
            block.push(&line, Row::default());
            at = line.next;
        }
        Ok(())
    }

    /// What a line is at the start of a block, or of a segment.
    fn opening(&self, line: &Line) -> Result<Kind, More> {
        match line.kind {
            Kind::Fill(character, cells) => self.first_fill(line, character, cells),
            kind => Ok(kind),
        }
    }

    /// How many rows of a board of this size follow directly, up to `most`. They are counted as
    /// they would be if a block started here: then they are in one, and seen as a whole.
    fn run(&self, start: usize, most: usize, size: usize) -> Result<usize, More> {
        // A row of a length that no board has may be a damaged one.
        let fits = |cells: usize| {
            let damaged = cells >= SIZES[0] && cells != WHOLE && !SIZES.contains(&cells);
            cells == size || (size == 9 && damaged)
        };
        let mut blank = None;
        let mut count = 0;
        let mut at = start;
        while count < most {
            let Some(line) = self.line(at)? else { break };
            let kind = match count {
                0 => self.opening(&line)?,
                _ => resolved(line.kind, blank),
            };
            match kind {
                Kind::Row(row) if fits(row.cells) => {
                    blank = blank.or(row.blank);
                    count += 1;
                }
                _ => break,
            }
            at = line.next;
        }
        Ok(count)
    }

    /// The row after the lines from `start` on, which part segments; `None` where they end the
    /// board.
    fn gap(&self, start: usize) -> Result<Option<(Line, Row)>, More> {
        let mut rules = 0;
        let mut at = start;
        for _ in 0..WIDEST_GAP {
            let Some(line) = self.line(at)? else { break };
            let kind = match line.kind {
                Kind::Fill(..) if at == start => Kind::Rule,
                _ => self.opening(&line)?,
            };
            match kind {
                Kind::Row(row) if row.cells != WHOLE => return Ok(Some((line, row))),
                Kind::Rule => rules += 1,
                Kind::Blank | Kind::Comment if line.is_whole => {}
                _ => break,
            }
            if rules > 1 {
                break;
            }
            at = line.next;
        }
        Ok(None)
    }
}

/// What a line is within a board whose blanks are this character: a line of nothing else is a row,
/// one of another character is a rule.
fn resolved(kind: Kind, blank: Option<char>) -> Kind {
    match kind {
        Kind::Fill(character, cells) if blank == Some(character) => Kind::Row(Row {
            cells,
            blank,
            ..Row::default()
        }),
        Kind::Fill(..) => Kind::Rule,
        kind => kind,
    }
}
