//! What the user gets, end to end.

mod cli;
mod explain;
mod faults;
mod formats;
mod golden;
mod hodoku;
mod ladders;
mod order;
mod pencil_marks;
mod properties;
mod rejects;
mod util;
