//! An object from front to back: one request, read ahead in the background.
//!
//! A connection that breaks, or that the server closes because the reader is slow, is taken up again
//! where it was cut, as long as the object is the same.
//!
//! `object_store` takes up streams as well, but only within the retry timeout of the first request,
//! and only of objects with an ETag: what is read for an hour behind a slow solver breaks later, and
//! web servers often have no ETag. Its resuming comes first, this one is for the rest.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::{GetOptions, GetRange, GetResult, ObjectMeta};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Object;
use super::explain::{CHANGED, explain};
use super::runtime::{runtime, timeout, wait};
use crate::store::RequestFailure;

/// The size of the blocks that are handed to the reader.
const BLOCK: usize = 1 << 20;

/// Blocks that wait for the reader: the memory that reading ahead may take.
const AHEAD: usize = 6;

/// How often a connection may break before [`FAR`] more bytes have been read.
const RESUMES: u32 = 8;

/// The longest pause before a connection is taken up again.
const PAUSE: Duration = Duration::from_secs(1);

/// After so many bytes the connections that broke before no longer count.
const FAR: u64 = 8 << 20;

/// Reads an object.
pub(super) struct Stream {
    state: State,
    block: Bytes,
}

enum State {
    /// Only the first bytes have been read: perhaps no more than that is wanted, as of a table
    /// whose index is at its end.
    Fresh(Box<Fetch>),
    /// The rest is being read ahead.
    Ahead(Receiver<Result<Bytes, RequestFailure>>),
    /// The object has been read, or reading has failed for good.
    Over(Option<RequestFailure>),
}

impl Stream {
    pub(super) fn new(object: Object, got: GetResult) -> Stream {
        Stream {
            state: State::Fresh(Box::new(Fetch::new(object, got))),
            block: Bytes::new(),
        }
    }

    /// The next bytes; none at the end.
    fn next(&mut self) -> Result<Option<Bytes>, RequestFailure> {
        loop {
            match std::mem::replace(&mut self.state, State::Over(None)) {
                State::Fresh(mut fetch) if fetch.at == 0 => {
                    let block = wait(fetch.next())?;
                    if block.is_some() {
                        self.state = State::Fresh(fetch);
                    }
                    return Ok(block);
                }
                State::Fresh(fetch) => {
                    let (sender, receiver) = channel(AHEAD);
                    runtime()?.spawn(read_ahead(fetch, sender));
                    self.state = State::Ahead(receiver);
                }
                State::Ahead(mut blocks) => {
                    let block = wait(async { blocks.recv().await.transpose() })?;
                    if block.is_some() {
                        self.state = State::Ahead(blocks);
                    }
                    return Ok(block);
                }
                State::Over(None) => return Ok(None),
                State::Over(Some(failure)) => return Err(failure),
            }
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.block.is_empty() && !buffer.is_empty() {
            match self.next() {
                Ok(Some(block)) => self.block = block,
                Ok(None) => return Ok(0),
                Err(failure) => {
                    self.state = State::Over(Some(failure.clone()));
                    return Err(failure.into());
                }
            }
        }
        let read = buffer.len().min(self.block.len());
        self.block.copy_to_slice(&mut buffer[..read]);
        Ok(read)
    }
}

/// Fills blocks until the end, a failure, or until the reader is dropped.
async fn read_ahead(mut fetch: Box<Fetch>, blocks: Sender<Result<Bytes, RequestFailure>>) {
    loop {
        let mut block = Vec::with_capacity(BLOCK);
        let end = loop {
            match fetch.next().await {
                Ok(Some(bytes)) => block.extend_from_slice(&bytes),
                Ok(None) => break Some(None),
                Err(failure) => break Some(Some(failure)),
            }
            if block.len() >= BLOCK {
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

/// The rest of an object from a byte on, over as many connections as are needed.
struct Fetch {
    object: Object,
    meta: ObjectMeta,
    body: BoxStream<'static, object_store::Result<Bytes>>,
    at: u64,
    /// How often the connection has broken since `far`, and the time of the last progress.
    broken: u32,
    far: u64,
    progress: Instant,
}

impl Fetch {
    fn new(object: Object, got: GetResult) -> Fetch {
        Fetch {
            object,
            meta: got.meta.clone(),
            body: got.into_stream(),
            at: 0,
            broken: 0,
            far: 0,
            progress: Instant::now(),
        }
    }

    /// The next bytes, some at least; none at the end.
    async fn next(&mut self) -> Result<Option<Bytes>, RequestFailure> {
        loop {
            let cut = match self.body.next().await {
                Some(Ok(bytes)) if bytes.is_empty() => continue,
                Some(Ok(bytes)) => {
                    self.at += bytes.len() as u64;
                    self.progress = Instant::now();
                    if self.at >= self.far + FAR {
                        self.far = self.at;
                        self.broken = 0;
                    }
                    return Ok(Some(bytes));
                }
                _ if self.at >= self.meta.size => return Ok(None),
                Some(Err(error)) => explain(&error).to_string(),
                None => "the connection was closed".to_owned(),
            };
            self.resume(&cut).await?;
        }
    }

    /// Requests the rest, again and again, until a request succeeds or too many have failed.
    async fn resume(&mut self, cut: &str) -> Result<(), RequestFailure> {
        let mut why = cut.to_owned();
        loop {
            self.broken += 1;
            if self.broken > RESUMES || self.progress.elapsed() > timeout() {
                let (at, size) = (self.at, self.meta.size);
                let message = format!("given up after {at} of {size} bytes: {why}");
                return Err(RequestFailure::new(io::ErrorKind::Other, message));
            }
            tokio::time::sleep(Duration::from_millis(25 << self.broken).min(PAUSE)).await;
            let options = GetOptions {
                range: Some(GetRange::Bounded(self.at..self.meta.size)),
                if_match: self.meta.e_tag.clone(),
                ..GetOptions::default()
            };
            match self.object.store.get_opts(&self.object.path, options).await {
                Ok(got) if !same(&got.meta, &self.meta) => {
                    return Err(RequestFailure::new(io::ErrorKind::Other, CHANGED));
                }
                Ok(got) => {
                    self.body = got.into_stream();
                    return Ok(());
                }
                Err(object_store::Error::NotSupported { .. }) => {
                    let (at, size) = (self.at, self.meta.size);
                    let message = format!(
                        "cut after {at} of {size} bytes, and the server does not send the rest \
                         alone: {why}"
                    );
                    return Err(RequestFailure::new(io::ErrorKind::Other, message));
                }
                Err(
                    error @ (object_store::Error::NotFound { .. }
                    | object_store::Error::Precondition { .. }
                    | object_store::Error::PermissionDenied { .. }
                    | object_store::Error::Unauthenticated { .. }),
                ) => return Err(explain(&error)),
                Err(error) => why = explain(&error).to_string(),
            }
        }
    }
}

/// Whether two answers are about the same bytes.
pub(super) fn same(one: &ObjectMeta, other: &ObjectMeta) -> bool {
    let stamp = |meta: &ObjectMeta| (meta.size, meta.e_tag.clone(), meta.last_modified);
    stamp(one) == stamp(other)
}
