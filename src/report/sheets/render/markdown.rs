//! Escapes text for Markdown, so that the contents of tables and names do not become markup.

/// Escapes a text for one line of Markdown, such as a cell of a table. Elements of HTML, links, emphasis and
/// code become plain text, and line ends and other control characters become spaces.
pub(crate) fn markdown_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut previous = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' | '$' => escaped.extend(['\\', letter]),
            // An underscore inside a word does not start emphasis, so the names of columns stay readable.
            '_' if !(previous.is_alphanumeric()
                && letters.peek().is_some_and(|next| next.is_alphanumeric())) =>
            {
                escaped += "\\_";
            }
            control if control.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
        previous = letter;
    }
    // These characters would start a heading, a list or a horizontal line if they were first on a line.
    if escaped.trim_start().starts_with(['#', '-', '+', '=']) {
        format!("\\{}", escaped.trim_start())
    } else {
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::markdown_text;

    #[test]
    fn texts_do_not_become_markup() {
        for (text, escaped) in [
            (
                "<script>alert(1)</script>",
                "&lt;script&gt;alert(1)&lt;/script&gt;",
            ),
            ("<!--", "&lt;!--"),
            ("a|b\nc\u{1b}[31m", "a\\|b c \\[31m"),
            ("naked_pair _x_", "naked_pair \\_x\\_"),
            ("# title", "\\# title"),
            ("- 3", "\\- 3"),
            ("`code` *b* [l](u)", "\\`code\\` \\*b\\* \\[l\\](u)"),
            ("1.5", "1.5"),
        ] {
            assert_eq!(markdown_text(text), escaped);
        }
    }
}
