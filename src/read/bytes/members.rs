//! Decompresses the members of a gzip file, or the frames of a zstd file, several at a time.
//!
//! ```text
//! reader    finds the end of each member ─▶ a task for each group of members
//! worker                                    decompresses the group, checks its sizes and checksums
//! reader    text of the groups, in order
//! ```
//!
//! The first member is decompressed as a stream, so that a file of one member is opened as soon as its first bytes are
//! there. So are all members without a stated size, and large ones. If a group is damaged, or its sizes are wrong, its
//! members and all later ones are also decompressed as a stream: that gives the text before the damage, and the error.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::stored_bytes::{StoredBytes, StoredPart};
use crate::panics::expected;
use crate::read::workers::{Reserved, Workers};

/// The maximum size of a group of members in bytes: of the members and of their text, which are both in memory.
pub(super) const MOST_MEMBER_BYTES: usize = 3 << 20;

/// The size of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberSize {
    /// At least so many bytes from the start of the member are needed to tell.
    Needs(usize),
    /// The whole member is there: its size, and the maximum size of its text.
    Known { stored: usize, text: usize },
    /// The member has no size, or one that cannot be right.
    Unknown,
}

/// A compression whose files consist of members.
pub(super) trait MemberFormat: Send + 'static {
    /// Decompresses a member as a stream. Returns 0 bytes at the end of the member.
    type Decoder: Read + Send;

    /// The size of the member that starts with these bytes.
    fn measure(&self, bytes: &[u8]) -> MemberSize;

    /// Decompresses a whole member into the buffer, and checks its sizes and its checksum. Returns the size of its text;
    /// `None` if the member is damaged or its text has no room.
    fn decompress(member: &[u8], text: &mut [u8]) -> Option<usize>;

    /// Whether another member follows. Skips what may stand between members.
    fn has_more(&self, stored: &mut StoredBytes) -> io::Result<bool>;

    /// Starts to decompress a member as a stream.
    fn open(&mut self, stored: StoredBytes) -> Self::Decoder;

    /// Ends the stream of a member.
    fn close(&mut self, decoder: Self::Decoder) -> StoredBytes;
}

/// The text of all members of a file, one after the other.
pub(super) struct Members<F: MemberFormat> {
    format: F,
    /// The bytes that have not been decompressed; empty while `stream` has them.
    stored: StoredBytes,
    /// The member that is being decompressed as a stream.
    stream: Option<F::Decoder>,
    /// The group whose text is being read, and the number of bytes of its text that have been read.
    text: Option<(GroupText, usize)>,
    /// The groups after it, which workers decompress.
    tasks: VecDeque<Arc<Task>>,
    /// The number of groups that have been cut from the stored bytes.
    groups: usize,
    /// Whether the next member has to be decompressed as a stream.
    is_next_streamed: bool,
    /// Whether a group was damaged or had wrong sizes.
    has_failed: bool,
    workers: Option<Arc<dyn Workers>>,
    /// The memory for `tasks`.
    reserved: Vec<Reserved>,
    spare_stored: Vec<Vec<u8>>,
    spare_text: Vec<Vec<u8>>,
}

/// Consecutive members, which are decompressed together.
#[derive(Default)]
struct Group {
    stored: StoredPart,
    /// The sizes of the members and the maximum sizes of their texts.
    sizes: Vec<(usize, usize)>,
}

/// A group that has been decompressed.
struct GroupText {
    group: Group,
    buffer: Vec<u8>,
    /// The size of the text, which is at the start of the buffer; `None` if the group is damaged or has wrong sizes.
    size: Option<usize>,
}

impl Group {
    fn decompress<F: MemberFormat>(self, mut buffer: Vec<u8>) -> GroupText {
        let most_text = self.sizes.iter().map(|(_, text)| text).sum();
        if buffer.len() < most_text {
            buffer.resize(most_text, 0);
        }
        let decompressed = expected(|| {
            let (mut stored, mut text) = (self.stored.bytes.as_slice(), 0);
            for (size, most) in &self.sizes {
                let (member, rest) = stored.split_at_checked(*size)?;
                text += F::decompress(member, buffer.get_mut(text..text + most)?)?;
                stored = rest;
            }
            Some(text)
        });
        GroupText {
            group: self,
            // The stream decoder fails in the same way, and its error says so.
            size: decompressed.ok().flatten(),
            buffer,
        }
    }
}

/// A group that a worker decompresses, or the reader thread if no worker has started when the text is needed.
struct Task {
    state: Mutex<TaskState>,
    ended: Condvar,
}

enum TaskState {
    /// The group, and a buffer for its text.
    Waiting(Group, Vec<u8>),
    Started,
    Ended(GroupText),
}

impl Task {
    fn state(&self) -> MutexGuard<'_, TaskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decompresses the group, unless another thread has started to.
    fn run<F: MemberFormat>(&self) {
        let mut state = self.state();
        match std::mem::replace(&mut *state, TaskState::Started) {
            TaskState::Waiting(group, buffer) => {
                drop(state);
                let text = group.decompress::<F>(buffer);
                *self.state() = TaskState::Ended(text);
                self.ended.notify_all();
            }
            other => *state = other,
        }
    }

    /// Waits until no other thread decompresses the group, and returns the group; with its text, if it has been
    /// decompressed.
    fn take(&self) -> Result<GroupText, (Group, Vec<u8>)> {
        let mut state = self.state();
        loop {
            match std::mem::replace(&mut *state, TaskState::Started) {
                TaskState::Waiting(group, buffer) => return Err((group, buffer)),
                TaskState::Started => {}
                TaskState::Ended(text) => return Ok(text),
            }
            let waited = self.ended.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<F: MemberFormat> Members<F> {
    pub(super) fn new(mut format: F, stored: StoredBytes) -> Members<F> {
        Members {
            stream: Some(format.open(stored)),
            format,
            stored: StoredBytes::default(),
            text: None,
            tasks: VecDeque::new(),
            groups: 0,
            is_next_streamed: false,
            has_failed: false,
            workers: None,
            reserved: Vec::new(),
            spare_stored: Vec::new(),
            spare_text: Vec::new(),
        }
    }

    /// Decompresses the next members on these workers.
    pub(super) fn use_workers(&mut self, workers: &Arc<dyn Workers>) {
        self.workers = Some(Arc::clone(workers));
    }

    /// Cuts a group from the stored bytes; `None` if the next member has to be decompressed as a stream. A group has one
    /// member, and more of them if they have been read anyway.
    fn next_group(&mut self) -> Option<Group> {
        let is_streamed = self.has_failed || self.is_next_streamed;
        let (mut sizes, mut stored_bytes, mut text_bytes) = (Vec::new(), 0, 0);
        // The first groups have few members, so that little is decompressed if only the start of the text is read.
        while !is_streamed && sizes.len() <= self.groups {
            let bytes = self.stored.buffered().get(stored_bytes..);
            match self.format.measure(bytes.unwrap_or_default()) {
                MemberSize::Known { stored, text }
                    if (stored_bytes + stored + text_bytes).saturating_add(text)
                        <= MOST_MEMBER_BYTES =>
                {
                    (stored_bytes, text_bytes) = (stored_bytes + stored, text_bytes + text);
                    sizes.push((stored, text));
                }
                MemberSize::Needs(size) if sizes.is_empty() && size <= MOST_MEMBER_BYTES => {
                    if self.stored.look_at(size).len() < size {
                        break;
                    }
                }
                _ => break,
            }
        }
        if sizes.is_empty() {
            self.is_next_streamed = true;
            return None;
        }
        self.groups += 1;
        let spare = self.spare_stored.pop().unwrap_or_default();
        let stored = self.stored.take_part(stored_bytes, spare);
        Some(Group { stored, sizes })
    }

    /// The text of the next group, while workers decompress the groups after it.
    fn next_text(&mut self) -> Option<GroupText> {
        let first = match self.tasks.pop_front() {
            Some(task) => task.take(),
            None => Err((
                self.next_group()?,
                self.spare_text.pop().unwrap_or_default(),
            )),
        };
        self.start_tasks();
        let text = first.unwrap_or_else(|(group, buffer)| group.decompress::<F>(buffer));
        if text.size.is_some() {
            self.stored.count(text.group.stored.bytes.len());
            return Some(text);
        }
        let groups = self.tasks.drain(..).map(|task| match task.take() {
            Ok(text) => text.group,
            Err((group, _)) => group,
        });
        let groups = std::iter::once(text.group).chain(groups);
        self.stored.put_back(groups.map(|group| group.stored));
        self.has_failed = true;
        self.reserved.clear();
        None
    }

    /// Lets workers decompress the next groups.
    fn start_tasks(&mut self) {
        let Some(workers) = self.workers.clone() else {
            return;
        };
        // At most as much is read ahead as has been read before: a pipe may be slow, and a run may have a limit of records.
        let read_groups = self.groups - self.tasks.len();
        let most_tasks = workers.most_tasks().min(read_groups);
        while self.tasks.len() < most_tasks {
            let Some(group) = self.next_group() else {
                return;
            };
            let buffer = self.spare_text.pop().unwrap_or_default();
            let task = Arc::new(Task {
                state: Mutex::new(TaskState::Waiting(group, buffer)),
                ended: Condvar::new(),
            });
            self.tasks.push_back(Arc::clone(&task));
            if self.reserved.len() < self.tasks.len() {
                match workers.reserve() {
                    Some(reserved) => self.reserved.push(reserved),
                    None => return,
                }
            }
            workers.start(Box::new(move || task.run::<F>()));
        }
    }
}

impl<F: MemberFormat> Read for Members<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some((text, start)) = &mut self.text {
                let mut rest = text.buffer.get(*start..text.size.unwrap_or(0));
                let read_bytes = rest.as_mut().map_or(Ok(0), |rest| rest.read(buffer))?;
                *start += read_bytes;
                if read_bytes > 0 {
                    return Ok(read_bytes);
                }
                if let Some((text, _)) = self.text.take() {
                    self.spare_stored.push(text.group.stored.bytes);
                    self.spare_text.push(text.buffer);
                }
            }
            if let Some(stream) = &mut self.stream {
                let read_bytes = stream.read(buffer)?;
                if read_bytes > 0 {
                    return Ok(read_bytes);
                }
                if let Some(stream) = self.stream.take() {
                    self.stored = self.format.close(stream);
                }
                self.is_next_streamed = false;
            }
            if let Some(text) = self.next_text() {
                self.text = Some((text, 0));
            } else if self.format.has_more(&mut self.stored)? {
                let stored = std::mem::take(&mut self.stored);
                self.stream = Some(self.format.open(stored));
            } else {
                return Ok(0);
            }
        }
    }
}
