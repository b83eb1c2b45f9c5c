//! Finds sentences behind a grid that take it back: "This is wrong", "I made an error in row 1", "Actually r1c3 = 6".

use super::other_languages;
use super::sentences::{CLAUSE_END, SOLUTION_WORDS, words};

/// The longest part of a sentence that is searched for words, in bytes.
const LONGEST_SENTENCE: usize = 200;

/// Words that may stand before the subject.
const OPENING_WORDS: [&str; 16] = [
    "however",
    "but",
    "no",
    "nope",
    "so",
    "and",
    "well",
    "oh",
    "ah",
    "unfortunately",
    "sadly",
    "apologies",
    "yet",
    "then",
    "clearly",
    "obviously",
];
/// Words before a correction.
const CORRECTING_WORDS: [&str; 9] = [
    "actually",
    "wait",
    "oops",
    "hmm",
    "correction",
    "sorry",
    "hold",
    "edit",
    "update",
];
/// Verbs of a clause before the one about the grid: "I think that this is wrong".
const OPINION_VERBS: [&str; 8] = [
    "think", "realize", "realized", "see", "notice", "noticed", "believe", "fear",
];
const GRIDS: [&str; 5] = ["grid", "board", "above", "attempt", "sudoku"];
const POINTERS: [&str; 3] = ["this", "that", "it"];
/// Words between the grid and the verb: "The grid I gave above is wrong".
const BETWEEN_WORDS: [&str; 8] = [
    "above", "i", "gave", "given", "provided", "here", "which", "that",
];
const LINES: [&str; 4] = ["row", "column", "box", "block"];
/// The fewest digits that are a row in a correction.
const LEAST_ROW: usize = 4;
const ADVERBS: [&str; 14] = [
    "still",
    "also",
    "clearly",
    "actually",
    "just",
    "obviously",
    "really",
    "simply",
    "probably",
    "quite",
    "to",
    "be",
    "completely",
    "therefore",
];
const VERBS: [&str; 5] = ["is", "was", "seems", "looks", "are"];
const FAULTS: [&str; 8] = [
    "wrong",
    "incorrect",
    "invalid",
    "failed",
    "discarded",
    "flawed",
    "mistaken",
    "broken",
];
const RIGHT_WORDS: [&str; 3] = ["correct", "right", "valid"];
const FAULT_NOUNS: [&str; 9] = [
    "error",
    "errors",
    "mistake",
    "mistakes",
    "slip",
    "conflict",
    "conflicts",
    "duplicate",
    "duplicates",
];
const SOME: [&str; 6] = ["a", "an", "some", "the", "one", "two"];
/// Words of sentences about a fault that is mended.
const MENDED_WORDS: [&str; 9] = [
    "first",
    "before",
    "initially",
    "originally",
    "until",
    "earlier",
    "fixed",
    "corrected",
    "previously",
];
/// Words behind a fault that make the sentence a general one: "It is wrong to guess".
const GENERAL_WORDS: [&str; 10] = [
    "to", "if", "unless", "only", "free", "any", "many", "people", "i", "you",
];

/// The words of a sentence, from its subject on.
struct Words(Vec<String>);

impl Words {
    fn is(&self, at: usize, list: &[&str]) -> bool {
        let word = self.0.get(at);
        word.is_some_and(|word| list.contains(&word.as_str()))
    }

    fn has(&self, list: &[&str]) -> bool {
        (0..self.0.len()).any(|at| self.is(at, list))
    }

    /// The place behind words of a list.
    fn skip(&self, mut at: usize, list: &[&str]) -> usize {
        while self.is(at, list) {
            at += 1;
        }
        at
    }

    fn number_at(&self, at: usize) -> bool {
        self.0
            .get(at)
            .is_some_and(|word| word.parse::<u8>().is_ok())
    }

    /// The place behind a subject that means the grid or a line of it.
    fn after_subject(&self) -> Option<usize> {
        let is_grid = |at| self.is(at, &GRIDS) || self.is(at, &SOLUTION_WORDS);
        let at = if self.is(0, &POINTERS) {
            if is_grid(1) { 2 } else { 1 }
        } else if self.is(0, &["the", "my", "our"]) {
            let noun = self.skip(1, &["above", "final", "proposed"]);
            if is_grid(noun) {
                noun + 1
            } else if noun > 1 {
                noun
            } else {
                return None;
            }
        } else if self.is(0, &LINES) && self.number_at(1) {
            2
        } else {
            return None;
        };
        Some(self.skip(at, &BETWEEN_WORDS))
    }

    /// Whether the words from here on say that the grid has a fault.
    fn has_faulty_predicate(&self, verb: usize) -> bool {
        if self.is(verb, &VERBS) {
            let at = self.skip(verb + 1, &ADVERBS);
            if self.is(at, &["not"]) {
                return self.is_right_word(self.skip(at + 1, &ADVERBS));
            }
            let noun = self.skip(at, &SOME);
            let is_fault = self.is(at, &FAULTS) || noun > at && self.is(noun, &FAULT_NOUNS);
            return is_fault && !self.is(noun.max(at) + 1, &GENERAL_WORDS);
        }
        if self.is(verb, &["can", "could"])
            && self.is(verb + 1, &["not"])
            && self.is(verb + 2, &["be"])
        {
            return self.is_right_word(verb + 3);
        }
        if self.is(verb, &["does", "did"]) && self.is(verb + 1, &["not"]) {
            let works = self.is(verb + 2, &["work", "fit", "satisfy", "solve", "hold"]);
            return works && !self.is(verb + 3, &GENERAL_WORDS);
        }
        if self.is(verb, &["has", "had", "contains", "contained"]) {
            return self.is_fault_noun(self.skip(verb + 1, &SOME));
        }
        let is_none = self.is(verb + 1, &["no", "none", "nothing", "neither"]);
        self.is(verb, &["fails", "failed", "breaks", "violates"]) && !is_none
    }

    /// Whether a word for a fault is here, and not in "error-free" or "a mistake many people make".
    fn is_fault_noun(&self, at: usize) -> bool {
        self.is(at, &FAULT_NOUNS) && !self.is(at + 1, &GENERAL_WORDS)
    }

    /// Whether "correct", or "a valid solution", is here.
    fn is_right_word(&self, at: usize) -> bool {
        let at = self.skip(at, &["a", "an", "the", "my"]);
        let noun = self.skip(at, &RIGHT_WORDS);
        let is_noun = self.is(noun, &["solution", "answer"]);
        let is_right = noun > at || is_noun;
        is_right && !self.is(noun + usize::from(is_noun), &GENERAL_WORDS)
    }

    /// Whether the writer admits a fault or drops the grid.
    fn is_admission(&self) -> bool {
        if self.is(0, &["i"]) {
            let verb = self.skip(1, &["have", "must", "may", "also", "clearly"]);
            return self.is(verb, &["made"]) && self.is(self.skip(verb + 1, &SOME), &FAULT_NOUNS)
                || self.is(verb, &["give", "gave"]) && self.is(verb + 1, &["up"])
                || self.is(verb, &["am", "was"]) && self.is(verb + 1, &["wrong", "mistaken"]);
        }
        if self.is(0, &["scratch", "ignore", "disregard", "discard", "forget"]) {
            let object = self.skip(1, &["the", "my"]);
            let is_grid = [&POINTERS[..], &GRIDS, &SOLUTION_WORDS];
            let is_grid = is_grid.iter().any(|list| self.is(object, list));
            return is_grid && !self.is(object + 1, &GENERAL_WORDS);
        }
        let is_change = self.is(0, &["swap", "switch", "change", "replace"]);
        if is_change
            && (self.has(&["digits", "cells", "row", "rows"])
                || self.0.iter().any(|word| is_cell(word)))
        {
            return true;
        }
        self.is(0, &["there"]) && self.is(1, &["is", "are"]) && {
            let noun = self.skip(2, &SOME);
            noun > 2 && self.is_fault_noun(noun)
        }
    }

    /// Whether a sentence behind a word such as "actually" changes cells.
    fn changes_cells(&self) -> bool {
        let is_digit = |at: usize| self.number_at(at);
        let digits = (0..self.0.len()).filter(|at| is_digit(*at)).count();
        let is_row = digits >= LEAST_ROW && self.has(&["row"]);
        let mut cells = (0..self.0.len()).filter(|at| is_cell(&self.0[*at]));
        let is_assigned =
            cells.any(|at| is_digit(self.skip(at + 1, &["is", "should", "must", "be", "to"])));
        let mut places = 0..self.0.len();
        let is_swap = self.has(&["swap", "swapped"])
            || places
                .any(|at| self.is(at, &["should"]) && self.is(at + 1, &["be"]) && is_digit(at + 2));
        (is_assigned || is_swap || is_row)
            && !self.has(&["right", "correct", "fine", "indeed", "already"])
    }
}

/// Whether a word names a cell, such as `r1c3`.
fn is_cell(word: &str) -> bool {
    let is_number = |text: &str| text.parse::<u8>().is_ok();
    let parts = word.strip_prefix('r').and_then(|word| word.split_once('c'));
    parts.is_some_and(|(row, column)| is_number(row) && is_number(column))
}

/// The words of a sentence with `is not` for `isn't`.
fn expanded_words(sentence: &str) -> Vec<String> {
    let bytes = sentence.as_bytes();
    let own = words(&bytes[..bytes.len().min(LONGEST_SENTENCE)]);
    let parts = own.iter().flat_map(|word| match word.as_str() {
        "cannot" | "can't" => ["can", "not"],
        "i've" => ["i", "have"],
        "i'm" => ["i", "am"],
        word => match (word.strip_suffix("n't"), word.strip_suffix("'s")) {
            (Some(verb), _) => [verb, "not"],
            (_, Some(subject)) if POINTERS.contains(&subject) || subject == "there" => {
                [subject, "is"]
            }
            _ => [word, ""],
        },
    });
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// Whether a text behind a grid takes the grid back.
pub(super) fn takes_back(text: &str) -> bool {
    let ends = ['.', '!', '?', '\n', '–', '—', '。', '！'];
    text.split(ends).any(|sentence| {
        if other_languages::takes_back(sentence) {
            return true;
        }
        let mut words = expanded_words(sentence);
        let mut is_correction = false;
        let mut start = 0;
        while let Some(word) = words.get(start) {
            let word = word.as_str();
            let is_correcting = CORRECTING_WORDS.contains(&word);
            is_correction |= is_correcting;
            let is_opinion = word == "i"
                && words
                    .get(start + 1)
                    .is_some_and(|word| OPINION_VERBS.contains(&word.as_str()));
            if is_opinion {
                start += 2;
                // "I think that this is wrong".
                let next = words.get(start + 1);
                let is_joined = words.get(start).is_some_and(|word| word == "that")
                    && next.is_some_and(|word| {
                        ["this", "that", "it", "the", "my", "i", "there"].contains(&word.as_str())
                    });
                start += usize::from(is_joined);
            } else if is_correcting || word == CLAUSE_END || OPENING_WORDS.contains(&word) {
                start += 1;
            } else {
                break;
            }
        }
        words.drain(..start);
        let words = Words(words);
        if words.has(&MENDED_WORDS) {
            return false;
        }
        let is_faulty = words
            .after_subject()
            .is_some_and(|verb| words.has_faulty_predicate(verb));
        let gives_up = words.0.windows(3).any(|own| own == ["i", "give", "up"]);
        is_faulty || words.is_admission() || gives_up || is_correction && words.changes_cells()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_behind_a_grid_take_it_back() {
        for text in [
            "This is wrong, I give up.",
            "\n\nActually the last two digits should be swapped.",
            "Hmm, r1c3 should be 7.",
            "The answer above is incorrect.",
            "That is not correct.",
            "Let me see. It was invalid!",
            "However, this is wrong.",
            "No wait, that is wrong.",
            "That's wrong.",
            "This isn't right.",
            "This is not a solution.",
            "It is not a valid solution.",
            "This cannot be correct.",
            "It can’t be right.",
            "My answer is incorrect.",
            "This fails.",
            "It does not work.",
            "It doesn't work.",
            "That was a mistake.",
            "Scratch that.",
            "Ignore this grid.",
            "Disregard the above.",
            "I made an error in row 1.",
            "I think that this is wrong.",
            "There is a mistake in row 3.",
            "Sorry, that has an error.",
            "Actually r1c3=6.",
            "Correction: r1c3 = 6.",
            "That breaks row 2.",
            "However, row 1 has a duplicate, so the puzzle has no solution.",
            "Edit: change r1c3 to 6.",
            "Correction: Row 1: 5 3 6 6 7 8 9 1 2",
            "Swap the last two digits of row 9.",
        ] {
            assert!(takes_back(text), "{text}");
        }
        for text in [
            "This is the solution. Each row should be checked: row 1 is 5+3+4.",
            "It is not wrong.",
            "This is never invalid",
            "The solution is correct, and no row is wrong.",
            "If a digit were wrong, a row would repeat it.",
            "The first attempt was wrong.",
            "Every cell that is incorrect was removed.",
            "",
            "Never give up!",
            "It is wrong to guess, so I did not.",
            "It is invalid to repeat a digit.",
            "Actually, every row should be checked.",
            "This was wrong at first, but I fixed it.",
            "The solution was invalid before I fixed r1c3.",
            "It has no errors.",
            "I made no mistake.",
            "This violates no rule.",
            "It is not the only way.",
            "Actually, r1c3 = 4 is right.",
            "The puzzle cannot have another solution.",
            "I believe that is correct.",
            "Row 1 has 5 3 4 6 7 8 9 1 2.",
            "Row 1 has no duplicate.",
            "Swapping two rows of a band gives another puzzle.",
            "This is an error-free grid.",
            "It is a conflict free solution.",
            "It is not a solution I guessed, but derived.",
            "It does not work any other way.",
            "There is a mistake many people make.",
            "Ignore the solution if you want to solve it yourself.",
        ] {
            assert!(!takes_back(text), "{text}");
        }
    }
}
