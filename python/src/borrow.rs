//! Arrays of integers of other libraries, whose memory is borrowed: the array interface of NumPy, and DLPack.
//!
//! ```text
//! object.__array_interface__   a dictionary: address, shape, strides, type; the object owns the memory
//! object.__dlpack__()          a capsule "dltensor" with a DLManagedTensor; its deleter frees the memory
//! ```

#![expect(
    unsafe_code,
    reason = "the arrays of other libraries are addresses and lengths"
)]

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use arrow::array::{ArrayData, ArrayRef, FixedSizeListArray, make_array};
use arrow::buffer::Buffer;
use arrow::datatypes::{DataType, Field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

/// An array of integers whose memory another library owns.
#[derive(Clone)]
pub(crate) struct Borrowed {
    address: usize,
    pub(crate) shape: Vec<usize>,
    /// For each axis, the distance from one element to the next, in bytes.
    strides: Vec<isize>,
    bytes: usize,
    is_signed: bool,
    /// Whether the byte order of the elements differs from that of this machine.
    is_swapped: bool,
    owner: Arc<dyn Owner>,
}

/// An object that keeps the memory of an array alive.
trait Owner: Send + Sync + std::panic::RefUnwindSafe {}

/// An object with the array interface, which owns its memory.
struct Object(#[expect(dead_code, reason = "it is kept alive")] Py<PyAny>);

impl std::panic::RefUnwindSafe for Object {}

impl Owner for Object {}

impl Borrowed {
    /// The array in an object; `None` if the object has no array.
    pub(crate) fn from_value(value: &Bound<'_, PyAny>) -> PyResult<Option<Borrowed>> {
        if value.hasattr("__array_interface__")? {
            return from_array_interface(value).map(Some);
        }
        if value.hasattr("__dlpack__")? {
            return from_dlpack(value).map(Some);
        }
        Ok(None)
    }

    fn check_layout(self) -> PyResult<Borrowed> {
        if self.shape.is_empty() {
            let message = "an array without axes is one number, and not a puzzle";
            return Err(PyValueError::new_err(message));
        }
        let is_known = matches!(self.bytes, 1 | 2 | 4 | 8);
        if is_known && self.shape.len() == self.strides.len() {
            Ok(self)
        } else {
            Err(PyValueError::new_err("the array has an unknown layout"))
        }
    }

    fn elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// All elements in row order.
    pub(crate) fn values(&self) -> PyResult<Vec<i64>> {
        Ok(self.rows(0..self.shape.first().copied().unwrap_or(0)))
    }

    /// The elements in these rows. A row is an index of the first axis.
    pub(crate) fn rows(&self, rows: std::ops::Range<usize>) -> Vec<i64> {
        let row_length: usize = self.shape[1..].iter().product();
        let mut values = Vec::with_capacity(rows.len() * row_length);
        for row in rows {
            for at in 0..row_length {
                let mut remaining_index = at;
                let mut offset = row as isize * self.strides[0];
                for axis in (1..self.shape.len()).rev() {
                    offset += (remaining_index % self.shape[axis]) as isize * self.strides[axis];
                    remaining_index /= self.shape[axis];
                }
                values.push(self.element(offset));
            }
        }
        values
    }

    /// The element at this distance from the first one, in bytes. Unsigned numbers beyond `i64::MAX` become
    /// `i64::MAX`.
    fn element(&self, offset: isize) -> i64 {
        let address = self.address.wrapping_add_signed(offset) as *const u8;
        let mut bytes = [0_u8; 8];
        for (at, byte) in bytes.iter_mut().take(self.bytes).enumerate() {
            // SAFETY: the element lies within the array, whose owner is alive.
            *byte = unsafe { address.add(at).read() };
        }
        let element_bytes = &mut bytes[..self.bytes];
        if self.is_swapped != cfg!(target_endian = "big") {
            element_bytes.reverse();
        }
        let value = u64::from_le_bytes(bytes);
        let unused_bits = 64 - 8 * self.bytes as u32;
        if self.is_signed {
            (value << unused_bits) as i64 >> unused_bits
        } else {
            i64::try_from(value).unwrap_or(i64::MAX)
        }
    }

    /// Whether the elements are contiguous in memory, as Arrow requires.
    fn is_plain(&self) -> bool {
        let mut packed_stride = self.bytes as isize;
        let axes = self.shape.iter().zip(&self.strides).rev();
        let mut is_packed = true;
        for (length, stride) in axes {
            is_packed &= *length <= 1 || *stride == packed_stride;
            packed_stride *= *length as isize;
        }
        let is_aligned = self.address.is_multiple_of(self.bytes);
        is_packed && is_aligned && !self.is_swapped && self.address != 0
    }

    /// The array as Arrow lists of `cells` numbers, without a copy; `None` if it has to be copied.
    pub(crate) fn lists(&self, cells: usize) -> Option<ArrayRef> {
        let length = self.elements() * self.bytes;
        if !self.is_plain() || length == 0 {
            return None;
        }
        let data_type = match (self.bytes, self.is_signed) {
            (1, true) => DataType::Int8,
            (2, true) => DataType::Int16,
            (4, true) => DataType::Int32,
            (8, true) => DataType::Int64,
            (1, false) => DataType::UInt8,
            (2, false) => DataType::UInt16,
            (4, false) => DataType::UInt32,
            _ => DataType::UInt64,
        };
        let pointer = NonNull::new(self.address as *mut u8)?;
        let owner: Arc<dyn arrow::alloc::Allocation> =
            Arc::new(OwnerGuard(Arc::clone(&self.owner)));
        // SAFETY: the elements are contiguous in memory, and the buffer keeps their owner alive.
        let buffer = unsafe { Buffer::from_custom_allocation(pointer, length, owner) };
        let values = ArrayData::builder(data_type.clone()).len(self.elements());
        let values = make_array(values.add_buffer(buffer).build().ok()?);
        let item_field = Arc::new(Field::new("item", data_type, false));
        let lists =
            FixedSizeListArray::try_new(item_field, i32::try_from(cells).ok()?, values, None);
        Some(Arc::new(lists.ok()?))
    }
}

/// Keeps the owner of the memory alive as long as an Arrow buffer.
struct OwnerGuard(#[expect(dead_code, reason = "it is kept alive")] Arc<dyn Owner>);

/// Borrows the array of an object with `__array_interface__`.
fn from_array_interface(value: &Bound<'_, PyAny>) -> PyResult<Borrowed> {
    let interface = value.getattr("__array_interface__")?;
    let interface = interface.cast::<PyDict>()?;
    let get_entry = |name: &str| {
        let entry = interface.get_item(name)?.filter(|entry| !entry.is_none());
        PyResult::Ok(entry)
    };
    let incomplete_error = || PyValueError::new_err("the array interface is incomplete");
    let typestr: String = get_entry("typestr")?
        .ok_or_else(incomplete_error)?
        .extract()?;
    let (order, kind_of) = (typestr.chars().next(), typestr.chars().nth(1));
    let bytes: usize = typestr
        .get(2..)
        .and_then(|size| size.parse().ok())
        .unwrap_or(0);
    if !matches!(kind_of, Some('i' | 'u')) {
        let name = value.getattr("dtype").map(|dtype| dtype.to_string());
        let name = name.unwrap_or(typestr);
        return Err(PyTypeError::new_err(format!(
            "an array of integers is needed, and this one has the type {name}: array.astype(\"uint8\")"
        )));
    }
    let shape: Vec<usize> = get_entry("shape")?
        .ok_or_else(incomplete_error)?
        .extract()?;
    let strides = match get_entry("strides")? {
        Some(strides) => strides.extract()?,
        None => contiguous_strides(&shape, bytes),
    };
    let address = match get_entry("data")? {
        Some(data) => data.cast::<PyTuple>()?.get_item(0)?.extract()?,
        None => return Err(incomplete_error()),
    };
    let swapped_mark = if cfg!(target_endian = "big") {
        '<'
    } else {
        '>'
    };
    let borrowed = Borrowed {
        address,
        shape,
        strides,
        bytes,
        is_signed: kind_of == Some('i'),
        is_swapped: order == Some(swapped_mark) && bytes > 1,
        owner: Arc::new(Object(value.clone().unbind())),
    };
    borrowed.check_layout()
}

/// The strides of an array with contiguous elements, in bytes.
fn contiguous_strides(shape: &[usize], bytes: usize) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut stride = bytes as isize;
    for (own, length) in strides.iter_mut().zip(shape).rev() {
        *own = stride;
        stride *= *length as isize;
    }
    strides
}

/// DLTensor, the description of an array in DLPack, version 0.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: i32,
    device_id: i32,
    axes: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    offset: u64,
}

#[repr(C)]
struct ManagedTensor {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedTensor)>,
}

/// A tensor that was taken out of its capsule. Dropping it calls its deleter.
struct OwnedTensor(NonNull<ManagedTensor>);

// SAFETY: no other code uses the tensor, and its deleter may be called on any thread that is attached to the
// interpreter.
unsafe impl Send for OwnedTensor {}
// SAFETY: the tensor is never changed, so threads can read it at the same time.
unsafe impl Sync for OwnedTensor {}

impl std::panic::RefUnwindSafe for OwnedTensor {}

impl Owner for OwnedTensor {}

impl Drop for OwnedTensor {
    fn drop(&mut self) {
        // The deleters of Python libraries use the interpreter to drop references, so they are not called after it has
        // ended.
        Python::try_attach(|_| {
            // SAFETY: the tensor is live, and is only dropped here.
            unsafe {
                if let Some(deleter) = self.0.as_ref().deleter {
                    deleter(self.0.as_ptr());
                }
            }
        });
    }
}

const TENSOR_NAME: &CStr = c"dltensor";
const USED_TENSOR_NAME: &CStr = c"used_dltensor";
/// The DLPack code of the CPU as a device.
const CPU_DEVICE: i32 = 1;

fn from_dlpack(value: &Bound<'_, PyAny>) -> PyResult<Borrowed> {
    let capsule = value.call_method0("__dlpack__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule
        .pointer_checked(Some(TENSOR_NAME))?
        .cast::<ManagedTensor>();
    // SAFETY: the new name marks the capsule as used, so that its destructor does not free the tensor.
    let renamed =
        unsafe { pyo3::ffi::PyCapsule_SetName(capsule.as_ptr(), USED_TENSOR_NAME.as_ptr()) };
    if renamed != 0 {
        return Err(PyErr::fetch(value.py()));
    }
    let owner = OwnedTensor(pointer);
    // SAFETY: a capsule named `dltensor` contains a managed tensor, which `owner` owns now.
    let tensor = unsafe { &pointer.as_ref().tensor };
    if tensor.device != CPU_DEVICE {
        return Err(PyTypeError::new_err(
            "the tensor is not in the memory of the processor: tensor.cpu()",
        ));
    }
    if tensor.code > 1 || tensor.lanes != 1 {
        return Err(PyTypeError::new_err(
            "a tensor of integers is needed: tensor.to(torch.uint8)",
        ));
    }
    let axes = usize::try_from(tensor.axes).unwrap_or(0);
    let read_axes = |from: *const i64| -> Option<Vec<i64>> {
        // SAFETY: the tensor's shape and strides point to arrays with one number per axis.
        (!from.is_null()).then(|| unsafe { std::slice::from_raw_parts(from, axes) }.to_vec())
    };
    let shape = read_axes(tensor.shape).unwrap_or_default();
    let shape: Vec<usize> = shape.into_iter().map(|length| length as usize).collect();
    let bytes = usize::from(tensor.bits) / 8;
    let strides = match read_axes(tensor.strides) {
        // DLPack's strides are in elements, and ours are in bytes.
        Some(strides) => strides
            .into_iter()
            .map(|stride| stride as isize * bytes as isize)
            .collect(),
        None => contiguous_strides(&shape, bytes),
    };
    let borrowed = Borrowed {
        address: tensor.data as usize + tensor.offset as usize,
        shape,
        strides,
        bytes,
        is_signed: tensor.code == 0,
        is_swapped: false,
        owner: Arc::new(owner),
    };
    borrowed.check_layout()
}
