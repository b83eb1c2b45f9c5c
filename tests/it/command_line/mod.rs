//! Tests of options, messages, logs and pages.

mod cli;
mod environment;
mod first_tries;
mod inspect;
mod logs;
mod metrics;
mod options;
mod pages;
mod suggestions;
mod terminal;
