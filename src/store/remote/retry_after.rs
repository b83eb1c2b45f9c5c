//! Waits as long as a busy store asks for in the header `Retry-After`, before the request is sent again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use object_store::client::HttpResponse;
use reqwest::StatusCode;
use reqwest::header::RETRY_AFTER;

use super::clock;
use super::runtime::request_timeout;

/// The requests that a store is refusing because it is busy, by method and address, each with the time of the first
/// refusal. The waiting for a request ends [`request_timeout`] after this time.
static REFUSED_REQUESTS: Mutex<Option<HashMap<String, Instant>>> = Mutex::new(None);

/// Waits if the answer says for how long the store is busy. `request` is the method and the address.
pub(super) async fn wait_if_busy(request: String, response: &HttpResponse) {
    let Some(pause) = requested_pause(response) else {
        let mut refused = REFUSED_REQUESTS
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(refused) = refused.as_mut() {
            refused.remove(&request);
        }
        return;
    };
    let first_refusal = {
        let mut refused = REFUSED_REQUESTS
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let first_refusal = refused
            .get_or_insert_default()
            .entry(request)
            .or_insert_with(Instant::now);
        // The request was given up, and this is a later one to the same address.
        if first_refusal.elapsed() > 2 * request_timeout() {
            *first_refusal = Instant::now();
        }
        *first_refusal
    };
    let left = request_timeout().saturating_sub(first_refusal.elapsed());
    tokio::time::sleep(pause.min(left)).await;
}

/// The pause that an answer asks for; `None` if the store is not busy or does not say for how long.
fn requested_pause(response: &HttpResponse) -> Option<Duration> {
    let busy = [
        StatusCode::SERVICE_UNAVAILABLE,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    if !busy.contains(&response.status()) {
        return None;
    }
    parse_pause(response.headers().get(RETRY_AFTER)?.to_str().ok()?)
}

/// Parses a number of seconds, or the time at which the pause ends.
fn parse_pause(text: &str) -> Option<Duration> {
    match text.trim().parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let end = clock::parse_http_date(text.trim())?;
            Some(end.duration_since(clock::store_time()).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_parsed() {
        assert_eq!(parse_pause(" 7 "), Some(Duration::from_secs(7)));
        let past = parse_pause("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(past, Some(Duration::ZERO));
        assert!(parse_pause("Sun, 06 Nov 2994 08:49:37 GMT").unwrap() > Duration::from_secs(60));
        assert_eq!(parse_pause("soon"), None);
        assert_eq!(parse_pause("-1"), None);
    }
}
