//! The names of signals in messages.

/// The name of a signal that stops a run, as manuals have it.
pub(crate) fn signal_name(signal: i32) -> String {
    match signal {
        1 => "SIGHUP (the terminal was closed)".to_owned(),
        2 => "SIGINT (Ctrl-C)".to_owned(),
        15 => "SIGTERM".to_owned(),
        other => format!("signal {other}"),
    }
}
