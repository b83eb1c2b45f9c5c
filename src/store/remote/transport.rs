//! Sends the requests of `object_store`, and reports their errors so that `object_store` retries all of them.
//!
//! `object_store` retries a request whose connection breaks only if it knows that repeating it does no harm,
//! and it does not retry an answer that breaks off. Here every request can be repeated: an object that is
//! put has a mark by which it is recognised (see [`put`](super::put)). A broken connection is therefore
//! reported as one that has never been made. Answers other than the bytes of an object are read whole before
//! they are passed on, and count as a broken connection if they break off.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};

use super::clock;

/// Creates a client that sends the requests to a server.
pub(super) fn connect(options: &ClientOptions) -> object_store::Result<HttpClient> {
    let client = ReqwestConnector::default().connect(options)?;
    Ok(HttpClient::new(Transport(client)))
}

#[derive(Debug)]
struct Transport(HttpClient);

impl HttpService for Transport {
    fn call<'a, 'b>(
        &'a self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'b>>
    where
        'a: 'b,
    {
        Box::pin(async move {
            let answer_kind = AnswerKind::from_request(&request);
            let starts_upload = answer_kind == AnswerKind::Xml && is_upload_start(&request);
            let response = match self.0.execute(request).await {
                Ok(response) => response,
                Err(error) => {
                    if starts_upload {
                        count_unanswered_start();
                    }
                    return Err(retryable_error(error));
                }
            };
            if starts_upload && response.status().is_server_error() {
                count_unanswered_start();
            }
            let date = response.headers().get("date");
            if let Some(date) = date.and_then(|date| date.to_str().ok()) {
                clock::remember_date(date);
            }
            if answer_kind == AnswerKind::Object && response.status().is_success() {
                return Ok(response);
            }
            let (parts, body) = response.into_parts();
            let bytes = body.bytes().await.inspect_err(|_| {
                if starts_upload {
                    count_unanswered_start();
                }
            });
            let bytes = bytes.map_err(broken_off_error)?;
            if answer_kind == AnswerKind::Xml && parts.status.is_success() && !is_whole_xml(&bytes)
            {
                if starts_upload {
                    count_unanswered_start();
                }
                return Err(broken_off_error(IncompleteAnswer));
            }
            Ok(HttpResponse::from_parts(parts, bytes.into()))
        })
    }
}

/// How many requests to start an upload got no answer. Each of them may have started one.
static UNANSWERED_STARTS: AtomicUsize = AtomicUsize::new(0);

/// Counts a request to start an upload that had no answer, or an answer that does not say whether the upload has
/// started.
fn count_unanswered_start() {
    UNANSWERED_STARTS.fetch_add(1, Ordering::Relaxed);
}

/// How many requests to start an upload got no answer. Each of them may have started one.
pub(super) fn unanswered_starts() -> usize {
    UNANSWERED_STARTS.load(Ordering::Relaxed)
}

/// Whether the request starts an upload.
fn is_upload_start(request: &HttpRequest) -> bool {
    let query = request.uri().query().unwrap_or("");
    request.method().as_str() == "POST" && query.split('&').any(|pair| pair.starts_with("uploads"))
}

/// What the answer to a successful request contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerKind {
    /// The content of an object, which is passed on as it arrives.
    Object,
    /// An XML document: a listing, or the result of an upload or of deletions.
    Xml,
    /// Content that this program does not read.
    Other,
}

impl AnswerKind {
    fn from_request(request: &HttpRequest) -> AnswerKind {
        let query = request.uri().query().unwrap_or("");
        let has_parameter = |name: &str| {
            let mut names = query.split('&');
            names.any(|pair| pair.split('=').next() == Some(name))
        };
        match request.method().as_str() {
            "GET" if has_parameter("list-type") || query.contains("comp=list") => AnswerKind::Xml,
            "GET" => AnswerKind::Object,
            "POST"
                if has_parameter("uploads")
                    || has_parameter("uploadId")
                    || has_parameter("delete") =>
            {
                AnswerKind::Xml
            }
            _ => AnswerKind::Other,
        }
    }
}

/// Whether an XML document is complete: it ends with an end tag or an empty element. S3 can send white space before the
/// document.
fn is_whole_xml(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii();
    let last_tag = text.iter().rposition(|byte| *byte == b'<');
    text.starts_with(b"<")
        && text.ends_with(b">")
        && last_tag.is_some_and(|at| text[at..].starts_with(b"</") || text.ends_with(b"/>"))
}

/// The error for an answer that breaks off, or that has another length than it states.
#[derive(Debug)]
struct IncompleteAnswer;

impl fmt::Display for IncompleteAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer of the store breaks off")
    }
}

impl Error for IncompleteAnswer {}

/// Wraps an error of a request, so that `object_store` sends the request again.
#[derive(Debug)]
struct BrokenOffError(HttpError);

impl fmt::Display for BrokenOffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.source() {
            Some(source) => write!(f, "{source}"),
            None => write!(f, "{}", self.0),
        }
    }
}

impl Error for BrokenOffError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source().and_then(Error::source)
    }
}

/// Converts an error to one after which `object_store` sends the request again.
fn broken_off_error(error: impl Error + Send + Sync + 'static) -> HttpError {
    HttpError::new(HttpErrorKind::Request, error)
}

/// Converts the error of a request that had no answer into an error that `object_store` retries.
fn retryable_error(error: HttpError) -> HttpError {
    match error.kind() {
        HttpErrorKind::Timeout | HttpErrorKind::Interrupted | HttpErrorKind::Decode => {
            broken_off_error(BrokenOffError(error))
        }
        HttpErrorKind::Unknown if was_not_sent(&error) => broken_off_error(BrokenOffError(error)),
        _ => error,
    }
}

/// Whether the request was not sent, because the server had closed the unused connection.
fn was_not_sent(error: &HttpError) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<hyper::Error>() {
            return error.is_canceled();
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_breaks_off_is_noticed() {
        for (text, is_whole) in [
            ("<?xml version='1.0'?><List><Key>a</Key></List>\n", true),
            ("  \n<List/>", true),
            ("<List><Key>a</Key></Li", false),
            ("<List><Key>a</Key><Key>", false),
            ("", false),
            ("none", false),
        ] {
            assert_eq!(is_whole_xml(text.as_bytes()), is_whole, "{text}");
        }
    }
}
