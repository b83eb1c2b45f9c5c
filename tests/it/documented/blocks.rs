//! The commands of documents and help texts.

use std::fmt;

/// A command, and the line on which it starts.
#[derive(Debug)]
pub(super) struct Example {
    place: String,
    pub(super) command: String,
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.command)
    }
}

/// The commands of a document, block by block. In a block of `sh` every line is a command, in one of `console`
/// those with a prompt. A line that ends with a backslash is continued.
pub(super) fn sequences(document: &str, text: &str) -> Vec<Vec<Example>> {
    let mut blocks = Vec::new();
    let mut language = None;
    let mut block: Vec<Example> = Vec::new();
    let mut is_continued = false;
    for (line, number) in text.lines().zip(1..) {
        if let Some(fence) = line.trim_start().strip_prefix("```") {
            language = match language {
                None => Some(fence.trim()),
                Some(_) => None,
            };
            blocks.extend((!block.is_empty()).then(|| std::mem::take(&mut block)));
            is_continued = false;
            continue;
        }
        let command = match language {
            Some("sh" | "bash" | "shell") => Some(line),
            Some("console") if is_continued => Some(line.trim_start_matches("> ")),
            Some("console") => line.strip_prefix("$ "),
            _ => None,
        };
        let Some(command) = command.map(str::trim) else {
            continue;
        };
        if command.is_empty() || command.starts_with('#') {
            continue;
        }
        let rest = command.strip_suffix('\\');
        match (is_continued, block.last_mut()) {
            (true, Some(last)) => last.command += rest.unwrap_or(command),
            _ => block.push(Example {
                place: format!("{document}:{number}"),
                command: rest.unwrap_or(command).to_owned(),
            }),
        }
        is_continued = rest.is_some();
    }
    blocks
}

/// The examples of a command's help text: lines that start with `pipeline` below the heading.
pub(super) fn examples_of_help(command: &str, help: &str) -> Vec<Example> {
    let below = help.lines().skip_while(|line| *line != "Examples:");
    let examples = below.filter_map(|line| {
        let line = line.strip_prefix("  ")?.trim_start_matches("$ ");
        let is_command = line.starts_with("pipeline ");
        is_command.then(|| Example {
            place: format!("pipeline {command} --help"),
            command: line.to_owned(),
        })
    });
    examples.collect()
}

#[test]
fn blocks_are_split_into_commands() {
    let text = "text\n```sh\n# why\none \\\n    two\nthree\n```\n```console\n$ four\nits output\n```\n\
                ```yaml\nfive\n```\n";
    let found = sequences("d.md", text);
    let found: Vec<Vec<String>> = (found.iter())
        .map(|block| block.iter().map(ToString::to_string).collect())
        .collect();
    assert_eq!(
        found,
        [
            vec!["d.md:4: one two", "d.md:6: three"],
            vec!["d.md:9: four"]
        ]
    );
}
