//! Lists of programs: Python, JSON, NumPy, JavaScript, R, MATLAB, PostgreSQL.
//!
//! ```text
//! [[5, 3, 0, …], …]      [5 3 0 …]      [array([5, 3, …]), …]      [np.int64(5), …]
//! ["53..7....", …]       (5, 3, None, …)      {5,3,NULL,…}         c(5, 3, NA, …)
//! ```
//!
//! A list is cut into its leaves, and each leaf remembers the innermost list that holds it. The leaves are the cells, or
//! the rows.

use super::tokens::{Split, Tokens, Written, elided, wrong_count, wrong_row};
use crate::board::Size;

/// A list with at least so many elements, most of which are cells, was meant as a grid.
const LEAST_CELLS: usize = 16;

/// A leaf of a list.
struct Leaf<'a> {
    text: &'a str,
    /// The number of the innermost list that holds the leaf.
    list: usize,
}

/// Splits a list into its cells.
pub(super) fn split(text: &str) -> Split<'_> {
    let list = Lexer::new(text).leaves()?;
    if list.is_elided {
        return Some(Err(elided()));
    }
    let leaves = list.leaves();
    if leaves.len() < Size::ORDERS[0] {
        return None;
    }
    let count = leaves.len();
    let is_row = |leaf: &Leaf<'_>| leaf.text.chars().count() == count;
    if Size::ORDERS.contains(&count) && leaves.iter().all(is_row) {
        let rows = leaves.iter().map(|leaf| leaf.text);
        return Some(Ok(Written::Characters(rows.collect())));
    }
    if Size::ORDERS.contains(&count)
        && let Some(cells) = rows_of_fields(&leaves)
    {
        return Some(Ok(Written::Tokens(Tokens::new(count, cells))));
    }
    let tokens: Vec<&str> = leaves.iter().map(|leaf| leaf.text).collect();
    let cells = Tokens::new(count.isqrt(), tokens);
    if let Some(error) = cells.error() {
        return Some(Err(error)).filter(|_| count >= LEAST_CELLS && cells.are_mostly_cells());
    }
    // A list of another length is still a list of cells, if most of a grid is there.
    if !Size::is_cell_count(count) {
        return Some(Err(wrong_count("a list", count)));
    }
    let order = count.isqrt();
    let is_nested = leaves.iter().any(|leaf| leaf.list != leaves[0].list);
    if is_nested {
        let mut rows = leaves.chunk_by(|one, next| one.list == next.list);
        if let Some((row, cells)) = (1..).zip(&mut rows).find(|(_, row)| row.len() != order) {
            return Some(Err(wrong_row(row, cells.len(), order)));
        }
    }
    Some(Ok(Written::Tokens(cells)))
}

/// The cells of leaves that are rows of fields, such as `5 3 . . 7 . . . .`; `None` if a leaf is not.
fn rows_of_fields<'a>(leaves: &[Leaf<'a>]) -> Option<Vec<&'a str>> {
    let order = leaves.len();
    let mut cells = Vec::with_capacity(order * order);
    for leaf in leaves {
        let first = cells.len();
        let fields = leaf
            .text
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '|' | ';'));
        cells.extend(fields.filter(|field| !field.is_empty()));
        if cells.len() - first != order {
            return None;
        }
    }
    Some(cells)
}

/// The leaves of a list.
struct List<'a> {
    leaves: Vec<Leaf<'a>>,
    /// For each list that ends with a comma: the number of the list, and the number of leaves before its end. The
    /// comma may stand before an empty cell.
    open_ends: Vec<(usize, usize)>,
    /// Whether the program that wrote the list left out its middle and wrote `...` there.
    is_elided: bool,
}

impl<'a> List<'a> {
    /// The leaves, with those empty cells that stand between a comma and the end of their list: where the list has one
    /// cell fewer than the grid has columns.
    fn leaves(self) -> Vec<Leaf<'a>> {
        let lists = self.leaves.chunk_by(|one, next| one.list == next.list);
        let lengths: Vec<(usize, usize)> = lists.map(|list| (list[0].list, list.len())).collect();
        let order = match lengths.len() {
            1 => self.leaves.len() + 1,
            rows => rows,
        };
        let is_short = |list: usize| lengths.contains(&(list, order - 1));
        let is_grid = lengths.len() > 1 || Size::is_cell_count(order);
        let mut leaves = self.leaves;
        for (list, end) in self.open_ends.into_iter().rev() {
            if is_grid && is_short(list) {
                leaves.insert(end, Leaf { text: "", list });
            }
        }
        leaves
    }
}

/// Cuts a list into its leaves.
struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

/// An open list.
struct Open {
    number: usize,
    /// The index of the first leaf in this list or in lists inside it.
    first_leaf: usize,
    /// Whether the name of a constructor stands before the list, as in `array(…)` and `np.int64(…)`.
    has_name: bool,
    /// Whether a value stands before the next comma.
    has_value: bool,
    has_lists: bool,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The leaves of the text, which must be a single list; `None` for other texts.
    fn leaves(mut self) -> Option<List<'a>> {
        let mut leaves: Vec<Leaf<'a>> = Vec::with_capacity(81);
        let mut open: Vec<Open> = Vec::new();
        let mut lists = 0;
        let mut is_elided = false;
        let mut open_ends = Vec::new();
        let mut last_key = None;
        let is_atom = |c: char| {
            !c.is_whitespace()
                && !matches!(
                    c,
                    '[' | ']' | '(' | ')' | '{' | '}' | ',' | ';' | '"' | '\'' | ':' | '='
                )
        };
        while let Some(character) = self.rest().chars().next() {
            let mut has_name = false;
            let mut value = None;
            match character {
                c if c.is_whitespace() => {
                    self.take_while(char::is_whitespace);
                    continue;
                }
                '[' | '(' | '{' => {}
                ']' | ')' | '}' => {
                    self.at += 1;
                    let closed = open.pop()?;
                    let inside = leaves.len() - closed.first_leaf;
                    if inside > 0 && !closed.has_lists && !closed.has_value {
                        open_ends.push((closed.number, leaves.len()));
                    }
                    if closed.has_name && !closed.has_lists && inside == 1 {
                        // `np.int64(5)` is a cell of the list around it.
                        let list = open.last().map_or(0, |outer| outer.number);
                        leaves.last_mut()?.list = list;
                        lists -= 1;
                    }
                    match open.last_mut() {
                        Some(outer) => outer.has_value = true,
                        None => break,
                    }
                    continue;
                }
                ',' | ';' => {
                    self.at += 1;
                    let list = open.last_mut()?;
                    if !list.has_value {
                        let (text, list) = ("", list.number);
                        leaves.push(Leaf { text, list });
                    }
                    list.has_value = false;
                    continue;
                }
                '"' | '\'' => {
                    let quote = character;
                    let start = self.at + 1;
                    let length = self.text[start..].find(quote)?;
                    value = Some(&self.text[start..start + length]);
                    self.at = start + length + 1;
                }
                ':' | '=' => return None,
                _ => {
                    let atom = self.take_while(is_atom);
                    has_name = self.rest().starts_with(['(', '[', '{'])
                        && atom.starts_with(|c: char| c.is_ascii_alphabetic());
                    if !has_name {
                        value = Some(atom);
                    }
                }
            }
            let Some(text) = value else {
                self.at += 1;
                if let Some(outer) = open.last_mut() {
                    outer.has_lists = true;
                }
                lists += 1;
                open.push(Open {
                    number: lists,
                    first_leaf: leaves.len(),
                    has_name,
                    has_value: false,
                    has_lists: false,
                });
                continue;
            };
            let list = open.last_mut()?;
            let after = self.rest().trim_start();
            if after.starts_with(':') {
                // A key of an object. Its cells are only in the order of a grid if the keys are in order.
                let key = key_numbers(text);
                if last_key.as_ref().is_some_and(|last| *last >= key) {
                    return None;
                }
                last_key = Some(key);
                self.at = self.text.len() - after.len() + 1;
                continue;
            }
            if after.starts_with('=') && list.has_name {
                // An argument such as `dtype=int64` or `shape=(9, 9)`.
                self.at = self.text.len() - after.len() + 1;
                self.skip_argument()?;
                list.has_value = true;
                continue;
            }
            if text == "..." || text == "…" {
                is_elided = true;
            }
            list.has_value = true;
            let list = list.number;
            leaves.push(Leaf {
                text: text.trim(),
                list,
            });
        }
        let is_closed = open.is_empty() && lists > 0 && self.rest().trim().is_empty();
        is_closed.then_some(List {
            leaves,
            open_ends,
            is_elided,
        })
    }

    /// Skips the value of an argument, up to the comma after it or the end of its list.
    fn skip_argument(&mut self) -> Option<()> {
        let mut depth = 0;
        for (at, character) in self.rest().char_indices() {
            match character {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth == 0 => {
                    self.at += at;
                    return Some(());
                }
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    self.at += at;
                    return Some(());
                }
                _ => {}
            }
        }
        None
    }
}

/// What orders the keys of an object: their letters, and then their numbers, so that `row10` comes after `row9`.
fn key_numbers(key: &str) -> (String, Vec<u32>) {
    const NAMES: [&str; 9] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    ];
    let lower = key.to_ascii_lowercase();
    if let Some(at) = NAMES.iter().position(|name| lower.starts_with(name)) {
        return (String::new(), vec![at as u32]);
    }
    let numbers = key.split(|c: char| !c.is_ascii_digit());
    let numbers = numbers.filter_map(|number| number.parse().ok());
    let letters = key.chars().filter(|c| c.is_alphabetic()).collect();
    (letters, numbers.collect())
}
