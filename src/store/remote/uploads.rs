//! Removes uploads that nobody will complete. The answer to the request that starts an upload can be lost; the
//! request is then sent again, and starts another one. `object_store` has no list of uploads, so one is
//! requested with an address that it signs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use object_store::ClientOptions;
use object_store::aws::AmazonS3;
use object_store::client::{HttpRequest, HttpRequestBody};
use object_store::multipart::MultipartStore;
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer};
use quick_xml::escape::unescape;
use reqwest::Method;

use super::Object;
use super::explain::explain;
use super::service::element;
use super::transport;
use crate::store::RequestFailure;

/// The stores that can list uploads, by their names.
static STORES: Mutex<Option<HashMap<String, Arc<AmazonS3>>>> = Mutex::new(None);

/// How often an upload may have been started without an answer.
static UNANSWERED: AtomicUsize = AtomicUsize::new(0);

/// Adds a store that can list uploads.
pub(super) fn add(store: &Arc<AmazonS3>) {
    let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
    let stores = stores.get_or_insert_default();
    stores.insert(store.to_string(), Arc::clone(store));
}

/// Counts a request that starts an upload and has no answer, or one that says nothing of its effect.
pub(super) fn count_unanswered() {
    UNANSWERED.fetch_add(1, Ordering::Relaxed);
}

/// How often that has happened.
pub(super) fn unanswered() -> usize {
    UNANSWERED.load(Ordering::Relaxed)
}

/// Removes all uploads of an object. This run has claimed it, and has ended its own.
pub(super) async fn sweep(object: &Object) -> Result<(), RequestFailure> {
    let store = {
        let stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
        let stores = stores.as_ref();
        stores.and_then(|stores| stores.get(&object.store.to_string()).cloned())
    };
    let Some(store) = store else {
        return Ok(());
    };
    let failed = |error: object_store::Error| explain(&error);
    let key = object.path.as_ref();
    let options = SignedUrlOptions::new().with_query([("uploads", ""), ("prefix", key)]);
    let address = (store.signed_url_opts(Method::GET, &Path::default(), VALID, &options))
        .await
        .map_err(failed)?;
    let mut request = HttpRequest::new(HttpRequestBody::empty());
    *request.uri_mut() = address.as_str().parse().map_err(not_listed)?;
    let client = transport::connect(&ClientOptions::new().with_allow_http(true)).map_err(failed)?;
    let answer = client.execute(request).await.map_err(not_listed)?;
    let (parts, body) = answer.into_parts();
    if !parts.status.is_success() {
        return Err(not_listed(parts.status));
    }
    let bytes = body.bytes().await.map_err(not_listed)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut rest = text.as_ref();
    while let Some((_, upload, after)) = element(rest, "Upload") {
        rest = after;
        let part = |name| {
            element(upload, name)
                .map(|(_, text, _)| unescape(text).unwrap_or_default().into_owned())
        };
        if let (Some(found), Some(id)) = (part("Key"), part("UploadId"))
            && found == key
        {
            match store.abort_multipart(&object.path, &id).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(explain(&error)),
            }
        }
    }
    Ok(())
}

/// How long a signed address can be used.
const VALID: Duration = Duration::from_secs(300);

fn not_listed(error: impl std::fmt::Display) -> RequestFailure {
    let message = format!("the open uploads cannot be listed: {error}");
    RequestFailure::new(std::io::ErrorKind::Other, message)
}
