//! What the user gets, end to end.

mod choose;
mod cli;
mod explain;
mod faults;
mod formats;
mod golden;
mod hodoku;
mod ladders;
mod logs;
mod memory;
mod metrics;
mod order;
mod properties;
mod rejects;
mod util;
