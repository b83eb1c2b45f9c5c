//! What the user gets, end to end.

mod cli;
mod explain;
mod faults;
mod folders;
mod formats;
mod golden;
mod hodoku;
mod ladders;
mod many;
mod order;
mod pencil_marks;
mod properties;
mod rejects;
mod resume;
mod sizes;
mod util;
