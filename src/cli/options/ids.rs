//! Parses ids on the command line, such as those of techniques: `X-Wing`, `xwing` and `x_wing` are one.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A parser for ids in lower case, in any case: `SE` is `se`.
pub(crate) fn id_of(
    values: impl IntoIterator<Item = impl Into<PossibleValue>>,
) -> impl TypedValueParser<Value = String> {
    // The option ignores case, and the parser returns what was typed.
    PossibleValuesParser::new(values).map(|id| id.to_lowercase())
}

/// Parses the name of a technique to its id. Case, hyphens, underscores and spaces are ignored.
#[derive(Clone)]
pub(crate) struct TechniqueParser {
    ids: Vec<&'static str>,
}

impl TechniqueParser {
    /// The parser of the techniques that an option allows.
    pub(crate) fn new(ids: impl Iterator<Item = &'static str>) -> TechniqueParser {
        TechniqueParser { ids: ids.collect() }
    }
}

impl TypedValueParser for TechniqueParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let name = normalised(&value.to_string_lossy());
        let id = self.ids.iter().find(|id| normalised(id) == name);
        let value = id.map_or(value, OsStr::new);
        PossibleValuesParser::new(&self.ids).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.ids.iter().map(PossibleValue::new)))
    }
}

/// A name without separators, in lower case.
pub(crate) fn normalised(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
    letters.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use sudoku_core::explain::technique_ids;

    use super::*;

    #[test]
    fn a_name_means_one_technique() {
        let mut names: Vec<String> = technique_ids().map(normalised).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(normalised("X-Wing"), normalised("x_wing"));
    }
}
