//! Describes steps as text.

use std::fmt::Display;

use super::refutation::refutation;
use crate::board::{Candidates, CellSet, Digit, House};
use crate::grade::{Link, Pattern, Rank, SetName, Step, StrongReason};

/// Joins items as in `a`, `a and b` or `a, b and c`.
pub(super) fn list<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    let mut words: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    match (words.pop(), words.is_empty()) {
        (None, _) => String::new(),
        (Some(last), true) => last,
        (Some(last), false) => format!("{} and {last}", words.join(", ")),
    }
}

/// A number with its noun in the right form, such as `3 steps`.
pub(super) fn count(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

/// A sentence about a grade. `waves` is the number of waves.
pub(crate) fn verdict(rank: Rank, clues: usize, waves: u16) -> String {
    let name = rank.technique().map(|technique| technique.info().name);
    format!(
        "The puzzle is {}: the hardest technique that it needs is {} (rank {}). {}, {}.",
        rank.level().id(),
        name.unwrap_or("Search"),
        rank.number(),
        count(clues, "clue"),
        count(waves.into(), "wave"),
    )
}

/// The digits, cells and houses of a pattern as text; empty if it has none.
fn pattern(pattern: &Pattern) -> String {
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

/// The labels and texts of the parts of a pattern: the cells, the named sets, the chain. Parts that
/// the reason already names are omitted.
pub(super) fn parts(pattern: &Pattern) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    let is_explained = pattern.why.is_empty()
        || !pattern.sets.is_empty()
        || !pattern.parts.is_empty()
        || is_all_in_chain(pattern);
    if !is_explained {
        parts.push(("pattern".to_owned(), self::pattern(pattern)));
    }
    parts.extend(sets(pattern));
    let chain = chain(pattern);
    if !chain.is_empty() {
        parts.push((chain_label(pattern).to_owned(), chain));
    }
    parts
}

/// The labels of the named sets, each with its cells and digits.
fn sets(pattern: &Pattern) -> Vec<(String, String)> {
    let sets = pattern.sets.iter();
    sets.map(|set| {
        let cells = list(set.cells);
        match set.name {
            SetName::Letter(_) => (format!("set {}", set.name), with(&cells, set.digits)),
            SetName::Colour(_) => (set.name.to_string(), cells),
            _ => (set.name.to_string(), with(&cells, set.digits)),
        }
    })
    .collect()
}

fn with(cells: &str, digits: impl IntoIterator<Item = Digit>) -> String {
    format!("{cells} with {}", list(digits))
}

/// The label of a chain: `chain` if strong and weak links alternate, otherwise `pairs` or `links`
/// by their kind.
fn chain_label(pattern: &Pattern) -> &'static str {
    let is_strong = |link: &Link| link.strong;
    let is_colour = |name| matches!(name, SetName::Colour(_));
    if pattern.sets.iter().any(|set| is_colour(set.name)) {
        "pairs"
    } else if pattern.chain.iter().any(is_strong) {
        "chain"
    } else {
        "links"
    }
}

/// A chain in the usual notation, such as `5r4c7 = 5r4c2 - 3r4c2 =A= 7r4c3`, where A is an almost
/// locked set. Empty if there is no chain.
fn chain(pattern: &Pattern) -> String {
    let mut text = String::new();
    let mut end = None;
    for link in &pattern.chain {
        let sign = match link.reason {
            Some(StrongReason::Set(at) | StrongReason::SetBeside(at)) => {
                let set = pattern.sets.get(at);
                set.map_or_else(|| "=".to_owned(), |set| format!("={}=", set.name))
            }
            _ if link.strong => "=".to_owned(),
            _ => "-".to_owned(),
        };
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

/// Whether every cell of the pattern is in its chain.
fn is_all_in_chain(pattern: &Pattern) -> bool {
    let ends = pattern
        .chain
        .iter()
        .map(|link| link.from.cells | link.to.cells);
    let chained = ends.fold(CellSet::EMPTY, |all, cells| all | cells);
    pattern.houses.is_empty() && (pattern.cells | pattern.others).is_subset(chained)
}

/// The reason for a step, as a sentence.
pub fn why(board: &Candidates, step: &Step) -> String {
    let sentence = capitalised(&reason(board, step));
    if sentence.is_empty() || sentence.ends_with(['.', '!', '?']) {
        sentence
    } else {
        sentence + "."
    }
}

/// The reason for a step, as a clause; see [`why`].
pub(super) fn reason(board: &Candidates, step: &Step) -> String {
    let pattern = &step.pattern;
    match &pattern.cases[..] {
        _ if !pattern.why.is_empty() => pattern.why.clone(),
        [] => by_pattern(board, step),
        [case] => refutation(case),
        _ => in_all_cases(pattern),
    }
}

/// The reason for a step that considers every place of a digit in a house, or every candidate of a
/// cell.
fn in_all_cases(pattern: &Pattern) -> String {
    let places = list(pattern.cells);
    match (&pattern.houses[..], pattern.digits.single()) {
        ([house], Some(digit)) => format!(
            "the only places of {digit} in {house} are {places}, and in each case what is removed \
             is gone"
        ),
        _ => format!(
            "{places} holds {}, and in each case what is removed is gone",
            either(pattern.digits)
        ),
    }
}

/// Joins items as in `a`, `a or b` or `a, b or c`.
fn either<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    let words = list(things);
    match words.rsplit_once(" and ") {
        Some((first, last)) => format!("{first} or {last}"),
        None => words,
    }
}

/// Capitalises the first letter, unless the text starts with the name of a cell.
pub(super) fn capitalised(text: &str) -> String {
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

/// Names houses, such as `rows 1 and 4, column 7 and box 2`.
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

/// The reason that follows from the houses, cells and digits of a pattern. Each claim is checked on
/// the board, so a pattern with another meaning gets a plain list of its parts.
fn by_pattern(board: &Candidates, step: &Step) -> String {
    let pattern = &step.pattern;
    single_reason(board, step)
        .or_else(|| subset_reason(board, pattern))
        .or_else(|| single_digit_reason(board, step))
        .unwrap_or_else(|| match self::pattern(pattern) {
            parts if parts.is_empty() => String::new(),
            parts => format!("the pattern is {parts}"),
        })
}

/// The reason for a single; `None` if the step is not one.
fn single_reason(board: &Candidates, step: &Step) -> Option<String> {
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

/// The reason for a subset, in which a house has as many digits as cells; `None` if the pattern is
/// not one.
fn subset_reason(board: &Candidates, pattern: &Pattern) -> Option<String> {
    let (own, digits) = (pattern.cells, pattern.digits);
    let mut houses = pattern.houses.iter();
    let fits = own.len() >= 2 && !pattern.houses.is_empty() && pattern.others.is_empty();
    if !fits || !houses.all(|house| own.is_subset(house.cells())) {
        return None;
    }
    let houses = self::houses(&pattern.houses);
    let in_words = (list(own), list(digits));
    let is_naked = own.into_iter().all(|cell| {
        let further = board.digits(cell).intersection(digits.complement());
        further.is_empty()
    });
    if is_naked && digits.len() <= own.len() {
        let (cells, digits) = in_words;
        return Some(format!(
            "in {houses}, {cells} have no candidates but {digits}"
        ));
    }
    let all = pattern.houses.iter().map(|house| house.cells());
    let all = all.fold(CellSet::EMPTY, |all, cells| all | cells);
    let is_hidden = digits
        .into_iter()
        .all(|digit| (board.open_places(digit) & all).is_subset(own));
    (is_hidden && own.len() <= digits.len()).then(|| {
        let (cells, digits) = in_words;
        format!("in {houses}, {digits} have no places but {cells}")
    })
}

/// The reason for locked candidates and fish, in which the places of a digit in some houses are all
/// in as many other houses; `None` for other steps.
fn single_digit_reason(board: &Candidates, step: &Step) -> Option<String> {
    let pattern = &step.pattern;
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
        return Some(format!("in {bases}, all places of {digit} lie in {covers}"));
    }
    let sees_all = step
        .effect
        .removed(digit)
        .is_subset(uncovered.common_peers());
    (sees_all && uncovered.is_subset(pattern.others)).then(|| {
        let fins = list(uncovered);
        format!(
            "in {bases}, all places of {digit} but {fins} lie in {covers}; what is removed sees \
             {fins} too"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::technique::all;
    use super::*;
    use crate::grade::Steps;

    /// The reasons of all steps that a technique finds on the board of its example.
    fn reasons(id: &str) -> Vec<String> {
        let (_, technique) = all().find(|(_, own)| own.info().id == id).unwrap();
        let position = technique.info().example.position();
        let mut found = Steps::listing();
        technique.find_all(&position, &mut found);
        let steps = found.list().iter();
        steps.map(|step| why(position.board(), step)).collect()
    }

    #[test]
    fn a_pattern_without_a_reason_gets_one() {
        for (id, expected) in [
            ("full_house", "r5c3 is the last empty cell of row 5."),
            ("hidden_single_box", "2 has no other place in box 8."),
            ("locked_pointing", "In box 6, all places of 4 lie in row 4."),
            (
                "x_wing",
                "In rows 2 and 7, all places of 3 lie in columns 4 and 7.",
            ),
        ] {
            let reasons = reasons(id);
            assert!(
                reasons.iter().any(|own| own == expected),
                "{id}: {reasons:?}"
            );
        }
        for (_, technique) in all() {
            let id = technique.info().id;
            for reason in reasons(id) {
                assert!(reason.ends_with('.'), "{id}: {reason}");
            }
        }
    }

    #[test]
    fn lists_and_houses_read_like_sentences() {
        let all = [House::row(0), House::box_(2), House::row(4), House::row(3)];
        assert_eq!(houses(&all), "rows 1, 5 and 4 and box 3");
        assert_eq!(houses(&[]), "");
        assert_eq!(count(1, "step"), "1 step");
        assert_eq!(capitalised("were r1c1 5"), "Were r1c1 5");
        assert_eq!(capitalised("r1c1 is"), "r1c1 is");
    }
}
