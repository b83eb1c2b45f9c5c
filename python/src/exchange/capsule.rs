//! The Arrow PyCapsule interface: takes arrays and streams of other libraries without a copy.
//!
//! ```text
//! object.__arrow_c_stream__() → capsule "arrow_array_stream" → FFI_ArrowArrayStream, moved out
//! object.__arrow_c_array__()  → capsules "arrow_schema", "arrow_array"
//! ```
//!
//! This is the only file of the package with unsafe code for Arrow. As the interface demands, it relies on
//! producers: a capsule with one of these names contains the corresponding C struct.

#![expect(
    unsafe_code,
    reason = "the C interface of Arrow is pointers and callbacks"
)]

use std::ffi::CStr;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arrow::array::{ArrayRef, RecordBatchReader, make_array};
use arrow::datatypes::{DataType, Field, FieldRef};
use arrow::error::ArrowError;
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

pub(crate) const SCHEMA_NAME: &CStr = c"arrow_schema";
pub(crate) const ARRAY_NAME: &CStr = c"arrow_array";
const STREAM_NAME: &CStr = c"arrow_array_stream";

/// A reader of record batches as a capsule of the Arrow interface.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM_NAME)
}

/// The arrays in a stream of another library.
pub(crate) struct Arrays {
    /// The stream of the other library. It is not dropped after the interpreter has started to shut down, because the
    /// producer may need the interpreter.
    stream: ManuallyDrop<FFI_ArrowArrayStream>,
    /// The type and the name of the arrays.
    pub(crate) field: FieldRef,
    /// Whether the stream is one of this package, whose errors about data stay errors about data.
    pub(crate) is_own: bool,
}

/// The error code of the interface for bad data, EINVAL.
const BAD_DATA: i32 = 22;

impl Arrays {
    /// Moves the stream out of the capsule.
    pub(crate) fn from_capsule(capsule: &Bound<'_, PyCapsule>) -> PyResult<Arrays> {
        let pointer = capsule.pointer_checked(Some(STREAM_NAME))?.cast();
        // SAFETY: the capsule is named `arrow_array_stream`, so it contains an initialised and aligned stream
        // struct, which nobody else uses while we are attached to the interpreter.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
        let (Some(get_schema), true) = (stream.get_schema, stream.release.is_some()) else {
            return Err(PyValueError::new_err(
                "the stream has been read already: a stream can be read once",
            ));
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream has not been released, and the call fills the empty struct `schema`.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(PyValueError::new_err(format!(
                "the stream has no schema: {}",
                last_error(&mut stream, code)
            )));
        }
        let field = Field::try_from(&schema).map_err(|error| invalid(&error))?;
        Ok(Arrays {
            stream: ManuallyDrop::new(stream),
            field: field.into(),
            is_own: false,
        })
    }
}

impl Iterator for Arrays {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let _call = ProducerCall::begin()?;
        let get_next = self.stream.get_next?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream has not been released, and the call fills the empty struct `array`.
        let code = unsafe { get_next(&raw mut *self.stream, &raw mut array) };
        if code != 0 {
            let message = last_error(&mut self.stream, code);
            return Some(Err(if self.is_own && code == BAD_DATA {
                let error = Python::attach(|py| crate::errors::data(py, &message));
                ArrowError::from_external_error(error.into())
            } else {
                ArrowError::CDataInterface(message)
            }));
        }
        if array.is_released() {
            return None;
        }
        Some(import(array, self.field.data_type()))
    }
}

impl Drop for Arrays {
    fn drop(&mut self) {
        if let Some(_call) = ProducerCall::begin() {
            // SAFETY: this is the only place where the stream is dropped.
            unsafe { ManuallyDrop::drop(&mut self.stream) };
        }
    }
}

/// The error message of the producer for this error code.
fn last_error(stream: &mut FFI_ArrowArrayStream, code: i32) -> String {
    let Some(get_last_error) = stream.get_last_error else {
        return format!("error {code}");
    };
    // SAFETY: the stream has not been released, so it can be asked for its error.
    let message = unsafe { get_last_error(stream) };
    if message.is_null() {
        return format!("error {code}");
    }
    // SAFETY: the producer's message ends with a zero byte, and lives until the next call of the stream.
    let message = unsafe { CStr::from_ptr(message) };
    message.to_string_lossy().into_owned()
}

/// Imports an array with the type of its schema.
fn import(array: FFI_ArrowArray, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    // SAFETY: the producer's array has the type of its schema, as the interface demands.
    let mut data = unsafe { from_ffi_and_data_type(array, data_type.clone()) }?;
    // Other libraries may align values less strictly than Arrow in Rust requires. Only such values are copied.
    data.align_buffers();
    Ok(make_array(data))
}

/// Moves an array and its field out of the capsules of `__arrow_c_array__`.
pub(crate) fn array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> PyResult<(FieldRef, ArrayRef)> {
    let field = field(schema)?;
    let pointer = array.pointer_checked(Some(ARRAY_NAME))?.cast();
    // SAFETY: the capsule is named `arrow_array`, so it contains an initialised and aligned array struct, which
    // nobody else uses while we are attached to the interpreter.
    let array = unsafe { FFI_ArrowArray::from_raw(pointer.as_ptr()) };
    if array.is_released() {
        return Err(PyValueError::new_err("the array has been taken already"));
    }
    let array = import(array, field.data_type()).map_err(|error| invalid(&error))?;
    Ok((field, array))
}

/// The field in the capsule of `__arrow_c_schema__`.
pub(crate) fn field(schema: &Bound<'_, PyCapsule>) -> PyResult<FieldRef> {
    let pointer = schema
        .pointer_checked(Some(SCHEMA_NAME))?
        .cast::<FFI_ArrowSchema>();
    // SAFETY: the capsule is named `arrow_schema`, so it contains an initialised and aligned schema struct,
    // which lives as long as the capsule.
    let schema = unsafe { pointer.as_ref() };
    let field = Field::try_from(schema).map_err(|error| invalid(&error))?;
    Ok(field.into())
}

fn invalid(error: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("the Arrow data cannot be read: {error}"))
}

/// Whether the interpreter is shutting down. Producers of streams are then no longer called, because they may
/// be written in Python.
static INPUTS_CLOSED: AtomicBool = AtomicBool::new(false);

/// The number of calls of stream producers that are in progress.
static CALLS_IN_PROGRESS: AtomicUsize = AtomicUsize::new(0);

/// A guard that counts a call of a stream producer while it is in progress.
pub(crate) struct ProducerCall;

impl ProducerCall {
    /// Starts a call of a stream producer; `None` if inputs are closed.
    pub(crate) fn begin() -> Option<ProducerCall> {
        CALLS_IN_PROGRESS.fetch_add(1, Ordering::SeqCst);
        let call = ProducerCall;
        (!INPUTS_CLOSED.load(Ordering::SeqCst)).then_some(call)
    }
}

impl Drop for ProducerCall {
    fn drop(&mut self) {
        CALLS_IN_PROGRESS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Closes all inputs: no producer is called again, and calls in progress are awaited. Used at the end of
/// the interpreter, when other threads can no longer run Python code.
#[pyfunction]
pub(crate) fn close_inputs(py: Python<'_>) {
    INPUTS_CLOSED.store(true, Ordering::SeqCst);
    py.detach(|| {
        let deadline = Instant::now() + Duration::from_secs(10);
        while CALLS_IN_PROGRESS.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}
