//! Deletes abandoned uploads. If the answer to the request that starts an upload is lost, the request is repeated,
//! which starts a second upload. `object_store` cannot list uploads, so this module sends a signed request of its own.

use std::collections::HashMap;
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

use crate::store::RequestFailure;
use crate::store::remote::Object;
use crate::store::remote::explain::explain;
use crate::store::remote::transport;
use crate::store::remote::xml::split_at_element;

/// The S3 stores to which this process has connected, by bucket. Only S3 stores can list uploads.
static S3_STORES: Mutex<Option<HashMap<String, Arc<AmazonS3>>>> = Mutex::new(None);

/// Registers a store that can list uploads.
pub(in crate::store::remote) fn add_store(store: &Arc<AmazonS3>) {
    let mut stores = S3_STORES.lock().unwrap_or_else(PoisonError::into_inner);
    let stores = stores.get_or_insert_default();
    stores.insert(store.to_string(), Arc::clone(store));
}

/// Deletes all uploads of an object. This run must have claimed the object, and its own upload must have ended.
pub(super) async fn abort_uploads_of(object: &Object) -> Result<(), RequestFailure> {
    let store = {
        let stores = S3_STORES.lock().unwrap_or_else(PoisonError::into_inner);
        let stores = stores.as_ref();
        stores.and_then(|stores| stores.get(&object.store.to_string()).cloned())
    };
    let Some(store) = store else {
        return Ok(());
    };
    let explain_error = |error: object_store::Error| explain(&error);
    let key = object.path.as_ref();
    let options = SignedUrlOptions::new().with_query([("uploads", ""), ("prefix", key)]);
    let address =
        (store.signed_url_opts(Method::GET, &Path::default(), SIGNATURE_VALIDITY, &options))
            .await
            .map_err(explain_error)?;
    let mut request = HttpRequest::new(HttpRequestBody::empty());
    *request.uri_mut() = address.as_str().parse().map_err(not_listed_failure)?;
    let client =
        transport::connect(&ClientOptions::new().with_allow_http(true)).map_err(explain_error)?;
    let response = client.execute(request).await.map_err(not_listed_failure)?;
    let (parts, body) = response.into_parts();
    if !parts.status.is_success() {
        return Err(not_listed_failure(parts.status));
    }
    let bytes = body.bytes().await.map_err(not_listed_failure)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut remaining_text = text.as_ref();
    while let Some((_, upload, after)) = split_at_element(remaining_text, "Upload") {
        remaining_text = after;
        let element_text = |name| {
            split_at_element(upload, name)
                .map(|(_, text, _)| unescape(text).unwrap_or_default().into_owned())
        };
        if let (Some(found), Some(id)) = (element_text("Key"), element_text("UploadId"))
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

/// How long a signed address is valid.
const SIGNATURE_VALIDITY: Duration = Duration::from_secs(300);

fn not_listed_failure(error: impl std::fmt::Display) -> RequestFailure {
    let message = format!("the open uploads cannot be listed: {error}");
    RequestFailure::new(std::io::ErrorKind::Other, message)
}
