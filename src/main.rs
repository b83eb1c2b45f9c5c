//! The `pipeline` command.

fn main() {}
