//! Reads an object at any position, through a cache of larger ranges ("windows").
//!
//! A reader of a Parquet file reads in small steps at several positions, one for each column. A request for each
//! step would be slow. Each request therefore fetches a larger range, a window. If a window continues an earlier
//! one, it is twice as large:
//!
//! ```text
//! column a   │ 256 KiB │ 512 KiB     │ 1 MiB                     │ …      the cache keeps the
//! column b   │ 256 KiB │ 512 KiB     │ 1 MiB                     │ …      latest 64 MiB
//! end of the file, where the index is: │ the last 256 KiB │
//! ```

use std::io;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use object_store::{GetOptions, GetRange, ObjectMeta};

use super::Object;
use super::explain::{CHANGED_WHILE_READ, explain};
use super::runtime::wait_for;
use super::stream::is_same_version;
use crate::store::RequestFailure;
use crate::store::random::ReadAt;

/// The size in bytes of a window that does not continue an earlier window.
const FIRST_WINDOW_BYTES: u64 = 256 << 10;

/// The largest size of a window in bytes.
const LARGEST_WINDOW_BYTES: u64 = 4 << 20;

/// How often a range of an object (a window) is requested at most, if the connection breaks during the answer.
const MOST_TRIES: u32 = 5;

/// The size of the cache in bytes. A larger window is not cached.
const CACHE_BYTES: u64 = 64 << 20;

pub(super) struct WindowReader {
    object: Object,
    meta: ObjectMeta,
    cache: Mutex<WindowCache>,
}

#[derive(Default)]
struct WindowCache {
    windows: Vec<Window>,
    /// Counts all uses of windows. It shows which window was used least recently.
    use_count: u64,
}

struct Window {
    start: u64,
    bytes: Bytes,
    /// The value that `use_count` had when this window was last used.
    last_use: u64,
    /// Whether the window that continues this one has also been fetched. If so, this window is evicted first.
    is_next_fetched: bool,
}

impl Window {
    fn end_offset(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// The bytes from `offset` to the end of the window; `None` if the window does not contain this offset.
    fn slice_from(&self, offset: u64) -> Option<Bytes> {
        let skipped_bytes = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        (skipped_bytes < self.bytes.len()).then(|| self.bytes.slice(skipped_bytes..))
    }
}

impl WindowReader {
    pub(super) fn new(object: Object, meta: ObjectMeta) -> WindowReader {
        WindowReader {
            object,
            meta,
            cache: Mutex::default(),
        }
    }

    /// The bytes from `offset` to the end of the window that contains it. If there is no such window, a new one is
    /// fetched, which has at least `wanted` bytes after `offset`.
    fn bytes_at(&self, offset: u64, wanted: usize) -> Result<Bytes, RequestFailure> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.use_count += 1;
        let use_number = cache.use_count;
        for window in &mut cache.windows {
            if let Some(bytes) = window.slice_from(offset) {
                window.last_use = use_number;
                return Ok(bytes);
            }
        }
        let (start, size) = cache.plan_window(offset, self.meta.size);
        let window_end = (start + size)
            .max(offset + wanted as u64)
            .min(self.meta.size);
        let bytes = self.fetch_range(start, window_end)?;
        let window = Window {
            start,
            bytes,
            last_use: use_number,
            is_next_fetched: false,
        };
        let bytes_from = window.slice_from(offset);
        cache.keep_window(window);
        bytes_from
            .ok_or_else(|| RequestFailure::new(io::ErrorKind::Other, "the server sent no bytes"))
    }

    fn fetch_range(&self, start: u64, end: u64) -> Result<Bytes, RequestFailure> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(start..end)),
            if_match: self.meta.e_tag.clone(),
            ..GetOptions::default()
        };
        wait_for(async {
            let mut try_count = 0;
            loop {
                let response = self
                    .object
                    .store
                    .get_opts(&self.object.path, options.clone())
                    .await;
                let response = response.map_err(|error| explain(&error))?;
                if !is_same_version(&response.meta, &self.meta) {
                    return Err(RequestFailure::new(
                        io::ErrorKind::Other,
                        CHANGED_WHILE_READ,
                    ));
                }
                // `object_store` retries requests without an answer. It does not retry all requests whose answer breaks
                // off.
                try_count += 1;
                match response.bytes().await {
                    Err(_) if try_count < MOST_TRIES => {}
                    bytes => return bytes.map_err(|error| explain(&error)),
                }
            }
        })
    }
}

impl ReadAt for WindowReader {
    fn is_near(&self) -> bool {
        false
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset >= self.meta.size || buffer.is_empty() {
            return Ok(0);
        }
        let bytes = self.bytes_at(offset, 1)?;
        let read_bytes = buffer.len().min(bytes.len());
        buffer[..read_bytes].copy_from_slice(&bytes[..read_bytes]);
        Ok(read_bytes)
    }

    fn get_bytes_at(&self, offset: u64, length: usize) -> io::Result<Bytes> {
        if length == 0 {
            return Ok(Bytes::new());
        }
        let first_bytes = self.bytes_at(offset, length)?;
        if first_bytes.len() >= length {
            return Ok(first_bytes.slice(..length));
        }
        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(&first_bytes);
        while bytes.len() < length {
            let missing_bytes = length - bytes.len();
            let next_bytes = self.bytes_at(offset + bytes.len() as u64, missing_bytes)?;
            bytes.extend_from_slice(&next_bytes[..missing_bytes.min(next_bytes.len())]);
        }
        Ok(bytes.into())
    }
}

impl WindowCache {
    /// Plans a new window that contains the byte `offset`. Returns its start and its size.
    fn plan_window(&mut self, offset: u64, object_bytes: u64) -> (u64, u64) {
        let mut size = FIRST_WINDOW_BYTES;
        if let Some(previous_window) = self
            .windows
            .iter_mut()
            .find(|window| window.end_offset() == offset)
        {
            previous_window.is_next_fetched = true;
            size = previous_window.bytes.len() as u64 * 2;
        }
        let reading_positions = self
            .windows
            .iter()
            .filter(|window| !window.is_next_fetched)
            .count() as u64
            + 1;
        // The size is limited so that the cache has room for two windows for each position that is being read.
        // Otherwise these positions would evict each other's windows.
        let fair_bytes = CACHE_BYTES / (2 * reading_positions);
        let size = size
            .min(LARGEST_WINDOW_BYTES)
            .min(fair_bytes.max(FIRST_WINDOW_BYTES / 4));
        // Near the end of a file, where its index is, readers read backwards. A window there ends at the end of the
        // file.
        let window_start = if offset + size > object_bytes && size == FIRST_WINDOW_BYTES {
            object_bytes.saturating_sub(size)
        } else {
            offset
        };
        (window_start, size)
    }

    fn keep_window(&mut self, window: Window) {
        let size = |window: &Window| window.bytes.len() as u64;
        let room_bytes = CACHE_BYTES.saturating_sub(size(&window));
        while self.windows.iter().map(size).sum::<u64>() > room_bytes {
            let oldest = (0..self.windows.len()).min_by_key(|at| {
                (
                    !self.windows[*at].is_next_fetched,
                    self.windows[*at].last_use,
                )
            });
            match oldest {
                Some(at) => drop(self.windows.swap_remove(at)),
                None => break,
            }
        }
        if size(&window) <= CACHE_BYTES {
            self.windows.push(window);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object_store::memory::InMemory;
    use object_store::path::Path;
    use object_store::{ObjectStoreExt, PutPayload};
    use std::sync::Arc;
    use sudoku_core::random::Rng;

    fn stored_object(bytes: &[u8]) -> (Object, WindowReader) {
        let object = Object {
            store: Arc::new(InMemory::new()),
            lister: None,
            path: Path::from("a"),
        };
        let put = object
            .store
            .put(&object.path, PutPayload::from(bytes.to_vec()));
        wait_for(async { Ok(put.await.unwrap()) }).unwrap();
        let head = object.store.head(&object.path);
        let meta = wait_for(async { Ok(head.await.unwrap()) }).unwrap();
        (object.clone(), WindowReader::new(object, meta))
    }

    /// Tests sequential reads at eight positions, and reads at random positions.
    #[test]
    fn whatever_the_order_the_bytes_are_those_of_the_object() {
        let seed = 3;
        let mut rng = Rng::for_item(seed, 0);
        let bytes: Vec<u8> = (0..5_000_003).map(|_| rng.next_u64() as u8).collect();
        let (_, windows) = stored_object(&bytes);
        let mut read_offsets = [0; 8];
        for step in 0..5000 {
            let read_offset = &mut read_offsets[rng.below(8)];
            if rng.below(50) == 0 {
                *read_offset = rng.below(bytes.len());
            }
            let longest = if rng.below(100) == 0 { 1 << 20 } else { 5000 };
            let length = rng.below(longest);
            let read_end = (*read_offset + length).min(bytes.len());
            let got_bytes = windows
                .get_bytes_at(*read_offset as u64, read_end - *read_offset)
                .unwrap();
            assert!(
                got_bytes == bytes[*read_offset..read_end],
                "seed {seed}, step {step}"
            );
            let mut buffer = [0; 100];
            let read_bytes = windows.read_at(read_end as u64, &mut buffer).unwrap();
            assert_eq!(buffer[..read_bytes], bytes[read_end..read_end + read_bytes]);
            assert!(read_bytes > 0 || read_end == bytes.len());
            *read_offset = read_end;
        }
        let cache = windows.cache.lock().unwrap();
        let total: usize = cache.windows.iter().map(|window| window.bytes.len()).sum();
        assert!(total as u64 <= CACHE_BYTES);
    }

    #[test]
    fn another_object_under_the_same_key_is_noticed() {
        let (object, windows) = stored_object(&[1; 3_000_000]);
        windows.get_bytes_at(0, 10).unwrap();
        let put = object
            .store
            .put(&object.path, PutPayload::from(vec![2; 3_000_000]));
        wait_for(async { Ok(put.await.unwrap()) }).unwrap();
        let error = windows.get_bytes_at(2_000_000, 10).unwrap_err();
        assert_eq!(error.to_string(), CHANGED_WHILE_READ);
    }
}
