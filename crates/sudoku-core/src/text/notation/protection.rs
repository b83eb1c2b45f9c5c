//! Removes what programs put around a grid so that it stays text: quotes, formulas, apostrophes, names of variables.
//!
//! ```text
//! ="053…"     '053…     "053…",     b'053…'     puzzle = "053…";
//! ```

use crate::board::Size;

/// The text without the protection around it. A text without protection is returned without white space around it.
pub(super) fn unprotect(text: &str) -> &str {
    // A tab at either end can stand beside an empty cell.
    let mut text = text.trim_matches([' ', '\n', '\r']);
    // Each step removes at least one character, and the forms are rarely nested deeper than this.
    for _ in 0..6 {
        match inner(text) {
            Some(inner) => text = inner.trim_matches([' ', '\n', '\r']),
            None => break,
        }
    }
    text
}

/// The text inside the outermost protection; `None` if there is none.
fn inner(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_suffix([',', ';'])
        && (ends_protected(rest) || Size::is_cell_count(rest.chars().count()))
    {
        return Some(rest);
    }
    if let Some(formula) = text.strip_prefix('=') {
        return Some(formula);
    }
    for quote in ["\"\"\"", "'''", "```", "\"", "'", "`"] {
        let quoted = text
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
            .filter(|inner| !inner.contains(quote));
        if quoted.is_some() {
            return quoted;
        }
    }
    if let Some(bytes) = text.strip_prefix(['b', 'r', 'u', 'f'])
        && bytes.starts_with(['"', '\''])
    {
        return Some(bytes);
    }
    // A spreadsheet keeps a number as text if an apostrophe stands before it.
    if let Some(rest) = text.strip_prefix('\'')
        && !rest.contains('\'')
    {
        return Some(rest);
    }
    without_name(text)
}

/// Whether a text ends as a protected text does, so that a comma or semicolon after it does not belong to the cells.
fn ends_protected(text: &str) -> bool {
    text.trim_end().ends_with(['"', '\'', '`', ']', ')', '}'])
}

/// The text after the name of a variable or key, and the `=` or `:` behind it.
fn without_name(text: &str) -> Option<&str> {
    const LONGEST_NAME: usize = 40;
    let end = text.find([':', '='])?;
    let (name, rest) = text.split_at(end);
    if rest.starts_with("://") {
        return None;
    }
    let name = name.trim_end();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '.' | '"' | '\'');
    let starts_as_name = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '\''));
    let has_word = name.chars().filter(|c| c.is_alphabetic()).count() > 2;
    // `Row 1: 5 3 …` is the first row of a board.
    let is_row = name.to_ascii_lowercase().starts_with("row");
    let is_label =
        !is_row && starts_as_name && has_word && end <= LONGEST_NAME && name.chars().all(is_name);
    is_label.then(|| rest.trim_start_matches([':', '=']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_inside_is_found() {
        for text in [
            "053",
            " 053 ",
            "\"053\"",
            "=\"053\"",
            "'053",
            "'053'",
            "\"053\",",
            "b'053'",
            "puzzle = \"053\";",
            "\"puzzle\": \"053\",",
            "```053```",
        ] {
            assert_eq!(unprotect(text), "053", "{text}");
        }
        for text in ["053,", "r1: 053", "12:053", "it's"] {
            assert_eq!(unprotect(text), text);
        }
    }
}
