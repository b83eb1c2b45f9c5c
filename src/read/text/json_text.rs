//! The texts of JSON strings.

use std::borrow::Cow;

use memchr::memchr;

/// What a string says; `None` where the value is no string.
pub(crate) fn string(json: &str) -> Result<Option<Cow<'_, str>>, serde_json::Error> {
    let Some(inner) = json.strip_prefix('"') else {
        return Ok(None);
    };
    match inner.strip_suffix('"') {
        Some(plain) if memchr(b'\\', plain.as_bytes()).is_none() => Ok(Some(Cow::Borrowed(plain))),
        _ => serde_json::from_str(json).map(|text| Some(Cow::Owned(text))),
    }
}

/// What a string says, or another value as it is written.
pub(crate) fn unescaped(json: &str) -> Cow<'_, str> {
    string(json).ok().flatten().unwrap_or(Cow::Borrowed(json))
}
