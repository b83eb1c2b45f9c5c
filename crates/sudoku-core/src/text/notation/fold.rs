//! Replaces the typographic forms of digits, blanks and separators by their ASCII forms.
//!
//! ```text
//! ５３□□７     full-width digits, a box for an empty cell        53..7
//! 5️⃣3️⃣⬜⬜7️⃣     keycaps, a square for an empty cell               53..7
//! 𝟱𝟯··𝟳       bold digits, a middle dot for an empty cell        53..7
//! 5\u{200b}3  invisible characters, byte order marks, controls    53
//! ```

use std::borrow::Cow;

/// The first digit of each block of ten decimal digits that is read: Arabic-Indic, Persian, Devanagari, Bengali and
/// full-width digits, and the five styles of mathematical digits.
const ZEROS: [u32; 10] = [
    0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
];

/// The first of each block of nine characters that stand for the digits 1 to 9: circled digits of several styles.
const ONES: [u32; 5] = [0x2460, 0x2776, 0x2780, 0x278a, 0x24f5];

/// The Chinese numerals from 1 to 9.
const CHINESE_NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Characters that mark an empty cell and have no ASCII form: dots, boxes, squares and circles.
const BLANKS: [char; 24] = [
    '·', '•', '∙', '⋅', '・', '･', '□', '▢', '☐', '◻', '◽', '▫', '⬜', '🔲', '🔳', '■', '⬛', '◼',
    '○', '◯', '∘', '⚪', '＿', '…',
];

/// The meaning of a character that is not ASCII.
pub(crate) enum Typographic {
    /// A digit in another script or style.
    Digit,
    /// A mark of an empty cell.
    Blank,
    /// A character without width or meaning.
    Invisible,
    /// Any other character.
    Other,
}

impl Typographic {
    pub(crate) fn from_character(character: char) -> Typographic {
        match role(character) {
            Role::Kept('1'..='9') => Typographic::Digit,
            Role::Dropped => Typographic::Invisible,
            Role::Blank => Typographic::Blank,
            Role::Kept(_) => Typographic::Other,
        }
    }
}

/// What a character of a text becomes in ASCII.
pub(crate) enum Folded {
    /// The ASCII form, or the character itself if it has none.
    Character(char),
    /// The character marks an empty cell.
    Blank,
    /// The character has no width and no meaning.
    Invisible,
}

/// The ASCII form of a character.
pub(crate) fn fold_character(character: char) -> Folded {
    match role(character) {
        Role::Kept(character) => Folded::Character(character),
        Role::Blank => Folded::Blank,
        Role::Dropped => Folded::Invisible,
    }
}

/// The role of a character in the folded text.
enum Role {
    Kept(char),
    /// The character has no width and no meaning.
    Dropped,
    /// The character marks an empty cell.
    Blank,
}

/// The text in ASCII, as far as its characters have an ASCII form. A text that is ASCII without control characters is
/// returned as it is.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut blank: Option<char> = None;
    let mut has_one_blank = true;
    for character in text.chars().filter(|c| BLANKS.contains(c)) {
        has_one_blank &= *blank.get_or_insert(character) == character;
    }
    // Another blank in the text stays another character, so that it is still reported.
    let ascii_blank = ['.', '_', '?'].into_iter().find(|c| !text.contains(*c));
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        match role(character) {
            Role::Kept(character) => folded.push(character),
            Role::Dropped => {}
            Role::Blank => folded.push(match ascii_blank {
                Some(ascii) if has_one_blank => ascii,
                _ => character,
            }),
        }
    }
    Cow::Owned(folded)
}

fn role(character: char) -> Role {
    let code = u32::from(character);
    Role::Kept(match character {
        '\t' | '\n' | '\r' | ' '..='~' => character,
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        '\u{0}'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{20e3}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => return Role::Dropped,
        blank if BLANKS.contains(&blank) => return Role::Blank,
        space if space.is_whitespace() => ' ',
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' | '‚' => '\'',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        _ => match digit(code) {
            Some(digit) => char::from(b'0' + digit),
            None if (0xff01..=0xff5e).contains(&code) => {
                char::from_u32(code - 0xfee0).unwrap_or(character)
            }
            None => CHINESE_NUMERALS
                .iter()
                .zip('1'..='9')
                .find(|(numeral, _)| **numeral == character)
                .map_or(character, |(_, digit)| digit),
        },
    })
}

/// The digit of a character with this code in another script or style.
fn digit(code: u32) -> Option<u8> {
    let position = |first: &u32, count: u32| {
        let at = code.checked_sub(*first).filter(|at| *at < count)?;
        u8::try_from(at).ok()
    };
    let decimal = ZEROS.iter().find_map(|zero| position(zero, 10));
    decimal.or_else(|| ONES.iter().find_map(|one| Some(position(one, 9)? + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typographic_forms_become_ascii() {
        for (text, expected) in [
            ("５３□□７", "53..7"),
            ("5️⃣3️⃣⬜⬜7️⃣", "53..7"),
            ("𝟓𝟯··𝟽", "53..7"),
            ("⑤③○○⑦", "53..7"),
            ("五三・・七", "53..7"),
            ("٥٣..٧", "53..7"),
            ("\u{feff}5\u{200b}3\u{1f}..7\u{a0}", "53..7 "),
            ("5．3，−1", "5.3,-1"),
            ("“53..7”", "\"53..7\""),
            ("53\u{2028}7", "53\n7"),
            ("5.□", "5._"),
            ("5·□", "5·□"),
            ("│5│", "│5│"),
        ] {
            assert_eq!(fold(text), expected, "{text:?}");
        }
        assert!(matches!(fold("53..7\r\n"), Cow::Borrowed(_)));
    }
}
