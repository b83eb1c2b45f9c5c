//! Reads an object sequentially: one request, whose answer is read ahead in the background.
//!
//! If the connection breaks, or if the server closes it because the reader is slow, a new request continues at
//! the same byte. This fails if the object has changed.
//!
//! `object_store` resumes streams too, but only within the retry timeout of the first request, and only for
//! objects with an ETag. That is not enough here: a slow solver can read one object for hours, and web servers
//! often send no ETag. This module therefore resumes the stream when `object_store` gives up.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::{GetOptions, GetRange, GetResult, ObjectMeta};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Object;
use super::explain::{CHANGED_WHILE_READ, explain};
use super::runtime::{request_timeout, runtime, wait_for};
use super::service::UNKNOWN_SIZE;
use crate::store::RequestFailure;

/// The size in bytes of the blocks that the background thread sends to the reader.
const BLOCK_BYTES: usize = 1 << 20;

/// The number of blocks that the background thread reads ahead of the reader. It limits the memory.
const BLOCKS_AHEAD: usize = 6;

/// How often the connection may break within [`STEADY_BYTES`] before reading fails.
const MOST_RESUMES: u32 = 8;

/// The longest pause before a broken request is resumed.
const PAUSE_BEFORE_RESUME: Duration = Duration::from_secs(1);

/// After this many bytes without a broken connection, earlier breaks no longer count.
const STEADY_BYTES: u64 = 8 << 20;

/// Reads an object sequentially.
pub(super) struct ObjectStream {
    state: StreamState,
    current_block: Bytes,
}

enum StreamState {
    /// Nothing is read ahead yet, because the caller may need only the first bytes: a reader of Parquet then reads the
    /// index at the end of the file.
    Started(Box<ResumableFetch>),
    /// The background thread is reading the content ahead.
    ReadingAhead(Receiver<Result<Bytes, RequestFailure>>),
    /// The end of the object has been reached, or reading has failed for good.
    Ended(Option<RequestFailure>),
}

impl ObjectStream {
    pub(super) fn new(object: Object, got: GetResult) -> ObjectStream {
        ObjectStream {
            state: StreamState::Started(Box::new(ResumableFetch::new(object, got))),
            current_block: Bytes::new(),
        }
    }

    /// The next bytes of the object; `None` at its end.
    fn next_block(&mut self) -> Result<Option<Bytes>, RequestFailure> {
        loop {
            match std::mem::replace(&mut self.state, StreamState::Ended(None)) {
                StreamState::Started(mut fetch) if fetch.offset == 0 => {
                    let block = wait_for(fetch.next())?;
                    if block.is_some() {
                        self.state = StreamState::Started(fetch);
                    }
                    return Ok(block);
                }
                StreamState::Started(fetch) => {
                    let (sender, receiver) = channel(BLOCKS_AHEAD);
                    runtime()?.spawn(read_ahead(fetch, sender));
                    self.state = StreamState::ReadingAhead(receiver);
                }
                StreamState::ReadingAhead(mut blocks) => {
                    let block = wait_for(async { blocks.recv().await.transpose() })?;
                    if block.is_some() {
                        self.state = StreamState::ReadingAhead(blocks);
                    }
                    return Ok(block);
                }
                StreamState::Ended(None) => return Ok(None),
                StreamState::Ended(Some(failure)) => return Err(failure),
            }
        }
    }
}

impl Read for ObjectStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current_block.is_empty() && !buffer.is_empty() {
            match self.next_block() {
                Ok(Some(block)) => self.current_block = block,
                Ok(None) => return Ok(0),
                Err(failure) => {
                    self.state = StreamState::Ended(Some(failure.clone()));
                    return Err(failure.into());
                }
            }
        }
        let read_bytes = buffer.len().min(self.current_block.len());
        self.current_block.copy_to_slice(&mut buffer[..read_bytes]);
        Ok(read_bytes)
    }
}

/// Sends blocks to the reader until the object ends, reading fails, or the reader no longer exists.
async fn read_ahead(mut fetch: Box<ResumableFetch>, blocks: Sender<Result<Bytes, RequestFailure>>) {
    loop {
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        let end = loop {
            match fetch.next().await {
                Ok(Some(bytes)) => block.extend_from_slice(&bytes),
                Ok(None) => break Some(None),
                Err(failure) => break Some(Some(failure)),
            }
            if block.len() >= BLOCK_BYTES {
                break None;
            }
        };
        if !block.is_empty() && blocks.send(Ok(block.into())).await.is_err() {
            return;
        }
        if let Some(failure) = end {
            if let Some(failure) = failure {
                let _ = blocks.send(Err(failure)).await;
            }
            return;
        }
    }
}

/// Reads an object. When the connection breaks, it requests the rest on a new one.
pub(super) struct ResumableFetch {
    object: Object,
    meta: ObjectMeta,
    body: BoxStream<'static, object_store::Result<Bytes>>,
    offset: u64,
    /// How often the connection has broken since the byte `steady_since_offset`.
    interruptions: u32,
    steady_since_offset: u64,
    /// The time at which the latest bytes arrived.
    last_progress: Instant,
}

impl ResumableFetch {
    pub(super) fn new(object: Object, got: GetResult) -> ResumableFetch {
        ResumableFetch {
            object,
            meta: got.meta.clone(),
            body: got.into_stream(),
            offset: 0,
            interruptions: 0,
            steady_since_offset: 0,
            last_progress: Instant::now(),
        }
    }

    /// The next bytes of the object, at least one; `None` at its end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, RequestFailure> {
        loop {
            let interruption = match self.body.next().await {
                Some(Ok(bytes)) if bytes.is_empty() => continue,
                Some(Ok(bytes)) => {
                    self.offset += bytes.len() as u64;
                    self.last_progress = Instant::now();
                    if self.offset >= self.steady_since_offset + STEADY_BYTES {
                        self.steady_since_offset = self.offset;
                        self.interruptions = 0;
                    }
                    return Ok(Some(bytes));
                }
                _ if self.offset >= self.meta.size => return Ok(None),
                // The server has not stated the length of the file, so the end of its answer is the end of the file.
                None if self.meta.size >= UNKNOWN_SIZE => return Ok(None),
                Some(Err(error)) if self.meta.size >= UNKNOWN_SIZE => {
                    let (at, why) = (self.offset, explain(&error));
                    let message = format!(
                        "cut after {at} bytes, and the server does not say how many there are, so that \
                         the rest cannot be requested: {why}"
                    );
                    return Err(RequestFailure::new(io::ErrorKind::Other, message));
                }
                Some(Err(error)) => explain(&error).to_string(),
                None => "the connection was closed".to_owned(),
            };
            self.resume(&interruption).await?;
        }
    }

    /// Requests the rest of the object again and again, until a request succeeds or the connection has broken too
    /// often. `interruption` is the reason for the last break.
    async fn resume(&mut self, interruption: &str) -> Result<(), RequestFailure> {
        let mut reason = interruption.to_owned();
        loop {
            self.interruptions += 1;
            if self.interruptions > MOST_RESUMES || self.last_progress.elapsed() > request_timeout()
            {
                let (at, size) = (self.offset, self.meta.size);
                let message = format!("given up after {at} of {size} bytes: {reason}");
                return Err(RequestFailure::new(io::ErrorKind::Other, message));
            }
            tokio::time::sleep(
                Duration::from_millis(25 << self.interruptions).min(PAUSE_BEFORE_RESUME),
            )
            .await;
            let options = GetOptions {
                range: Some(GetRange::Bounded(self.offset..self.meta.size)),
                if_match: self.meta.e_tag.clone(),
                ..GetOptions::default()
            };
            match self.object.store.get_opts(&self.object.path, options).await {
                Ok(got) if !is_same_version(&got.meta, &self.meta) => {
                    return Err(RequestFailure::new(
                        io::ErrorKind::Other,
                        CHANGED_WHILE_READ,
                    ));
                }
                Ok(got) => {
                    self.body = got.into_stream();
                    return Ok(());
                }
                Err(object_store::Error::NotSupported { .. }) => {
                    let (at, size) = (self.offset, self.meta.size);
                    let message = format!(
                        "cut after {at} of {size} bytes, and the server does not send the rest \
                         alone: {reason}"
                    );
                    return Err(RequestFailure::new(io::ErrorKind::Other, message));
                }
                Err(
                    error @ (object_store::Error::NotFound { .. }
                    | object_store::Error::Precondition { .. }
                    | object_store::Error::PermissionDenied { .. }
                    | object_store::Error::Unauthenticated { .. }),
                ) => return Err(explain(&error)),
                Err(error) => reason = explain(&error).to_string(),
            }
        }
    }
}

/// Whether two answers of a store are about the same version of an object.
pub(super) fn is_same_version(one: &ObjectMeta, other: &ObjectMeta) -> bool {
    let stamp = |meta: &ObjectMeta| (meta.size, meta.e_tag.clone(), meta.last_modified);
    stamp(one) == stamp(other)
}
