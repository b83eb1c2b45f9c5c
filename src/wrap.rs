//! Fits text to the width of a terminal, in characters. No word and no number is divided: a line breaks between words, and
//! what does not fit is left out, with `…` in its place.

/// Breaks a text into lines of at most `width` characters. Continuation lines are indented. A number stays beside its
/// unit (`42.1 %`). A word that is longer than a line has a line of its own.
pub fn wrap_text(text: &str, indent: usize, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut words = words(text);
    let mut lines = vec![words.next().unwrap_or_default().to_owned()];
    for word in words {
        let line = lines.last().map_or(0, |line| line.chars().count());
        match lines.last_mut() {
            Some(last) if line <= indent || line + 1 + word.chars().count() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(" ".repeat(indent) + word),
        }
    }
    lines.join("\n")
}

/// Breaks a list into lines of at most `width` characters, between its items. Continuation lines are indented.
pub fn wrap_list(start: &str, items: &[String], indent: usize, width: usize) -> String {
    let mut text = start.to_owned();
    let mut length = start.chars().count();
    for (at, item) in items.iter().enumerate() {
        let comma = usize::from(at + 1 < items.len());
        let item_length = item.chars().count() + comma;
        if length > indent && length + 1 + item_length > width {
            text.push('\n');
            text += &" ".repeat(indent);
            length = indent;
        } else if length > indent {
            text.push(' ');
            length += 1;
        }
        text += item;
        text += &",".repeat(comma);
        length += item_length;
    }
    text
}

/// The words of a text. A unit belongs to the number before it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    const UNITS: [&str; 7] = ["%", "s", "ms", "B", "KiB", "MiB", "GiB"];
    let is_unit = |rest: &str| {
        let unit = rest
            .split([' ', ',', ')', '.', ':', ';'])
            .next()
            .unwrap_or_default();
        UNITS.contains(&unit)
    };
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut spaces = text.match_indices(' ').map(|(at, _)| at);
        let end = spaces.find(|at| {
            let follows_digit = text[..*at].ends_with(|last: char| last.is_ascii_digit());
            !(follows_digit && is_unit(&text[at + 1..]))
        });
        rest = end.map(|at| &text[at + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

/// The start of a text: the whole text if it has at most `width` characters, otherwise its first characters and `…`.
pub fn shorten(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => {
            text.chars()
                .take(width.saturating_sub(1))
                .collect::<String>()
                + "…"
        }
    }
}

/// A line with a list: `start`, then as many items as `width` characters have room for, separated by commas. If not all of
/// them fit, the list ends with `…`.
pub fn fit_list(start: &str, items: &[String], width: usize) -> String {
    let mut line = start.to_owned();
    for (at, item) in items.iter().enumerate() {
        let separator = if at == 0 { "" } else { ", " };
        let is_last = at + 1 == items.len();
        let room_for_more = if is_last { 0 } else { ", …".chars().count() };
        let length = [line.as_str(), separator, item].map(|part| part.chars().count());
        if length.iter().sum::<usize>() + room_for_more > width {
            return line + separator + "…";
        }
        line = line + separator + item;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_not_between_a_number_and_its_unit() {
        assert_eq!(wrap_text("one two three", 2, 8), "one two\n  three");
        assert_eq!(wrap_text("about 42.1 %, or", 0, 12), "about\n42.1 %, or");
        assert_eq!(wrap_text("a-very-long-word b", 0, 4), "a-very-long-word\nb");
        assert_eq!(wrap_text("", 2, 8), "");
        assert_eq!(wrap_text("  a  b c", 2, 6), "  a  b\n  c");
    }

    #[test]
    fn lists_break_between_their_items() {
        let items = ["rows 100", "most rows of one 1", "share 0.00 %"].map(str::to_owned);
        assert_eq!(
            wrap_list("puzzle:", &items, 2, 20),
            "puzzle: rows 100,\n  most rows of one 1,\n  share 0.00 %"
        );
        assert_eq!(
            wrap_list("puzzle:", &items, 2, 80),
            "puzzle: rows 100, most rows of one 1, share 0.00 %"
        );
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_shown_to_be() {
        let items = ["aic 10.7 %", "nishio 0.5 %"].map(str::to_owned);
        let whole = "hardest: aic 10.7 %, nishio 0.5 %";
        for width in 0..60 {
            let line = fit_list("hardest: ", &items, width);
            let expected = match width {
                0..22 => "hardest: …",
                22..33 => "hardest: aic 10.7 %, …",
                _ => whole,
            };
            assert_eq!(line, expected, "{width}");
        }
        assert_eq!(shorten("123456", 6), "123456");
        assert_eq!(shorten("123456", 5), "1234…");
    }
}
