//! The words before a grid.

use std::ops::Range;

use super::super::tokens::{Kind, is_mark};
use super::Finder;

/// Words over columns, and over the names of rows.
const HEADS: [&str; 6] = ["c", "col", "column", "r", "row", "rows"];

impl Finder<'_> {
    /// The place of the words before a grid: those before it on its line, or the last line of words.
    pub(super) fn lead(&self, prefix: &Range<usize>) -> Range<usize> {
        if prefix.is_empty() {
            self.last_text.clone()
        } else {
            self.with_line_before(prefix)
        }
    }

    /// Keeps the place of a line of words for the grid that follows.
    pub(super) fn keep_lead(&mut self, words: &Range<usize>) {
        if !self.are_heads(words) {
            self.last_text = self.with_line_before(words);
        }
    }

    /// The place of words. A key such as `"grid":` says less than the line before it, and is added to it.
    fn with_line_before(&self, words: &Range<usize>) -> Range<usize> {
        let own = self.place(words);
        if self.is_key(words) && !self.last_text.is_empty() {
            self.last_text.start..own.end
        } else {
            own
        }
    }

    fn is_key(&self, words: &Range<usize>) -> bool {
        let tokens = &self.tokens[words.clone()];
        let mut words = tokens.iter().filter(|token| token.kind == Kind::Word);
        let (Some(word), None) = (words.next(), words.next()) else {
            return false;
        };
        let quote = |byte: Option<&u8>| byte.copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let before = word.start.checked_sub(1);
        let before = quote(before.and_then(|before| self.text.get(before)));
        before.is_some() && before == quote(self.text.get(word.end))
    }

    /// Whether a line has the heads of columns: `C1 C2 C3 C4`, `A B C D`.
    fn are_heads(&self, words: &Range<usize>) -> bool {
        let tokens = self.tokens[words.clone()].iter();
        let words = tokens.filter(|token| token.kind == Kind::Word);
        let mut count = 0;
        let are_heads = words.into_iter().all(|token| {
            count += 1;
            let word = self.text[token.start..token.end].trim_ascii();
            let is_outside = |byte: &u8| byte.is_ascii_digit() || is_mark(*byte);
            let start = word.iter().take_while(|byte| is_mark(**byte)).count();
            let end = word.iter().rposition(|byte| !is_outside(byte));
            let name = word
                .get(start..end.map_or(0, |end| end + 1))
                .unwrap_or_default();
            name.len() <= 1
                || HEADS
                    .iter()
                    .any(|head| name.eq_ignore_ascii_case(head.as_bytes()))
        });
        are_heads && count >= self.syntax.order
    }
}
