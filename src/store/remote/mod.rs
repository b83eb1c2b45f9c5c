//! Reads and writes objects in stores, through the `object_store` crate.
//!
//! ```text
//! connect ─▶ Object ─┬─ open ──▶ ObjectStream: one request, read ahead, resumed after an interruption
//!                    ├─ open ──▶ Windows: ranges, each column of a table with its read-ahead
//!                    ├─ request ▶ PendingObject: a small object, fetched whole in the background
//!                    ├─ upload ▶ Upload: a multipart upload, completed at commit, aborted otherwise
//!                    ├─ put ───▶ one request, on a condition
//!                    └─ metadata, list, delete
//! transport: sends each request, so that all are retried
//! ```

mod clock;
mod connect;
mod explain;
mod keys;
mod object;
mod pending;
mod requests;
mod retry_after;
mod runtime;
mod service;
mod stream;
mod transport;
mod windows;
mod write;
mod xml;

pub(super) use object::Object;
pub(super) use pending::PendingObject;
pub(super) use runtime::{CleanUp, stop_on};
pub(crate) use write::Upload;
