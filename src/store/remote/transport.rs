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

use reqwest::StatusCode;

use super::clock;
use super::retry_after::wait_if_busy;

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
            let is_plain_put = is_unconditional_put(&request);
            let starts_upload = answer_kind == AnswerKind::Xml && is_upload_start(&request);
            let request_name = format!("{} {}", request.method(), request.uri());
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
            wait_if_busy(request_name, &response).await;
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
            if let Some(failure) = PassingRefusal::from_answer(parts.status, &bytes, is_plain_put) {
                return Err(broken_off_error(failure));
            }
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

/// Whether the request puts an object without a condition, so that no other object can be in its way.
fn is_unconditional_put(request: &HttpRequest) -> bool {
    const CONDITIONS: [&str; 3] = ["if-none-match", "if-match", "x-goog-if-generation-match"];
    request.method().as_str() == "PUT"
        && !(CONDITIONS.iter()).any(|name| request.headers().contains_key(*name))
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

/// A refusal after which S3 asks to send the request again, but after which `object_store` gives up: 409 because another
/// request changes the same object, and 400 because the request took too long to arrive.
#[derive(Debug)]
struct PassingRefusal(String);

impl PassingRefusal {
    fn from_answer(status: StatusCode, body: &[u8], is_plain_put: bool) -> Option<PassingRefusal> {
        let text = String::from_utf8_lossy(body);
        let is_passing = match status {
            StatusCode::CONFLICT => is_plain_put && !text.contains("Immutable"),
            StatusCode::BAD_REQUEST => text.contains("<Code>RequestTimeout</Code>"),
            _ => false,
        };
        let code = text
            .split_once("<Code>")
            .and_then(|(_, rest)| rest.split_once('<'));
        let code = code.map_or(String::new(), |(code, _)| format!(" ({code})"));
        is_passing.then(|| PassingRefusal(format!("the store answers {status}{code}")))
    }
}

impl fmt::Display for PassingRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for PassingRefusal {}

/// The error for a server whose certificate is not trusted. No retry helps.
#[derive(Debug)]
struct UntrustedCertificate(String);

impl fmt::Display for UntrustedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the certificate of the server is not trusted ({}): if it is the right server, set SSL_CERT_FILE to a \
             file with the certificate that signed it",
            self.0
        )
    }
}

impl Error for UntrustedCertificate {}

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
    if let Some(reason) = certificate_problem(&error) {
        return HttpError::new(HttpErrorKind::Unknown, UntrustedCertificate(reason));
    }
    match error.kind() {
        HttpErrorKind::Timeout | HttpErrorKind::Interrupted | HttpErrorKind::Decode => {
            broken_off_error(BrokenOffError(error))
        }
        HttpErrorKind::Unknown if was_not_sent(&error) => broken_off_error(BrokenOffError(error)),
        _ => error,
    }
}

/// Why the certificate of the server was refused; `None` if the error has another cause.
fn certificate_problem(error: &(dyn Error + 'static)) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(rustls::Error::InvalidCertificate(reason)) = error.downcast_ref() {
            return Some(format!("{reason:?}"));
        }
        // The `source` method of an `io::Error` skips the error that it contains.
        let io_error = error.downcast_ref::<std::io::Error>();
        cause = match io_error.and_then(std::io::Error::get_ref) {
            Some(carried) => Some(carried),
            None => error.source(),
        };
    }
    None
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
    fn a_refusal_that_passes_is_retried() {
        let timeout = "<Error><Code>RequestTimeout</Code></Error>";
        let conflict = "<Error><Code>OperationAborted</Code></Error>";
        let (bad, taken) = (StatusCode::BAD_REQUEST, StatusCode::CONFLICT);
        for (status, body, is_plain_put, is_retried) in [
            (taken, conflict, true, true),
            (taken, conflict, false, false),
            (taken, "<Code>BlobImmutableDueToPolicy</Code>", true, false),
            (bad, timeout, false, true),
            (bad, "<Code>InvalidRequest</Code>", true, false),
        ] {
            let refusal = PassingRefusal::from_answer(status, body.as_bytes(), is_plain_put);
            assert_eq!(refusal.is_some(), is_retried, "{status} {body}");
        }
        let refusal = PassingRefusal::from_answer(taken, conflict.as_bytes(), true).unwrap();
        assert_eq!(
            refusal.to_string(),
            "the store answers 409 Conflict (OperationAborted)"
        );
    }

    #[test]
    fn an_untrusted_certificate_is_not_retried() {
        let reason = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
        let error = HttpError::new(HttpErrorKind::Connect, std::io::Error::other(reason));
        let error = retryable_error(error);
        assert_eq!(error.kind(), HttpErrorKind::Unknown);
        let message = error.source().unwrap().to_string();
        assert!(message.contains("SSL_CERT_FILE"), "{message}");
    }

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
