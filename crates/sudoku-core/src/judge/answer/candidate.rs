//! A grid of a text that may be its answer, and the rank that its rule gives it.

use std::ops::Range;

use super::forms::Form;
use super::retraction::takes_back;
use super::rules::{ANNOUNCED, ANSWER_TAG, BOXED, DRAFT, EXPLICIT, Rule};
use super::sentences::announces_correction;

/// A grid that may be the answer, or what is left of a damaged one.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The grid in normal form; `None` if it is damaged.
    pub(super) grid: Option<String>,
    /// The number of cells of a damaged grid.
    pub(super) count: usize,
    pub(super) form: &'static Form,
    pub(super) place: Range<usize>,
    /// The place of the words directly before the grid.
    pub(super) lead: Range<usize>,
}

impl Candidate {
    /// 2 for a full grid, 1 for one with empty cells, 0 for a damaged one.
    pub(super) fn completeness(&self) -> u8 {
        match &self.grid {
            Some(grid) if !grid.contains('.') => 2,
            Some(_) => 1,
            None => 0,
        }
    }

    /// Whether it has the empty cells of a puzzle. Of a damaged grid only the text is known, in which a few points or
    /// zeros can also be a part of numbers.
    pub(super) fn has_empty_cells(&self, text: &str) -> bool {
        if let Some(grid) = &self.grid {
            return grid.contains('.');
        }
        let empty = text[self.place.clone()].bytes();
        let empty = empty.filter(|byte| matches!(byte, b'.' | b'0' | b'_' | b'?' | b'*'));
        8 * empty.count() >= self.count
    }
}

/// A candidate with the rule that it falls under.
pub(super) struct Ranked<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) rule: &'static Rule,
    /// The start of the part for the answer in which it is.
    pub(super) part: usize,
    /// Whether it is a correction only because of words behind the grid before it.
    pub(super) is_corrected_by_gap: bool,
}

impl Ranked<'_> {
    /// Whether this grid, which stands behind `earlier`, is chosen instead of it.
    pub(super) fn replaces(&self, earlier: &Ranked<'_>) -> bool {
        let (own, mut other) = (self.rule.strength, earlier.rule.strength);
        if earlier.is_corrected_by_gap {
            other = other.min(ANNOUNCED);
        }
        let (own_cells, other_cells) = (
            self.candidate.completeness(),
            earlier.candidate.completeness(),
        );
        let is_other_part = self.part != earlier.part;
        // Where the answer is announced twice, what is left of a damaged grid takes the earlier one back. A grid with
        // empty cells is rather the puzzle.
        let least = if own_cells == 0 { ANNOUNCED } else { EXPLICIT };
        if own_cells >= other_cells {
            // A full grid is rather the answer than an earlier grid with gaps that is only announced.
            let fills = own_cells > other_cells && other <= ANNOUNCED && own > DRAFT.strength;
            own >= other || fills
        } else {
            own > other && own >= ANNOUNCED || own == other && own >= least && is_other_part
        }
    }

    /// Whether the text between an earlier grid and this one takes the earlier one back. The words before a draft are
    /// about the draft.
    pub(super) fn is_behind_retraction(&self, earlier: &Ranked<'_>, text: &str) -> bool {
        let start = earlier.candidate.place.end;
        let is_draft = self.rule == &DRAFT;
        let end = if is_draft {
            self.candidate.lead.start
        } else {
            self.candidate.place.start
        };
        let is_heading = |gap: &str| {
            // In a tag or box, only the words say that an answer is corrected.
            let is_marked = self.rule == &ANSWER_TAG || self.rule == &BOXED;
            is_marked && announces_correction(gap.as_bytes())
        };
        text.get(start..end)
            .is_some_and(|gap| takes_back(gap) || is_heading(gap))
    }
}
