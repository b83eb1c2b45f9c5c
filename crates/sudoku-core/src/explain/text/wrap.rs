//! Wraps paragraphs to the width of a terminal.

/// Wraps text into lines of at most `width` columns. The first line begins with `first`, and the other
/// lines are indented by the width of `first`. A word that is too long for a line gets a line of its own.
pub(super) fn wrap_text(first: &str, text: &str, width: usize) -> String {
    let indent = " ".repeat(first.chars().count());
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in text.split(' ') {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > width {
            lines += &format!("{}\n", line.trim_end());
            line.clone_from(&indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines += &format!("{}\n", line.trim_end());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let text = "five5 ".repeat(40);
        for width in [40, 80] {
            let wrapped = wrap_text("  why  ", &text, width);
            assert!(wrapped.lines().all(|line| line.len() <= width));
            assert!(
                wrapped
                    .lines()
                    .skip(1)
                    .all(|line| line.starts_with("       five5"))
            );
            assert_eq!(wrapped.matches("five5").count(), 40);
        }
    }
}
