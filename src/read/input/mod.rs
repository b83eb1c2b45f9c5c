//! Where bytes come from: files, containers, the first look at a format.

pub(crate) mod catalog;
pub(crate) mod chunker;
pub(crate) mod expand;
pub(crate) mod foreign;
pub(crate) mod guard;
pub(crate) mod head;
pub(crate) mod hint;
pub(crate) mod open;
pub(crate) mod sample;
pub(crate) mod sniff;
pub(crate) mod stored;
pub(crate) mod take;
pub(crate) mod zip;
