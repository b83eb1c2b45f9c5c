//! The part of an upload that is being filled: in memory, or in a temporary file if the parts of all uploads would take
//! too much memory. `--partition-by`, for example, has many open uploads.
//!
//! ```text
//! memory of uploads │ parts that fill, half of it │ parts that are being sent, the other half │
//!                     no room: a temporary file     no room: waits until another part is sent
//! ```

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::open_files;
use crate::store::RequestFailure;
use crate::store::remote::runtime::wait_for;
use crate::store::upload_memory::upload_memory;

/// The unit in which the memory of parts that are being sent is counted.
const PERMIT_BYTES: usize = 1 << 20;

/// The bytes in memory of all parts that are being filled.
static FILLING_BYTES: AtomicU64 = AtomicU64::new(0);

/// The memory for parts that are being sent.
static SENDING: LazyLock<(Arc<Semaphore>, usize)> = LazyLock::new(|| {
    let permits = upload_memory() as usize / 2 / PERMIT_BYTES;
    (Arc::new(Semaphore::new(permits)), permits)
});

/// The part of an upload that is being filled.
#[derive(Default)]
pub(super) struct PartBuffer {
    bytes: Vec<u8>,
    /// The file with the bytes of a part that has no room in memory. The file of an earlier part is used again.
    file: Option<File>,
    /// The number of bytes in the file. If it is not 0, there are none in memory.
    file_bytes: usize,
}

impl PartBuffer {
    /// The size of the part in bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() + self.file_bytes
    }

    /// Appends bytes to the part.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), RequestFailure> {
        if self.file_bytes == 0 && take_memory(bytes.len()) {
            self.bytes.extend_from_slice(bytes);
            return Ok(());
        }
        self.append_to_file(bytes)
            .map_err(|error| file_failure(&error))
    }

    fn append_to_file(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        if self.file_bytes == 0 {
            file.rewind()?;
            file.write_all(&self.bytes)?;
            self.file_bytes = self.bytes.len();
            give_memory_back(std::mem::take(&mut self.bytes).len());
        }
        file.write_all(bytes)?;
        self.file_bytes += bytes.len();
        Ok(())
    }

    /// Takes the bytes out of the buffer, which is empty afterwards. Waits until there is memory for a part that is being
    /// sent. The memory is in use until the permit is dropped.
    pub(super) fn take(&mut self) -> Result<(Vec<u8>, OwnedSemaphorePermit), RequestFailure> {
        let (semaphore, all_permits) = &*SENDING;
        let permits = self.len().div_ceil(PERMIT_BYTES).min(*all_permits);
        let permit = wait_for(async {
            let permit = Arc::clone(semaphore).acquire_many_owned(permits as u32);
            let closed = |error| RequestFailure::new(io::ErrorKind::Other, format!("{error}"));
            permit.await.map_err(closed)
        })?;
        let mut bytes = std::mem::take(&mut self.bytes);
        give_memory_back(bytes.len());
        if let Some(file) = self.file.as_mut().filter(|_| self.file_bytes > 0) {
            bytes = vec![0; std::mem::take(&mut self.file_bytes)];
            let read = file.rewind().and_then(|()| file.read_exact(&mut bytes));
            read.map_err(|error| file_failure(&error))?;
        }
        Ok((bytes, permit))
    }
}

impl Drop for PartBuffer {
    fn drop(&mut self) {
        give_memory_back(self.bytes.len());
    }
}

/// Counts bytes of a part that is being filled. Returns false if there is no room for them.
fn take_memory(bytes: usize) -> bool {
    let before = FILLING_BYTES.fetch_add(bytes as u64, Ordering::Relaxed);
    let has_room = before + bytes as u64 <= upload_memory() / 2;
    if !has_room {
        give_memory_back(bytes);
    }
    has_room
}

fn give_memory_back(bytes: usize) {
    FILLING_BYTES.fetch_sub(bytes as u64, Ordering::Relaxed);
}

/// The failure to write or read a temporary file.
fn file_failure(error: &io::Error) -> RequestFailure {
    let folder = std::env::temp_dir();
    let kind = error.kind();
    let error = open_files::error_text(error);
    let message = format!(
        "the parts of the open uploads do not fit into memory, and not into a temporary file in {} (TMPDIR): {error}",
        folder.display()
    );
    RequestFailure::new(kind, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_has_no_room_in_memory_waits_in_a_file() {
        let mut parts: Vec<PartBuffer> = Vec::new();
        let block = vec![7_u8; 1 << 20];
        // Each part has half a block too much for all of them to be in memory.
        let count = upload_memory() as usize / 2 / block.len() / 4 + 8;
        for number in 0..count {
            let mut part = PartBuffer::default();
            for _ in 0..4 {
                part.append(&block).unwrap();
            }
            part.append(&[number as u8]).unwrap();
            parts.push(part);
        }
        assert!(FILLING_BYTES.load(Ordering::Relaxed) <= upload_memory() / 2);
        assert!(parts.iter().any(|part| part.file_bytes > 0));
        for (number, part) in parts.iter_mut().enumerate() {
            for content in [4 * block.len() + 1, 3] {
                assert_eq!(part.len(), content);
                let (bytes, _permit) = part.take().unwrap();
                assert_eq!(bytes.len(), content);
                match content {
                    3 => assert_eq!(bytes, b"abc"),
                    _ => assert_eq!(bytes.last(), Some(&(number as u8))),
                }
                assert_eq!(part.len(), 0);
                part.append(b"abc").unwrap();
            }
        }
    }
}
