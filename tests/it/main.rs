//! What the user gets, end to end.

mod cli;
mod explain;
mod faults;
mod formats;
mod formats_text;
mod golden;
mod hodoku;
mod inspect;
mod ladders;
mod order;
mod properties;
mod rejects;
mod util;
