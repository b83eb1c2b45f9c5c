//! Parses names of columns on the command line, which are separated by commas.
//!
//! ```text
//! list    = name { "," name }
//! renames = name "=" name { "," name "=" name }
//! name    = plain text without white space at its ends | '"' any text, `""` for a quote '"'
//! ```

use std::fmt;
use std::str::FromStr;

/// The name of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// Whether the name was in quotes. In quotes, a word such as `all_names` is the name of a column.
    pub(crate) is_quoted: bool,
}

/// The names in one occurrence of an option.
#[derive(Clone, Debug)]
pub(crate) struct Names(pub(crate) Vec<Name>);

/// The pairs of old and new names in one occurrence of an option.
#[derive(Clone, Debug)]
pub(crate) struct Renames(pub(crate) Vec<(Name, Name)>);

impl FromStr for Names {
    type Err = String;

    fn from_str(text: &str) -> Result<Names, String> {
        parse_list(text).map(Names)
    }
}

impl FromStr for Renames {
    type Err = String;

    fn from_str(text: &str) -> Result<Renames, String> {
        parse_renames(text).map(Renames)
    }
}

/// The names in all occurrences of an option that may be repeated.
pub(crate) fn all_names(options: &[Names]) -> impl Iterator<Item = &Name> {
    options.iter().flat_map(|Names(names)| names)
}

/// The texts of the names in all occurrences of an option, without quotes.
pub(crate) fn texts(options: &[Names]) -> Vec<String> {
    all_names(options).map(|name| name.text.clone()).collect()
}

/// Parses names separated by commas.
fn parse_list(text: &str) -> Result<Vec<Name>, String> {
    let mut names = Vec::new();
    let mut remaining_text = text;
    loop {
        let (name, text_behind) = parse_name(remaining_text, &[','])?;
        names.push(name);
        match text_behind.strip_prefix(',') {
            Some(more) => remaining_text = more,
            None => return Ok(names),
        }
    }
}

/// Parses pairs `OLD=NEW`, separated by commas.
fn parse_renames(text: &str) -> Result<Vec<(Name, Name)>, String> {
    let mut pairs = Vec::new();
    let mut remaining_text = text;
    loop {
        let (old, text_behind) = parse_name(remaining_text, &['=', ','])?;
        let text_behind = text_behind
            .strip_prefix('=')
            .ok_or("write OLD=NEW, several separated by commas")?;
        let (new, text_behind) = parse_name(text_behind, &[','])?;
        pairs.push((old, new));
        match text_behind.strip_prefix(',') {
            Some(more) => remaining_text = more,
            None => return Ok(pairs),
        }
    }
}

/// Joins names to a text that [`parse_list`] parses.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a Name>) -> String {
    let names: Vec<_> = names.map(ToString::to_string).collect();
    names.join(",")
}

/// Parses the name at the start of a text. Also returns the remaining text, which is empty or starts with a
/// character of `ends`.
fn parse_name<'a>(text: &'a str, ends: &[char]) -> Result<(Name, &'a str), String> {
    let Some(mut rest) = text.trim_start().strip_prefix('"') else {
        let (plain, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
        let name = Name {
            text: plain.trim().to_owned(),
            is_quoted: false,
        };
        return Ok((name, rest));
    };
    let mut name = String::new();
    loop {
        let Some((within, behind)) = rest.split_once('"') else {
            return Err("a quote is not closed: a name in quotes ends with a quote, and \"\" is a quote in the name".into());
        };
        name += within;
        match behind.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => {
                rest = behind.trim_start();
                break;
            }
        }
    }
    if !rest.is_empty() && !rest.starts_with(ends) {
        return Err(format!("text follows the name {name:?} in quotes"));
    }
    let name = Name {
        text: name,
        is_quoted: true,
    };
    Ok((name, rest))
}

/// Writes the name as on the command line, with quotes if needed.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        let is_plain = text.trim() == text && !text.starts_with('"') && !text.contains([',', '=']);
        if is_plain && !self.is_quoted {
            f.write_str(text)
        } else {
            write!(f, "\"{}\"", text.replace('"', "\"\""))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let names = parse_list(text).unwrap();
        names.into_iter().map(|name| name.text).collect()
    }

    #[test]
    fn names_that_have_commas_stand_in_quotes() {
        assert_eq!(texts("a, b ,c d"), ["a", "b", "c d"]);
        assert_eq!(texts("\"a,b\",c"), ["a,b", "c"]);
        assert_eq!(texts(" \" a \" , \"say \"\"b\"\"\""), [" a ", "say \"b\""]);
        assert_eq!(texts("a\"b,c=d"), ["a\"b", "c=d"]);
        assert_eq!(texts(""), [""]);
        assert_eq!(texts("a,"), ["a", ""]);
        for wrong in ["\"a", "\"a\"b", "\"a\" b,c"] {
            assert!(parse_list(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn new_names_stand_behind_an_equals_sign() {
        let parsed_pairs = |text| {
            let pairs = parse_renames(text).unwrap().into_iter();
            pairs
                .map(|(old, new)| (old.text, new.text))
                .collect::<Vec<_>>()
        };
        let owned_pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(
            parsed_pairs("a=b, c = d"),
            [owned_pair("a", "b"), owned_pair("c", "d")]
        );
        assert_eq!(parsed_pairs("\"a=b\"=\"c,d\""), [owned_pair("a=b", "c,d")]);
        assert_eq!(parsed_pairs("a=b=c"), [owned_pair("a", "b=c")]);
        for wrong in ["a", "a,b=c", "\"a=b\"", "a=\"b"] {
            assert!(parse_renames(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn written_names_are_parsed_to_the_same_names() {
        for text in ["a", "a,b", " a", "\"", "a=b", "a\"b", ""] {
            let name = Name {
                text: text.into(),
                is_quoted: false,
            };
            assert_eq!(texts(&name.to_string()), [text]);
        }
    }
}
