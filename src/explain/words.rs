//! Steps in words.

use std::fmt::Display;

use crate::board::{Candidates, CellSet, Digit, House};
use crate::grade::{Pattern, Step};

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    let mut words: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    match (words.pop(), words.is_empty()) {
        (None, _) => String::new(),
        (Some(last), true) => last,
        (Some(last), false) => format!("{} and {last}", words.join(", ")),
    }
}

/// `3 steps`.
pub(super) fn count(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

/// The digits, cells and houses of a pattern; empty where it has none.
pub(super) fn pattern(pattern: &Pattern) -> String {
    let mut parts = Vec::new();
    let houses = houses(&pattern.houses);
    let digits = list(pattern.digits);
    let is_house = |house: &House| house.cells() == pattern.cells;
    let cells = if pattern.houses.iter().any(is_house) {
        String::new()
    } else {
        list(pattern.cells)
    };
    match (digits.is_empty(), cells.is_empty()) {
        (true, true) => {}
        (false, true) => parts.push(digits),
        (true, false) => parts.push(cells),
        (false, false) => parts.push(format!("{digits} in {cells}")),
    }
    if !pattern.others.is_empty() {
        parts.push(format!("with {}", list(pattern.others)));
    }
    if !houses.is_empty() {
        parts.push(format!("in {houses}"));
    }
    parts.join("; ")
}

/// A chain in the usual notation: `5r4c7 = 5r4c2 - 3r4c2 = …`; empty where there is none.
pub(super) fn chain(pattern: &Pattern) -> String {
    let mut text = String::new();
    let mut end = None;
    for link in &pattern.chain {
        let sign = if link.strong { '=' } else { '-' };
        if end == Some(link.from) {
            text += &format!(" {sign} {}", link.to);
        } else {
            let separator = if text.is_empty() { "" } else { "; " };
            text += &format!("{separator}{} {sign} {}", link.from, link.to);
        }
        end = Some(link.to);
    }
    text
}

/// Why a step is right, as a sentence.
pub(super) fn why(board: &Candidates, step: &Step) -> String {
    let pattern = &step.pattern;
    let why = if pattern.why.is_empty() {
        by_pattern(board, step)
    } else {
        pattern.why.clone()
    };
    let sentence = capitalised(&why);
    if sentence.is_empty() || sentence.ends_with(['.', '!', '?']) {
        sentence
    } else {
        sentence + "."
    }
}

/// With a capital in front, unless a cell stands there.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first)
            if first != 'r' || !letters.as_str().starts_with(|c: char| c.is_ascii_digit()) =>
        {
            format!("{}{}", first.to_uppercase(), letters.as_str())
        }
        _ => text.to_owned(),
    }
}

/// `rows 1 and 4, column 7 and box 2`.
fn houses(houses: &[House]) -> String {
    let of_kind = |kind: &str, all: &[House]| -> Option<String> {
        let ours = houses.iter().filter(|house| all.contains(house));
        let numbers: Vec<_> = ours.map(|house| house.index() % 9 + 1).collect();
        let plural = match (numbers.len(), kind) {
            (0, _) => return None,
            (1, _) => "",
            (_, "box") => "es",
            _ => "s",
        };
        Some(format!("{kind}{plural} {}", list(numbers)))
    };
    let kinds = [
        of_kind("row", House::rows()),
        of_kind("column", House::columns()),
        of_kind("box", House::boxes()),
    ];
    list(kinds.into_iter().flatten())
}

/// The reason that the houses, cells and digits show. Each claim is checked on the board, so that
/// a pattern of another meaning falls through to the plain list of its parts.
fn by_pattern(board: &Candidates, step: &Step) -> String {
    let pattern = &step.pattern;
    placed(board, step)
        .or_else(|| subset(pattern))
        .or_else(|| one_digit(board, pattern))
        .unwrap_or_else(|| match self::pattern(pattern) {
            parts if parts.is_empty() => String::new(),
            parts => format!("the pattern is {parts}"),
        })
}

/// A single.
fn placed(board: &Candidates, step: &Step) -> Option<String> {
    let (digit, cell) = Digit::ALL
        .into_iter()
        .find_map(|digit| Some((digit, step.effect.placed(digit).single()?)))?;
    if let [house] = step.pattern.houses[..] {
        if house.cells() & board.unsolved() == CellSet::of(cell) {
            return Some(format!("{cell} is the last empty cell of {house}"));
        }
        if (board.open_places(digit) & house.cells()).single() == Some(cell) {
            return Some(format!("{digit} has no other place in {house}"));
        }
    }
    let alone = board.digits(cell).single() == Some(digit);
    alone.then(|| format!("{cell} has no other candidate than {digit}"))
}

/// As many digits as cells of a house.
fn subset(pattern: &Pattern) -> Option<String> {
    let [house] = pattern.houses[..] else {
        return None;
    };
    let n = pattern.cells.len();
    let fits = n >= 2 && n == pattern.digits.len() && pattern.cells.is_subset(house.cells());
    (fits && pattern.others.is_empty()).then(|| {
        let cells = list(pattern.cells);
        let (digits, each) = (list(pattern.digits), if n == 2 { "both" } else { "all" });
        format!("in {house}, {cells} hold {digits}, {each} in some order")
    })
}

/// Locked candidates and fish: the places of a digit in some houses lie in as many others.
fn one_digit(board: &Candidates, pattern: &Pattern) -> Option<String> {
    let digit = pattern.digits.single()?;
    let n = pattern.houses.len() / 2;
    let (bases, covers) = pattern.houses.split_at(n);
    if n == 0 || covers.len() != n {
        return None;
    }
    let all = |houses: &[House]| {
        let cells = houses.iter().map(|house| house.cells());
        cells.fold(CellSet::EMPTY, |all, cells| all | cells)
    };
    let uncovered = (board.open_places(digit) & all(bases)).without(all(covers));
    let (bases, covers) = (self::houses(bases), self::houses(covers));
    if uncovered.is_empty() {
        let only = if n == 1 { "lie only in" } else { "lie in" };
        Some(format!("in {bases}, all places of {digit} {only} {covers}"))
    } else if uncovered.is_subset(pattern.others) {
        let fins = list(pattern.others);
        Some(format!(
            "in {bases}, all places of {digit} lie in {covers}, or are {fins}; what is removed \
             goes out in either case"
        ))
    } else {
        None
    }
}
