//! Rows and lists that stand on several lines: names on lines of their own, and wrapped or indented lists.

use std::ops::Range;

use super::super::place::Place;
use super::super::row_cells::{Content, content};
use super::super::row_names::{NameKind, row_name};
use super::super::tokens::{Kind, Token};
use super::{Finder, Row};

impl Finder<'_> {
    /// Keeps the name of a row that stands on a line of its own. Returns whether the line is one.
    pub(super) fn name_alone(&mut self, line: &Range<usize>) -> bool {
        let name = row_name(&self.tokens[line.clone()], self.simple, None);
        let Some(name) = name.filter(|name| name.kind == NameKind::Word) else {
            return false;
        };
        self.row_over_lines(line.start);
        self.name = Some(name);
        self.wordless = line.end;
        true
    }

    /// Reads a row whose cells stand on several lines in brackets, from the last word to the token at `end`.
    pub(super) fn row_over_lines(&mut self, end: usize) {
        let stretch = self.wordless.min(end)..end;
        let tokens = &self.tokens[stretch.clone()];
        if self.name.is_some()
            && let Content::Row(cells) = content(tokens, self.text, self.syntax)
        {
            let place = Place::from_tokens(tokens, self.text);
            let name = None;
            self.row(stretch.start..stretch.start, Row { cells, name, place });
        }
    }

    pub(super) fn after_last_word(&self, tokens: &Range<usize>) -> usize {
        let mut own = self.tokens[tokens.clone()].iter();
        let last = own.rposition(|token| token.kind == Kind::Word);
        tokens.start + last.map_or(0, |last| last + 1)
    }

    /// A list in brackets over several lines, from the last word to the token at `end`.
    pub(super) fn list(&mut self, end: usize, lead: &Range<usize>) {
        let stretch = self.wordless.min(end)..end;
        let tokens = &self.tokens[stretch.clone()];
        let is_open = |token: &Token| matches!(token.kind, Kind::Separator(b'[' | b'(' | b'{'));
        let Some(open) = tokens.iter().position(is_open) else {
            return;
        };
        let stretch = stretch.start + open..end;
        let tokens = &self.tokens[stretch.clone()];
        let mut lines = tokens.iter().filter(|token| token.kind == Kind::LineEnd);
        // Names of rows that do not count up are still in the stretch.
        let mut words = tokens.iter().filter(|token| token.kind == Kind::Word);
        if lines.next().is_none() || words.next().is_some() {
            return;
        }
        let place = Place::from_tokens(tokens, self.text);
        match content(tokens, self.text, self.syntax) {
            Content::Grid(cells) => self.push(Some(cells), 0, place, lead.clone()),
            Content::Other(count) if self.syntax.are_remains(count) => {
                self.push(None, count, place, lead.clone());
            }
            _ => {}
        }
    }
}
