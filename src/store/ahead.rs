//! Fetches small objects before they are needed, several at a time, because stores respond slowly.
//!
//! ```text
//! inputs   a b c d e f g …      in the order in which they are read
//!          │ └─┬───┘ └ not requested yet
//!          │   └ requested or fetched: at most MOST_REQUESTS objects, whose bytes have a limit
//!          └ returned by `next`
//! ```

use std::collections::VecDeque;

use super::expected::{check_against_list, listed_bytes};
use super::remote::PendingObject;
use super::{FetchedObject, Location, OpenedInput, StoreError, Url, UrlScheme, read_error};

/// The largest size in bytes of an object that is fetched whole.
pub(crate) const SMALL_OBJECT_BYTES: u64 = 1 << 20;

/// The maximum number of objects that are requested or fetched before their turn.
const MOST_REQUESTS: usize = 16;

/// The memory in bytes that small objects may take even under a tight memory limit. A large object, which is read ahead
/// as a stream, takes as much.
pub(crate) const LEAST_OBJECT_BYTES: u64 = 6 << 20;

/// The memory in bytes that small objects take at most.
pub(crate) const MOST_OBJECT_BYTES: u64 = 64 << 20;

/// The part of this memory for objects that were requested before their turn. The rest is for objects that are kept from
/// their recognition until they are read.
const MOST_BYTES_AHEAD: u64 = 16 << 20;

/// An object that was requested before its turn.
pub(crate) enum AheadInput {
    /// The object is small, and has been fetched whole.
    Fetched(FetchedObject),
    /// The object is larger than expected. Only the headers of the answer have been read.
    #[cfg_attr(
        not(feature = "cloud"),
        expect(dead_code, reason = "only builds with stores request objects")
    )]
    Opened(OpenedInput),
}

/// Fetches the small objects among the inputs of a run, in the order of the inputs.
pub(crate) struct ReadAhead {
    /// The inputs for which nothing has been decided yet.
    later_inputs: VecDeque<PlannedInput>,
    /// The next inputs. `None` for an input that is not fetched.
    next_inputs: VecDeque<Option<(Url, Request)>>,
    /// The sum of the sizes of all objects in `next_inputs`.
    held_bytes: u64,
    request_count: usize,
    limit_bytes: u64,
}

/// An object to fetch with the most bytes that it is expected to have; `None` for an input that is not fetched.
type PlannedInput = Option<(Url, u64)>;

struct Request {
    pending: Result<PendingObject, StoreError>,
    bytes: u64,
}

impl ReadAhead {
    /// The part of the memory for small objects that this type uses.
    pub(crate) fn share_of(object_bytes: u64) -> u64 {
        (object_bytes / 3 * 2).min(MOST_BYTES_AHEAD)
    }

    /// Plans to fetch these inputs. `object_bytes` is the memory for small objects.
    pub(crate) fn new(inputs: impl Iterator<Item = PlannedInput>, object_bytes: u64) -> ReadAhead {
        ReadAhead {
            later_inputs: inputs.collect(),
            next_inputs: VecDeque::new(),
            held_bytes: 0,
            request_count: 0,
            limit_bytes: ReadAhead::share_of(object_bytes),
        }
    }

    /// The plan for an input: it is fetched if it is an object in a store that is small, or whose size is unknown.
    /// `bytes` is its size; if that is `None`, the size in the listing that found the input counts.
    pub(crate) fn plan(input: &str, bytes: Option<u64>) -> PlannedInput {
        match Location::parse(input) {
            // Several requests at the same time are too many for some web servers.
            Ok(Location::Remote(url)) if url.scheme() != UrlScheme::Http => {
                let bytes = bytes.or_else(|| listed_bytes(&url));
                let bytes = bytes.unwrap_or(SMALL_OBJECT_BYTES);
                (bytes <= SMALL_OBJECT_BYTES).then_some((url, bytes))
            }
            _ => None,
        }
    }

    /// The next input; `None` if it is not fetched before its turn. Called once for each input.
    pub(crate) fn next(&mut self) -> Option<Result<AheadInput, StoreError>> {
        self.send_requests();
        let (url, request) = self.next_inputs.pop_front()??;
        self.held_bytes -= request.bytes;
        self.request_count -= 1;
        let location = Location::Remote(url);
        Some(request.pending.and_then(|pending| {
            let input = pending.wait();
            let input = input.map_err(|failure| read_error(&location, failure.into()))?;
            if let Location::Remote(url) = &location {
                check_against_list(url, input.metadata())
                    .map_err(|error| read_error(&location, error))?;
            }
            Ok(input)
        }))
    }

    /// Sends requests for the next inputs, as many as the limits allow.
    fn send_requests(&mut self) {
        while let Some(planned) = self.later_inputs.front() {
            if let Some((_, bytes)) = planned {
                let has_room = self.held_bytes + bytes <= self.limit_bytes;
                let is_allowed = self.request_count == 0 || has_room;
                if self.request_count >= MOST_REQUESTS || !is_allowed {
                    return;
                }
            }
            let request = self.later_inputs.pop_front().flatten().map(|(url, bytes)| {
                self.held_bytes += bytes;
                self.request_count += 1;
                let pending = PendingObject::request(&url, SMALL_OBJECT_BYTES);
                let location = Location::Remote(url.clone());
                let pending = pending.map_err(|failure| read_error(&location, failure.into()));
                (url, Request { pending, bytes })
            });
            self.next_inputs.push_back(request);
        }
    }
}

impl AheadInput {
    fn metadata(&self) -> &super::FileMetadata {
        match self {
            AheadInput::Fetched(object) => object.metadata(),
            AheadInput::Opened(opened) => &opened.metadata,
        }
    }
}
