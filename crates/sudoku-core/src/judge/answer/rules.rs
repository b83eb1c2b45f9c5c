//! Chooses the grid of an answer by the words and tags around it.

/// Why a grid of an answer was chosen.
#[derive(Debug)]
pub struct Rule {
    /// The name in tables and reports.
    pub id: &'static str,
    /// A sentence that describes the grids of this rule.
    pub what: &'static str,
    /// The strength: of two grids the one with the greater strength is chosen, and of two with the same the last.
    pub(super) strength: u8,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

/// The strength from which a grid that is not full, or is damaged, replaces a full one that has less.
pub(super) const EXPLICIT: u8 = 4;
/// The strength of a grid that a sentence announces.
pub(super) const ANNOUNCED: u8 = 3;

pub(super) static ANSWER_TAG: Rule = Rule {
    id: "answer_tag",
    what: "in `<answer>`, `<solution>` or a similar tag",
    strength: 6,
};
pub(super) static BOXED: Rule = Rule {
    id: "boxed",
    what: "in `\\boxed{}`",
    strength: 5,
};
pub(super) static FINAL_ANSWER: Rule = Rule {
    id: "final_answer",
    what: "after words such as \"final answer\"",
    strength: EXPLICIT,
};
pub(super) static CORRECTION: Rule = Rule {
    id: "correction",
    what: "after words that take an earlier grid back, such as \"wait\" or \"corrected\"",
    strength: EXPLICIT,
};
pub(super) static SOLUTION: Rule = Rule {
    id: "solution",
    what: "after a sentence that announces it, such as \"the solution is:\"",
    strength: ANNOUNCED,
};
pub(super) static UNMARKED: Rule = Rule {
    id: "unmarked",
    what: "without such words",
    strength: 2,
};
pub(super) static DRAFT: Rule = Rule {
    id: "draft",
    what: "after words such as \"draft\", \"wrong\" or \"the original puzzle\"",
    strength: 1,
};
pub(super) static SINGLE_CELLS: Rule = Rule {
    id: "single_cells",
    what: "nowhere as a grid: its cells are named one by one",
    strength: 1,
};
pub(super) static THINKING: Rule = Rule {
    id: "thinking",
    what: "in `<think>`, if nothing stands behind it",
    strength: 0,
};
pub(super) static PUZZLE: Rule = Rule {
    id: "puzzle",
    what: "anywhere, and is the puzzle itself; no other grid is in the answer",
    strength: 0,
};

/// All rules, the strongest first.
pub static RULES: [&Rule; 10] = [
    &ANSWER_TAG,
    &BOXED,
    &FINAL_ANSWER,
    &CORRECTION,
    &SOLUTION,
    &UNMARKED,
    &DRAFT,
    &SINGLE_CELLS,
    &THINKING,
    &PUZZLE,
];

const DRAFT_WORDS: [&str; 15] = [
    "draft",
    "attempt",
    "attempts",
    "tried",
    "earlier",
    "previous",
    "guess",
    "example",
    "column",
    "columns",
    "transposed",
    "unsolved",
    "partial",
    "boxes",
    "scratch",
];
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
const SOLUTION_WORDS: [&str; 12] = [
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
const CORRECTION_WORDS: [&str; 13] = [
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

/// The longest text before a grid that is searched for words, in bytes.
const LONGEST_LEAD: usize = 200;

fn words(text: &[u8]) -> Vec<String> {
    let text = &text[text.len().saturating_sub(LONGEST_LEAD)..];
    let text = String::from_utf8_lossy(text).to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The last sentence of a text, which is about what follows.
fn last_sentence(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let ends = |pair: &[u8]| matches!(pair, [b'.' | b'!' | b'?', b' ' | b'\n']);
    let last = text.windows(2).rposition(ends);
    last.map_or(text, |last| &text[last + 1..])
}

/// The rule for a grid outside tags. `lead` are the words directly before it. `gap` is the text since the grid before it,
/// or empty.
pub(super) fn rule_for_words(lead: &[u8], gap: &[u8]) -> &'static Rule {
    let own = words(last_sentence(lead));
    let has = |list: &[&str]| own.iter().any(|word| list.contains(&word.as_str()));
    let is_solution = has(&SOLUTION_WORDS) || has(&["final"]);
    let is_negated = has(&["not", "isn't", "never"]) && is_solution;
    let is_check = has(&CHECK_WORDS) && !is_solution && !has(&ANNOUNCING_WORDS);
    let is_fault = has(&FAULT_WORDS) && !has(&CORRECTION_WORDS);
    if has(&DRAFT_WORDS) || is_check || is_fault || is_negated || has(&PUZZLE_WORDS) && !is_solution
    {
        return &DRAFT;
    }
    if has(&["final"]) {
        return &FINAL_ANSWER;
    }
    let is_correction = |words: &[String]| {
        words
            .iter()
            .any(|word| CORRECTION_WORDS.contains(&word.as_str()))
    };
    if is_correction(&own) || is_correction(&words(gap)) {
        return &CORRECTION;
    }
    let is_announced = lead.trim_ascii_end().ends_with(b":") || has(&ANNOUNCING_WORDS);
    if is_solution || is_announced {
        return &SOLUTION;
    }
    &UNMARKED
}

/// Whether a text refuses to answer: `I cannot solve it`.
pub(super) fn is_refusal(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    const REFUSALS: [&str; 14] = [
        "cannot",
        "can't",
        "could not",
        "couldn't",
        "unable to",
        "not able to",
        "failed to",
        "no solution",
        "not solvable",
        "unsolvable",
        "give up",
        "gave up",
        "don't know",
        "do not know",
    ];
    REFUSALS.iter().any(|refusal| lower.contains(refusal))
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
            ("By columns:", "", &DRAFT),
            ("The corrected grid:", "", &CORRECTION),
            ("That was a draft. Here is the result:", "", &SOLUTION),
            ("It is", "Wait, there is a mistake. It is", &CORRECTION),
        ] {
            assert_eq!(
                rule_for_words(lead.as_bytes(), gap.as_bytes()),
                rule,
                "{lead}"
            );
        }
        let strengths = RULES.map(|rule| rule.strength);
        assert!(strengths.is_sorted_by(|one, next| one >= next));
    }
}
