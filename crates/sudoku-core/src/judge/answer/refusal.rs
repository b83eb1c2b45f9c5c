//! Recognises sentences that refuse to answer: "I cannot solve it", "The puzzle has no solution".

use super::other_languages;

/// Whether a sentence of a text says that the writer has no solution, or that there is none: `I can't solve it`,
/// `The puzzle has no solution`. Sentences about faults and other solutions do not.
pub(super) fn denies_solution(text: &str) -> bool {
    const SUBJECTS: [&str; 10] = [
        "i ",
        "there ",
        "the puzzle ",
        "this puzzle ",
        "it ",
        "the sudoku ",
        "this sudoku ",
        "the grid ",
        "no solution",
        "no valid solution",
    ];
    const OBJECTS: [&str; 5] = ["solve", "solvable", "solution", "answer", "solved"];
    sentences(text).any(|sentence| {
        if other_languages::refuses(sentence) {
            return true;
        }
        let lower = sentence.to_lowercase().replace('’', "'");
        let start = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
        let openings = [
            "but ",
            "however, ",
            "unfortunately, ",
            "sorry, ",
            "so ",
            "therefore, ",
        ];
        let start = openings
            .iter()
            .find_map(|own| start.strip_prefix(own))
            .unwrap_or(start);
        SUBJECTS.iter().any(|subject| start.starts_with(subject))
            && OBJECTS.iter().any(|object| start.contains(object))
            && is_refusal(start)
            && !is_about_faults(start)
            && !is_limited(start)
    })
}

/// Whether a sentence of the text behind a draft refuses to answer.
pub(super) fn refuses(text: &str) -> bool {
    sentences(text).any(|sentence| {
        let is_refusal = is_refusal(sentence) && !is_about_faults(&sentence.to_lowercase());
        is_refusal || other_languages::refuses(sentence)
    })
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', '!', '?', '\n', ';', '。', '！'])
}

/// Whether a sentence denies only a way to the solution: "It cannot be solved with singles only".
fn is_limited(sentence: &str) -> bool {
    const LIMITS: [&str; 14] = [
        "without",
        " only",
        " alone",
        " with singles",
        " with naked",
        " with hidden",
        " with basic",
        " by logic",
        " by hand",
        "not have solved",
        "know if",
        "have to",
        " show ",
        " explain ",
    ];
    LIMITS.iter().any(|limit| sentence.contains(limit))
}

/// Whether a sentence is about faults or other solutions: "I could not find any mistakes".
fn is_about_faults(sentence: &str) -> bool {
    const WORDS: [&str; 14] = [
        "mistake",
        "error",
        "fault",
        "conflict",
        "violation",
        "duplicate",
        "repeat",
        "another",
        "other",
        "alternative",
        "second",
        "different",
        "unique",
        "more than one",
    ];
    WORDS.iter().any(|word| sentence.contains(word))
}

/// Whether a text refuses to answer: `I cannot solve it`.
pub(super) fn is_refusal(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    const REFUSALS: [&str; 18] = [
        "cannot",
        "can't",
        "could not",
        "couldn't",
        "unable to",
        "not able to",
        "failed to",
        "no solution",
        "no valid",
        "no answer",
        "not solvable",
        "unsolvable",
        "give up",
        "gave up",
        "don't know",
        "do not know",
        "don't have",
        "do not have",
    ];
    REFUSALS.iter().any(|refusal| lower.contains(refusal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_that_does_not_solve_it_is_no_refusal() {
        for text in [
            "The puzzle cannot be solved with singles only, so I used an X-wing",
            "It cannot be solved by logic alone",
            "I could not have solved it without guessing",
            "I don't know if this is the only solution",
            "I do not have to guess to get this answer",
            "I cannot show all steps of the solution here",
        ] {
            assert!(!denies_solution(text), "{text}");
        }
    }

    #[test]
    fn refusals_are_told_from_sentences_about_faults() {
        for text in [
            "I can't solve it.",
            "Unfortunately, the puzzle has no solution.",
            "I am unable to solve this puzzle.",
            "There is no valid answer.",
        ] {
            assert!(denies_solution(text) && refuses(text), "{text}");
        }
        for text in [
            "I could not find any mistakes.",
            "Note that the puzzle cannot have another solution.",
            "The solution is unique.",
        ] {
            assert!(!denies_solution(text) && !refuses(text), "{text}");
        }
    }
}
