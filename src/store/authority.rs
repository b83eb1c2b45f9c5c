//! Checks the part of an address that names a bucket, container or host.

use super::scheme::UrlScheme;

/// Describes what is wrong with the bucket, container or host of an address; `None` if nothing is. Without this check,
/// `s3://bucket#x/key` would be read as `s3://bucket/key`.
pub(super) fn authority_problem(scheme: UrlScheme, text: &str, authority: &str) -> Option<String> {
    if scheme == UrlScheme::Http {
        #[cfg(feature = "cloud")]
        return match reqwest::Url::parse(text) {
            Ok(_) => None,
            Err(error) => Some(format!("it is not the address of a web server ({error})")),
        };
        #[cfg(not(feature = "cloud"))]
        {
            let _ = text;
            return None;
        }
    }
    // `$web` is a container of Azure, and `CONTAINER@ACCOUNT…` an address of it.
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || ['-', '.', '_', '$', '@'].contains(&c);
    let odd_character = authority.chars().find(|c| !is_allowed(*c))?;
    let advice = match odd_character {
        ':' => ": the address of another server goes into AWS_ENDPOINT_URL",
        _ => "",
    };
    Some(format!(
        "the name of the bucket has {odd_character:?}, which no bucket has{advice}"
    ))
}

#[cfg(test)]
mod tests {
    use crate::store::{Location, StoreError};

    #[test]
    fn a_bucket_or_host_that_cannot_exist_is_refused() {
        let buckets = [
            "s3://b#x/k",
            "s3://b?x/k",
            "s3://b:80/k",
            "gs://b b/k",
            "az://[b]/k",
        ];
        let hosts = ["http://127.0.0.1:99999/x", "http://[::1/x", "https://a b/x"];
        let hosts = hosts.into_iter().filter(|_| cfg!(feature = "cloud"));
        for text in buckets.into_iter().chain(hosts) {
            let error = Location::parse(text).unwrap_err();
            let is_invalid = matches!(error, StoreError::InvalidAddress { .. });
            assert!(is_invalid, "{text}: {error}");
        }
    }
}
