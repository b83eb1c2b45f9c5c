//! Reads a stretch of a line, which has no words, as the cells of a row, of several rows, or of a grid.

use super::tokens::{CellSyntax, Kind, Token, is_mark};

/// The cells of a row or of a grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cells {
    /// A symbol for each cell, `.` for an empty one.
    pub(super) text: Vec<u8>,
    /// Whether numbers above 9 are written as numbers, so that the symbols are those of the normal form.
    pub(super) has_numbers: bool,
    pub(super) has_letters: bool,
}

/// What a stretch has.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    Grid(Cells),
    /// Several rows, one after the other.
    Rows(Vec<Cells>),
    Row(Cells),
    /// A row after its number or letter.
    NumberedRow(usize, Cells),
    /// Another number of cells.
    Other(usize),
}

/// The meaning of dashes, stars and underscores, and of points behind digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// Emphasis, bullets and parts of rules.
    Skipped,
    Empty,
    /// As `Empty`, but the first one is a bullet.
    EmptyBehindBullet,
    /// Each token is one cell, such as `5.0`.
    Floats,
    /// The cells are between bars or commas. Nothing between two of them is an empty cell.
    Fields,
}

/// A stretch is read in the first of these ways that gives as many cells as a row or a grid has. A full row has no more
/// digits than cells, so the first way never takes an empty cell for a mark where it matters.
const WAYS: [Marks; 5] = [
    Marks::Skipped,
    Marks::Empty,
    Marks::EmptyBehindBullet,
    Marks::Floats,
    Marks::Fields,
];

/// Reads a stretch. `text` is the simple text.
pub(super) fn content(tokens: &[Token], text: &[u8], syntax: CellSyntax) -> Content {
    let order = syntax.order;
    let length = |token: &Token| token.end - token.start;
    let characters: usize = tokens
        .iter()
        .filter(|token| !matches!(token.kind, Kind::Separator(_) | Kind::LineEnd))
        .map(length)
        .sum();
    let separators = tokens
        .iter()
        .filter(|token| matches!(token.kind, Kind::Separator(_)));
    if characters + separators.count() + 1 < order || characters > 8 * syntax.cells() {
        return Content::Other(characters);
    }
    let ways = || {
        WAYS.iter()
            .filter_map(|way| Reading::new(tokens, text, *way, order))
    };
    if let Some(content) = ways().find_map(|reading| reading.content(syntax)) {
        return content;
    }
    let first = tokens
        .iter()
        .position(|token| matches!(token.kind, Kind::Cells | Kind::Number(_)));
    if let Some(first) = first
        && let Some(index) = row_index(&text[tokens[first].start..tokens[first].end])
    {
        let rest = &tokens[first + 1..];
        let mut ways = WAYS
            .iter()
            .filter_map(|way| Reading::new(rest, text, *way, order));
        let row = ways.find_map(|reading| match reading.content(syntax)? {
            Content::Row(row) => Some(row),
            _ => None,
        });
        if let Some(row) = row {
            return Content::NumberedRow(index, row);
        }
    }
    let count = ways().next().map_or(0, |reading| reading.cells.text.len());
    Content::Other(count)
}

/// The number of a row in a text such as `1.`, `**1`, `A`.
fn row_index(text: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(text).ok()?;
    let text = text.trim_matches(|c: char| c == '.' || c.is_ascii() && is_mark(c as u8));
    match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => {
            Some(usize::from(letter.to_ascii_uppercase() - b'A') + 1)
        }
        [_] | [_, _] => text.parse().ok(),
        _ => None,
    }
}

/// A stretch that is read in one way.
struct Reading {
    cells: Cells,
    /// The number of cells of each token that has cells.
    lengths: Vec<usize>,
    /// For each separator that can end a row, such as `/`, a closing bracket or a line end: its character and the number
    /// of cells before it.
    ends: Vec<(u8, usize)>,
    /// Whether x is a symbol, as in the alphabet A to Y, and no empty cell.
    has_symbol_x: bool,
    order: usize,
}

impl Reading {
    /// Reads the tokens in a way; `None` if they cannot be read so.
    fn new(tokens: &[Token], text: &[u8], way: Marks, order: usize) -> Option<Reading> {
        let mut reading = Reading {
            cells: Cells::default(),
            lengths: Vec::new(),
            ends: Vec::new(),
            has_symbol_x: order > 16,
            order,
        };
        if way == Marks::Fields {
            reading.push_fields(tokens, text, order)?;
        } else {
            for (at, token) in tokens.iter().enumerate() {
                let is_bullet = way == Marks::EmptyBehindBullet
                    && token.kind == Kind::Marks
                    && reading.lengths.is_empty()
                    && tokens[..at].iter().all(|token| token.kind != Kind::Marks);
                if !is_bullet {
                    reading.push(token, text, way)?;
                }
            }
        }
        let cells = &reading.cells;
        if cells.has_numbers && cells.has_letters {
            return None;
        }
        Some(reading)
    }

    fn push(&mut self, token: &Token, text: &[u8], way: Marks) -> Option<()> {
        let cells = &mut self.cells;
        let before = cells.text.len();
        let own = &text[token.start..token.end];
        match token.kind {
            Kind::Number(number) => {
                cells.text.push(b'A' + number - 10);
                cells.has_numbers = true;
            }
            Kind::Empty => cells.text.push(b'.'),
            Kind::Cells if way == Marks::Floats => {
                let (digit, rest) = own.split_first()?;
                let is_float = rest.is_empty()
                    || rest.first() == Some(&b'.') && rest[1..].iter().all(|byte| *byte == b'0');
                if !is_float || !digit.is_ascii_digit() {
                    return None;
                }
                cells.text.push(*digit);
            }
            Kind::Cells => {
                for byte in own {
                    match byte {
                        b'.' | b'?' => cells.text.push(b'.'),
                        b'x' | b'X' if !self.has_symbol_x => cells.text.push(b'.'),
                        mark if is_mark(*mark) => {
                            if way != Marks::Skipped {
                                cells.text.push(b'.');
                            }
                        }
                        symbol => {
                            cells.has_letters |= symbol.is_ascii_alphabetic();
                            cells.text.push(*symbol);
                        }
                    }
                }
            }
            Kind::Marks if way == Marks::Skipped => {}
            Kind::Marks => cells.text.extend(own.iter().map(|_| b'.')),
            Kind::Separator(byte @ (b'/' | b';' | b']' | b'}' | b')' | b'"' | b'\'')) => {
                self.ends.push((byte, before));
            }
            Kind::LineEnd => self.ends.push((b'\n', before)),
            _ => {}
        }
        // A full stop behind a row.
        let own_cells = &cells.text[before..];
        if way == Marks::Skipped
            && own_cells.len() == self.order + 1
            && own_cells.iter().position(|cell| *cell == b'.') == Some(self.order)
        {
            cells.text.pop();
        }
        let count = cells.text.len() - before;
        if count > 0 {
            self.lengths.push(count);
        }
        Some(())
    }

    /// Reads the cells between bars, or between commas.
    fn push_fields(&mut self, tokens: &[Token], text: &[u8], order: usize) -> Option<()> {
        let count_of = |delimiter: u8| {
            let is_delimiter = |token: &&Token| token.kind == Kind::Separator(delimiter);
            tokens.iter().filter(is_delimiter).count()
        };
        let delimiter = [b'|', b',', b';']
            .into_iter()
            .find(|delimiter| count_of(*delimiter) >= order - 1)?;
        let mut fields = vec![0];
        for token in tokens {
            if token.kind == Kind::Separator(delimiter) {
                if fields.last() == Some(&0) {
                    self.cells.text.push(b'.');
                }
                fields.push(0);
                continue;
            }
            let before = self.cells.text.len();
            self.push(token, text, Marks::Skipped)?;
            *fields.last_mut()? += self.cells.text.len() - before;
        }
        if fields.iter().any(|cells| *cells > 1) {
            return None;
        }
        // A bar at either end of the line is a frame.
        let has_end = fields.last() == Some(&0);
        if !has_end || fields.len() == order {
            self.cells.text.extend(has_end.then_some(b'.'));
        }
        if fields.first() == Some(&0) && self.cells.text.len() > order {
            self.cells.text.remove(0);
        }
        self.lengths = vec![1; self.cells.text.len()];
        Some(())
    }

    /// What the cells are; `None` if they are neither a row nor rows nor a grid.
    fn content(self, syntax: CellSyntax) -> Option<Content> {
        let (order, all) = (syntax.order, syntax.cells());
        let Reading {
            mut cells,
            mut lengths,
            ends,
            ..
        } = self;
        // A full stop at the end of a sentence.
        if [order + 1, all + 1].contains(&cells.text.len())
            && let Some((b'.', rest)) = cells.text.split_last()
            && !rest.contains(&b'.')
        {
            cells.text.pop();
            match lengths.last_mut() {
                Some(1) => {
                    lengths.pop();
                }
                Some(last) => *last -= 1,
                None => {}
            }
        }
        // Only now, so that a zero is no full stop.
        if cells.has_numbers || order <= 9 {
            for cell in &mut cells.text {
                if *cell == b'0' {
                    *cell = b'.';
                }
            }
        }
        let are_all = |length: usize| lengths.iter().all(|own| *own == length);
        let is_uniform = lengths.len() == 1
            || are_all(1)
            || are_all(order)
            || lengths
                .first()
                .is_some_and(|first| order.is_multiple_of(*first) && are_all(*first));
        let count = cells.text.len();
        if !is_uniform || count == 0 {
            return None;
        }
        if count == order {
            return Some(Content::Row(cells));
        }
        if count == all {
            let are_rows = are_rows(&ends, order, count) && !are_ragged(&ends, order, count);
            return are_rows.then_some(Content::Grid(cells));
        }
        if count.is_multiple_of(order) && are_all(order) && count < all {
            let rows = cells.text.chunks(order).map(|row| Cells {
                text: row.to_vec(),
                ..cells
            });
            return Some(Content::Rows(rows.collect()));
        }
        None
    }
}

/// Whether the parts between separators that can end rows are rows.
fn are_rows(ends: &[(u8, usize)], order: usize, count: usize) -> bool {
    [b'/', b';', b']', b'}'].into_iter().all(|end| {
        let mut last = 0;
        let mut has_inner = false;
        let mut are_rows = true;
        for (_, before) in ends.iter().filter(|(byte, _)| *byte == end) {
            if *before > last && *before < count {
                has_inner = true;
            }
            if *before > last {
                are_rows &= before - last == order || *before == count && !has_inner;
                last = *before;
            }
        }
        // Each cell in brackets of its own.
        let are_cells = ends.iter().filter(|(byte, _)| *byte == end).count() >= count;
        !has_inner || are_cells || are_rows && (last == count || count - last == order)
    })
}

/// Whether lines, or items in quotes or brackets, are as many as the rows, but do not all have as many cells as a row. A
/// flat list has other numbers of lines, or lines of one length before the last.
fn are_ragged(ends: &[(u8, usize)], order: usize, count: usize) -> bool {
    [b'\n', b')', b'"', b'\''].into_iter().any(|end| {
        let mut last = 0;
        let mut lengths = Vec::new();
        let own = ends.iter().filter(|(byte, _)| *byte == end);
        for before in own.map(|(_, before)| *before).chain([count]) {
            if before > last {
                lengths.push(before - last);
                last = before;
            }
        }
        let is_wrapped = end == b'\n'
            && lengths.split_last().is_some_and(|(last, lines)| {
                lines
                    .iter()
                    .all(|length| *length == lines[0] && last <= length)
            });
        lengths.len() == order && !is_wrapped && lengths.iter().any(|length| *length != order)
    })
}
