//! How options are written in messages of the command line.

use clap::error::{ContextKind, ContextValue};
use sudoku_pipeline::options::{self, OptionKind, OptionValue, SpokenOption};

use crate::nearest::did_you_mean;

/// Writes an option as on the command line: `--keep`, `--rejects FILE`, `--where "clues < 20"`,
/// `--infer-types=none`.
pub(super) fn flag(option: SpokenOption<'_>) -> String {
    let name = option.name.replace('_', "-");
    let between = match option.kind {
        OptionKind::OptionalValue => '=',
        OptionKind::Valued | OptionKind::Switch => ' ',
    };
    match option.value {
        OptionValue::Unsaid => format!("--{name}"),
        OptionValue::Given(condition) if option.name == "where" => {
            format!("--{name} \"{condition}\"")
        }
        OptionValue::Placeholder(value) | OptionValue::Given(value) => {
            format!("--{name}{between}{value}")
        }
    }
}

/// The message of a clap error. Options in it are written as in other messages.
pub(super) fn message(mut error: clap::Error) -> String {
    let mut spelled_options = Vec::new();
    let mut spell_argument = |argument: &String| {
        let Some(name) = argument.strip_prefix("--") else {
            return argument.clone();
        };
        let name_end = name.find([' ', '=', '[']).unwrap_or(name.len());
        let option = options::spell(SpokenOption {
            name: &name[..name_end].replace('-', "_"),
            kind: OptionKind::Valued,
            value: OptionValue::Unsaid,
        });
        spelled_options.push(option.clone());
        option
    };
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg] {
        let spelled = match error.get(kind) {
            Some(ContextValue::String(one)) => ContextValue::String(spell_argument(one)),
            Some(ContextValue::Strings(several)) => {
                ContextValue::Strings(several.iter().map(&mut spell_argument).collect())
            }
            _ => continue,
        };
        error.insert(kind, spelled);
    }
    let text = error.render().to_string();
    let text = text.split("\n\n").next().unwrap_or_default();
    let text = text.trim_start_matches("error: ").replace('\n', " ");
    let text = with_possible_values(text);
    // clap writes option names in quotes, like values.
    let unquoted = |text: String, option| text.replace(&format!("'{option}'"), option);
    spelled_options
        .iter()
        .map(String::as_str)
        .fold(text, unquoted)
}

/// A message of clap with its list of possible values as part of the sentence, and the most similar of them.
fn with_possible_values(text: String) -> String {
    let Some((said, values)) = text.split_once("[possible values: ") else {
        return text;
    };
    let values = values.trim_end().trim_end_matches(']');
    let value = said.split('\'').nth(1).unwrap_or_default();
    format!(
        "{}: must be one of {values}{}",
        said.trim_end(),
        did_you_mean(value, values.split(", "))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An option in a message must exist in some command, and be written in a valid way.
    #[test]
    fn every_option_of_a_message_is_one_of_a_command() {
        let mut cli = crate::cli::command();
        cli.build();
        let known_options: Vec<clap::Arg> = (cli.get_subcommands())
            .flat_map(clap::Command::get_arguments)
            .cloned()
            .collect();
        for option in options::ALL {
            let matches_option = |known: &&clap::Arg| {
                let takes = known.get_action().takes_values();
                let may_be_bare = known
                    .get_num_args()
                    .is_some_and(|range| range.min_values() == 0);
                known.get_long().map(|long| long.replace('-', "_")) == Some(option.name())
                    && option.kind
                        == match (takes, takes && may_be_bare) {
                            (false, _) => OptionKind::Switch,
                            (true, true) => OptionKind::OptionalValue,
                            (true, false) => OptionKind::Valued,
                        }
            };
            assert!(
                known_options.iter().any(|known| matches_option(&known)),
                "{option:?}"
            );
        }
    }

    #[test]
    fn values_are_written_as_a_shell_needs_them() {
        let spelled_option = |name, kind, value| flag(SpokenOption { name, kind, value });
        let given = OptionValue::Given;
        assert_eq!(
            spelled_option("types", OptionKind::Valued, given("id=text")),
            "--types id=text"
        );
        assert_eq!(
            spelled_option("infer_types", OptionKind::OptionalValue, given("none")),
            "--infer-types=none"
        );
        assert_eq!(
            spelled_option("where", OptionKind::Valued, given("clues < 20")),
            "--where \"clues < 20\""
        );
    }
}
