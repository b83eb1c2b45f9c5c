//! Finds the commands in the documentation and in help texts.

use std::fmt;

/// A command of the documentation, and its position in the document.
#[derive(Debug)]
pub(super) struct Example {
    location: String,
    pub(super) command: String,
    /// The output of the command that the document shows; empty if it shows none.
    pub(super) output: String,
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.command)
    }
}

/// The commands of a document, grouped by block. In a block of `sh`, every line is a command; in a block of `console`,
/// every line with a prompt is a command. A line that ends with a backslash continues on the next line.
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
            if let (Some("console"), Some(last)) = (language, block.last_mut()) {
                last.output += &format!("{line}\n");
            }
            continue;
        };
        if command.is_empty() || command.starts_with('#') {
            continue;
        }
        let continued = command.strip_suffix('\\');
        match (is_continued, block.last_mut()) {
            (true, Some(last)) => last.command += continued.unwrap_or(command),
            _ => block.push(Example {
                location: format!("{document}:{number}"),
                command: continued.unwrap_or(command).to_owned(),
                output: String::new(),
            }),
        }
        is_continued = continued.is_some();
    }
    blocks
}

/// The examples in a command's help text: the indented lines below the heading that start with `pipeline`. Other
/// indented lines continue the line above.
pub(super) fn examples_of_help(command: &str, help: &str) -> Vec<Example> {
    let example_lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let mut examples: Vec<Example> = Vec::new();
    for line in example_lines.map_while(|line| line.strip_prefix("  ")) {
        let line = line.trim_start_matches("$ ");
        match (line.starts_with("pipeline "), examples.last_mut()) {
            (false, Some(last)) => last.command += &format!(" {}", line.trim_start()),
            _ => examples.push(Example {
                location: format!("pipeline {command} --help"),
                command: line.to_owned(),
                output: String::new(),
            }),
        }
    }
    examples
}

#[test]
fn blocks_are_split_into_commands() {
    let text = "text\n```sh\n# why\none \\\n    two\nthree\n```\n```console\n$ four\nits output\n```\n\
                ```yaml\nfive\n```\n";
    let found_blocks = sequences("d.md", text);
    let found_texts: Vec<Vec<String>> = (found_blocks.iter())
        .map(|block| block.iter().map(ToString::to_string).collect())
        .collect();
    assert_eq!(
        found_texts,
        [
            vec!["d.md:4: one two", "d.md:6: three"],
            vec!["d.md:9: four"]
        ]
    );
}
