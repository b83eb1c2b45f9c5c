//! Stands between `object_store` and the network, and adapts requests and answers that `object_store`
//! cannot handle:
//!
//! - It restores the keys of [`super::keys`] in requests, and signs these anew.
//! - In listings it leaves out the markers of folders (`in/sub/` of 0 bytes), and escapes the keys that
//!   `object_store` refuses. A listing that is cut off is an error of the connection, so that `object_store`
//!   requests it again.
//! - A web server may send a file without saying how long it is. It then gets the length [`UNKNOWN_SIZE`].

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use object_store::ClientOptions;
use object_store::aws::{AwsAuthorizer, AwsCredentialProvider};
use object_store::azure::{AzureAuthorizer, AzureCredentialProvider};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use quick_xml::escape::{escape, unescape};
use reqwest::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_RANGE, HeaderValue, RANGE};
use reqwest::{Method, StatusCode};

use super::keys::{path_from_key, restored_address};
use super::transport;
use super::xml::split_at_element;

/// The size that is assumed for a file whose server does not state its length.
pub(super) const UNKNOWN_SIZE: u64 = 1 << 62;

/// Opens the connections to one store. Requests that this module changes are signed again.
#[derive(Clone, Debug, Default)]
pub(super) struct SigningConnector {
    signer: Arc<OnceLock<Signer>>,
}

/// The credentials that sign a request again after its key was restored.
pub(super) enum Signer {
    S3(AwsCredentialProvider),
    Azure(AzureCredentialProvider),
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer")
    }
}

impl SigningConnector {
    /// Sets the signer. It is known only after `object_store` has built the store.
    pub(super) fn sign_with(&self, signer: Signer) {
        let _ = self.signer.set(signer);
    }
}

impl HttpConnector for SigningConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(SigningService {
            client: transport::connect(options)?,
            signer: Arc::clone(&self.signer),
        }))
    }
}

#[derive(Debug)]
struct SigningService {
    client: HttpClient,
    signer: Arc<OnceLock<Signer>>,
}

type PendingAnswer<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for SigningService {
    fn call<'service, 'answer>(&'service self, request: HttpRequest) -> PendingAnswer<'answer>
    where
        'service: 'answer,
        Self: 'answer,
    {
        Box::pin(self.send_request(request))
    }
}

impl SigningService {
    async fn send_request(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let address = request.uri().to_string();
        if let Some(address) = restored_address(&address) {
            *request.uri_mut() = address.parse().map_err(request_error)?;
            self.sign_request(&mut request).await?;
        }
        let query = request.uri().query().unwrap_or_default();
        let mut parameters = query.split('&');
        let is_get = request.method() == Method::GET;
        let is_listing =
            is_get && parameters.any(|one| ["list-type=2", "comp=list"].contains(&one));
        let is_whole = [Method::GET, Method::HEAD].contains(request.method())
            && !request.headers().contains_key(RANGE);
        let mut response = self.client.execute(request).await?;
        if !response.status().is_success() {
            return Ok(response);
        }
        if is_listing {
            return clean_listing(response).await;
        }
        if is_whole && response.status() == StatusCode::PARTIAL_CONTENT {
            let content_range = response.headers().get(CONTENT_RANGE);
            let content_range = content_range
                .and_then(|part| part.to_str().ok())
                .unwrap_or("a part");
            return Err(request_error(UnexpectedPart(content_range.to_owned())));
        }
        if is_whole && !response.headers().contains_key(CONTENT_LENGTH) {
            let length = HeaderValue::from(UNKNOWN_SIZE);
            response.headers_mut().insert(CONTENT_LENGTH, length);
        }
        Ok(response)
    }

    /// Signs a request again after it was changed, in the same way as the original request.
    async fn sign_request(&self, request: &mut HttpRequest) -> Result<(), HttpError> {
        let Some(authorization) = request.headers().get(AUTHORIZATION) else {
            return Ok(());
        };
        let authorization = authorization.to_str().unwrap_or_default().to_owned();
        match self.signer.get() {
            Some(Signer::S3(credentials)) if authorization.starts_with("AWS4-") => {
                // The header of the original request contains `Credential=KEY/20261123/us-east-1/s3/aws4_request`.
                let mut scope = authorization
                    .split(['=', ','])
                    .nth(1)
                    .unwrap_or_default()
                    .rsplit('/');
                let (Some(service), Some(region)) = (scope.nth(1), scope.next()) else {
                    return Ok(());
                };
                let credential = credentials.get_credential().await.map_err(request_error)?;
                let is_unsigned = request.headers().get("x-amz-content-sha256");
                let is_unsigned = is_unsigned.is_some_and(|hash| hash == "UNSIGNED-PAYLOAD");
                let signer = AwsAuthorizer::new(&credential, service, region);
                let signer = signer.with_sign_payload(!is_unsigned);
                request.headers_mut().remove(AUTHORIZATION);
                signer.try_authorize(request, None).map_err(request_error)
            }
            Some(Signer::Azure(credentials)) if authorization.starts_with("SharedKey ") => {
                let account = authorization["SharedKey ".len()..].split(':').next();
                let credential = credentials.get_credential().await.map_err(request_error)?;
                request.headers_mut().remove(AUTHORIZATION);
                let signer = AzureAuthorizer::new(&credential, account.unwrap_or_default());
                signer.try_authorize(request).map_err(request_error)
            }
            // A bearer token does not depend on the address, so the changed request needs no new signature.
            _ => Ok(()),
        }
    }
}

fn request_error(error: impl std::error::Error + Send + Sync + 'static) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, error)
}

/// The error if a server answers a request for a whole file with only a part of it.
#[derive(Debug, thiserror::Error)]
#[error("the server sent only {0} of a file that was requested whole")]
struct UnexpectedPart(String);

/// The error for a listing that breaks off before its end.
#[derive(Debug, thiserror::Error)]
#[error("the answer with the names of the objects was cut")]
struct CutListingError;

/// Removes folder markers (empty objects whose keys end with `/`) from a listing, and escapes the keys that
/// `object_store` refuses.
async fn clean_listing(response: HttpResponse) -> Result<HttpResponse, HttpError> {
    let (mut parts, body) = response.into_parts();
    let body = body.bytes().await?;
    let body = match std::str::from_utf8(&body) {
        Ok(text) if !text.trim_end().ends_with('>') => {
            return Err(HttpError::new(HttpErrorKind::Interrupted, CutListingError));
        }
        Ok(text) => make_keys_readable(text).into(),
        Err(_) => body,
    };
    parts.headers.insert(CONTENT_LENGTH, body.len().into());
    Ok(HttpResponse::from_parts(parts, body.into()))
}

/// The names of XML elements in a listing: an object, its key and its size. The first row is for S3 and Google
/// Cloud Storage, the second for Azure.
const LISTING_ELEMENTS: [[&str; 3]; 2] = [
    ["Contents", "Key", "Size"],
    ["Blob", "Name", "Content-Length"],
];

fn make_keys_readable(xml: &str) -> String {
    let mut readable = String::with_capacity(xml.len());
    let mut remaining_xml = xml;
    loop {
        // Of the objects in the remaining XML, the one that starts first.
        let objects = LISTING_ELEMENTS.iter().filter_map(|names| {
            let (before, inside, after) = split_at_element(remaining_xml, names[0])?;
            Some((before, inside, after, names))
        });
        let Some((before, inside, after, names)) = objects.min_by_key(|(before, ..)| before.len())
        else {
            readable.push_str(remaining_xml);
            return readable;
        };
        readable.push_str(before);
        let object = &remaining_xml[before.len()..remaining_xml.len() - after.len()];
        remaining_xml = after;
        let Some((_, written, _)) = split_at_element(inside, names[1]) else {
            readable.push_str(object);
            continue;
        };
        let key = unescape(written).unwrap_or(written.into());
        let is_empty =
            split_at_element(inside, names[2]).is_some_and(|(_, size, _)| size.trim() == "0");
        if key.ends_with('/') && is_empty {
            continue;
        }
        let path = path_from_key(&key);
        if path == key {
            readable.push_str(object);
        } else {
            let name = names[1];
            let [old, new] = [written, &escape(path)].map(|key| format!("<{name}>{key}<"));
            readable.push_str(&object.replacen(&old, &new, 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test of bugs C3 and C4: a single folder marker, or a single key with `//` or a tab, made a whole
    /// folder unreadable.
    #[test]
    fn markers_are_left_out_of_listings_and_odd_keys_are_spelled() {
        let object = |key: &str, size: u32| {
            format!("<Contents><Key>{key}</Key><Size>{size}</Size></Contents>")
        };
        let blob = |key: &str, size: u32| {
            format!(
                "<Blob><Name>{key}</Name><Properties><Content-Length>{size}</Content-Length>\
                 </Properties></Blob>"
            )
        };
        for listed in [&object as &dyn Fn(&str, u32) -> String, &blob] {
            let xml = [
                "in/a&amp;b.csv",
                "in/sub/",
                "in//x&#x9;y.csv",
                "in/../up.csv",
                "in/data/",
            ]
            .map(|key| listed(key, u32::from(key != "in/sub/")));
            let expected = [
                "in/a&amp;b.csv",
                "in/\u{f780}/x\u{f709}y.csv",
                "in/\u{f782}/up.csv",
                "in/data/\u{f780}",
            ]
            .map(|key| listed(key, 1));
            assert_eq!(
                make_keys_readable(&format!("<All>{}</All>", xml.concat())),
                format!("<All>{}</All>", expected.concat())
            );
        }
    }
}
