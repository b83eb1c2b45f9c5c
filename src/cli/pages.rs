//! The pages of the commands in `docs/commands`, which are generated from the options. The test below fails
//! if a page differs. `UPDATE_DOCS=1 cargo test --lib command_pages` writes the pages.

use std::fmt::Write;
use std::path::Path;

use clap::{Arg, Command};

/// The heading for options without a heading of their own.
const OTHER_OPTIONS: &str = "Options";

/// The page of a command, in Markdown.
fn page(command: &mut Command) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let about_text = command.get_long_about().or(command.get_about());
    let about_text = about_text.map(ToString::to_string).unwrap_or_default();
    let mut page = format!(
        "<!-- Generated from the options: UPDATE_DOCS=1 cargo test --lib command_pages -->\n\n\
         # pipeline {}\n\n{}\n\n```text\n{usage}\n```\n",
        command.get_name(),
        prose(about_text.trim())
    );
    let text_below = command.get_after_long_help().or(command.get_after_help());
    let text_below = text_below.map(ToString::to_string).unwrap_or_default();
    if let Some(examples) = text_below.trim().strip_prefix("Examples:\n") {
        let (examples, rest) = examples.split_once("\n\n").unwrap_or((examples, ""));
        let lines = examples.lines();
        let lines: Vec<&str> = lines
            .map(|line| line.strip_prefix("  ").unwrap_or(line))
            .collect();
        let _ = write!(page, "\n## Examples\n\n```sh\n{}\n```\n", lines.join("\n"));
        if !rest.is_empty() {
            let _ = write!(page, "\n{}\n", prose(rest));
        }
    }
    let is_shown = |argument: &&Arg| !argument.is_hide_set() && argument.get_id() != "help";
    let arguments: Vec<&Arg> = command.get_arguments().filter(is_shown).collect();
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) = arguments
        .into_iter()
        .partition(|argument| argument.is_positional());
    let mut sections: Vec<(&str, Vec<&Arg>)> =
        vec![("Arguments", positional), (OTHER_OPTIONS, Vec::new())];
    for option in options {
        let heading = option.get_help_heading().unwrap_or(OTHER_OPTIONS);
        match sections.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, options)) => options.push(option),
            None => sections.push((heading, vec![option])),
        }
    }
    for (heading, arguments) in sections.iter().filter(|(_, own)| !own.is_empty()) {
        let _ = write!(page, "\n## {heading}\n");
        for argument in arguments {
            let text = argument.get_long_help().or(argument.get_help());
            let text = text.map(ToString::to_string).unwrap_or_default();
            let _ = write!(page, "\n### `{}`\n\n{}\n", name(argument), prose(&text));
        }
    }
    page
}

/// The name of an argument: `-o, --output <FILE>`, or `[INPUTS]...`.
fn name(argument: &Arg) -> String {
    if argument.is_positional() {
        return argument.to_string();
    }
    let short_option = argument.get_short();
    let short_option = short_option.map_or_else(String::new, |short| format!("-{short}, "));
    format!("{short_option}{argument}")
}

/// Converts a help text to Markdown. Special characters are escaped, lists are kept, and the facts at the
/// end of an option's text, such as `[default: 4] [env: PIPELINE_X]`, become sentences.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            prose.push('\n');
        }
        let line = line.trim();
        let item_text = line.strip_prefix("- ");
        if let Some((value, help)) = item_text.and_then(|item| item.split_once("  ")) {
            let _ = write!(prose, "- `{value}`: {}", escape(help.trim()));
        } else if let Some(facts) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            let facts = facts.split("] [").map(|fact| match fact.split_once(": ") {
                Some(("default", value)) => format!("Default: `{value}`."),
                Some(("env", name)) => format!("Variable: `{name}`."),
                _ => escape(fact),
            });
            prose += &facts.collect::<Vec<_>>().join(" ");
        } else {
            prose += &escape(line);
        }
    }
    prose
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if "*_<>[]|`\\#~".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Every command has an up-to-date page, and the table of contents lists all pages.
#[test]
fn command_pages_are_those_of_the_options() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut cli = super::command();
    cli.build();
    let names: Vec<String> = (cli.get_subcommands())
        .map(|command| command.get_name().to_owned())
        .filter(|name| name != "help")
        .collect();
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let summary = std::fs::read_to_string(root.join("SUMMARY.md")).unwrap_or_default();
    for name in &names {
        let command = cli.find_subcommand_mut(name).expect("a command");
        let (text, path) = (page(command), root.join(format!("commands/{name}.md")));
        if update {
            std::fs::create_dir_all(root.join("commands")).expect("docs/commands");
            std::fs::write(&path, text).expect("a page");
            continue;
        }
        let current_page = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            current_page == text,
            "{}: run UPDATE_DOCS=1 cargo test --lib command_pages",
            path.display()
        );
        let link = format!("(commands/{name}.md)");
        assert!(summary.contains(&link), "docs/SUMMARY.md has no {link}");
    }
    let pages = std::fs::read_dir(root.join("commands")).expect("docs/commands");
    assert_eq!(pages.count(), names.len(), "a page without a command");
}
