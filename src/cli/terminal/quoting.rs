//! Quotes words for a shell.

/// The word, in quotes if it contains a character that is special in shells.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain_character = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain_character) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_need_quotes_get_them() {
        assert_eq!(quoted("a b'c"), r"'a b'\''c'");
        assert_eq!(quoted("a/b-c.csv"), "a/b-c.csv");
        assert_eq!(quoted(""), "''");
    }
}
