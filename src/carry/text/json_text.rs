//! Unescapes JSON strings: removes the quotes, and replaces the escapes.

use std::borrow::Cow;

use memchr::memchr;

/// The text of a JSON string; `None` if the value is not a string.
pub(crate) fn parse_string(json: &str) -> Result<Option<Cow<'_, str>>, serde_json::Error> {
    let Some(inner) = json.strip_prefix('"') else {
        return Ok(None);
    };
    match inner.strip_suffix('"') {
        Some(plain) if memchr(b'\\', plain.as_bytes()).is_none() => Ok(Some(Cow::Borrowed(plain))),
        _ => serde_json::from_str(json).map(|text| Some(Cow::Owned(text))),
    }
}

/// The text of a JSON string. Other values are returned as JSON text.
pub(crate) fn unescaped_text(json: &str) -> Cow<'_, str> {
    parse_string(json)
        .ok()
        .flatten()
        .unwrap_or(Cow::Borrowed(json))
}
