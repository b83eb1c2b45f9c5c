//! Texts that offer several grids: "Option 1: … Option 2: … I choose option 1", "Either … or …".

use super::candidate::Candidate;
use super::sentences::{CLAUSE_END, words};

/// Nouns for one of several grids.
const NOUNS: [&str; 9] = [
    "option",
    "candidate",
    "possibility",
    "alternative",
    "choice",
    "version",
    "variant",
    "proposal",
    "attempt",
];
/// Verbs, and ends of sentences, before the label that is chosen: "I choose B", "My answer is B".
const CHOOSING_WORDS: [&str; 14] = [
    "choose", "chose", "pick", "picked", "select", "selected", "prefer", "submit", "answer",
    "with", "is", "option", "final", "chosen",
];
/// Those behind which the first label is the chosen one.
const CHOOSING_VERBS: [&str; 11] = [
    "choose", "chose", "pick", "picked", "select", "selected", "prefer", "submit", "answer",
    "final", "with",
];
/// Names of the first four labels.
const LABELS: [[&str; 5]; 4] = [
    ["1", "a", "one", "first", "i"],
    ["2", "b", "two", "second", "ii"],
    ["3", "c", "three", "third", "iii"],
    ["4", "d", "four", "fourth", "iv"],
];

/// The grid that is chosen among several that the text offers; `None` if it does not offer several.
///
/// # Errors
/// The reason why none is chosen.
pub(super) fn choice_of_options<'a>(
    text: &str,
    candidates: &[&'a Candidate],
) -> Option<Result<&'a Candidate, String>> {
    let bytes = text.as_bytes();
    let [first, .., last] = candidates else {
        return None;
    };
    if candidates.iter().all(|own| own.grid == first.grid) {
        return None;
    }
    let gap = |at: usize| {
        let (before, own) = (candidates[at - 1], candidates[at]);
        let gap = bytes
            .get(before.place.end..own.place.start)
            .unwrap_or_default();
        content_words(gap)
    };
    let undecided = || {
        Some(Err(
            "the text offers several boards and chooses none".to_owned()
        ))
    };
    // The last attempt is rather the answer.
    let is_attempt = |own: &Candidate| {
        let lead = content_words(&bytes[own.lead.clone()]);
        lead.iter().any(|word| word == "attempt")
    };
    let behind = &text[last.place.end..];
    let labels: Vec<Option<usize>> = candidates
        .iter()
        .map(|own| label(&bytes[own.lead.clone()]))
        .collect();
    if labels.iter().flatten().count() >= 2 {
        let named: Vec<usize> = behind
            .split(['.', '!', '?', '\n'])
            .filter_map(chosen_label)
            .collect();
        if let Some(chosen) = named.last() {
            let place = labels
                .iter()
                .rposition(|own| own.as_ref() == Some(chosen))?;
            return Some(Ok(candidates[place]));
        }
        // Words between the grids say what became of the first.
        let is_list =
            (1..candidates.len()).all(|at| labels[at].is_some() && gap(at).len() <= LONGEST_LABEL);
        let is_bare = content_words(behind.as_bytes()).is_empty();
        return if is_list && is_bare && !is_attempt(last) {
            undecided()
        } else {
            None
        };
    }
    let lead = content_words(&bytes[first.lead.clone()]);
    let is_either = lead.iter().rev().take(3).any(|word| word == "either");
    let is_or = |at: usize| gap(at).first().is_some_and(|word| word == "or") && gap(at).len() <= 3;
    let has_or = (1..candidates.len()).any(is_or);
    if has_or && (is_either || content_words(behind.as_bytes()).is_empty()) {
        return undecided();
    }
    None
}

/// The longest label of a grid, in words: "Option 2 is".
const LONGEST_LABEL: usize = 3;

/// The words of a text without the ends of clauses, the heads of columns such as `C1`, and the start of an array of LaTeX.
fn content_words(text: &[u8]) -> Vec<String> {
    let is_head = |word: &String| {
        let number = word.trim_start_matches('c');
        let is_latex = ["begin", "end", "array"].contains(&word.as_str());
        is_latex || number.len() < word.len() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut own = words(text);
    own.retain(|word| word != CLAUSE_END && !is_head(word));
    own
}

/// The index that a label such as `1`, `a` or `second` has.
fn index_of(word: &str) -> Option<usize> {
    LABELS.iter().position(|names| names.contains(&word))
}

/// The label of an option in its last words: "Option 2", "the second candidate".
fn label(lead: &[u8]) -> Option<usize> {
    let own = content_words(lead);
    own.windows(2).rev().find_map(|pair| {
        if NOUNS.contains(&pair[0].as_str()) {
            index_of(&pair[1])
        } else if NOUNS.contains(&pair[1].as_str()) {
            index_of(&pair[0])
        } else {
            None
        }
    })
}

/// The label that a sentence chooses: "I choose option 1 over option 2", "My answer is B".
fn chosen_label(sentence: &str) -> Option<usize> {
    let own = content_words(sentence.as_bytes());
    let is = |at: usize, list: &[&str]| {
        own.get(at)
            .is_some_and(|word| list.contains(&word.as_str()))
    };
    let negations = [
        "not",
        "isn't",
        "wrong",
        "incorrect",
        "invalid",
        "reject",
        "rejected",
    ];
    if (0..own.len()).any(|at| is(at, &negations)) {
        return None;
    }
    let labels: Vec<(usize, usize)> = (0..own.len())
        .filter_map(|at| {
            let is_named = at > 0
                && (is(at - 1, &NOUNS) || is(at - 1, &CHOOSING_WORDS) && at + 1 == own.len());
            let is_ordinal = is(at + 1, &NOUNS);
            (is_named || is_ordinal)
                .then(|| index_of(&own[at]))?
                .map(|label| (at, label))
        })
        .collect();
    let choice = (0..own.len()).find(|at| is(*at, &CHOOSING_VERBS));
    let is_chosen = (0..own.len()).any(|at| is(at, &CHOOSING_WORDS));
    match (labels.as_slice(), choice) {
        ([(_, label)], _) if is_chosen => Some(*label),
        ([], _) | (_, None) => None,
        (all, Some(verb)) => all
            .iter()
            .find(|(at, _)| *at > verb)
            .map(|(_, label)| *label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_labels_that_sentences_choose() {
        for (lead, expected) in [
            ("**Option 1:**", Some(0)),
            ("Candidate B:", Some(1)),
            ("The third possibility is", Some(2)),
            ("Option:", None),
            ("The solution:", None),
        ] {
            assert_eq!(label(lead.as_bytes()), expected, "{lead}");
        }
        for (sentence, expected) in [
            ("I choose option 1", Some(0)),
            ("My answer is B", Some(1)),
            ("I go with the second option", Some(1)),
            ("Option 2 is correct", Some(1)),
            ("Option 2 is wrong", None),
            ("I choose option 1 over option 2", Some(0)),
            ("I prefer option 2 to option 1", Some(1)),
            ("The answer is option 1 rather than option 2", Some(0)),
            ("Option 1 differs from option 2", None),
            ("Attempt 2 has a conflict, so attempt 1 is my answer", None),
            ("There are two options", None),
        ] {
            assert_eq!(chosen_label(sentence), expected, "{sentence}");
        }
    }
}
