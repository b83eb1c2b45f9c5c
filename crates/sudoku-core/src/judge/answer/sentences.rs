//! Reads the sentences before and behind grids: which rule they give a grid, and whether they refuse to answer.

use std::ops::Range;

use super::rules::{CORRECTION, DRAFT, FINAL_ANSWER, Rule, SOLUTION, UNMARKED};

const DRAFT_WORDS: [&str; 11] = [
    "draft", "attempt", "attempts", "tried", "earlier", "previous", "guess", "example", "unsolved",
    "partial", "scratch",
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
const CORRECTION_WORDS: [&str; 14] = [
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
            is_about && !is_of_another(at)
        })
    }

    /// Whether the grid that follows has its cells in another order, as in "By columns:".
    fn has_other_lines(&self) -> bool {
        let clauses = self.0.split(|word| word == CLAUSE_END);
        let mut headings = clauses.filter(|clause| !clause.is_empty());
        let is_word = |word: &String, list: &[&str]| list.contains(&word.as_str());
        let is_heading = headings.any(|clause| {
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
        let is_of_rows = self.has(&["row", "rows"]);
        (is_heading || is_named) && !is_of_rows && self.describes(&LINE_WORDS)
            || self.describes(&["transposed"])
    }

    /// Whether the sentence says that the grid is wrong or no solution.
    fn is_rejected(&self) -> bool {
        self.describes(&FAULT_WORDS) && !self.has(&CORRECTION_WORDS) || self.is_negated()
    }

    /// Whether the sentence says that the grid is no solution: "not the right answer", "the answer is not".
    fn is_negated(&self) -> bool {
        let is_near = |negation: usize| {
            let solution = |at: &usize| self.is(*at, &SOLUTION_WORDS) || self.is(*at, &["final"]);
            let is_joined =
                |from: usize, to: usize| !self.0[from..to].iter().any(|word| word == CLAUSE_END);
            let mut behind = negation + 1..=negation + 3;
            let mut before = negation.saturating_sub(2)..negation;
            behind.any(|at| solution(&at) && is_joined(negation, at))
                || before.any(|at| solution(&at) && is_joined(at, negation))
        };
        (0..self.0.len()).any(|at| self.is(at, &NEGATIONS) && is_near(at))
    }
}

/// Whether the words before a grid say that its lines are no rows: "By columns:", "Transposed:".
pub(super) fn has_other_lines(lead: &[u8]) -> bool {
    Sentence(words(last_sentence(end_of(lead)))).has_other_lines()
}

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
    let is_draft = own.describes(&DRAFT_WORDS);
    let is_puzzle = has_empty_cells && own.has(&PUZZLE_WORDS) && !is_solution;
    if is_draft || is_check || own.is_rejected() || is_puzzle {
        return &DRAFT;
    }
    if own.has(&["final"]) {
        return &FINAL_ANSWER;
    }
    if is_corrected || Sentence(words(gap)).has(&CORRECTION_WORDS) {
        return &CORRECTION;
    }
    let is_announced = lead.trim_ascii_end().ends_with(b":") || own.has(&ANNOUNCING_WORDS);
    if is_solution || is_announced {
        return &SOLUTION;
    }
    &UNMARKED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_before_a_grid_give_the_rule() {
        for (lead, gap, rule) in [
            ("**Final answer:**", "", &FINAL_ANSWER),
            ("The final grid is", "", &FINAL_ANSWER),
            ("Solution:", "", &SOLUTION),
            ("Here is the solved puzzle", "", &SOLUTION),
            ("Thus we get", "", &SOLUTION),
            ("", "", &UNMARKED),
            ("as seen", "", &UNMARKED),
            ("Earlier draft (wrong):", "", &DRAFT),
            ("The original puzzle was", "", &DRAFT),
            ("This is not the solution:", "", &DRAFT),
            ("The corrected grid:", "", &CORRECTION),
            ("That was a draft. Here is the result:", "", &SOLUTION),
            ("It is", "Wait, there is a mistake. It is", &CORRECTION),
            // A draft stands behind the solution, or is a part of its name.
            ("My previous solution:", "", &DRAFT),
            ("My earlier final answer was:", "", &DRAFT),
            ("A first attempt at the solution:", "", &DRAFT),
            ("The final answer (wrong):", "", &DRAFT),
            ("The answer is incorrect:", "", &DRAFT),
            ("The answer isn't:", "", &DRAFT),
            ("This isn’t the right answer:", "", &DRAFT),
            (
                "After fixing column 3, the final answer is:",
                "",
                &FINAL_ANSWER,
            ),
            (
                "That attempt is wrong: the final answer is",
                "",
                &FINAL_ANSWER,
            ),
            ("The final answer, after two attempts:", "", &FINAL_ANSWER),
            ("Final attempt:", "", &FINAL_ANSWER),
            (
                "Final answer (the first attempt was wrong):",
                "",
                &FINAL_ANSWER,
            ),
            ("The answer (previously wrong in row 3) is:", "", &SOLUTION),
            ("My answer, which was wrong:", "", &DRAFT),
            ("My first try:", "", &DRAFT),
            ("Let me try again, the solution is:", "", &SOLUTION),
            ("Corrected draft:", "", &CORRECTION),
            (
                "Since the first guess is wrong, the answer is:",
                "",
                &SOLUTION,
            ),
            ("Unlike the previous attempt, this works:", "", &SOLUTION),
            ("I swap columns 2 and 3:", "", &SOLUTION),
            ("Columns 2 and 3 swapped:", "", &SOLUTION),
            (
                "The answer, if I have not made an error, is:",
                "",
                &SOLUTION,
            ),
            ("I am not sure, but the answer is:", "", &SOLUTION),
        ] {
            assert_eq!(
                rule_for_words(lead.as_bytes(), gap.as_bytes(), true),
                rule,
                "{lead}"
            );
        }
        let lead = "Hmm, let me double-check: r1c3 should be 7.";
        assert_eq!(rule_for_words(lead.as_bytes(), b"", false), &CORRECTION);
        for lead in [
            "Given this, the repaired grid is:",
            "Starting over gives this grid:",
        ] {
            assert_eq!(
                rule_for_words(lead.as_bytes(), b"", false),
                &SOLUTION,
                "{lead}"
            );
            assert_eq!(rule_for_words(lead.as_bytes(), b"", true), &DRAFT, "{lead}");
        }
    }

    #[test]
    fn other_lines_than_rows_are_named() {
        for lead in [
            "By columns:",
            "Columns:",
            "\"columns\": ",
            "Transposed:",
            "Answer (columns):",
            "As columns:",
            "Read column by column:",
            "Here are the columns from left to right:",
            "The solution by boxes:",
        ] {
            assert!(has_other_lines(lead.as_bytes()), "{lead}");
        }
        for lead in [
            "The solution:",
            "Columns 1-9:",
            "Columns 2 and 3 swapped:",
            "After fixing column 3, the final answer is:",
            "Each row, column and box has all digits, so the answer is:",
            "All rows, columns, and boxes are valid:",
            "Checked by columns, the solution is:",
        ] {
            assert!(!has_other_lines(lead.as_bytes()), "{lead}");
        }
    }
}
