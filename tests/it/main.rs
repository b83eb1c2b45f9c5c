//! What the user gets, end to end.

mod cli;
mod columnar;
mod explain;
mod faults;
mod formats;
mod golden;
mod hodoku;
mod ladders;
mod order;
mod properties;
mod rejects;
mod util;
mod written;
