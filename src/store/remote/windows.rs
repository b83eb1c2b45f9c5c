//! Random access to an object.
//!
//! A reader of a table reads at several positions at once, one for each column, in small steps.
//! Instead of a request for each step, a request fetches a window, and the windows of a position
//! that is read sequentially double in size:
//!
//! ```text
//! column a   │ 256 KiB │ 512 KiB     │ 1 MiB                     │ …      kept: the last ones,
//! column b   │ 256 KiB │ 512 KiB     │ 1 MiB                     │ …      64 MiB in all
//! end of the file, where the index is: │ the last 256 KiB │
//! ```

use std::io;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use object_store::{GetOptions, GetRange, ObjectMeta};

use super::Object;
use super::explain::{CHANGED, explain};
use super::runtime::wait;
use super::stream::same;
use crate::store::RequestFailure;
use crate::store::random::ReadAt;

/// The first window of a position, and the smallest.
const FIRST: u64 = 256 << 10;

/// The largest window.
const LARGEST: u64 = 4 << 20;

/// How often a window is requested whose answer breaks off.
const TRIES: u32 = 5;

/// The size of all windows together. A window that alone is larger is not kept.
const BUDGET: u64 = 64 << 20;

pub(super) struct Windows {
    object: Object,
    meta: ObjectMeta,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    windows: Vec<Window>,
    /// Counts the uses of windows.
    clock: u64,
}

struct Window {
    start: u64,
    bytes: Bytes,
    used: u64,
    /// Whether the window after it has been fetched: this one is hardly needed any more.
    passed: bool,
}

impl Window {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// The bytes from `at` on.
    fn from(&self, at: u64) -> Option<Bytes> {
        let skipped = usize::try_from(at.checked_sub(self.start)?).ok()?;
        (skipped < self.bytes.len()).then(|| self.bytes.slice(skipped..))
    }
}

impl Windows {
    pub(super) fn new(object: Object, meta: ObjectMeta) -> Windows {
        Windows {
            object,
            meta,
            held: Mutex::default(),
        }
    }

    /// The bytes from `at` on that one window has. A window that has to be fetched has at least
    /// `wanted` bytes.
    fn window(&self, at: u64, wanted: usize) -> Result<Bytes, RequestFailure> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.clock += 1;
        let now = held.clock;
        for window in &mut held.windows {
            if let Some(bytes) = window.from(at) {
                window.used = now;
                return Ok(bytes);
            }
        }
        let (start, size) = held.plan(at, self.meta.size);
        let end = (start + size).max(at + wanted as u64).min(self.meta.size);
        let bytes = self.fetch(start, end)?;
        let window = Window {
            start,
            bytes,
            used: now,
            passed: false,
        };
        let found = window.from(at);
        held.keep(window);
        found.ok_or_else(|| RequestFailure::new(io::ErrorKind::Other, "the server sent no bytes"))
    }

    fn fetch(&self, start: u64, end: u64) -> Result<Bytes, RequestFailure> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(start..end)),
            if_match: self.meta.e_tag.clone(),
            ..GetOptions::default()
        };
        wait(async {
            let mut tries = 0;
            loop {
                let got = self
                    .object
                    .store
                    .get_opts(&self.object.path, options.clone())
                    .await;
                let got = got.map_err(|error| explain(&error))?;
                if !same(&got.meta, &self.meta) {
                    return Err(RequestFailure::new(io::ErrorKind::Other, CHANGED));
                }
                // The store has tried again already where the answer did not start; not always
                // where it broke off.
                tries += 1;
                match got.bytes().await {
                    Err(_) if tries < TRIES => {}
                    bytes => return bytes.map_err(|error| explain(&error)),
                }
            }
        })
    }
}

impl ReadAt for Windows {
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if at >= self.meta.size || buffer.is_empty() {
            return Ok(0);
        }
        let bytes = self.window(at, 1)?;
        let read = buffer.len().min(bytes.len());
        buffer[..read].copy_from_slice(&bytes[..read]);
        Ok(read)
    }

    fn get(&self, at: u64, length: usize) -> io::Result<Bytes> {
        if length == 0 {
            return Ok(Bytes::new());
        }
        let first = self.window(at, length)?;
        if first.len() >= length {
            return Ok(first.slice(..length));
        }
        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(&first);
        while bytes.len() < length {
            let missing = length - bytes.len();
            let next = self.window(at + bytes.len() as u64, missing)?;
            bytes.extend_from_slice(&next[..missing.min(next.len())]);
        }
        Ok(bytes.into())
    }
}

impl Held {
    /// Where a window should start so that it has the byte at `at`, and how large it should be.
    fn plan(&mut self, at: u64, object: u64) -> (u64, u64) {
        let mut size = FIRST;
        if let Some(before) = self.windows.iter_mut().find(|window| window.end() == at) {
            before.passed = true;
            size = before.bytes.len() as u64 * 2;
        }
        let places = self.windows.iter().filter(|window| !window.passed).count() as u64 + 1;
        // Two for each place, so that none has to give way to another one's.
        let fair = BUDGET / (2 * places);
        let size = size.min(LARGEST).min(fair.max(FIRST / 4));
        // The end of a table is read backwards.
        let start = if at + size > object && size == FIRST {
            object.saturating_sub(size)
        } else {
            at
        };
        (start, size)
    }

    fn keep(&mut self, window: Window) {
        let size = |window: &Window| window.bytes.len() as u64;
        let room = BUDGET.saturating_sub(size(&window));
        while self.windows.iter().map(size).sum::<u64>() > room {
            let oldest = (0..self.windows.len())
                .min_by_key(|at| (!self.windows[*at].passed, self.windows[*at].used));
            match oldest {
                Some(at) => drop(self.windows.swap_remove(at)),
                None => break,
            }
        }
        if size(&window) <= BUDGET {
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

    fn stored(bytes: &[u8]) -> (Object, Windows) {
        let object = Object {
            store: Arc::new(InMemory::new()),
            path: Path::from("a"),
        };
        let put = object
            .store
            .put(&object.path, PutPayload::from(bytes.to_vec()));
        wait(async { Ok(put.await.unwrap()) }).unwrap();
        let head = object.store.head(&object.path);
        let meta = wait(async { Ok(head.await.unwrap()) }).unwrap();
        (object.clone(), Windows::new(object, meta))
    }

    /// Eight positions that are read sequentially, and jumps.
    #[test]
    fn whatever_the_order_the_bytes_are_those_of_the_object() {
        let seed = 3;
        let mut rng = Rng::for_item(seed, 0);
        let bytes: Vec<u8> = (0..5_000_003).map(|_| rng.next_u64() as u8).collect();
        let (_, windows) = stored(&bytes);
        let mut places = [0; 8];
        for step in 0..5000 {
            let place = &mut places[rng.below(8)];
            if rng.below(50) == 0 {
                *place = rng.below(bytes.len());
            }
            let longest = if rng.below(100) == 0 { 1 << 20 } else { 5000 };
            let length = rng.below(longest);
            let end = (*place + length).min(bytes.len());
            let got = windows.get(*place as u64, end - *place).unwrap();
            assert!(got == bytes[*place..end], "seed {seed}, step {step}");
            let mut buffer = [0; 100];
            let read = windows.read_at(end as u64, &mut buffer).unwrap();
            assert_eq!(buffer[..read], bytes[end..end + read]);
            assert!(read > 0 || end == bytes.len());
            *place = end;
        }
        let held = windows.held.lock().unwrap();
        let total: usize = held.windows.iter().map(|window| window.bytes.len()).sum();
        assert!(total as u64 <= BUDGET);
    }

    #[test]
    fn another_object_under_the_same_key_is_noticed() {
        let (object, windows) = stored(&[1; 3_000_000]);
        windows.get(0, 10).unwrap();
        let put = object
            .store
            .put(&object.path, PutPayload::from(vec![2; 3_000_000]));
        wait(async { Ok(put.await.unwrap()) }).unwrap();
        let error = windows.get(2_000_000, 10).unwrap_err();
        assert_eq!(error.to_string(), CHANGED);
    }
}
