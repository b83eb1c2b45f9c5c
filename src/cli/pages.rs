//! The pages of the commands in `docs/commands`, and the page of the options that several commands have. They are
//! generated from the options. The test below fails if a page differs. `UPDATE_DOCS=1 cargo test --lib command_pages`
//! writes the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use clap::{Arg, Command, ValueEnum};

use crate::cli::commands::schema::TableName;

/// The heading for options without a heading of their own.
const OTHER_OPTIONS: &str = "Options";

/// The name of the page of options that several commands have.
const SHARED_PAGE: &str = "options";

const GENERATED: &str =
    "<!-- Generated from the options: UPDATE_DOCS=1 cargo test --lib command_pages -->";

/// The page of a command, in Markdown. Options that are on the shared page are links to it.
fn page(command: &mut Command, shared: &SharedOptions) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let about_text = command.get_long_about().or(command.get_about());
    let about_text = about_text.map(ToString::to_string).unwrap_or_default();
    let mut page = format!(
        "{GENERATED}\n\n# pipeline {}\n\n{}\n\n```text\n{usage}\n```\n",
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
    if has_table(command.get_name()) {
        let _ = write!(
            page,
            "\n`pipeline schema {}` prints the columns of its table. [Formats](../formats.md), [columns](../columns.md) and [exit \
             codes](../operations.md#exit-codes) are the same for all commands.\n",
            command.get_name()
        );
    }
    for Section { heading, arguments } in sections(command) {
        let (links, own): (Vec<&Arg>, Vec<&Arg>) = arguments
            .into_iter()
            .partition(|argument| shared.contains(argument));
        let _ = write!(page, "\n## {heading}\n");
        for argument in own {
            page += &described(argument);
        }
        if !links.is_empty() {
            let links: Vec<String> = links.into_iter().map(link).collect();
            let _ = write!(page, "\nAs in other commands: {}.\n", links.join(", "));
        }
    }
    page
}

/// Whether the command writes a table that `pipeline schema` describes.
fn has_table(command: &str) -> bool {
    TableName::from_str(command, false).is_ok()
}

/// A section of a page: its heading and its arguments.
struct Section<'a> {
    heading: &'a str,
    arguments: Vec<&'a Arg>,
}

/// The arguments of a command that its help shows, by their headings.
fn sections(command: &Command) -> Vec<Section<'_>> {
    let section = |heading| Section {
        heading,
        arguments: Vec::new(),
    };
    let mut sections = vec![section("Arguments"), section(OTHER_OPTIONS)];
    let is_shown = |argument: &&Arg| !argument.is_hide_set() && argument.get_id() != "help";
    for argument in command.get_arguments().filter(is_shown) {
        let heading = if argument.is_positional() {
            "Arguments"
        } else {
            argument.get_help_heading().unwrap_or(OTHER_OPTIONS)
        };
        match sections.iter_mut().find(|known| known.heading == heading) {
            Some(known) => known.arguments.push(argument),
            None => sections.push(Section {
                heading,
                arguments: vec![argument],
            }),
        }
    }
    sections.retain(|section| !section.arguments.is_empty());
    sections
}

/// An argument with its help, in Markdown.
fn described(argument: &Arg) -> String {
    let text = argument.get_long_help().or(argument.get_help());
    let text = text.map(ToString::to_string).unwrap_or_default();
    format!("\n### `{}`\n\n{}\n", name(argument), prose(&text))
}

/// A link from the page of a command to a shared option.
fn link(option: &Arg) -> String {
    let is_kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
    let anchor: String = name(option)
        .to_lowercase()
        .chars()
        .filter(is_kept)
        .collect();
    let long_name = option.get_long().unwrap_or_default();
    format!(
        "[`--{long_name}`]({SHARED_PAGE}.md#{})",
        anchor.replace(' ', "-")
    )
}

/// The options that several commands have with the same description, by heading. An option that commands describe in
/// different ways is there once, as most of them describe it; the others have it on their own pages.
struct SharedOptions {
    sections: Vec<(String, Vec<Shared>)>,
}

struct Shared {
    description: String,
    long_name: String,
    commands: usize,
}

impl SharedOptions {
    fn from_commands<'a>(commands: impl Iterator<Item = &'a Command>) -> SharedOptions {
        let mut sections: Vec<(String, Vec<Shared>)> = Vec::new();
        for command in commands {
            for Section { heading, arguments } in sections_of_options(command) {
                let at = sections.iter().position(|(known, _)| known == heading);
                let at = at.unwrap_or_else(|| {
                    sections.push((heading.to_owned(), Vec::new()));
                    sections.len() - 1
                });
                for option in arguments {
                    let description = described(option);
                    let options = &mut sections[at].1;
                    match (options.iter_mut()).find(|known| known.description == description) {
                        Some(known) => known.commands += 1,
                        None => options.push(Shared {
                            description,
                            long_name: option.get_long().unwrap_or_default().to_owned(),
                            commands: 1,
                        }),
                    }
                }
            }
        }
        let mut most_commands = BTreeMap::new();
        for option in sections.iter().flat_map(|(_, options)| options) {
            let most = most_commands.entry(option.long_name.clone()).or_insert(1);
            *most = option.commands.max(*most);
        }
        let mut kept_names = BTreeSet::new();
        for (_, options) in &mut sections {
            options.retain(|option| {
                option.commands > 1
                    && option.commands == most_commands[&option.long_name]
                    && kept_names.insert(option.long_name.clone())
            });
        }
        sections.retain(|(_, options)| !options.is_empty());
        SharedOptions { sections }
    }

    /// Whether the option is described on the shared page.
    fn contains(&self, option: &Arg) -> bool {
        if option.is_positional() {
            return false;
        }
        let description = described(option);
        let mut options = self.sections.iter().flat_map(|(_, options)| options);
        options.any(|shared| shared.description == description)
    }

    /// The page of the shared options, in Markdown.
    fn page(&self) -> String {
        let mut page = format!(
            "{GENERATED}\n\n# Options of several commands\n\n\
             The page of each command names those that it has. A variable sets an option for all commands that have it; \
             an option that is given counts instead.\n"
        );
        for (heading, options) in &self.sections {
            let _ = write!(page, "\n## {heading}\n");
            for option in options {
                page += &option.description;
            }
        }
        page
    }
}

/// The options of a command without its positional arguments, by their headings.
fn sections_of_options(command: &Command) -> Vec<Section<'_>> {
    let mut sections = sections(command);
    sections.retain(|section| section.heading != "Arguments");
    sections
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
    let mut is_in_item = false;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let item_text = line.strip_prefix("- ");
        // The help wraps the description of a value.
        is_in_item &= item_text.is_none() && !line.is_empty() && !line.starts_with('[');
        if at > 0 {
            prose.push(if is_in_item { ' ' } else { '\n' });
        }
        is_in_item |= item_text.is_some();
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
    let is_listed = |command: &&Command| names.iter().any(|name| name == command.get_name());
    let shared = SharedOptions::from_commands(cli.get_subcommands().filter(is_listed));
    let mut pages = vec![(SHARED_PAGE.to_owned(), shared.page())];
    for name in &names {
        let command = cli.find_subcommand_mut(name).expect("a command");
        pages.push((name.clone(), page(command, &shared)));
    }
    for (name, text) in &pages {
        let path = root.join(format!("commands/{name}.md"));
        if update {
            std::fs::create_dir_all(root.join("commands")).expect("docs/commands");
            std::fs::write(&path, text).expect("a page");
            continue;
        }
        let current_page = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            current_page == *text,
            "{}: run UPDATE_DOCS=1 cargo test --lib command_pages",
            path.display()
        );
        let link = format!("(commands/{name}.md)");
        assert!(summary.contains(&link), "docs/SUMMARY.md has no {link}");
    }
    let files = std::fs::read_dir(root.join("commands")).expect("docs/commands");
    assert_eq!(files.count(), pages.len(), "a page without a command");
}
