//! Whether a sentence asserts what it says about a cell: it does not in "r1c3 = 4 is impossible" or "if r1c3 = 4".

use super::super::simplify::BREAK;

/// Words before a cell that make the sentence a supposition.
const SUPPOSITIONS: [&str; 23] = [
    "if",
    "suppose",
    "supposing",
    "assume",
    "assuming",
    "unless",
    "imagine",
    "whether",
    "either",
    "maybe",
    "perhaps",
    "possibly",
    "might",
    "could",
    "would",
    "try",
    "trying",
    "tried",
    "test",
    "testing",
    "guess",
    "what",
    "candidates",
];
/// Words in the clause before a cell that deny it.
const DENIALS: [&str; 21] = [
    "not",
    "cannot",
    "can't",
    "never",
    "isn't",
    "wasn't",
    "don't",
    "doesn't",
    "didn't",
    "couldn't",
    "won't",
    "no",
    "nor",
    "neither",
    "false",
    "wrong",
    "impossible",
    "invalid",
    "incorrect",
    "remove",
    "eliminate",
];
/// Words behind a cell that deny it, or leave it open.
const REFUTATIONS: [&str; 35] = [
    "not",
    "cannot",
    "can't",
    "never",
    "isn't",
    "doesn't",
    "won't",
    "impossible",
    "false",
    "wrong",
    "incorrect",
    "invalid",
    "conflict",
    "conflicts",
    "contradiction",
    "contradicts",
    "contradictory",
    "fails",
    "failed",
    "breaks",
    "violates",
    "eliminated",
    "excluded",
    "removed",
    "or",
    "maybe",
    "perhaps",
    "possibly",
    "might",
    "could",
    "would",
    "if",
    "unless",
    "duplicate",
    "duplicates",
];
/// Pairs of words that deny a cell before or behind them.
const DENYING_PAIRS: [[&str; 2]; 5] = [
    ["instead", "of"],
    ["rather", "than"],
    ["rule", "out"],
    ["ruled", "out"],
    ["ruling", "out"],
];
/// Words behind a cell that name candidates, unless there is only one.
const CANDIDATES: [&str; 9] = [
    "candidate",
    "candidates",
    "option",
    "options",
    "possible",
    "possibility",
    "possibilities",
    "choice",
    "choices",
];
/// Words that say that there is only one candidate.
const SINGLES: [&str; 6] = ["only", "single", "sole", "last", "unique", "other"];
/// Words that begin a conclusion. What is denied before them is its reason.
const CONCLUSIONS: [&str; 6] = ["so", "thus", "hence", "therefore", "leaving", "leaves"];
/// Words that begin a reason. What is denied behind them is another value.
const REASONS: [&str; 10] = [
    "because",
    "since",
    "as",
    "so",
    "thus",
    "hence",
    "therefore",
    "due",
    "for",
    "given",
];

/// The furthest that a sentence is read in both directions, in bytes.
const LONGEST_PART: usize = 160;

/// Stands between the clauses of a sentence.
const CLAUSE_END: &[u8] = b",";

/// Whether the sentence around the assignment from `start` to `end` asserts it.
pub(super) fn is_asserted(text: &[u8], start: usize, end: usize) -> bool {
    let before = &text[..start];
    let before = &before[before.len().saturating_sub(LONGEST_PART)..];
    let first = (0..before.len())
        .rev()
        .find(|at| ends_sentence(before, *at));
    let before = words(&before[first.map_or(0, |first| first + 1)..]);
    let after = &text[end..text.len().min(end + LONGEST_PART)];
    let last = (0..after.len()).find(|at| ends_sentence(after, *at));
    let mut after = words(&after[..last.unwrap_or(after.len())]);
    let reason = after.iter().position(|word| is_one_of(word, &REASONS));
    after.truncate(reason.unwrap_or(after.len()));
    let clause = before
        .iter()
        .rposition(|word| *word == CLAUSE_END || is_one_of(word, &CONCLUSIONS));
    let clause = &before[clause.map_or(0, |end| end + 1)..];
    let is_open = has(&after, &CANDIDATES) && !has(&after, &SINGLES);
    let is_denied = has(clause, &DENIALS) || has_pair(clause);
    let is_refuted = has(&after, &REFUTATIONS) || has_pair(&after);
    !has(&before, &SUPPOSITIONS) && !is_denied && !is_refuted && !is_open
}

fn ends_sentence(text: &[u8], at: usize) -> bool {
    match text[at] {
        b'\n' | BREAK => true,
        b'.' | b'!' | b'?' | b';' => text.get(at + 1).is_none_or(u8::is_ascii_whitespace),
        _ => false,
    }
}

/// The words of a text, with the ends of clauses.
fn words(text: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'\'';
    for part in text.chunk_by(|one, next| is_in_word(one) == is_in_word(next)) {
        if is_in_word(&part[0]) {
            words.push(part);
        } else if part.iter().any(|byte| matches!(byte, b',' | b':' | b';')) {
            words.push(CLAUSE_END);
        }
    }
    words
}

fn is_one_of(word: &[u8], list: &[&str]) -> bool {
    // Most words around cells are names of cells and digits.
    !word.last().is_some_and(u8::is_ascii_digit)
        && list
            .iter()
            .any(|own| word.eq_ignore_ascii_case(own.as_bytes()))
}

/// Whether one of the words is in a list. Neither "no conflict" nor "not 5" counts.
fn has(words: &[&[u8]], list: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let is_none = || at > 0 && is_one_of(words[at - 1], &["no", "without"]);
        let next = words.get(at + 1).and_then(|next| next.first());
        let is_other = || is_one_of(word, &["not"]) && next.is_some_and(u8::is_ascii_digit);
        is_one_of(word, list) && !is_none() && !is_other()
    })
}

fn has_pair(words: &[&[u8]]) -> bool {
    words.windows(2).any(|own| {
        let mut pairs = DENYING_PAIRS.iter();
        pairs.any(|[one, next]| is_one_of(own[0], &[one]) && is_one_of(own[1], &[next]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denied_and_supposed_cells_are_not_asserted() {
        let is_asserted = |text: &str| {
            let start = text.find("r1c3").unwrap();
            let end = start + text[start..].find('4').unwrap() + 1;
            is_asserted(text.as_bytes(), start, end)
        };
        for text in [
            "r1c3 = 4",
            "5 cannot be in row 1, so r1c3 = 4.",
            "There is no other place so r1c3 = 4",
            "r1c3 = 4 because 5 is impossible",
            "r1c3 = 4 (the only candidate)",
            "r1c3 = 4, no conflicts",
            "r1c3 = 4, not 5",
            "It is not 5. r1c3 = 4. If not, it fails.",
            "Could it be?\nr1c3 = 4\nNot so.",
        ] {
            assert!(is_asserted(text), "{text}");
        }
        for text in [
            "r1c3 = 4 is impossible.",
            "r1c3 = 4, which conflicts with row 1",
            "If r1c3 = 4, there is a conflict.",
            "If r1c2 = 5, r1c3 = 4.",
            "It is false that r1c3 is 4.",
            "I do not think that r1c3 = 4",
            "Suppose r1c3 = 4.",
            "r1c3 = 4 is a candidate",
            "r1c3 has 4 candidates",
            "We can rule out r1c3 = 4",
            "Maybe r1c3 = 4",
            "Rather than r1c3 = 4 I choose",
        ] {
            assert!(!is_asserted(text), "{text}");
        }
    }
}
