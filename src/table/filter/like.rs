//! Matches `like` patterns that are too long for Arrow's kernel. The kernel compiles a pattern to a regular
//! expression. For 40,000 characters this takes seconds, and then fails.

use std::sync::Arc;

use arrow::array::{BooleanArray, StringArray};

/// The length in bytes above which a pattern is matched by this module. For shorter patterns, Arrow's kernel is
/// faster.
pub(super) const LONG_PATTERN_BYTES: usize = 1000;

/// A parsed `like` pattern that is too long for Arrow's kernel.
#[derive(Clone, Debug)]
pub(super) struct LongPattern(Arc<[PatternPart]>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatternPart {
    /// `%`: any number of characters.
    Any,
    /// `_`: one character.
    One,
    Character(char),
}

impl LongPattern {
    /// Parses a pattern in the syntax of Arrow's kernel, where a backslash is the escape character.
    pub(super) fn new(pattern: &str) -> LongPattern {
        let mut pattern_parts = Vec::with_capacity(pattern.len());
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            pattern_parts.push(match character {
                '%' if pattern_parts.last() == Some(&PatternPart::Any) => continue,
                '%' => PatternPart::Any,
                '_' => PatternPart::One,
                '\\' => PatternPart::Character(characters.next().unwrap_or('\\')),
                character => PatternPart::Character(character),
            });
        }
        LongPattern(pattern_parts.into())
    }

    /// For each text, whether it matches the pattern.
    pub(super) fn matches(&self, texts: &StringArray) -> BooleanArray {
        let mut characters = Vec::new();
        let matches = texts.iter().map(|text| {
            characters.clear();
            characters.extend(text?.chars());
            Some(self.is_match(&characters))
        });
        matches.collect()
    }

    /// Whether a text matches the pattern. The part of the pattern after each `%` is matched as early in the text as
    /// possible. If the rest of the pattern then does not match, the last `%` takes one more character.
    fn is_match(&self, text: &[char]) -> bool {
        let pattern_parts = &*self.0;
        let (mut part, mut at) = (0, 0);
        // The point to return to if a match fails. It consists of the position in the pattern after the last `%`, and
        // the position in the text at which the match of this `%` began.
        let mut backtrack_point: Option<(usize, usize)> = None;
        while at < text.len() {
            let is_match = match pattern_parts.get(part) {
                Some(PatternPart::Any) => {
                    backtrack_point = Some((part + 1, at));
                    part += 1;
                    continue;
                }
                Some(PatternPart::One) => true,
                Some(PatternPart::Character(character)) => *character == text[at],
                None => false,
            };
            if is_match {
                (part, at) = (part + 1, at + 1);
                continue;
            }
            let Some((next, from)) = backtrack_point else {
                return false;
            };
            backtrack_point = Some((next, from + 1));
            (part, at) = (next, from + 1);
        }
        pattern_parts[part..]
            .iter()
            .all(|part| *part == PatternPart::Any)
    }
}

#[cfg(test)]
mod tests {
    use arrow::compute::kernels::comparison::like;

    use super::*;

    /// Checks that short patterns give the same results as Arrow's kernel.
    #[test]
    fn a_like_pattern_matches_the_same_texts_as_the_kernel_of_arrow() {
        let mut state = 3_u32;
        let mut next_random = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let letters = ["a", "b", "é", "%", "_", "\\%", "\\_", "\\\\", "\n"];
        let text = |length: u32, most: u32, next: &mut dyn FnMut(u32) -> u32| -> String {
            let letter = |_| letters[next(most) as usize];
            (0..length).map(letter).collect()
        };
        let mut matched = 0;
        for _ in 0..3000 {
            let length = next_random(7);
            let pattern = text(length, letters.len() as u32, &mut next_random);
            let texts: Vec<String> = (0..20)
                .map(|_| {
                    let length = next_random(7);
                    text(length, 5, &mut next_random)
                })
                .collect();
            let text_array = StringArray::from(texts);
            let expected_matches =
                like(&text_array, &StringArray::new_scalar(pattern.as_str())).unwrap();
            assert_eq!(
                LongPattern::new(&pattern).matches(&text_array),
                expected_matches,
                "{pattern}"
            );
            matched += expected_matches.true_count();
        }
        assert!(matched > 1000, "{matched}");
    }
}
