//! Escapes keys that `object_store` refuses: keys with an empty segment (`a//b`), a control character, or a `/`
//! at the end. Without this, one such key would make a whole listing fail.
//!
//! Inside `object_store`, such a key is escaped with characters of a private range of Unicode. `service`
//! restores the key in each request, and escapes the keys in each listing.
//!
//! ```text
//! key   in//a<TAB>b.csv         what users see
//! path  in/<F780>/a<F709>b.csv  what `object_store` sees
//! URL   in//a%09b.csv           what the store sees
//! ```
//!
//! The segments `.` and `..` are escaped too, so that such keys can be listed and shown. They cannot be
//! requested, because HTTP clients resolve these segments in URLs.

use std::borrow::Cow;
use std::fmt::Write;

/// The first character of the private range of Unicode that is used. A control character is escaped by adding this
/// number to its code.
const FIRST_PRIVATE: u32 = 0xF700;
/// Precedes a private character that is part of the original key. That character is then stored with its code reduced
/// by [`LITERAL_SHIFT`].
const LITERAL_PREFIX: char = '\u{F7FF}';
const LITERAL_SHIFT: u32 = 0x100;
const EMPTY_SEGMENT: char = '\u{F780}';
const DOT_SEGMENT: char = '\u{F781}';
const DOTS_SEGMENT: char = '\u{F782}';

/// Whether a key has a segment `.` or `..`, which no URL can contain.
pub(super) fn has_dots(key: &str) -> bool {
    key.split('/').any(|segment| [".", ".."].contains(&segment))
}

/// Escapes a key for `object_store`.
pub(super) fn path_from_key(key: &str) -> Cow<'_, str> {
    let is_private = |c: char| (FIRST_PRIVATE..FIRST_PRIVATE + 0x100).contains(&u32::from(c));
    let is_plain = |segment: &str| {
        let is_named = !["", ".", ".."].contains(&segment);
        is_named && !segment.contains(|c: char| c.is_ascii_control() || is_private(c))
    };
    if key.is_empty() || key.split('/').all(is_plain) {
        return Cow::Borrowed(key);
    }
    let mut text = String::with_capacity(key.len() + 8);
    for (n, segment) in key.split('/').enumerate() {
        if n > 0 {
            text.push('/');
        }
        match segment {
            "" => text.push(EMPTY_SEGMENT),
            "." => text.push(DOT_SEGMENT),
            ".." => text.push(DOTS_SEGMENT),
            _ => {}
        }
        for c in segment.chars().filter(|_| !has_dots(segment)) {
            match c {
                c if c.is_ascii_control() => {
                    text.extend(char::from_u32(FIRST_PRIVATE + u32::from(c)));
                }
                c if is_private(c) => {
                    text.push(LITERAL_PREFIX);
                    text.extend(char::from_u32(u32::from(c) - LITERAL_SHIFT));
                }
                c => text.push(c),
            }
        }
    }
    Cow::Owned(text)
}

/// Restores the key from a path of `object_store`.
pub(super) fn key_from_path(path: &str) -> String {
    let mut key = String::with_capacity(path.len());
    let mut characters = path.chars();
    while let Some(c) = characters.next() {
        match c {
            EMPTY_SEGMENT => {}
            DOT_SEGMENT => key.push('.'),
            DOTS_SEGMENT => key.push_str(".."),
            LITERAL_PREFIX => key.extend(characters.next().map(literal_private_character)),
            c => match u32::from(c).checked_sub(FIRST_PRIVATE) {
                Some(code @ 0..0x80) => key.extend(char::from_u32(code)),
                _ => key.push(c),
            },
        }
    }
    key
}

fn literal_private_character(shifted: char) -> char {
    char::from_u32(u32::from(shifted) + LITERAL_SHIFT).unwrap_or(shifted)
}

/// The URL of a request with the original key instead of the escaped one; `None` if nothing in the URL is escaped.
pub(super) fn restored_address(address: &str) -> Option<String> {
    // The common start of all private characters in percent-encoded UTF-8.
    const ENCODED_PRIVATE_START: &str = "%EF%9";
    let mut restored = String::with_capacity(address.len());
    let mut remaining_address = address;
    while let Some((before, _)) = remaining_address.split_once(ENCODED_PRIVATE_START) {
        restored.push_str(before);
        remaining_address = &remaining_address[before.len()..];
        let (text, after) = match decode_private_character(remaining_address) {
            // The original key contains this private character itself.
            Some((LITERAL_PREFIX, after)) => match decode_private_character(after) {
                Some((shifted, after)) => (literal_private_character(shifted).to_string(), after),
                None => (LITERAL_PREFIX.to_string(), after),
            },
            Some((c, after)) => (key_from_path(c.encode_utf8(&mut [0; 4])), after),
            None => {
                restored.push_str(ENCODED_PRIVATE_START);
                remaining_address = &remaining_address[ENCODED_PRIVATE_START.len()..];
                continue;
            }
        };
        remaining_address = after;
        for byte in text.bytes() {
            match byte {
                b'.' => restored.push('.'),
                byte => {
                    let _ = write!(restored, "%{byte:02X}");
                }
            }
        }
    }
    restored.push_str(remaining_address);
    (restored != address).then_some(restored)
}

/// Decodes the character of three bytes at the start of a percent-encoded text. Also returns the text after the
/// character.
fn decode_private_character(text: &str) -> Option<(char, &str)> {
    let (escape, rest) = text.split_at_checked(9)?;
    let mut bytes = [0; 3];
    for (byte, hex) in bytes.iter_mut().zip(escape.split('%').skip(1)) {
        *byte = u8::from_str_radix(hex, 16).ok()?;
    }
    let c = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    Some((c, rest))
}

#[cfg(test)]
mod tests {
    use object_store::path::Path;

    use super::*;

    #[test]
    fn each_key_has_one_path_and_its_own_address() {
        for (given, address) in [
            ("in/a b.csv", None),
            ("in//x.csv", Some("in//x.csv")),
            ("/x.csv", Some("/x.csv")),
            ("in/x/", Some("in/x/")),
            ("in/a\tb\u{7f}.csv", Some("in/a%09b%7F.csv")),
            (
                "in/\u{f780}\u{f7ff}\u{f630}é.csv",
                Some("in/%EF%9E%80%EF%9F%BF%EF%98%B0%C3%A9.csv"),
            ),
            ("in/../up.csv", Some("in/../up.csv")),
            ("in/é\u{f8ff}.csv", None),
        ] {
            let path = path_from_key(given);
            assert_eq!(Path::parse(&path).unwrap().as_ref(), path, "{given:?}");
            assert_eq!(key_from_path(&path), given);
            let mut encoded = String::new();
            for c in path.chars() {
                match c {
                    c if c.is_ascii() => encoded.push(c),
                    c => c.to_string().bytes().for_each(|byte| {
                        write!(encoded, "%{byte:02X}").unwrap();
                    }),
                }
            }
            assert_eq!(restored_address(&encoded).as_deref(), address, "{given:?}");
        }
        assert!(has_dots("a/../b") && has_dots(".") && !has_dots("a/..b/c."));
    }
}
