//! Writes objects to stores: in one request on a condition, or as an upload of several parts.

mod part_buffer;
mod put;
mod upload;
mod uploads;

pub(crate) use upload::Upload;
pub(super) use uploads::add_store;
