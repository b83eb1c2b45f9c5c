//! Puts the steps of techniques into words: their reasons, their patterns and their cases.

mod by_pattern;
mod outline;
mod refutation;

use std::fmt::Display;

use super::step_board::StepBoard;
use crate::board::{Candidates, CellSet, Digit};
use crate::grade::{Link, Pattern, Rank, SetName, Step, StrongReason};
use crate::sizes::Shape;
pub(super) use by_pattern::reason_from_pattern as reason_by_pattern;
pub(super) use outline::{NOTATION_SENTENCE, OutlineLine, has_trace, outline_of_step};
use refutation::refutation_clause;

/// Joins items as in an English list: `a`, `a and b`, or `a, b and c`.
pub(in crate::explain) fn joined_list<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    let mut item_texts: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    match (item_texts.pop(), item_texts.is_empty()) {
        (None, _) => String::new(),
        (Some(last), true) => last,
        (Some(last), false) => format!("{} and {last}", item_texts.join(", ")),
    }
}

/// A number with its noun in the singular or plural, such as `3 steps`.
pub(super) fn count_with_noun(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

/// A sentence about the grade of a puzzle that the techniques or, after them, the final search solve.
pub(super) fn verdict_sentence(rank: Rank, clues: usize, waves: u16) -> String {
    let name = rank.technique().map(|technique| technique.info().name);
    format!(
        "The puzzle is {}: the hardest technique that it needs is {} (rank {}). {}, {}.",
        rank.level().id(),
        name.unwrap_or("Search"),
        rank.number(),
        count_with_noun(clues, "clue"),
        count_with_noun(waves.into(), "wave"),
    )
}

/// A sentence about a puzzle of another size than 9 × 9 that the techniques do not solve.
pub(super) fn verdict_beyond(clues: usize, waves: u16) -> String {
    format!(
        "No technique of ranks 1 to 15 solves the puzzle. {}, {}.",
        count_with_noun(clues, "clue"),
        count_with_noun(waves.into(), "wave"),
    )
}

/// The parts of a pattern that are listed before the reason, each with its label: the cells, the named sets,
/// and the chain. The cells are left out if the reason or the other parts name them.
pub(super) fn pattern_parts(step: &Step) -> Vec<(String, String)> {
    let pattern = &step.pattern;
    let mut named_parts = Vec::new();
    let is_explained = pattern.why.is_empty()
        || !pattern.sets.is_empty()
        || !pattern.parts.is_empty()
        || is_all_in_chain(pattern);
    if !is_explained {
        let plain_step = Candidates::step(step);
        named_parts.push((
            "pattern".to_owned(),
            by_pattern::pattern_text(Shape::nine(), &plain_step),
        ));
    }
    named_parts.extend(named_sets(pattern));
    let chain = chain_notation(pattern);
    if !chain.is_empty() {
        named_parts.push((chain_label(pattern).to_owned(), chain));
    }
    named_parts
}

/// The named sets of a pattern: the label of each, and its cells and digits as text.
fn named_sets(pattern: &Pattern) -> Vec<(String, String)> {
    let sets = pattern.sets.iter();
    sets.map(|set| {
        let cells = joined_list(set.cells);
        match set.name {
            SetName::Letter(_) => (
                format!("set {}", set.name),
                cells_with_digits(&cells, set.digits),
            ),
            SetName::Colour(_) => (set.name.to_string(), cells),
            _ => (set.name.to_string(), cells_with_digits(&cells, set.digits)),
        }
    })
    .collect()
}

fn cells_with_digits(cells: &str, digits: impl IntoIterator<Item = Digit>) -> String {
    format!("{cells} with {}", joined_list(digits))
}

/// The label of a pattern's links: `pairs` for the conjugate pairs of a colouring, `chain` if there are strong
/// links, and otherwise `links`.
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

/// The links of a pattern in the usual notation of chains, such as `5r4c7 = 5r4c2 - 3r4c2 =A= 7r4c3`, where A
/// is an almost locked set. Empty if the pattern has no links.
fn chain_notation(pattern: &Pattern) -> String {
    let mut text = String::new();
    let mut chain_end = None;
    for link in &pattern.chain {
        let sign = match link.reason {
            Some(StrongReason::Set(at) | StrongReason::SetBeside(at)) => {
                let set = pattern.sets.get(at);
                set.map_or_else(|| "=".to_owned(), |set| format!("={}=", set.name))
            }
            _ if link.strong => "=".to_owned(),
            _ => "-".to_owned(),
        };
        if chain_end == Some(link.from) {
            text += &format!(" {sign} {}", link.to);
        } else {
            let separator = if text.is_empty() { "" } else { "; " };
            text += &format!("{separator}{} {sign} {}", link.from, link.to);
        }
        chain_end = Some(link.to);
    }
    text
}

/// Whether the pattern has no houses, and all its cells are in its chain.
fn is_all_in_chain(pattern: &Pattern) -> bool {
    let chain_ends = pattern
        .chain
        .iter()
        .map(|link| link.from.cells | link.to.cells);
    let chain_cells = chain_ends.fold(CellSet::EMPTY, |all, cells| all | cells);
    pattern.houses.is_empty() && (pattern.cells | pattern.others).is_subset(chain_cells)
}

/// The reason why a step is sound, as a sentence.
pub fn why(board: &Candidates, step: &Step) -> String {
    to_sentence(&reason_clause(board, step))
}

/// Turns a clause into a sentence: capitalises it and adds a full stop.
pub(super) fn to_sentence(clause: &str) -> String {
    let sentence = capitalised(clause);
    if sentence.is_empty() || sentence.ends_with(['.', '!', '?']) {
        sentence
    } else {
        sentence + "."
    }
}

/// The reason for a step as a clause, which [`why`] turns into a sentence.
pub(super) fn reason_clause(board: &Candidates, step: &Step) -> String {
    let pattern = &step.pattern;
    match &pattern.cases[..] {
        _ if !pattern.why.is_empty() => pattern.why.clone(),
        [] => by_pattern::reason_from_pattern(board, &Candidates::step(step)),
        [case] => refutation_clause(case),
        _ => all_cases_clause(pattern),
    }
}

/// The reason for a step whose effect follows in all cases: for every place of a digit in a house, or for
/// every candidate of a cell.
fn all_cases_clause(pattern: &Pattern) -> String {
    let cell_names = joined_list(pattern.cells);
    match (&pattern.houses[..], pattern.digits.single()) {
        ([house], Some(digit)) => format!(
            "the only places of {digit} in {house} are {cell_names}, and in each case what is removed \
             is gone"
        ),
        _ => format!(
            "{cell_names} holds {}, and in each case what is removed is gone",
            list_with_or(pattern.digits)
        ),
    }
}

/// Joins items as in an English list: `a`, `a or b`, or `a, b or c`.
fn list_with_or<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    let joined_text = joined_list(things);
    match joined_text.rsplit_once(" and ") {
        Some((first, last)) => format!("{first} or {last}"),
        None => joined_text,
    }
}

/// Capitalises the first letter, unless the text starts with the name of a cell such as `r1c2`.
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

#[cfg(test)]
mod tests {
    use super::super::technique::all_techniques;
    use super::*;
    use crate::grade::Steps;

    /// The reasons, as text, of all steps that a technique finds on the board of its example.
    fn reasons_of_example(id: &str) -> Vec<String> {
        let (_, technique) = all_techniques()
            .find(|(_, own)| own.info().id == id)
            .unwrap();
        let position = technique.info().example.position();
        let mut found_steps = Steps::listing();
        technique.find_all(&position, &mut found_steps);
        let steps = found_steps.list().iter();
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
            let reasons = reasons_of_example(id);
            assert!(
                reasons.iter().any(|own| own == expected),
                "{id}: {reasons:?}"
            );
        }
        for (_, technique) in all_techniques() {
            let id = technique.info().id;
            for reason in reasons_of_example(id) {
                assert!(reason.ends_with('.'), "{id}: {reason}");
            }
        }
    }

    #[test]
    fn chains_and_refutations_are_sentences() {
        for (id, start, end) in [
            ("aic", "Either r", ", or both."),
            ("aic", "If r", " were not 1, it would be 1."),
            ("nishio", "If r", ", there would be a contradiction."),
        ] {
            let reasons = reasons_of_example(id);
            let mut starting = reasons.iter().filter(|own| own.starts_with(start));
            assert!(starting.any(|own| own.ends_with(end)), "{id}: {reasons:?}");
        }
    }

    #[test]
    fn counts_and_sentences_read_well() {
        assert_eq!(count_with_noun(1, "step"), "1 step");
        assert_eq!(capitalised("if r1c1 is"), "If r1c1 is");
        assert_eq!(capitalised("r1c1 is"), "r1c1 is");
    }
}
