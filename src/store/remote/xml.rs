//! Finds elements in the XML answers of stores.

/// Splits a text at the first XML element with this name: into the text before it, inside it, and after it.
pub(super) fn split_at_element<'a>(
    xml: &'a str,
    name: &str,
) -> Option<(&'a str, &'a str, &'a str)> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let (before, rest) = xml.split_once(&open)?;
    let (inside, after) = rest.split_once(&close)?;
    Some((before, inside, after))
}
