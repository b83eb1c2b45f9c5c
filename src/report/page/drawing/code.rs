//! Finds the commands, options and names of columns in sentences. Pages and cards show them as code.

/// The commands that sentences recommend.
const COMMANDS: [&str; 5] = ["audit", "evaluate", "explain", "grade", "overlap"];

/// The values of options that sentences recommend.
const VALUES: [&str; 2] = ["canonical", "waves"];

/// A part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SentencePart<'a> {
    Text(&'a str),
    /// A command with its options, such as `pipeline grade --with waves`, an option, or the name of a column.
    Code(&'a str),
}

/// Divides a sentence into text and code. The parts together are the whole sentence.
pub(crate) fn sentence_parts(sentence: &str) -> Vec<SentencePart<'_>> {
    let words = words_of(sentence);
    let mut parts = Vec::new();
    let mut text_start = 0;
    let mut at = 0;
    while let Some(&(start, end)) = words.get(at) {
        let last = match &sentence[start..end] {
            "pipeline" => end_of_command(sentence, &words, at),
            word if word.starts_with("--") => Some(end_of_options(sentence, &words, at)),
            word if word.contains('_') => Some(at),
            _ => None,
        };
        if let Some(last) = last {
            let code_end = words[last].1;
            parts.push(SentencePart::Text(&sentence[text_start..start]));
            parts.push(SentencePart::Code(&sentence[start..code_end]));
            text_start = code_end;
            at = last;
        }
        at += 1;
    }
    parts.push(SentencePart::Text(&sentence[text_start..]));
    parts.retain(|part| *part != SentencePart::Text(""));
    parts
}

/// The start and the end of each word, without the punctuation after it.
fn words_of(sentence: &str) -> Vec<(usize, usize)> {
    let mut start = 0;
    let words = sentence.split(' ').map(|word| {
        let word_start = start;
        start += word.len() + 1;
        let word = word.trim_end_matches(['.', ',', ':', ';', ')']);
        (word_start, word_start + word.len())
    });
    words.collect()
}

/// The index of the last word of a command; `None` if no known command follows the word with index `at`.
fn end_of_command(sentence: &str, words: &[(usize, usize)], at: usize) -> Option<usize> {
    let command = following_word(sentence, words, at)?;
    COMMANDS
        .contains(&command)
        .then(|| end_of_options(sentence, words, at + 1))
}

/// The index of the last word of the options that follow the word with index `at`.
fn end_of_options(sentence: &str, words: &[(usize, usize)], mut at: usize) -> usize {
    while let Some(next) = following_word(sentence, words, at) {
        let (start, end) = words[at];
        let is_value = sentence[start..end].starts_with("--") && VALUES.contains(&next);
        if !is_value && !next.starts_with("--") {
            break;
        }
        at += 1;
    }
    at
}

/// The word after the word with index `at`; `None` if punctuation is between them.
fn following_word<'s>(sentence: &'s str, words: &[(usize, usize)], at: usize) -> Option<&'s str> {
    let ((_, end), (start, next_end)) = (words.get(at)?, words.get(at + 1)?);
    (end + 1 == *start).then_some(&sentence[*start..*next_end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: only `--with` of `pipeline grade --with canonical` was code.
    #[test]
    fn whole_commands_are_code() {
        for (sentence, code) in [
            (
                "pipeline audit does, and so does this page after pipeline grade --with canonical.",
                &["pipeline audit", "pipeline grade --with canonical"][..],
            ),
            (
                "Its columns waves_<technique> do: grade writes them with --with waves, and with --report it counts.",
                &["waves_<technique>", "--with waves", "--report"],
            ),
            ("Raise --node-limit to decide them.", &["--node-limit"]),
            ("Counted by pipeline 1.0.0.", &[]),
            ("", &[]),
            ("a pipeline", &[]),
            ("pipeline, grade", &[]),
        ] {
            let parts = sentence_parts(sentence);
            let found: Vec<&str> = (parts.iter())
                .filter_map(|part| match part {
                    SentencePart::Code(code) => Some(*code),
                    SentencePart::Text(_) => None,
                })
                .collect();
            assert_eq!(found, code, "{sentence}");
            let whole: String = (parts.iter())
                .map(|(SentencePart::Text(text) | SentencePart::Code(text))| *text)
                .collect();
            assert_eq!(whole, sentence);
        }
    }
}
