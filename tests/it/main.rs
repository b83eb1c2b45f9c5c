//! What the user gets, end to end.

mod choose;
mod cli;
#[cfg(feature = "cloud")]
mod cloud;
#[cfg(feature = "cloud")]
mod cloud_folders;
mod explain;
mod faults;
mod folders;
mod formats;
mod golden;
mod hodoku;
mod ladders;
mod logs;
mod many;
mod metrics;
mod order;
mod pencil_marks;
mod properties;
mod rejects;
mod resume;
#[cfg(feature = "cloud")]
mod server;
mod util;
