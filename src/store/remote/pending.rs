//! A request for a whole object that is under way in the background.

use bytes::{Bytes, BytesMut};
use object_store::GetOptions;
use tokio::task::JoinHandle;

use super::explain::explain;
use super::object::Object;
use super::runtime::{runtime, wait_for};
use super::stream::ResumableFetch;
use crate::store::{AheadInput, FetchedObject, RequestFailure, Url};

/// A request that was sent before its answer is needed. It is given up when this value is dropped.
pub(in crate::store) struct PendingObject(JoinHandle<Result<AheadInput, RequestFailure>>);

impl PendingObject {
    /// Requests an object. If it has at most `most_bytes`, it is fetched whole.
    pub(in crate::store) fn request(
        url: &Url,
        most_bytes: u64,
    ) -> Result<PendingObject, RequestFailure> {
        let object = Object::connect(url)?;
        Ok(PendingObject(runtime()?.spawn(async move {
            let response = object
                .store
                .get_opts(&object.path, GetOptions::default())
                .await
                .map_err(|error| explain(&error))?;
            if response.meta.size > most_bytes {
                let opened_input = object.open_response(response);
                return Ok(AheadInput::Opened(opened_input.with_watched_reader()));
            }
            let metadata = super::requests::to_file_metadata(&response.meta);
            let bytes = fetch_all(object, response).await?;
            Ok(AheadInput::Fetched(FetchedObject::new(bytes, metadata)))
        })))
    }

    /// Waits for the answer.
    pub(in crate::store) fn wait(mut self) -> Result<AheadInput, RequestFailure> {
        wait_for(async {
            let input = (&mut self.0).await;
            input.unwrap_or_else(|error| {
                Err(RequestFailure::new(
                    std::io::ErrorKind::Other,
                    error.to_string(),
                ))
            })
        })
    }
}

impl Drop for PendingObject {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// All bytes of an object. If the connection breaks, the rest is requested again.
async fn fetch_all(
    object: Object,
    response: object_store::GetResult,
) -> Result<Bytes, RequestFailure> {
    let size = usize::try_from(response.meta.size).unwrap_or_default();
    let mut all_bytes = BytesMut::with_capacity(size);
    let mut fetch = ResumableFetch::new(object, response);
    while let Some(bytes) = fetch.next().await? {
        all_bytes.extend_from_slice(&bytes);
    }
    Ok(all_bytes.freeze())
}
