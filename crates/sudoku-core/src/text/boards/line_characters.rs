//! Classifies the characters on a line of a text with boards.

use crate::text::BLANKS;
use crate::text::notation::fold::Typographic;

/// The class of a character: a cell, a separator between cells, or a part of a drawn line.
#[derive(Clone, Copy)]
pub(super) enum CharacterClass {
    Decoration,
    Bar,
    /// A character of a drawn line, which also separates cells.
    LineDrawing,
    /// A quote. It separates cells; on a line without cells, it belongs to a drawn line.
    Quote,
    Digit,
    Blank,
    Letter,
    Rule,
    Unknown,
}

/// The class of each ASCII character. A table is used because classification takes most of the time for a row.
static ASCII_CLASSES: [CharacterClass; 128] = {
    let mut classes = [CharacterClass::Unknown; 128];
    let mut code = 0;
    while code < 128 {
        let byte = code as u8;
        classes[code] = match byte {
            b'|' => CharacterClass::Bar,
            b'1'..=b'9' => CharacterClass::Digit,
            b'+' | b'=' | b'~' => CharacterClass::Rule,
            b'\'' | b'`' => CharacterClass::Quote,
            b'\t' | b'\n' | b'\x0b' | b'\x0c' | b'\r' | b' ' => CharacterClass::Decoration,
            b':' | b'!' | b',' | b';' | b'"' | b'[' | b']' | b'(' | b')' | b'{' | b'}' => {
                CharacterClass::Decoration
            }
            byte if byte.is_ascii_alphabetic() => CharacterClass::Letter,
            _ => CharacterClass::Unknown,
        };
        code += 1;
    }
    let mut blank_index = 0;
    while blank_index < BLANKS.len() {
        if BLANKS[blank_index] != ' ' {
            classes[BLANKS[blank_index] as usize] = CharacterClass::Blank;
        }
        blank_index += 1;
    }
    classes
};

pub(super) fn class(character: char) -> CharacterClass {
    match ASCII_CLASSES.get(character as usize) {
        Some(class) => *class,
        None if is_vertical(character) => CharacterClass::Bar,
        None if is_box(character) => CharacterClass::LineDrawing,
        None if character.is_whitespace() || character == '¦' => CharacterClass::Decoration,
        None if matches!(character, '“' | '”' | '„' | '‘' | '’' | '«' | '»') => {
            CharacterClass::Decoration
        }
        None => match Typographic::from_character(character) {
            Typographic::Digit => CharacterClass::Digit,
            Typographic::Blank => CharacterClass::Blank,
            Typographic::Invisible => CharacterClass::Decoration,
            Typographic::Other => CharacterClass::Unknown,
        },
    }
}

/// Whether the character cannot be a cell, but only separates cells.
pub(super) fn is_decoration(character: char) -> bool {
    matches!(
        class(character),
        CharacterClass::Decoration
            | CharacterClass::Bar
            | CharacterClass::LineDrawing
            | CharacterClass::Quote
    )
}

/// Whether the character is a box-drawing character.
fn is_box(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{257f}')
}

/// Whether the character is a vertical box-drawing character.
pub(super) fn is_vertical(character: char) -> bool {
    matches!(
        character,
        '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋'
    )
}

/// The characters of a line. Bytes that are not UTF-8 become `\u{fffd}`.
pub(super) fn characters(line: &[u8]) -> impl Iterator<Item = char> {
    line.utf8_chunks().flat_map(|chunk| {
        let invalid = (!chunk.invalid().is_empty()).then_some('\u{fffd}');
        chunk.valid().chars().chain(invalid)
    })
}
