//! A character for each cell, after typographic forms and protection have been removed.

use super::tokens::{Split, Written};
use crate::board::Size;
use crate::text::{BLANKS, boards::pencil_marks, is_cell};

/// The cells of a text that has as many characters as a grid has cells.
pub(super) fn split(text: &str) -> Split<'_> {
    if pencil_marks::from_characters(text.as_bytes()).is_some()
        || pencil_marks::from_groups(text.as_bytes()).is_some()
    {
        return Some(Ok(Written::Characters(text.to_owned())));
    }
    let without_spaces: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    // Spaces can be cells, so the text as it is is tried first.
    let found = [text.to_owned(), without_spaces]
        .into_iter()
        .find(|cells| is_grid(cells));
    found.map(|cells| Ok(Written::Characters(cells)))
}

/// Whether each character can be a cell of a grid with as many cells. Symbols of larger grids can be letters, and
/// characters that follow the digits in ASCII.
fn is_grid(text: &str) -> bool {
    let count = text.chars().count();
    let has_symbols = Size::from_cells(count).is_some_and(Size::has_letters);
    let is_symbol = |c: char| {
        c.is_ascii() && is_cell(c as u8)
            || BLANKS.contains(&c)
            || c.is_ascii_alphabetic()
            || has_symbols && matches!(c, ':'..='@')
    };
    Size::is_cell_count(count) && text.chars().all(is_symbol)
}
