//! Finds the grids of a text: rows on lines of their own, and whole grids on a line or in a list.

mod leads;
mod over_lines;

use std::ops::Range;

use super::place::Place;
use super::row_cells::{Cells, Content, content};
use super::row_names::{NameKind, RowName, are_fillers, row_name};
use super::simplify::Simple;
use super::tokens::{CellSyntax, Kind, Token};

/// A grid in the simple text, or what is left of a damaged one.
#[derive(Debug)]
pub(super) struct Found {
    /// The cells; `None` if the grid is damaged.
    pub(super) cells: Option<Cells>,
    /// The number of cells of a damaged grid.
    pub(super) count: usize,
    /// The place of the cells in the simple text.
    pub(super) place: Range<usize>,
    /// The place with the brackets and bars around the cells.
    pub(super) around: Range<usize>,
    /// The words directly before the grid.
    pub(super) lead: Range<usize>,
    /// How the rows are named; `None` if they have no names, or are not on lines of their own.
    pub(super) names: Option<NameKind>,
    /// Whether each row has a line of its own.
    pub(super) has_lines: bool,
}

/// A row of cells.
struct Row {
    cells: Cells,
    name: Option<RowName>,
    place: Place,
}

/// All grids of the text, in order.
pub(super) fn grids(tokens: &[Token], simple: &Simple<'_>, syntax: CellSyntax) -> Vec<Found> {
    let mut finder = Finder {
        tokens,
        simple,
        text: &simple.text,
        syntax,
        found: Vec::new(),
        rows: Vec::new(),
        gaps: Vec::new(),
        has_text: false,
        lead: 0..0,
        last_text: 0..0,
        wordless: 0,
        name: None,
    };
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::LineEnd | Kind::Fence | Kind::Break) {
            finder.line(start..at, token.kind == Kind::Fence);
            start = at + 1;
            match token.kind {
                Kind::Fence => finder.end(at),
                Kind::Break => {
                    finder.end(at);
                    finder.last_text = token.end..token.end;
                }
                _ => {}
            }
        }
    }
    finder.line(start..tokens.len(), false);
    finder.end(tokens.len());
    finder.found
}

struct Finder<'a> {
    tokens: &'a [Token],
    simple: &'a Simple<'a>,
    text: &'a [u8],
    syntax: CellSyntax,
    found: Vec<Found>,
    /// The rows of the grid that is open.
    rows: Vec<Row>,
    /// The numbers of rows before empty lines.
    gaps: Vec<usize>,
    /// Whether text stands behind the last row.
    has_text: bool,
    /// The words before the first row.
    lead: Range<usize>,
    last_text: Range<usize>,
    /// The first token behind the last word.
    wordless: usize,
    /// The name on a line of its own, of the row that follows.
    name: Option<RowName>,
}

impl Finder<'_> {
    fn place(&self, tokens: &Range<usize>) -> Range<usize> {
        let tokens = &self.tokens[tokens.clone()];
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }

    fn line(&mut self, line: Range<usize>, ends_at_fence: bool) {
        if line.is_empty() {
            if self.rows.len() > self.syntax.order {
                self.end(line.end);
            } else if self.rows.len() == self.syntax.order {
                self.close(line.end);
            } else if !ends_at_fence && self.gaps.last() != Some(&self.rows.len()) {
                self.gaps.push(self.rows.len());
            }
            return;
        }
        let mut prefix = line.start;
        let mut at = line.start;
        let mut has_content = false;
        while at < line.end {
            if self.tokens[at].kind == Kind::Word {
                at += 1;
                continue;
            }
            let words = self.tokens[at..line.end].iter();
            let length = words.take_while(|token| token.kind != Kind::Word).count();
            let stretch = at..at + length;
            if self.stretch(prefix..at, stretch.clone()) {
                has_content = true;
                prefix = stretch.end;
            }
            at = stretch.end;
        }
        if !has_content && self.name_alone(&line) {
            return;
        }
        let rest = prefix..line.end;
        let mut words = self.tokens[rest.clone()].iter();
        if words.any(|token| token.kind == Kind::Word) {
            self.text(&rest, has_content);
        }
    }

    /// Words that are no names of rows end a grid, unless its rows have such names.
    fn text(&mut self, words: &Range<usize>, is_behind_row: bool) {
        self.row_over_lines(words.start);
        self.name = None;
        let is_named = self
            .rows
            .last()
            .is_some_and(|row| row.name.is_some_and(|name| name.kind == NameKind::Word));
        if is_named && self.rows.len() < self.syntax.order {
            self.has_text = true;
        } else {
            self.end(words.start);
        }
        if !is_behind_row {
            self.keep_lead(words);
        }
        self.wordless = self.after_last_word(words);
    }

    /// Reads a stretch without words. `prefix` are the words before it on its line. Returns whether it is a row, rows
    /// or a grid.
    fn stretch(&mut self, prefix: Range<usize>, stretch: Range<usize>) -> bool {
        let has_cells =
            |token: &Token| matches!(token.kind, Kind::Cells | Kind::Number(_) | Kind::Empty);
        let tokens = &self.tokens[stretch.clone()];
        let has_bar = || {
            let mut tokens = tokens.iter();
            tokens.any(|token| token.kind == Kind::Separator(b'|'))
        };
        if !tokens.iter().any(has_cells) {
            // A row of a board whose empty cells are all in it.
            let is_row = !self.rows.is_empty()
                && !has_bar()
                && tokens.iter().all(|token| self.text[token.start] == b'_');
            if !is_row {
                return false;
            }
        }
        let content = content(tokens, self.text, self.syntax);
        let place = Place::from_tokens(tokens, self.text);
        match content {
            Content::Row(cells) => {
                let name = row_name(&self.tokens[prefix.clone()], self.simple, None);
                self.row(prefix, Row { cells, name, place });
                true
            }
            Content::NumberedRow(index, cells) => {
                let name = row_name(&self.tokens[prefix.clone()], self.simple, Some(index));
                self.row(prefix, Row { cells, name, place });
                true
            }
            Content::Rows(rows) => {
                for cells in rows {
                    let (name, place) = (None, place.clone());
                    self.row(prefix.clone(), Row { cells, name, place });
                }
                true
            }
            Content::Grid(cells) => {
                self.whole(&prefix, &stretch, Some(cells), 0, place);
                true
            }
            Content::Other(count) if self.syntax.are_remains(count) => {
                self.whole(&prefix, &stretch, None, count, place);
                true
            }
            Content::Other(_) => false,
        }
    }

    /// Adds a grid that is a stretch of its own, or what is left of a damaged one.
    fn whole(
        &mut self,
        prefix: &Range<usize>,
        stretch: &Range<usize>,
        cells: Option<Cells>,
        count: usize,
        place: Place,
    ) {
        self.end(stretch.start);
        self.wordless = stretch.end;
        let is_grid = cells.is_some();
        let lead = self.lead(prefix);
        self.push(cells, count, place, lead);
        if is_grid {
            self.last_text = 0..0;
        }
    }

    fn push(&mut self, cells: Option<Cells>, count: usize, place: Place, lead: Range<usize>) {
        self.found.push(Found {
            cells,
            count,
            place: place.cells,
            around: place.around,
            lead,
            names: None,
            has_lines: false,
        });
    }

    fn row(&mut self, prefix: Range<usize>, mut row: Row) {
        let name_above = self.name.take();
        // `"row": 1,` and `"cells": [` may stand on lines of their own.
        let is_filler = prefix.is_empty() || are_fillers(&self.tokens[prefix.clone()], self.text);
        if is_filler && row.name.is_none() {
            row.name = name_above;
        }
        let has_prefix = !prefix.is_empty() && row.name.is_none();
        if let Some(last) = self.rows.last() {
            let continues = match (last.name, row.name) {
                (None, None) => !has_prefix && !self.has_text,
                (Some(last), Some(own)) => {
                    last.kind == own.kind
                        && own.index.checked_sub(1) == Some(last.index)
                        && (!self.has_text || own.kind == NameKind::Word)
                }
                _ => false,
            };
            if !continues {
                self.close(prefix.start);
            }
        }
        if self.rows.is_empty() {
            self.lead = if has_prefix {
                self.lead(&prefix)
            } else {
                self.last_text.clone()
            };
            self.gaps.clear();
            if has_prefix {
                self.wordless = prefix.end;
            }
        }
        self.has_text = false;
        self.rows.push(row);
    }

    /// Ends the lines without words before the token at `end`.
    fn end(&mut self, end: usize) {
        self.row_over_lines(end);
        self.name = None;
        let before = self.found.len();
        let rows = self.rows.len();
        let lead = if rows > 0 {
            self.lead.clone()
        } else {
            self.last_text.clone()
        };
        let place = match (self.rows.first(), self.rows.last()) {
            (Some(first), Some(last)) => first.place.to(&last.place),
            _ => Place::from_tokens(&[], self.text),
        };
        self.close(end);
        if self.found.len() == before {
            // The list may be wrapped at other places than its rows.
            self.list(end, &lead);
            if self.found.len() == before && 2 * rows >= self.syntax.order {
                self.push(None, rows * self.syntax.order, place, lead);
            }
        }
        if self.found.len() > before {
            self.last_text = 0..0;
        }
        self.wordless = end;
    }

    /// Ends the open rows before the token at `end`.
    fn close(&mut self, end: usize) {
        let before = self.found.len();
        let mut rows = std::mem::take(&mut self.rows);
        let gaps = std::mem::take(&mut self.gaps);
        self.has_text = false;
        let order = self.syntax.order;
        let lead = std::mem::take(&mut self.lead);
        if rows.len() % order == 1 && rows.len() > order && is_heading(&rows[0], self.syntax) {
            rows.remove(0);
        }
        if rows.len().is_multiple_of(order) {
            for grid in rows.chunks(order) {
                self.push_rows(grid, lead.clone());
            }
        } else {
            let mut first = 0;
            for gap in gaps.into_iter().chain([rows.len()]) {
                let part = rows.get(first..gap).unwrap_or_default();
                if part.len() == order {
                    self.push_rows(part, lead.clone());
                }
                first = gap;
            }
        }
        if self.found.len() > before {
            self.last_text = 0..0;
            self.wordless = end;
        }
    }

    fn push_rows(&mut self, rows: &[Row], lead: Range<usize>) {
        let place = rows[0].place.to(&rows[rows.len() - 1].place);
        let name = rows[0].name;
        let is_from_start = name.is_none_or(|name| name.index <= 1);
        let has_numbers = rows.iter().any(|row| row.cells.has_numbers);
        let cells = is_from_start.then(|| Cells {
            text: rows
                .iter()
                .flat_map(|row| row.cells.text.iter().copied())
                .collect(),
            has_numbers,
            ..rows[0].cells
        });
        self.found.push(Found {
            cells,
            count: rows.len() * self.syntax.order,
            place: place.cells,
            around: place.around,
            lead,
            names: name.map(|name| name.kind),
            has_lines: true,
        });
    }
}

/// Whether a row has the numbers of the columns, from 1 on.
fn is_heading(row: &Row, syntax: CellSyntax) -> bool {
    let symbols = (b'1'..=b'9').chain(b'A'..=b'P').take(syntax.order);
    row.name.is_none() && row.cells.text.iter().copied().eq(symbols)
}
