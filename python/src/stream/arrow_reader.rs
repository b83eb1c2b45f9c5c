//! Reads the rows of a stream for a library with the Arrow interface.

use std::sync::{Arc, Mutex};

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use pyo3::prelude::*;

use super::rows::{CreatorProcess, Stopped, StreamRows};
use crate::errors::text;

/// A reader of the rows, for a library with the Arrow interface.
pub(super) struct ArrowReader {
    pub(super) schema: SchemaRef,
    pub(super) rows: Arc<Mutex<StreamRows>>,
    pub(super) owner: CreatorProcess,
}

impl Iterator for ArrowReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(refusal) = self.owner.refusal() {
            return Some(Err(ArrowError::ExternalError(refusal.into())));
        }
        let (message, is_data) = match StreamRows::next(&self.rows) {
            Ok(batch) => return batch.map(Ok),
            Err(Stopped::Failed(error)) => (text(&error), error.is_about_data()),
            Err(Stopped::Interrupted(raised)) => (interrupted(&raised), false),
        };
        // Messages in the Arrow interface end at the first zero byte.
        let message = message.replace('\0', "\\0");
        // The variant of the error tells other libraries whether the data is bad or reading failed.
        Some(Err(if is_data {
            ArrowError::ExternalError(message.into())
        } else {
            ArrowError::IoError(message, std::io::Error::other("the stream ends here"))
        }))
    }
}

impl RecordBatchReader for ArrowReader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Drop for ArrowReader {
    fn drop(&mut self) {
        if self.owner.refusal().is_some() {
            std::mem::forget(Arc::clone(&self.rows));
            return;
        }
        // The library has stopped reading, perhaps early. Nobody else may read the remaining rows.
        let mut rows = StreamRows::lock(&self.rows);
        if !rows.stream.has_ended() {
            rows.stream.stop();
        }
    }
}

/// The message for a library that reads the rows while a signal handler raises an exception, usually
/// KeyboardInterrupt. The library raises an error of its own, and the exception is raised again when it
/// returns to Python.
fn interrupted(raised: &PyErr) -> String {
    let is_interrupt = Python::try_attach(|py| {
        let is_interrupt = raised.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py);
        if is_interrupt {
            let raised = py
                .import("_thread")
                .and_then(|thread| thread.call_method0("interrupt_main"));
            // The call has no effect if Python does not handle the signal. An error is ignored.
            drop(raised);
        }
        is_interrupt
    });
    match is_interrupt {
        Some(true) => "KeyboardInterrupt: the stream was stopped".to_owned(),
        _ => format!("the stream was stopped: {raised}"),
    }
}
