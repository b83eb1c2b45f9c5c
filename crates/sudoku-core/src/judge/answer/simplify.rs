//! Rewrites an answer as plain lines: Markdown stays, and typographic digits, frames, LaTeX, HTML and escapes become ASCII.
//!
//! ```text
//! │ ５ ３ │            | 5 3 |
//! 5 & 3 \\ 4 & 1       5 | 3 ⏎ 4 | 1
//! <td>5</td><td></td>  |5 |
//! "53\n41"             "53⏎41"
//! ```
//!
//! Each byte of the result knows its place in the answer. The time is linear: what is searched ahead is bounded.

use std::ops::Range;

use super::regions::is_region_name;
use crate::text::notation::{Folded, fold_character};

/// A line of its own that has this byte ends every grid: the boundary of a tag such as `<answer>`.
pub(super) const BREAK: u8 = 1;
/// A letter that is not ASCII.
pub(super) const LETTER: u8 = 2;

/// The furthest that the end of a tag or of an argument is searched, in bytes.
const LONGEST_MARKUP: usize = 256;

/// An answer as plain lines.
pub(super) struct Simple<'a> {
    answer: &'a str,
    pub(super) text: Vec<u8>,
    /// The place of each byte of `text` in the answer.
    places: Vec<u32>,
    /// Whether the text is in a row of an HTML table, in which line ends are spaces.
    is_in_row: bool,
    /// Whether the text is behind a row of an HTML table. The next row follows without an empty line.
    is_behind_row: bool,
}

impl Simple<'_> {
    /// The place in the answer of a part of the simple text.
    pub(super) fn place(&self, part: Range<usize>) -> Range<usize> {
        let length = self.answer.len();
        let place = |at: usize| self.places.get(at).map_or(length, |at| *at as usize);
        let last = place(part.end.max(part.start + 1) - 1);
        let character = self.answer[last..].chars().next();
        place(part.start)..last + character.map_or(0, char::len_utf8)
    }

    /// What the answer has in the place of a part of the simple text.
    pub(super) fn original(&self, part: Range<usize>) -> &str {
        &self.answer[self.place(part)]
    }

    fn push(&mut self, byte: u8, place: usize) {
        self.text.push(byte);
        self.places.push(place as u32);
    }
}

/// Rewrites an answer. Answers above 4 GiB have no places and are cut there.
pub(super) fn simplify(answer: &str) -> Simple<'_> {
    let mut simple = Simple {
        text: Vec::with_capacity(answer.len()),
        places: Vec::with_capacity(answer.len()),
        answer,
        is_in_row: false,
        is_behind_row: false,
    };
    let bytes = answer.as_bytes();
    let mut at = 0;
    while at < bytes.len() && at < u32::MAX as usize {
        if simple.is_behind_row && !bytes[at].is_ascii_whitespace() && bytes[at] != b'<' {
            simple.push(b'\n', at);
            simple.is_behind_row = false;
        }
        at = match bytes[at] {
            b'\\' => backslash(bytes, at, &mut simple),
            b'<' => tag(bytes, at, &mut simple),
            b'&' => ampersand(bytes, at, &mut simple),
            b'\r' => {
                let is_line_end = bytes.get(at + 1) != Some(&b'\n');
                simple.push(if is_line_end { b'\n' } else { b' ' }, at);
                at + 1
            }
            b'\n' if simple.is_in_row || simple.is_behind_row => {
                simple.push(b' ', at);
                at + 1
            }
            byte @ (b' '..=b'~' | b'\n') => {
                simple.push(byte, at);
                at + 1
            }
            _ => {
                let character = answer[at..].chars().next().unwrap_or(' ');
                if let Some(byte) = ascii(character) {
                    simple.push(byte, at);
                }
                at + character.len_utf8()
            }
        };
    }
    simple
}

/// The ASCII form of a character; `None` if the character is invisible.
fn ascii(character: char) -> Option<u8> {
    Some(match character {
        // A bullet before a row is as common as one in an empty cell; a dash can be both.
        '•' => b'-',
        '…' => LETTER,
        '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '▏' | '▕' => {
            b'|'
        }
        '─' | '━' | '═' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' => b'-',
        '\u{2500}'..='\u{257f}' => b'+',
        _ => match fold_character(character) {
            Folded::Invisible => return None,
            Folded::Blank => b'.',
            Folded::Character(folded) if folded.is_ascii() => folded as u8,
            Folded::Character(folded) if folded.is_alphabetic() => LETTER,
            Folded::Character(_) => b' ',
        },
    })
}

/// Rewrites an escape or a command of LaTeX. Returns the place behind it.
fn backslash(bytes: &[u8], start: usize, simple: &mut Simple<'_>) -> usize {
    let count = bytes[start..]
        .iter()
        .take_while(|byte| **byte == b'\\')
        .count();
    let at = start + count;
    let Some(next) = bytes.get(at).copied() else {
        return at;
    };
    let after = bytes.get(at + 1).copied().unwrap_or(b' ');
    // In `5 \\n & …` the letter is a cell of the next row.
    let is_cell = count > 1 && matches!(&bytes[at + 1..], [b' ', b'&', ..] | [b'&', ..]);
    let is_escape = !after.is_ascii_lowercase() && !is_cell;
    match next {
        b'n' if !is_cell && (is_escape || !is_command_with_n(&bytes[at..])) => {
            simple.push(b'\n', start);
            at + 1
        }
        b'r' | b't' if is_escape => {
            simple.push(b' ', start);
            at + 1
        }
        b'u' if let Some(character) = unicode_escape(&bytes[at + 1..]) => {
            if let Some(byte) = ascii(character) {
                simple.push(byte, start);
            }
            at + 5
        }
        // A letter that is a cell follows the end of a row, `5 \\\\A & …`.
        b'a'..=b'z' | b'A'..=b'Z' if count == 1 || after.is_ascii_alphabetic() => {
            command(bytes, start, at, simple)
        }
        _ if count > 1 && !matches!(next, b'"' | b'\'' | b'/') => {
            simple.push(b'\n', start);
            at
        }
        b',' | b';' | b':' | b'!' | b' ' => {
            simple.push(b' ', start);
            at + 1
        }
        b'&' | b'<' => {
            simple.push(b' ', start);
            at + 1
        }
        _ => at,
    }
}

/// Commands of LaTeX that begin with n. Other words behind `\n` begin a line, as does a row of lower-case letters; for
/// that reason `\ne` and `\ni` are none.
const COMMANDS_WITH_N: [&[u8]; 18] = [
    b"nabla",
    b"natural",
    b"neg",
    b"neq",
    b"newcommand",
    b"newline",
    b"newpage",
    b"nicefrac",
    b"nobreak",
    b"node",
    b"noindent",
    b"nolimits",
    b"nonumber",
    b"normalfont",
    b"normalsize",
    b"not",
    b"notin",
    b"nu",
];

fn is_command_with_n(text: &[u8]) -> bool {
    let letters = text.iter().take(24);
    let length = letters
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    COMMANDS_WITH_N.contains(&&text[..length])
}

fn unicode_escape(bytes: &[u8]) -> Option<char> {
    let digits = std::str::from_utf8(bytes.get(..4)?).ok()?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// Rewrites a command of LaTeX whose name is at `name`. Returns the place behind it.
fn command(bytes: &[u8], start: usize, name: usize, simple: &mut Simple<'_>) -> usize {
    let letters = bytes[name..].iter().take(24);
    let length = letters
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let mut at = name + length;
    let (byte, arguments) = match &bytes[name..at] {
        b"begin" => (b'\n', usize::MAX),
        b"end" => (b'\n', 1),
        b"hline" | b"newline" | b"tabularnewline" | b"cr" | b"toprule" | b"midrule"
        | b"bottomrule" => (b'\n', 0),
        b"cline" => (b'\n', 1),
        b"textcolor" | b"color" | b"colorbox" | b"cellcolor" | b"hspace" | b"vspace" => (b' ', 1),
        b"multicolumn" | b"multirow" => (b' ', 2),
        b"cdot" | b"square" | b"Box" | b"circ" | b"bullet" => (b'.', 0),
        b"phantom" => (b'.', 1),
        b"boxed" | b"fbox" if is_long_argument(&bytes[at..]) => (b'\n', 0),
        _ => (b' ', 0),
    };
    simple.push(byte, start);
    for _ in 0..arguments.min(3) {
        let close = match bytes.get(at) {
            Some(b'{') => b'}',
            Some(b'[') if arguments == usize::MAX => b']',
            _ => break,
        };
        let window = &bytes[at..bytes.len().min(at + LONGEST_MARKUP)];
        match window.iter().position(|byte| *byte == close) {
            Some(length) => at += length + 1,
            None => break,
        }
    }
    at
}

/// Whether the argument of a command is longer than a cell. A box around a grid begins a line; one around a cell does not.
fn is_long_argument(text: &[u8]) -> bool {
    let longest_cell = 24;
    !text.iter().take(longest_cell).any(|byte| *byte == b'}')
}

/// Rewrites a tag of HTML or of a prompt. Returns the place behind it.
fn tag(bytes: &[u8], start: usize, simple: &mut Simple<'_>) -> usize {
    let window = &bytes[start + 1..bytes.len().min(start + 1 + LONGEST_MARKUP)];
    let is_tag = matches!(
        window.first(),
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'|')
    );
    let end = window.iter().position(|byte| matches!(byte, b'>' | b'<'));
    let Some(end) = end.filter(|end| is_tag && window[*end] == b'>') else {
        simple.push(b' ', start);
        return start + 1;
    };
    let inside = &window[..end];
    let name = inside.strip_prefix(b"/").unwrap_or(inside);
    let length = name
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'|'))
        .count();
    let is_end = name.len() < inside.len();
    match name[..length].to_ascii_lowercase().as_slice() {
        b"td" | b"th" => simple.push(if is_end { b' ' } else { b'|' }, start),
        b"tr" => {
            simple.push(if is_end { b' ' } else { b'\n' }, start);
            (simple.is_in_row, simple.is_behind_row) = (!is_end, is_end);
        }
        b"thead" | b"tbody" | b"tfoot" => simple.push(b' ', start),
        b"b" | b"i" | b"em" | b"strong" | b"span" | b"font" | b"u" | b"code" | b"sup" | b"sub"
        | b"mark" | b"a" | b"small" | b"center" => {}
        own if is_region_name(own) => {
            (simple.is_in_row, simple.is_behind_row) = (false, false);
            for byte in [b'\n', BREAK, b'\n'] {
                simple.push(byte, start);
            }
        }
        // `<|5|>` is no tag.
        own if own.starts_with(b"|") => {
            simple.push(b' ', start);
            return start + 1;
        }
        own => {
            simple.is_in_row &= own != b"table";
            simple.is_behind_row = false;
            simple.push(b'\n', start);
        }
    }
    start + end + 2
}

/// Rewrites an entity of HTML as a space, and another ampersand, which divides columns in LaTeX, as a bar.
fn ampersand(bytes: &[u8], start: usize, simple: &mut Simple<'_>) -> usize {
    let window = &bytes[start + 1..bytes.len().min(start + 10)];
    let end = window.iter().position(|byte| *byte == b';');
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    match end {
        Some(end) if end > 1 && window[..end].iter().all(is_name) => {
            simple.push(b' ', start);
            start + end + 2
        }
        _ => {
            simple.push(b'|', start);
            start + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_plain_lines() {
        for (answer, expected) in [
            ("│５│３│", "|5|3|"),
            ("5 & 3 \\\\ 4 & 1", "5 | 3 \n 4 | 1"),
            (
                "\\begin{array}{|c|c|}5 & \\mathbf{3}\\end{array}",
                "\n5 |  {3}\n",
            ),
            ("<tr><td>5</td><td></td></tr>", "\n|5 |  "),
            (
                "<tr><td>5</td></tr>\n<tbody><tr><td>3</td></tr>\na",
                "\n|5    \n|3   \na",
            ),
            ("\"53\\n41\"", "\"53\n41\""),
            ("{\\\"row\\\": 5}", "{\"row\": 5}"),
            ("a<answer>5</answer>", "a\n\u{1}\n5\n\u{1}\n"),
            ("<final_answer>5</final_answer>", "\n\u{1}\n5\n\u{1}\n"),
            ("<|begin_of_box|>5<|end_of_box|>", "\n\u{1}\n5\n\u{1}\n"),
            ("<|5|>", " |5|>"),
            ("5️⃣3️⃣⬜", "53."),
            ("5 b\\nc 3\\neven", "5 b\nc 3\neven"),
            ("5 \\neq 3\\newline 4", "5   3\n 4"),
            ("5 & \\boxed{3} & 4", "5 |  {3} | 4"),
            (
                "5 \\boxed{1234/3412/2143/4321, or so}",
                "5 \n{1234/3412/2143/4321, or so}",
            ),
            ("5&nbsp;3 < 4", "5 3   4"),
        ] {
            let simple = simplify(answer);
            assert_eq!(
                String::from_utf8(simple.text).unwrap(),
                expected,
                "{answer}"
            );
        }
        let simple = simplify("x ５３ y");
        assert_eq!(simple.place(2..4), 2..8);
    }
}
