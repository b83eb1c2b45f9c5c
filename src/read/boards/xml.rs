//! Splits an XML text into parts: just enough to cut it into records.
//!
//! ```text
//! <?xml …?>  <!DOCTYPE … [ … ]>  <!-- … -->  <![CDATA[ … ]]>  <tag a="…" b='…'>  </tag>  text
//! ```
//!
//! A tag cannot contain `<`, so a tag with an unclosed quote ends before the next tag. quick-xml parses the
//! attributes of a tag, but it cannot be used to find the parts: it reads an unclosed quote up to the next
//! quote, and the records in between would be lost.

use memchr::{memchr, memmem};

/// A part of an XML text, such as a tag, a comment, or the text between two tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct XmlPart {
    pub kind: XmlPartKind,
    /// The offset in the text at which this part ends.
    pub end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum XmlPartKind {
    /// A start tag, or the tag of an empty element.
    Tag,
    /// A start tag that is not closed before the next tag.
    BrokenTag,
    /// Text, a comment, an end tag, or a processing instruction.
    Other,
}

/// The part of the XML that starts at the offset `start`. If its end is not within the bytes, the error names the kind
/// of part, such as `a comment`.
pub(crate) fn part(bytes: &[u8], start: usize, at_end: bool) -> Result<XmlPart, &'static str> {
    let remaining_bytes = bytes.get(start..).unwrap_or_default();
    let other_part = |length: usize| XmlPart {
        kind: XmlPartKind::Other,
        end: start + length,
    };
    if remaining_bytes.first() != Some(&b'<') {
        // Text between tags may be split at any byte.
        return Ok(other_part(
            memchr(b'<', remaining_bytes).unwrap_or(remaining_bytes.len()),
        ));
    }
    let part_until = |opening: &[u8], closing: &[u8], what| {
        let end = memmem::find(&remaining_bytes[opening.len()..], closing).ok_or(what)?;
        Ok(other_part(opening.len() + end + closing.len()))
    };
    for (opening, closing, what) in [
        (&b"<!--"[..], &b"-->"[..], "a comment"),
        (b"<![CDATA[", b"]]>", "a CDATA section"),
        (b"<?", b"?>", "a processing instruction"),
    ] {
        if remaining_bytes.starts_with(opening) {
            return part_until(opening, closing, what);
        }
        if opening.starts_with(remaining_bytes) && !at_end {
            return Err("a tag");
        }
    }
    if remaining_bytes.starts_with(b"<!") {
        return declaration(remaining_bytes)
            .map(other_part)
            .ok_or("a declaration");
    }
    let kind = match remaining_bytes.get(1) {
        Some(b'/') => XmlPartKind::Other,
        _ => XmlPartKind::Tag,
    };
    let mut quote = None;
    for (at, byte) in remaining_bytes.iter().enumerate().skip(1) {
        match (byte, quote) {
            (b'<', _) => {
                let end = start + at;
                let kind = XmlPartKind::BrokenTag;
                return Ok(XmlPart { kind, end });
            }
            (b'>', None) => {
                let end = start + at + 1;
                return Ok(XmlPart { kind, end });
            }
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            _ => {}
        }
    }
    Err("a tag")
}

/// The length in bytes of a declaration `<!…>` with the declarations inside it.
fn declaration(rest: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The element name in a start tag.
pub(crate) fn name(tag: &[u8]) -> &[u8] {
    let tag_content = tag.strip_prefix(b"<").unwrap_or(tag);
    let ends_name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<');
    &tag_content[..tag_content
        .iter()
        .position(ends_name)
        .unwrap_or(tag_content.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        let mut all_parts = Vec::new();
        let mut offset = 0;
        while offset < text.len() {
            match part(text.as_bytes(), offset, true) {
                Ok(part) => {
                    all_parts.push(format!("{:?} {}", part.kind, &text[offset..part.end]));
                    offset = part.end;
                }
                Err(open) => {
                    all_parts.push(format!("{open} {}", &text[offset..]));
                    break;
                }
            }
        }
        all_parts
    }

    #[test]
    fn the_parts_of_a_text_are_distinguished() {
        for text in [
            "Other <?xml version='1.0' ?>",
            "Other <!DOCTYPE a [ <!ENTITY b \"c\"> ]>",
            "Other <!-- <a> -->",
            "Other <![CDATA[ <a> ]]>",
            "Tag <a b=\"c>d\" e='\"'/>",
            "Tag <a>",
            "Other </a>",
            "Other text",
            "a comment <!-- <a>",
            "a CDATA section <![CDATA[ ]]",
            "a tag <a b=\"",
            "a tag <",
        ] {
            let (_, part) = text.split_at(text.rfind("Tag ").map_or(6, |_| 4));
            let part = match text.strip_prefix('a') {
                Some(_) => &text[text.find('<').unwrap()..],
                None => part,
            };
            assert_eq!(parts(part), [text]);
        }
        let open_tag = "<a b=\"1><a b=\"2\"/>";
        assert_eq!(parts(open_tag), ["BrokenTag <a b=\"1>", "Tag <a b=\"2\"/>"]);
    }

    #[test]
    fn an_unfinished_part_is_reported_as_unfinished() {
        for text in ["<", "<!", "<!-", "<![CDA", "<!DOC", "<a "] {
            assert!(part(text.as_bytes(), 0, false).is_err(), "{text}");
        }
        assert_eq!(name(b"<game data=''>"), b"game");
        assert_eq!(name(b"<game/>"), b"game");
    }
}
