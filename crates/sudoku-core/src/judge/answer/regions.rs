//! The parts of an answer that prompts ask for, `<think>`, `<answer>`, `\boxed{}`, and deleted text: `<del>`, `~~`.

use std::cmp::Reverse;
use std::ops::Range;

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RegionKind {
    Think,
    /// Text that the writer struck out, or a comment.
    Deleted,
    Tag,
    Boxed,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) kind: RegionKind,
    /// The place of its content.
    pub(super) inside: Range<usize>,
    /// The place behind the tag that ends it.
    pub(super) end: usize,
    pub(super) is_closed: bool,
}

/// The tags of each kind of part: how it starts and ends, in lower case.
const TAGS: [(RegionKind, &str, &str); 18] = [
    (RegionKind::Think, "<think>", "</think>"),
    (RegionKind::Think, "<thinking>", "</thinking>"),
    (RegionKind::Think, "<reasoning>", "</reasoning>"),
    (RegionKind::Think, "<thought>", "</thought>"),
    (RegionKind::Think, "<scratchpad>", "</scratchpad>"),
    (
        RegionKind::Think,
        "<|begin_of_thought|>",
        "<|end_of_thought|>",
    ),
    (RegionKind::Think, "<analysis>", "</analysis>"),
    (RegionKind::Think, "<reflection>", "</reflection>"),
    (RegionKind::Think, "<seed:think>", "</seed:think>"),
    (RegionKind::Think, "[think]", "[/think]"),
    (RegionKind::Think, "◁think▷", "◁/think▷"),
    (RegionKind::Think, "<|channel|>analysis", "<|end|>"),
    (RegionKind::Think, "<|channel|>commentary", "<|end|>"),
    (RegionKind::Tag, "<answer>", "</answer>"),
    (RegionKind::Tag, "<solution>", "</solution>"),
    (RegionKind::Tag, "<final_answer>", "</final_answer>"),
    (
        RegionKind::Tag,
        "<|begin_of_solution|>",
        "<|end_of_solution|>",
    ),
    (RegionKind::Tag, "<|begin_of_box|>", "<|end_of_box|>"),
];

/// The start and the end of text that is struck out or hidden.
const DELETIONS: [(&str, &str); 4] = [
    ("<del>", "</del>"),
    ("<strike>", "</strike>"),
    ("<!--", "-->"),
    (STRIKE, STRIKE),
];
/// Strikes text out in Markdown, within a paragraph.
const STRIKE: &str = "~~";

/// Whether a tag of this name, in lower case and without the slash of an end tag, is the boundary of a part.
pub(super) fn is_region_name(name: &[u8]) -> bool {
    let has_name = |tag: &str| {
        let tag = tag.trim_start_matches(['<', '/']).trim_end_matches('>');
        tag.as_bytes() == name
    };
    let mut tags = TAGS.iter().map(|(_, start, end)| (start, end));
    let mut deletions = DELETIONS.iter().map(|(start, end)| (start, end));
    let has_either = |(start, end): (&&str, &&str)| has_name(start) || has_name(end);
    tags.any(has_either) || deletions.any(has_either)
}

/// Ends that also stand within other thoughts, or behind any text. They end only what began with their own start.
const INNER_ENDS: [&str; 3] = ["</analysis>", "</reflection>", "<|end|>"];

/// The marks that some chat templates leave of their channels when their special tokens are removed.
const CHANNELS: [&str; 2] = ["analysis", "assistantfinal"];

/// Starts that are also mentioned in sentences. Without their ends they count only at the start of a text.
const MENTIONED: [&str; 4] = ["<analysis>", "<reflection>", "<reasoning>", "[think]"];

/// The first byte of `◁`.
const FIRST_OF_TRIANGLE: u8 = 0xe2;

const BOX_COMMANDS: [&[u8]; 3] = [b"boxed", b"fbox", b"framebox"];

fn starts_with(text: &[u8], tag: &str) -> bool {
    let start = text.get(..tag.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
}

/// The parts of an answer. Those of a kind are in order and do not overlap.
pub(super) struct Regions(Vec<Region>);

impl Regions {
    /// The parts of a kind, in order.
    pub(super) fn of_kind(&self, kind: RegionKind) -> &[Region] {
        let start = self.0.partition_point(|region| region.kind < kind);
        let end = self.0.partition_point(|region| region.kind <= kind);
        &self.0[start..end]
    }

    /// Whether a place is in deleted text.
    pub(super) fn is_deleted(&self, place: &Range<usize>) -> bool {
        self.around(RegionKind::Deleted, place).is_some()
    }

    /// The part of this kind in which a place is.
    pub(super) fn around(&self, kind: RegionKind, place: &Range<usize>) -> Option<&Region> {
        let regions = self.of_kind(kind);
        let behind = regions.partition_point(|region| region.inside.start <= place.start);
        let region = regions[..behind].last()?;
        (place.end <= region.inside.end).then_some(region)
    }
}

/// The parts of an answer.
pub(super) fn regions(answer: &str) -> Regions {
    let mut regions = find(answer);
    regions.sort_by_key(|region| (region.kind, region.inside.start, Reverse(region.inside.end)));
    // Of parts in each other, the outer one counts.
    let mut end = (RegionKind::Think, 0);
    regions.retain(|region| {
        let is_inner = region.kind == end.0 && region.inside.end <= end.1;
        if !is_inner {
            end = (region.kind, region.inside.end);
        }
        !is_inner
    });
    Regions(regions)
}

fn find(answer: &str) -> Vec<Region> {
    let text = answer.as_bytes();
    let mut regions = Vec::new();
    let mut think: Option<usize> = None;
    let mut think_end = "";
    let mut tag: Option<usize> = None;
    let mut braces: Vec<Option<usize>> = Vec::new();
    let mut deletions = Deletions {
        text: answer,
        has_no_end: [false; DELETIONS.len()],
    };
    let mut at = 0;
    if let Some(end) = end_of_channel(answer) {
        regions.push(Region {
            kind: RegionKind::Think,
            inside: 0..end,
            end: end + CHANNELS[1].len(),
            is_closed: true,
        });
        at = end;
    }
    while let Some(offset) = text[at..]
        .iter()
        .position(|byte| matches!(*byte, b'<' | b'{' | b'}' | b'[' | b'~' | FIRST_OF_TRIANGLE))
    {
        at += offset;
        if let Some((inside, end)) = deletions.at(at) {
            let kind = RegionKind::Deleted;
            match regions.last_mut() {
                Some(last) if last.kind == kind && is_blank(&text[last.end..at]) => {
                    last.inside.end = inside.end;
                    last.end = end;
                }
                _ => regions.push(Region {
                    kind,
                    inside,
                    end,
                    is_closed: true,
                }),
            }
            at = end;
            continue;
        }
        match text[at] {
            b'{' => {
                let is_box = BOX_COMMANDS
                    .iter()
                    .any(|command| text[..at].ends_with(command));
                braces.push(is_box.then_some(at + 1));
            }
            b'}' => {
                if let Some(Some(start)) = braces.pop() {
                    let (kind, inside) = (RegionKind::Boxed, start..at);
                    regions.push(Region {
                        kind,
                        inside,
                        end: at + 1,
                        is_closed: true,
                    });
                }
            }
            _ => {
                for (kind, start_tag, end_tag) in TAGS {
                    let open = match kind {
                        RegionKind::Think => &mut think,
                        _ => &mut tag,
                    };
                    if starts_with(&text[at..], start_tag) {
                        let inside = at + start_tag.len();
                        // Thoughts go on where they are opened twice; an answer starts anew.
                        if kind == RegionKind::Tag || open.is_none() {
                            *open = Some(inside);
                            if kind == RegionKind::Think {
                                think_end = end_tag;
                            }
                        }
                    } else if starts_with(&text[at..], end_tag) {
                        let is_own = open.is_some() && think_end == end_tag;
                        if INNER_ENDS.contains(&end_tag) && !is_own {
                            continue;
                        }
                        // Some prompts open the thoughts for the model.
                        let from_start = (kind == RegionKind::Think).then_some(0);
                        if let Some(start) = open.take().or(from_start) {
                            regions.push(Region {
                                kind,
                                inside: start..at,
                                end: at + end_tag.len(),
                                is_closed: true,
                            });
                        }
                    }
                }
            }
        }
        at += 1;
    }
    if let Some(start) = tag {
        let (kind, inside) = (RegionKind::Tag, start..text.len());
        regions.push(Region {
            kind,
            end: inside.end,
            inside,
            is_closed: false,
        });
    }
    // Words such as `<analysis>` are also mentioned in sentences.
    let is_mention = |start: usize| {
        let before = |tag: &str| start.checked_sub(tag.len());
        let tag_start = MENTIONED
            .iter()
            .find_map(|tag| before(tag).filter(|at| starts_with(&text[*at..], tag)));
        tag_start.is_some_and(|at| !text[..at].trim_ascii().is_empty())
    };
    if let Some(start) = think.filter(|start| !is_mention(*start)) {
        // A tag with an answer ends thoughts that the model did not end.
        let mut answers = regions.iter();
        let answer = answers.find(|region| {
            region.kind == RegionKind::Tag && region.is_closed && region.inside.start > start
        });
        let end = answer.map_or(text.len(), |answer| answer.inside.start);
        let (kind, inside) = (RegionKind::Think, start..end);
        regions.push(Region {
            kind,
            end,
            inside,
            is_closed: false,
        });
    }
    regions
}

/// Whether only blanks and marks of lists and tables are between two deleted parts.
fn is_blank(text: &[u8]) -> bool {
    let is_mark = |byte: &u8| byte.is_ascii_whitespace() || b"-*>|+".contains(byte);
    text.iter().all(is_mark)
}

/// Finds deleted text.
struct Deletions<'a> {
    text: &'a str,
    /// Whether a kind of deletion has no end behind some place, so that it is searched once.
    has_no_end: [bool; DELETIONS.len()],
}

impl Deletions<'_> {
    /// The inside of the deletion that starts here, and the place behind it.
    fn at(&mut self, at: usize) -> Option<(Range<usize>, usize)> {
        let text = self.text.as_bytes();
        let kind = DELETIONS
            .iter()
            .position(|(start, _)| starts_with(&text[at..], start))?;
        let (start, end) = DELETIONS[kind];
        let inside = at + start.len();
        let is_strike = start == STRIKE;
        // Three are the fence of code.
        let is_fence =
            |at: usize| text[..at].ends_with(b"~") || text.get(at + STRIKE.len()) == Some(&b'~');
        if is_strike && is_fence(at) || self.has_no_end[kind] {
            return None;
        }
        let length = text[inside..]
            .windows(end.len())
            .zip(inside..)
            .position(|(window, at)| {
                if is_strike {
                    window == b"\n\n" || window == end.as_bytes() && !is_fence(at)
                } else {
                    window.eq_ignore_ascii_case(end.as_bytes())
                }
            });
        let Some(length) = length else {
            self.has_no_end[kind] = true;
            return None;
        };
        let close = inside + length;
        let is_closed = starts_with(&text[close..], end);
        (is_closed && length > 0).then_some((inside..close, close + end.len()))
    }
}

/// The end of the thoughts in a text whose special tokens were removed: `analysisLet me see.assistantfinalThe answer`.
fn end_of_channel(answer: &str) -> Option<usize> {
    let [thoughts, last] = CHANNELS;
    answer
        .trim_start()
        .starts_with(thoughts)
        .then(|| answer.rfind(last))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_an_answer_are_found() {
        let found = |answer: &str| -> Vec<(RegionKind, String, bool)> {
            let regions = regions(answer).0.into_iter();
            regions
                .map(|region| {
                    (
                        region.kind,
                        answer[region.inside].to_owned(),
                        region.is_closed,
                    )
                })
                .collect()
        };
        let part = |kind, inside: &str, is_closed| (kind, inside.to_owned(), is_closed);
        use RegionKind::{Boxed, Deleted, Tag, Think};
        for (answer, expected) in [
            ("a", vec![]),
            (
                "<think>a</think><ANSWER>b</ANSWER>",
                vec![part(Think, "a", true), part(Tag, "b", true)],
            ),
            ("a</think>b", vec![part(Think, "a", true)]),
            ("a</think>b</think>", vec![part(Think, "a</think>b", true)]),
            ("<think>a", vec![part(Think, "a", false)]),
            (
                "<think>a <answer>b</answer>",
                vec![part(Think, "a <answer>", false), part(Tag, "b", true)],
            ),
            (
                "[THINK]a[/THINK]◁think▷b◁/think▷<analysis>c</analysis>",
                vec![
                    part(Think, "a", true),
                    part(Think, "b", true),
                    part(Think, "c", true),
                ],
            ),
            (
                "<seed:think>a</seed:think><del>b</del>[c] ◁",
                vec![part(Think, "a", true), part(Deleted, "b", true)],
            ),
            (
                "<think>a<del>b</del>c",
                vec![
                    part(Think, "a<del>b</del>c", false),
                    part(Deleted, "b", true),
                ],
            ),
            ("<s>a</del>b</s> c ~~d <!-- e ~~~ f ~~~ <|end|>", vec![]),
            (
                "~~a~~\n- ~~b~~ c <!-- d -->",
                vec![
                    part(Deleted, "a~~\n- ~~b", true),
                    part(Deleted, " d ", true),
                ],
            ),
            ("~~a\n\nb~~", vec![]),
            (
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>",
                vec![part(Think, "<|message|>a", true)],
            ),
            (
                "analysisa assistantfinalb",
                vec![part(Think, "analysisa ", true)],
            ),
            ("The assistantfinal analysis", vec![]),
            ("\\boxed{{a}{b}} {", vec![part(Boxed, "{a}{b}", true)]),
            ("\\boxed{\\fbox{a}}", vec![part(Boxed, "\\fbox{a}", true)]),
        ] {
            assert_eq!(found(answer), expected, "{answer}");
        }
    }
}
