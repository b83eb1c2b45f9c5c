//! What the user gets, end to end.

mod cli;
mod faults;
mod formats;
mod golden;
mod order;
mod properties;
mod rejects;
mod util;
