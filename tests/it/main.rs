//! What the user gets, end to end.

mod cli;
#[cfg(feature = "cloud")]
mod cloud;
mod explain;
mod faults;
mod formats;
mod golden;
mod hodoku;
mod ladders;
mod order;
mod properties;
mod rejects;
#[cfg(feature = "cloud")]
mod server;
mod util;
