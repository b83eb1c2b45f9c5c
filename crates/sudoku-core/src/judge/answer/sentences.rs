//! Reads the sentences before and behind grids: which rule they give a grid, and whether they refuse to answer.

use std::ops::Range;

use super::other_languages;
use super::rules::{CORRECTION, DRAFT, FINAL_ANSWER, Rule, SOLUTION, UNMARKED};

const DRAFT_WORDS: [&str; 20] = [
    "draft",
    "attempt",
    "attempts",
    "tried",
    "earlier",
    "previous",
    "guess",
    "example",
    "unsolved",
    "partial",
    "scratch",
    "old",
    "rejected",
    "alternative",
    "comparison",
    "backup",
    "expected",
    "truth",
    "closest",
    "best",
];
/// Words for other lines than rows. In most sentences they say where a fault was.
const LINE_WORDS: [&str; 3] = ["column", "columns", "boxes"];
/// Words that take a grid back, unless they are about an earlier one, as in "Oops, row 3 is wrong:".
const FAULT_WORDS: [&str; 5] = ["wrong", "incorrect", "invalid", "failed", "discarded"];
/// Words before rows that are repeated to check them.
const CHECK_WORDS: [&str; 6] = [
    "check",
    "checks",
    "checking",
    "verify",
    "verification",
    "validation",
];
const PUZZLE_WORDS: [&str; 9] = [
    "puzzle", "original", "given", "initial", "input", "clues", "start", "starting", "unfilled",
];
pub(super) const SOLUTION_WORDS: [&str; 12] = [
    "solution",
    "solved",
    "answer",
    "complete",
    "completed",
    "filled",
    "finished",
    "result",
    "lösung",
    "solución",
    "respuesta",
    "réponse",
];
const CORRECTION_WORDS: [&str; 17] = [
    "updated",
    "wait",
    "actually",
    "mistake",
    "mistakes",
    "corrected",
    "correction",
    "correcting",
    "revised",
    "fixed",
    "fixing",
    "redo",
    "oops",
    "retract",
    "apologize",
    "apologies",
    "apology",
];
const ANNOUNCING_WORDS: [&str; 8] = [
    "so",
    "thus",
    "therefore",
    "hence",
    "here",
    "finally",
    "grid",
    "conclusion",
];
const NEGATIONS: [&str; 3] = ["not", "isn't", "never"];
/// Words that make a draft, as in "corrected draft", the grid that counts.
const MENDED_WORDS: [&str; 4] = ["final", "corrected", "revised", "fixed"];
/// Words before a draft that is not the grid that follows: "after two attempts", "unlike the previous one".
const CONTRAST_WORDS: [&str; 9] = [
    "after", "since", "because", "unlike", "instead", "than", "despite", "without", "although",
];
/// Words in a clause about an earlier grid, unless the clause begins with a word for the grid that follows.
const PAST_WORDS: [&str; 4] = ["was", "were", "had", "previously"];
const RELATIVE_WORDS: [&str; 4] = ["which", "that", "it", "this"];
/// Words between a draft and the solution that it is a draft of.
const PREPOSITIONS: [&str; 3] = ["of", "at", "for"];
const ARTICLES: [&str; 5] = ["a", "an", "the", "my", "our"];

/// The longest text before a grid that is searched for words, in bytes.
const LONGEST_LEAD: usize = 200;

/// The end of a text that is searched for words.
fn end_of(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    &text[text.len().saturating_sub(LONGEST_LEAD)..]
}

/// Stands between the clauses of a sentence, in the place of their punctuation.
pub(super) const CLAUSE_END: &str = ",";

/// The words of a text, in lower case, with the ends of clauses.
pub(super) fn words(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(end_of(text)).to_lowercase();
    let mut words = Vec::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let is_in_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
        let length = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
        if length > 0 {
            let word = rest[..length].replace('’', "'");
            words.push(word.trim_matches('\'').to_owned());
            rest = &rest[length..];
        } else {
            if matches!(first, ',' | ';' | ':' | '.' | '(' | ')' | '–' | '—' | '\n') {
                words.push(CLAUSE_END.to_owned());
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    words
}

/// The last sentence of a text, which is about what follows.
fn last_sentence(text: &[u8]) -> &[u8] {
    let ends = |pair: &[u8]| matches!(pair, [b'.' | b'!' | b'?', b' ' | b'\n']);
    let last = text.windows(2).rposition(ends);
    last.map_or(text, |last| &text[last + 1..])
}

/// The words of the sentence before a grid.
struct Sentence(Vec<String>);

impl Sentence {
    fn last_of(&self, list: &[&str]) -> Option<usize> {
        self.0
            .iter()
            .rposition(|word| list.contains(&word.as_str()))
    }

    fn has(&self, list: &[&str]) -> bool {
        self.last_of(list).is_some()
    }

    fn is(&self, at: usize, list: &[&str]) -> bool {
        let word = self.0.get(at);
        word.is_some_and(|word| list.contains(&word.as_str()))
    }

    /// Whether these words stand one after the other.
    fn has_in_turn(&self, list: &[&str]) -> bool {
        let mut windows = self.0.windows(list.len());
        windows.any(|words| words == list)
    }

    /// Calls the noun in "my first try" an attempt. In "let me try again" it is a verb.
    fn name_tries(&mut self) {
        for at in 1..self.0.len() {
            if self.is(at, &["try"]) && self.is(at - 1, &["first", "second", "initial", "my"]) {
                self.0[at] = "attempt".to_owned();
            }
        }
    }

    fn last_solution(&self) -> Option<usize> {
        self.last_of(&SOLUTION_WORDS).max(self.last_of(&["final"]))
    }

    /// Whether a word of a list describes the grid that follows. Behind the last word for a solution or a correction it
    /// does; before it only if it is a part of its name, as in "previous solution" or "draft of the solution".
    fn describes(&self, list: &[&str]) -> bool {
        let main = self.last_solution().max(self.last_of(&CORRECTION_WORDS));
        let is_main = |at: usize| {
            self.is(at, &SOLUTION_WORDS)
                || self.is(at, &CORRECTION_WORDS)
                || self.is(at, &["final"])
        };
        let names = |at: usize, main: usize| {
            let mut next = at + 1;
            if self.is(next, &PREPOSITIONS) {
                next += 1;
                next += usize::from(self.is(next, &ARTICLES));
            }
            (next..=main).all(is_main)
        };
        let is_of_another = |at: usize| {
            let is_end = |word: &String| word == CLAUSE_END;
            let start = self.0[..at].iter().rposition(is_end);
            let start = start.map_or(0, |end| end + 1);
            let end = self.0[at..].iter().position(is_end);
            let end = end.map_or(self.0.len(), |end| at + end);
            let has = |list: &[&str], mut places: Range<usize>| places.any(|at| self.is(at, list));
            // A clause of its own, as in "the answer (the first attempt was wrong)".
            let is_aside = main.is_some_and(|main| main < start)
                && has(&PAST_WORDS, start..end)
                && !self.is(start, &RELATIVE_WORDS);
            has(&CONTRAST_WORDS, start..at) || is_aside
        };
        (0..self.0.len()).filter(|at| self.is(*at, list)).any(|at| {
            let is_mended = at > 0 && self.is(at - 1, &MENDED_WORDS);
            let is_about =
                main.is_none_or(|main| at > main && !is_mended || at < main && names(at, main));
            let is_elsewhere = self.is(at, &FAULT_WORDS) && self.is_fault_elsewhere(at);
            is_about && !is_of_another(at) && !is_elsewhere
        })
    }

    /// Whether the grid that follows has its cells in another order, as in "By columns:".
    fn has_other_lines(&self) -> bool {
        let mut clauses = self.0.split(|word| word == CLAUSE_END);
        let last = clauses.rfind(|clause| !clause.is_empty());
        let is_word = |word: &String, list: &[&str]| list.contains(&word.as_str());
        let is_heading = last.is_some_and(|clause| {
            let has_number = clause
                .iter()
                .any(|word| word.contains(|c: char| c.is_ascii_digit()));
            clause.len() <= 3 && is_word(&clause[0], &LINE_WORDS) && !has_number
        });
        let mut places = 0..self.0.len();
        let is_named = places.any(|at| {
            self.is(at, &["by", "as"]) && self.is(at + 1, &LINE_WORDS)
                || self.is(at, &["are"])
                    && self.is(at + 1, &["the"])
                    && self.is(at + 2, &LINE_WORDS)
        });
        // "All rows, columns and boxes are valid".
        let is_of_rows = self.has(&["row", "rows", "verified", "checked", "valid"]);
        (is_heading || is_named) && !is_of_rows && self.describes(&LINE_WORDS)
            || self.describes(&["transposed"])
    }

    /// Whether the sentence says that the grid is wrong or no solution.
    fn is_rejected(&self) -> bool {
        let is_without_fault = self.has(&["nothing", "no", "none"]);
        let is_faulty = self.describes(&FAULT_WORDS) && !is_without_fault;
        let fails = ["not", "doesn't"]
            .iter()
            .any(|not| self.has_in_turn(&[not, "work"]));
        (is_faulty || fails) && !self.has(&CORRECTION_WORDS) || self.is_negated()
    }

    /// Whether the fault in this place is in some cells, or in another grid than the one that follows: "but that is wrong,
    /// so it is", "my first try failed, this one works".
    fn is_fault_elsewhere(&self, at: usize) -> bool {
        let is_end = |word: &String| word == CLAUSE_END;
        let start = self.0[..at]
            .iter()
            .rposition(is_end)
            .map_or(0, |end| end + 1);
        let next = self.0[at..]
            .iter()
            .position(is_end)
            .map_or(self.0.len(), |end| at + end);
        let opening = (start..at).find(|at| !self.is(*at, &["but", "and", "however", "well"]));
        let is_pointer = opening.is_some_and(|at| self.is(at, &["that", "this", "it"]));
        let is_pointed = is_pointer
            && (next..self.0.len()).any(|at| self.is(at, &["so", "here", "therefore", "then"]));
        let has_other = (next..self.0.len()).any(|at| self.is(at, &["works", "one"]));
        let in_cells = (at + 1..=at + 2)
            .any(|at| self.is(at, &["cells", "cell", "digits", "numbers", "values"]));
        is_pointed || has_other || in_cells
    }

    /// Whether the sentence says that the grid is no solution: "not the right answer", "the answer is not".
    fn is_negated(&self) -> bool {
        let is_near = |negation: usize| {
            let solution = |at: &usize| self.is(*at, &SOLUTION_WORDS) || self.is(*at, &["final"]);
            let is_joined =
                |from: usize, to: usize| !self.0[from..to].iter().any(|word| word == CLAUSE_END);
            let mut behind = negation + 1..=negation + 3;
            let mut before = negation.saturating_sub(2)..negation;
            // "The answer is not complicated" denies nothing.
            let denied = [
                "the",
                "a",
                "an",
                "this",
                "following",
                "correct",
                "right",
                "valid",
                CLAUSE_END,
            ];
            let is_denial = negation + 1 == self.0.len() || self.is(negation + 1, &denied);
            behind.any(|at| solution(&at) && is_joined(negation, at))
                || is_denial && before.any(|at| solution(&at) && is_joined(at, negation))
        };
        (0..self.0.len()).any(|at| self.is(at, &NEGATIONS) && is_near(at))
    }
}

/// Whether the words before a grid say that its lines are no rows: "By columns:", "Transposed:".
pub(super) fn has_other_lines(lead: &[u8]) -> bool {
    Sentence(words(last_sentence(end_of(lead)))).has_other_lines()
}

/// Whether the words between two grids are a heading for a corrected one: "Correction:", "Updated answer:".
pub(super) fn announces_correction(gap: &[u8]) -> bool {
    let own = Sentence(words(last_sentence(end_of(gap))));
    let words = own.0.iter().filter(|word| *word != CLAUSE_END);
    words.count() <= LONGEST_HEADING
        && own.has(&["correction", "corrected", "updated", "revised", "fixed"])
}

/// The longest heading of a corrected grid, in words.
const LONGEST_HEADING: usize = 5;

/// Whether the words before a grid say that it is wrong: "The solution is not:", "Invalid:".
pub(super) fn is_rejected(lead: &[u8]) -> bool {
    Sentence(words(last_sentence(end_of(lead)))).is_rejected()
}

/// The rule for a grid outside tags. `lead` are the words directly before it. `gap` is the text since the grid before it,
/// or empty. A full grid is no puzzle, whatever the words say.
pub(super) fn rule_for_words(lead: &[u8], gap: &[u8], has_empty_cells: bool) -> &'static Rule {
    let mut own = Sentence(words(last_sentence(end_of(lead))));
    own.name_tries();
    let is_solution = own.last_solution().is_some();
    let is_corrected = own.has(&CORRECTION_WORDS) || own.has_in_turn(&["should", "be"]);
    let is_check =
        own.describes(&CHECK_WORDS) && !is_solution && !is_corrected && !own.has(&ANNOUNCING_WORDS);
    let is_draft = own.describes(&DRAFT_WORDS) || other_languages::announces_draft(lead);
    let is_puzzle = has_empty_cells && own.has(&PUZZLE_WORDS) && !is_solution;
    if is_draft || is_check || own.is_rejected() || is_puzzle {
        return &DRAFT;
    }
    if own.has(&["final"]) {
        return &FINAL_ANSWER;
    }
    let gap = Sentence(words(gap));
    if is_corrected || gap.has(&CORRECTION_WORDS) || gap.has_in_turn(&["second", "thought"]) {
        return &CORRECTION;
    }
    let is_announced = lead.trim_ascii_end().ends_with(b":") || own.has(&ANNOUNCING_WORDS);
    if is_solution || is_announced {
        return &SOLUTION;
    }
    &UNMARKED
}

#[cfg(test)]
mod tests;
