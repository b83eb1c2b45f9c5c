//! The name of an input in messages.

/// The name of an input in messages: its path, or `standard input`.
pub(crate) fn input_name(path: &str) -> String {
    let name = if path == "-" { "standard input" } else { path };
    name.to_owned()
}
