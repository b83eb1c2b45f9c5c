//! Finds out whether an answer is something else than the chosen grid: a refusal, or remains that are no grid.

use std::ops::Range;

use super::candidate::{Candidate, Ranked};
use super::refusal::{denies_solution, is_refusal, refuses};
use super::regions::{RegionKind, Regions};
use super::retraction::takes_back;
use super::rules::{DRAFT, EXPLICIT};

/// A part for the answer with fewer letters and digits is a mention of the tag, or empty.
const LEAST_CONTENT: usize = 4;

/// The words that announce the final answer.
const FINAL_WORDS: [&str; 4] = [
    "final answer",
    "final solution",
    "final grid",
    "final board",
];

/// The reason why the answer is something else than the chosen grid:
///
/// - the last part for the answer has no grid, or a box behind all grids refuses to answer;
/// - the words "final answer" announce a refusal or digits that are no grid;
/// - a sentence behind the last grid takes it back;
/// - an object has a field for the answer without a value;
/// - a sentence behind a grid that no words call final refuses to answer.
pub(super) fn missing_answer(
    text: &str,
    candidates: &[Candidate],
    chosen: Option<&Ranked<'_>>,
    regions: &Regions,
) -> Option<String> {
    if is_last_tag_without_grid(text, candidates, chosen, regions) {
        return Some("the part for the answer has no board".to_owned());
    }
    let end = candidates.last().map_or(0, |last| last.place.end);
    let is_thought = |place: &Range<usize>| regions.around(RegionKind::Think, place).is_some();
    let mut boxes = regions.of_kind(RegionKind::Boxed).iter();
    if let Some(last) = boxes.rfind(|region| !is_thought(&region.inside))
        && last.inside.start >= end
        && is_refusal(&text[last.inside.clone()])
    {
        return Some("the box for the answer refuses to answer".to_owned());
    }
    let places = FINAL_WORDS.iter().filter_map(|words| rfind(text, words));
    if let Some(words) = places.max_by_key(|words| words.start)
        && !is_thought(&words)
        && is_no_final_answer(text, words, candidates, chosen)
    {
        return Some("the final answer is no board".to_owned());
    }
    let is_last = |chosen: &&Ranked<'_>| chosen.candidate.place.end == end;
    if chosen.is_some_and(|chosen| is_last(&chosen)) && takes_back(&text[end..]) {
        return Some("the text behind the grid takes it back".to_owned());
    }
    let chosen = chosen.filter(|chosen| chosen.rule.strength < EXPLICIT)?;
    if has_empty_field(text) {
        return Some("the field for the answer is empty".to_owned());
    }
    let behind = &text[chosen.candidate.place.end..];
    if chosen.rule.strength <= DRAFT.strength {
        let before = &text[..chosen.candidate.place.start];
        let is_refused = refuses(behind) || denies_solution(before);
        return is_refused.then(|| "beside a draft the text refuses to answer".to_owned());
    }
    denies_solution(behind).then(|| "the text behind the grid refuses to answer".to_owned())
}

/// Whether an object has a field for the answer without a value: `"answer": null`.
fn has_empty_field(text: &str) -> bool {
    const KEYS: [&str; 4] = ["answer", "solution", "final_answer", "final_grid"];
    const EMPTY: [&str; 6] = ["null", "none", "\"\"", "''", "[]", "false"];
    text.split(['{', ',', '\n']).any(|field| {
        let Some((key, value)) = field.split_once(':') else {
            return false;
        };
        let quotes = ['"', '\'', '\\'];
        let key = key.trim();
        let name = key.trim_matches(quotes).to_ascii_lowercase();
        let value = value
            .trim_matches([' ', '}', '\r', '\t'])
            .to_ascii_lowercase();
        name.len() < key.len() && KEYS.contains(&name.as_str()) && EMPTY.contains(&value.as_str())
    })
}

/// Whether the last tag for the answer has text, but no grid.
fn is_last_tag_without_grid(
    text: &str,
    candidates: &[Candidate],
    chosen: Option<&Ranked<'_>>,
    regions: &Regions,
) -> bool {
    let around = |kind, place: &Range<usize>| regions.around(kind, place);
    let mut tags = regions.of_kind(RegionKind::Tag).iter();
    let Some(last) = tags.rfind(|tag| around(RegionKind::Think, &tag.inside).is_none()) else {
        return false;
    };
    let has_grid = candidates.iter().any(|candidate| {
        around(RegionKind::Tag, &candidate.place).is_some_and(|tag| tag.inside == last.inside)
    });
    let content = &text[last.inside.clone()];
    let letters = content.chars().filter(|c| c.is_alphanumeric());
    if has_grid || letters.take(LEAST_CONTENT).count() < LEAST_CONTENT {
        return false;
    }
    // Behind an answer in a tag, an open tag within a line is rather a mention: "I used <answer> tags".
    let has_tag =
        chosen.is_some_and(|chosen| around(RegionKind::Tag, &chosen.candidate.place).is_some());
    let line = text[..last.inside.start]
        .rfind('\n')
        .map_or(0, |end| end + 1);
    let starts_line = text[line..last.inside.start].trim_start().rfind('<') == Some(0);
    !has_tag || last.is_closed || starts_line || is_refusal(content)
}

/// Whether the words for the final answer, in this place, announce a refusal or digits that are no grid.
fn is_no_final_answer(
    text: &str,
    words: Range<usize>,
    candidates: &[Candidate],
    chosen: Option<&Ranked<'_>>,
) -> bool {
    let mut all = candidates.iter();
    if all.any(|candidate| candidate.lead.contains(&words.start)) {
        return false;
    }
    let mut all = candidates.iter();
    let next = all.find(|candidate| candidate.place.start >= words.start);
    let rest = &text[words.end..next.map_or(text.len(), |next| next.place.start)];
    let line = rest.lines().next().unwrap_or_default();
    // Other sentences about the final answer, such as "I cannot find a fault in it", do not take it back.
    let announced = line.trim_start_matches(['*', '_', ' ']);
    let is_announced =
        announced.is_empty() || announced.starts_with(':') || announced.starts_with("is ");
    let Some(chosen) = chosen.filter(|chosen| chosen.rule.strength >= EXPLICIT) else {
        let digits = rest.chars().filter(char::is_ascii_digit).count();
        let cells = chosen.and_then(|chosen| Some(chosen.candidate.grid.as_ref()?.len()));
        let has_digits = cells.is_some_and(|cells| 2 * digits >= cells);
        let is_unknown = announced.contains("found") || announced.contains("determined");
        return is_announced && (has_digits || is_refusal(line)) || is_unknown && is_refusal(line);
    };
    words.start >= chosen.candidate.place.end && is_announced && is_refusal(line)
}

/// The last place of some words in a text, in upper or lower case.
fn rfind(text: &str, words: &str) -> Option<Range<usize>> {
    let mut windows = text.as_bytes().windows(words.len());
    let start = windows.rposition(|window| window.eq_ignore_ascii_case(words.as_bytes()))?;
    Some(start..start + words.len())
}
