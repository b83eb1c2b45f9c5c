//! End-to-end tests of what users see.

mod analytics;
#[cfg(feature = "cloud")]
mod cloud;
mod columns;
mod command_line;
mod damage;
mod documented;
mod fuzz;
mod generate;
mod grades;
mod inputs;
mod outputs;
mod sets;
mod tables;
mod util;
