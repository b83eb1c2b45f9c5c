//! The rules by which the grid of an answer is chosen.

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

/// The strength from which a grid with empty cells replaces an earlier full one of the same strength.
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
    what: "after words such as \"final answer\", or is an option that words behind it choose",
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
    what: "after words such as \"draft\" or \"wrong\"; with empty cells also after \"the original puzzle\"",
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
    what: "anywhere, if it is the puzzle and no other grid is the answer, or in the tag for the answer, if no other grid is",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_rule_is_the_first() {
        let strengths = RULES.map(|rule| rule.strength);
        assert!(strengths.is_sorted_by(|one, next| one >= next));
    }
}
