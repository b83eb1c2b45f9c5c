//! What a line of a text with boards is: a row of cells, a rule between rows, a title.
//!
//! ```text
//! Grid 01                        text
//! [Puzzle]                       a section
//! *-----------*  +---+---+---+   rules
//! |.3.|4..|...|  53. .7. ...     rows of nine cells
//! | 1234 5 67 | 8 9 12 | …       a row of nine cells with pencil marks
//! ---------                      a rule, or a row of nine blanks: the rows around it tell
//! Row A: 53..7....               a row with something around its cells
//! A B C  D E F  G H I            the names of the columns: a rule
//! ```

use std::borrow::Cow;

use super::wrapped_row::{Wrapping, unframed, unwrapped};
use sudoku_core::text::BLANKS;

/// The numbers of rows that boards have.
pub(crate) const SIZES: [usize; 6] = [4, 6, 9, 12, 16, 25];

/// No row is longer than this many bytes.
pub(crate) const LONGEST_ROW: usize = 1024;

/// Sections of `.sdk` files that do not hold the puzzle.
const OTHER_SECTIONS: [&[u8]; 9] = [
    b"state",
    b"pencilmarks",
    b"candidates",
    b"solution",
    b"options",
    b"settings",
    b"colors",
    b"notes",
    b"history",
];

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Blank,
    Comment,
    /// Between rows, or around a board.
    Rule,
    /// So many times the same character, which may be a rule's or a blank cell's.
    Fill(char, usize),
    Row(Row),
    /// `[Puzzle]`, or one that holds something else.
    Section {
        is_puzzle: bool,
    },
    /// Anything else. `like_row`: most of it are cells.
    Text {
        like_row: bool,
    },
}

/// A row of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub cells: usize,
    /// Every cell stands by itself, and some have several digits.
    pub has_marks: bool,
    /// The first character that is no digit.
    pub blank: Option<char>,
    /// What has to be taken off before the cells can be read.
    pub wrapping: Wrapping,
}

/// What a line is; without its line end.
pub(crate) fn kind(line: &[u8]) -> Kind {
    if let Some(row) = plain(line) {
        return Kind::Row(row);
    }
    let trimmed = line.trim_ascii();
    match trimmed {
        [] => return Kind::Blank,
        [b'#', ..] => return Kind::Comment,
        [b'[', name @ .., b']'] if name.iter().any(u8::is_ascii_alphabetic) => {
            let is = |section: &[u8]| name.trim_ascii().eq_ignore_ascii_case(section);
            if is(b"puzzle") {
                return Kind::Section { is_puzzle: true };
            }
            if OTHER_SECTIONS.into_iter().any(is) {
                return Kind::Section { is_puzzle: false };
            }
        }
        _ => {}
    }
    if line.len() > LONGEST_ROW || is_numbered(trimmed) {
        return Kind::Text { like_row: false };
    }
    let scan = Scan::of(line);
    let kind = scan.kind(line);
    let is_row = |row: Row| row.has_marks || row.cells == 81 || SIZES.contains(&row.cells);
    let unwrapped = match kind {
        // Fifteen letters of a name and of the cells can be as many as a larger board has.
        Kind::Row(row) if is_row(row) && scan.letters == 0 => None,
        Kind::Row(_) | Kind::Text { .. } => unwrapped(line),
        Kind::Rule if scan.run < 3 => unframed(line),
        _ => None,
    };
    match unwrapped {
        Some((row, _)) => Kind::Row(row),
        None if names_columns(trimmed) => Kind::Rule,
        None => kind,
    }
}

/// What a line is, if nothing on it is strange and its blanks are of one kind.
pub(crate) fn clean_kind(line: &[u8]) -> Option<Kind> {
    let scan = Scan::of(line);
    let is_larger = scan.digits + scan.blanks + scan.letters > 9;
    let is_clean =
        scan.strange + scan.rules == 0 && !scan.mixed_blanks && (scan.letters == 0 || is_larger);
    is_clean.then(|| scan.kind(line))
}

/// Whether a line has the letters from A to I, the names of nine columns, and nothing else.
fn names_columns(line: &[u8]) -> bool {
    let letters = line
        .iter()
        .filter(|byte| !is_decoration(char::from(**byte)));
    letters.map(u8::to_ascii_uppercase).eq(*b"ABCDEFGHI")
}

/// Nine digits or blanks, with nothing else but bars at the boxes, as most rows are.
fn plain(line: &[u8]) -> Option<Row> {
    let cells: [u8; 9] = match *line {
        [a, b, c, b'|', d, e, f, b'|', g, h, i]
        | [b'|', a, b, c, b'|', d, e, f, b'|', g, h, i, b'|'] => [a, b, c, d, e, f, g, h, i],
        _ => line.try_into().ok()?,
    };
    let is_digit = |byte: &u8| matches!(byte, b'1'..=b'9');
    let blank = cells.iter().copied().find(|byte| !is_digit(byte));
    let is_plain =
        |byte: &u8| is_digit(byte) || (Some(*byte) == blank && matches!(byte, b'.' | b'0'));
    cells.iter().all(is_plain).then_some(Row {
        cells: 9,
        blank: blank.map(char::from),
        ..Row::default()
    })
}

/// Whether a character only sets cells apart.
fn is_decoration(character: char) -> bool {
    matches!(
        class(character),
        Class::Decoration | Class::Bar | Class::Drawn | Class::Quote
    )
}

/// Whether a character is one of those that draw boxes.
fn is_box(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{257f}')
}

/// Whether it is one of them that only goes up and down.
fn is_upright(character: char) -> bool {
    matches!(
        character,
        '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋'
    )
}

/// The characters of a line; those that are not UTF-8 as `\u{fffd}`.
fn characters(line: &[u8]) -> impl Iterator<Item = char> {
    line.utf8_chunks().flat_map(|chunk| {
        let invalid = (!chunk.invalid().is_empty()).then_some('\u{fffd}');
        chunk.valid().chars().chain(invalid)
    })
}

/// What is on a line.
#[derive(Debug, Default)]
struct Scan {
    digits: usize,
    blanks: usize,
    blank: Option<char>,
    mixed_blanks: bool,
    /// Blanks that no rule is drawn with.
    marks: usize,
    letters: usize,
    strange: usize,
    /// Characters of rules only.
    rules: usize,
    quotes: usize,
    /// The longest run of a character that draws lines.
    run: usize,
    /// Groups of cells with decoration between them.
    groups: usize,
    /// Groups that are neither digits nor one blank.
    bad_groups: usize,
}

/// What a character of a line is.
#[derive(Clone, Copy)]
enum Class {
    Decoration,
    Bar,
    /// Part of a drawn line; sets cells apart too.
    Drawn,
    /// Sets cells apart; part of a rule where there are none.
    Quote,
    Digit,
    Blank,
    Letter,
    Rule,
    Strange,
}

/// The classes of the ASCII characters: looking them up is most of the work on a row.
static ASCII: [Class; 128] = {
    let mut classes = [Class::Strange; 128];
    let mut at = 0;
    while at < 128 {
        let byte = at as u8;
        classes[at] = match byte {
            b'|' => Class::Bar,
            b'1'..=b'9' => Class::Digit,
            b'+' | b'=' | b'~' => Class::Rule,
            b'\'' | b'`' => Class::Quote,
            b'\t' | b'\n' | b'\x0b' | b'\x0c' | b'\r' | b' ' => Class::Decoration,
            b':' | b'!' | b',' | b';' | b'"' | b'[' | b']' | b'(' | b')' | b'{' | b'}' => {
                Class::Decoration
            }
            byte if byte.is_ascii_alphabetic() => Class::Letter,
            _ => Class::Strange,
        };
        at += 1;
    }
    let mut blank = 0;
    while blank < BLANKS.len() {
        if BLANKS[blank] != ' ' {
            classes[BLANKS[blank] as usize] = Class::Blank;
        }
        blank += 1;
    }
    classes
};

fn class(character: char) -> Class {
    match ASCII.get(character as usize) {
        Some(class) => *class,
        None if is_upright(character) => Class::Bar,
        None if is_box(character) => Class::Drawn,
        None if character.is_whitespace() || character == '¦' => Class::Decoration,
        None if matches!(character, '“' | '”' | '„' | '‘' | '’' | '«' | '»') => {
            Class::Decoration
        }
        None => Class::Strange,
    }
}

impl Scan {
    fn of(line: &[u8]) -> Scan {
        match line.is_ascii() {
            true => Scan::of_characters(line.iter().map(|byte| char::from(*byte))),
            false => Scan::of_characters(characters(line)),
        }
    }

    fn of_characters(characters: impl Iterator<Item = char>) -> Scan {
        let mut scan = Scan::default();
        let mut run = 0;
        let mut last = ' ';
        let (mut length, mut digits) = (0, 0);
        for character in characters.chain([' ']) {
            let class = class(character);
            match class {
                Class::Decoration | Class::Bar | Class::Drawn | Class::Quote => {
                    scan.groups += usize::from(length > 0);
                    scan.bad_groups += usize::from(length > 1 && digits < length);
                    (length, digits) = (0, 0);
                }
                _ => length += 1,
            }
            match class {
                Class::Decoration | Class::Bar => {}
                Class::Drawn | Class::Rule => scan.rules += 1,
                Class::Quote => scan.quotes += 1,
                Class::Digit => {
                    scan.digits += 1;
                    digits += 1;
                }
                Class::Blank => {
                    scan.mixed_blanks |= scan.blank.is_some_and(|blank| blank != character);
                    scan.blank = scan.blank.or(Some(character));
                    scan.blanks += 1;
                    scan.marks += usize::from(!matches!(character, '.' | '-' | '_' | '*'));
                }
                Class::Letter => scan.letters += 1,
                Class::Strange => scan.strange += 1,
            }
            run = if character == last { run + 1 } else { 1 };
            last = character;
            if matches!(character, '-' | '_' | '*' | '=') {
                scan.run = scan.run.max(run);
            }
        }
        scan
    }

    fn kind(&self, line: &[u8]) -> Kind {
        let row = |cells, has_marks| {
            let blank = self.blank;
            Kind::Row(Row {
                cells,
                has_marks,
                blank,
                wrapping: Wrapping::Bare,
            })
        };
        if self.digits + self.letters + self.strange + self.marks == 0 {
            let is_drawn = matches!(self.blank, None | Some('-' | '_' | '*'));
            if self.rules > 0
                || (self.quotes > 0 && is_drawn)
                || (self.mixed_blanks && self.run >= 3)
            {
                return Kind::Rule;
            }
            match self.blank {
                None if spaced(line).is_some() => return row(9, false),
                None => return Kind::Rule,
                Some(blank @ ('-' | '_' | '*')) if SIZES.contains(&self.blanks) => {
                    return Kind::Fill(blank, self.blanks);
                }
                Some('-' | '_' | '*') if self.blanks >= 3 => return Kind::Rule,
                Some(_) => {}
            }
        }
        let cells = self.digits + self.blanks;
        let strange = self.letters + self.strange + self.rules;
        let total = cells + strange;
        if self.groups == 9 && total > 9 && strange + self.bad_groups == 0 {
            return row(9, true);
        }
        let has_letters = matches!(total, 12 | 16 | 25) && total == cells + self.letters;
        if strange == 0 || has_letters || (SIZES.contains(&total) && 2 * cells > total) {
            if total < 9 && spaced(line).is_some() {
                return Kind::Row(Row {
                    cells: 9,
                    blank: Some(' '),
                    ..Row::default()
                });
            }
            return row(total, false);
        }
        let like_row = 2 * cells > total;
        Kind::Text { like_row }
    }
}

/// The nine cells of a row whose blanks are spaces: every cell between bars of its own, three or
/// (with spaces around each) seven or five characters between bars, or nine characters.
fn spaced(line: &[u8]) -> Option<[char; 9]> {
    let line: Vec<char> = characters(line).collect();
    let is_bar = |character: char| character == '|' || is_upright(character);
    let first = line.iter().position(|character| is_bar(*character));
    let last = line.iter().rposition(|character| is_bar(*character));
    let (Some(first), Some(last)) = (first, last) else {
        return line.try_into().ok();
    };
    // Bars around the row, or only between its boxes.
    let outside = |part: &[char]| part.iter().all(|character| character.is_whitespace());
    let inner = match outside(&line[..first]) && outside(&line[last + 1..]) && first < last {
        true => &line[first + 1..last],
        false => &line[..],
    };
    let parts: Vec<&[char]> = inner.split(|character| is_bar(*character)).collect();
    let mut cells = Vec::with_capacity(9);
    match parts.len() {
        9 => {
            for part in parts {
                let mut full = part.iter().filter(|character| !character.is_whitespace());
                cells.push(full.next().copied().unwrap_or(' '));
                if full.next().is_some() {
                    return None;
                }
            }
        }
        3 => {
            for part in parts {
                let places = match part.len() {
                    3 => [0, 1, 2],
                    5 => [0, 2, 4],
                    7 => [1, 3, 5],
                    _ => return None,
                };
                let full = |characters: &[char]| {
                    characters
                        .iter()
                        .filter(|character| **character != ' ')
                        .count()
                };
                let three = places.map(|at| part[at]);
                if full(part) != full(&three) {
                    return None;
                }
                cells.extend(three);
            }
        }
        _ => return None,
    }
    cells.try_into().ok()
}

/// `Grid 10000`: a word and a number, which without the space would have as many characters as a
/// row has cells.
fn is_numbered(line: &[u8]) -> bool {
    let word = line.iter().take_while(|byte| byte.is_ascii_alphabetic());
    let (word, number) = line.split_at(word.count());
    let digits = number.trim_ascii_start();
    word.len() >= 3
        && digits.len() < number.len()
        && !digits.is_empty()
        && digits.iter().all(u8::is_ascii_digit)
}

/// Appends the cells of a row, taking off first what is around them. `false` where it is not UTF-8.
pub(crate) fn push_row(line: &[u8], cells: usize, wrapping: Wrapping, text: &mut Vec<u8>) -> bool {
    push_cells(&cells_of(line, wrapping), cells, text)
}

/// The line without what is around its cells.
pub(crate) fn cells_of(line: &[u8], wrapping: Wrapping) -> Cow<'_, [u8]> {
    match wrapping {
        Wrapping::Bare => Cow::Borrowed(line),
        Wrapping::Framed | Wrapping::Named => match unwrapped(line) {
            Some((_, cells)) => Cow::Owned(cells),
            None => Cow::Borrowed(line),
        },
    }
}

/// Appends the cells of a row that has `cells` of them. `false` where it is not UTF-8.
pub(crate) fn push_cells(line: &[u8], cells: usize, text: &mut Vec<u8>) -> bool {
    if line.len() == cells && line.iter().all(u8::is_ascii_graphic) {
        text.extend_from_slice(line);
        return true;
    }
    let start = text.len();
    if line.is_ascii() {
        let is_cell = |byte: &&u8| !is_decoration(char::from(**byte));
        text.extend(line.iter().filter(is_cell));
        if text.len() - start == cells {
            return true;
        }
        text.truncate(start);
    }
    let mut count = 0;
    let mut is_text = true;
    for character in characters(line).filter(|character| !is_decoration(*character)) {
        is_text &= character != '\u{fffd}';
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        count += 1;
    }
    if count < cells
        && let Some(spaced) = spaced(line)
    {
        text.truncate(start);
        for character in spaced {
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    is_text
}

/// The groups of characters of a row, each of them a cell.
pub(crate) fn groups(line: &[u8]) -> Vec<String> {
    let text: String = characters(line).collect();
    let groups = text.split(is_decoration);
    groups
        .filter(|group| !group.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(line: &str) -> String {
        match kind(line.as_bytes()) {
            Kind::Row(Row {
                cells,
                has_marks: true,
                ..
            }) => {
                format!("{cells} marks {}", groups(line.as_bytes()).join("/"))
            }
            Kind::Row(Row { cells, .. }) => {
                let mut text = Vec::new();
                assert!(push_cells(line.as_bytes(), cells, &mut text));
                format!("{cells} {}", String::from_utf8(text).unwrap())
            }
            kind => format!("{kind:?}"),
        }
    }

    #[test]
    fn rows_are_rows_however_they_are_decorated() {
        for line in [
            "53..7....",
            "|53.|.7.|...|",
            "| 5 3 . | . 7 . | . . . |",
            "5 3 . . 7 . . . .",
            "53. .7. ...",
            "53.:.7.:...",
            "│53.│.7.│...│",
            "║ 5 3 . │ . 7 . ┃ . . . ║",
            "  5, 3, ., ., 7, ., ., ., .",
            "[5,3,.,.,7,.,.,.,.],",
            "5\t3\t.\t.\t7\t.\t.\t.\t.",
        ] {
            assert_eq!(reported(line), "9 53..7....", "{line}");
        }
        for line in [
            "53  7    ",
            "|53 | 7 |   |",
            "53 | 7 |   ",
            "| 5 3   |   7   |       |",
            "|5 3  |  7  |     |",
            "| 5 | 3 |   |   | 7 |   |   |   |   |",
            "│5│3│ │ │7│ │ │ │ │",
            "| 5|3 | | |7| | | | |",
        ] {
            assert_eq!(reported(line), "9 53  7    ", "{line}");
        }
        for (line, expected) in [
            ("|   |   |   |", "9          "),
            (".........", "9 ........."),
            ("--3--4--5", "9 --3--4--5"),
            ("xx3xx4xx5", "9 xx3xx4xx5"),
            ("53..7...", "8 53..7..."),
            ("53..a....", "9 53..a...."),
            ("53.é7....", "9 53.é7...."),
            ("12.4", "4 12.4"),
            ("..A1 .... 9..G ....", "16 ..A1....9..G...."),
            (
                "| 12 3 456 | 7 8 9 | 1 23 4 |",
                "9 marks 12/3/456/7/8/9/1/23/4",
            ),
            ("12 . 3 4 5 6 7 8 9", "9 marks 12/./3/4/5/6/7/8/9"),
        ] {
            assert_eq!(reported(line), expected, "{line}");
        }
    }

    #[test]
    fn what_is_no_row_is_told_apart() {
        for line in [
            "---+---+---",
            "|---+---+---|",
            "*-----------*",
            "-----------",
            "------+-------+------",
            ".-----.-----.-----.",
            ":-----+-----+-----:",
            "'-----'-----'-----'",
            "┌───┬───┬───┐",
            "╠═══╬═══╣",
            "===========",
        ] {
            assert_eq!(kind(line.as_bytes()), Kind::Rule, "{line}");
        }
        // Crosses, question marks and zeros draw no lines.
        for line in [
            "--X",
            "---+---+--X",
            "-x-",
            "--?--",
            "0--",
            "---0---",
            "+X+",
            "?+?",
        ] {
            assert_ne!(kind(line.as_bytes()), Kind::Rule, "{line}");
        }
        assert_eq!(kind(b"---------"), Kind::Fill('-', 9));
        assert_eq!(kind(b"|---|---|---|"), Kind::Fill('-', 9));
        assert_eq!(kind(b" \t"), Kind::Blank);
        assert_eq!(kind(b"#Aauthor"), Kind::Comment);
        assert_eq!(kind(b"[Puzzle]"), Kind::Section { is_puzzle: true });
        assert_eq!(kind(b"[STATE]"), Kind::Section { is_puzzle: false });
        for (line, like_row) in [
            ("Grid 01", false),
            ("Puzzle 12", false),
            ("Board 0001", false),
            ("[Game 7]", false),
            ("53..a.....", true),
            ("hello", false),
        ] {
            assert_eq!(kind(line.as_bytes()), Kind::Text { like_row }, "{line}");
        }
        let long = [b'1'; LONGEST_ROW + 1];
        assert_eq!(kind(&long), Kind::Text { like_row: false });
    }

    /// What is told of a row at first sight is what looking at each character tells.
    #[test]
    fn a_plain_row_is_what_its_characters_say() {
        let seed = 11;
        let mut rng = sudoku_core::random::Rng::for_item(seed, 0);
        let mut plain_rows = 0;
        for _ in 0..20_000 {
            let blank = [b'.', b'0', b'-'][rng.below(3)];
            let mut cell = || match rng.below(3) {
                0 => b'1' + rng.below(9) as u8,
                1 if rng.below(40) == 0 => b"|.0x "[rng.below(5)],
                _ => blank,
            };
            let cells: Vec<u8> = (0..9).map(|_| cell()).collect();
            let boxes: Vec<&[u8]> = cells.chunks(3).collect();
            let barred = boxes.join(&b'|');
            let framed = [b"|", &barred[..], b"|"].concat();
            for line in [cells.clone(), barred, framed] {
                let Some(row) = plain(&line) else { continue };
                plain_rows += 1;
                let said = Scan::of(&line).kind(&line);
                let line = String::from_utf8_lossy(&line);
                assert_eq!(said, Kind::Row(row), "seed {seed}: {line}");
            }
        }
        assert!(plain_rows > 20_000, "{plain_rows}");
    }
}
