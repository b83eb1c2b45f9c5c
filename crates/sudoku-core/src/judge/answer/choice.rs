//! Chooses the answer among the grids of a text.

use super::Answer;
use super::candidate::{Candidate, Ranked};
use super::forms::ASSIGNMENTS;
use super::missing::missing_answer;
use super::options::choice_of_options;
use super::regions::{RegionKind, Regions};
use super::rules::{
    ANSWER_TAG, BOXED, CORRECTION, DRAFT, EXPLICIT, FINAL_ANSWER, PUZZLE, Rule, SINGLE_CELLS,
    THINKING,
};
use super::sentences::{has_other_lines, is_rejected, rule_for_words};

/// The reason why a grid with the right number of cells is none.
const RAGGED: &str = "the rows of the answer are incomplete or not in order";

/// Chooses the answer.
///
/// # Errors
/// The reason why there is none.
pub(super) fn choose(
    text: &str,
    clues: &str,
    candidates: &[Candidate],
    regions: &Regions,
) -> Result<Answer, String> {
    let thought = |candidate: &Candidate| regions.around(RegionKind::Think, &candidate.place);
    let is_thought = |candidate: &Candidate| thought(candidate).is_some();
    let is_deleted = |candidate: &Candidate| regions.is_deleted(&candidate.place);
    let is_puzzle = |candidate: &Candidate| candidate.grid.as_deref() == Some(clues);
    let mut chosen: Option<Ranked<'_>> = None;
    let mut previous_end = None;
    for candidate in candidates {
        let lead = &text.as_bytes()[candidate.lead.clone()];
        let is_none = is_thought(candidate) || is_deleted(candidate) || is_puzzle(candidate);
        if is_none || has_other_lines(lead) {
            continue;
        }
        let ranked = rank(text, candidate, regions, previous_end);
        let is_next = |chosen: &Ranked<'_>| previous_end == Some(chosen.candidate.place.end);
        if chosen.as_ref().is_none_or(|chosen| {
            ranked.replaces(chosen) || is_next(chosen) && ranked.is_behind_retraction(chosen, text)
        }) {
            chosen = Some(ranked);
        }
        previous_end = Some(candidate.place.end);
    }
    let puzzle_in_tag = candidates.iter().rfind(|candidate| {
        let tag = regions.around(RegionKind::Tag, &candidate.place);
        is_puzzle(candidate) && !is_thought(candidate) && tag.is_some()
    });
    if let Some(puzzle) = puzzle_in_tag
        && chosen
            .as_ref()
            .is_none_or(|chosen| chosen.rule != &ANSWER_TAG)
    {
        return Ok(answer(puzzle, clues, &PUZZLE));
    }
    if let Some(reason) = missing_answer(text, candidates, chosen.as_ref(), regions) {
        return Err(reason);
    }
    if let Some(own) = &chosen
        && own.rule.strength < EXPLICIT
    {
        let is_own = |candidate: &&Candidate| {
            !is_thought(candidate) && !is_deleted(candidate) && !is_puzzle(candidate)
        };
        let own: Vec<&Candidate> = candidates.iter().filter(is_own).collect();
        match choice_of_options(text, &own) {
            Some(Ok(candidate)) => {
                chosen = Some(Ranked {
                    candidate,
                    rule: &FINAL_ANSWER,
                    part: candidate.lead.start,
                    is_corrected_by_gap: false,
                });
            }
            Some(Err(reason)) => return Err(reason),
            None => {}
        }
    }
    if let Some(Ranked {
        candidate, rule, ..
    }) = chosen
    {
        let lead = &text.as_bytes()[candidate.lead.clone()];
        // A sentence between two grids may be about the first.
        let is_heading = lead.trim_ascii_end().ends_with(b":");
        let is_first = candidates
            .first()
            .is_some_and(|first| first.place == candidate.place);
        if rule == &DRAFT && (is_heading || is_first) && is_rejected(lead) {
            return Err("the words before the board say that it is wrong".to_owned());
        }
        return match &candidate.grid {
            Some(grid) => Ok(answer(candidate, grid, rule)),
            None if candidate.count == clues.len() => Err(RAGGED.to_owned()),
            None => Err(format!(
                "the answer has {} cells in its grid instead of {}",
                candidate.count,
                clues.len()
            )),
        };
    }
    // Nothing but thoughts and the puzzle is left.
    let last = |is_kind: &dyn Fn(&Candidate) -> bool| {
        let mut own = candidates.iter().filter(|candidate| is_kind(candidate));
        own.next_back()
    };
    let is_last_thought = |candidate: &Candidate| {
        thought(candidate)
            .is_some_and(|thought| thought.is_closed && text[thought.end..].trim_end().is_empty())
            && !is_deleted(candidate)
    };
    if let Some(thought) = last(&|candidate| !is_puzzle(candidate) && is_last_thought(candidate))
        && let Some(grid) = &thought.grid
    {
        return Ok(answer(thought, grid, &THINKING));
    }
    if let Some(puzzle) = last(&|candidate| is_puzzle(candidate)) {
        return Ok(answer(puzzle, clues, &PUZZLE));
    }
    Err(if candidates.is_empty() {
        "no board is in the text".to_owned()
    } else if candidates
        .iter()
        .all(|own| is_deleted(own) || is_puzzle(own))
    {
        "the only boards in the text are deleted or in a comment".to_owned()
    } else if candidates.iter().any(is_thought) {
        "the only boards in the text are in <think>".to_owned()
    } else {
        "the words before the board say that its lines are no rows".to_owned()
    })
}

fn answer(candidate: &Candidate, grid: &str, rule: &'static Rule) -> Answer {
    Answer {
        grid: grid.to_owned(),
        form: candidate.form,
        rule,
        place: candidate.place.clone(),
    }
}

/// The rule for a grid. `previous_end` is the end of the grid before it.
fn rank<'a>(
    text: &str,
    candidate: &'a Candidate,
    regions: &Regions,
    previous_end: Option<usize>,
) -> Ranked<'a> {
    for (kind, rule) in [(RegionKind::Tag, &ANSWER_TAG), (RegionKind::Boxed, &BOXED)] {
        if let Some(region) = regions.around(kind, &candidate.place) {
            return Ranked {
                candidate,
                rule,
                part: region.inside.start,
                is_corrected_by_gap: false,
            };
        }
    }
    let bytes = text.as_bytes();
    let gap = previous_end.and_then(|end| bytes.get(end..candidate.place.start));
    let rule_with = |gap| {
        let lead = &bytes[candidate.lead.clone()];
        rule_for_words(lead, gap, candidate.has_empty_cells(text))
    };
    let rule = if candidate.form == &ASSIGNMENTS {
        &SINGLE_CELLS
    } else {
        rule_with(gap.unwrap_or_default())
    };
    Ranked {
        candidate,
        rule,
        part: candidate.lead.start,
        is_corrected_by_gap: rule == &CORRECTION && rule_with(b"") != &CORRECTION,
    }
}
