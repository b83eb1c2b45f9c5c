//! The schemes of addresses, such as `s3`. A scheme says in what kind of store an object is.

/// The kind of store in which an object is. The scheme of its address says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UrlScheme {
    /// Amazon S3 and servers with its protocol: `s3://bucket/key`.
    S3,
    /// Google Cloud Storage: `gs://bucket/key`.
    Gcs,
    /// Azure Blob Storage: `az://container/key`, or
    /// `abfss://container@account.dfs.core.windows.net/key`.
    Azure,
    /// A web server, read only: `https://host/path`.
    Http,
}

/// The scheme names, and the kinds of stores that they select.
pub(super) const SCHEME_NAMES: [(&str, UrlScheme); 10] = [
    ("s3", UrlScheme::S3),
    ("s3a", UrlScheme::S3),
    ("gs", UrlScheme::Gcs),
    ("az", UrlScheme::Azure),
    ("azure", UrlScheme::Azure),
    ("adl", UrlScheme::Azure),
    ("abfs", UrlScheme::Azure),
    ("abfss", UrlScheme::Azure),
    ("http", UrlScheme::Http),
    ("https", UrlScheme::Http),
];

/// Corrects a mistyped address that would be taken for a path: an address with a blank before it, or with only one
/// slash after `https:`. `None` for other texts.
pub(super) fn mistyped_web_address(text: &str) -> Option<String> {
    let trimmed_text = text.trim_start();
    let (scheme, rest) = trimmed_text.split_once(":/")?;
    let name = scheme.to_ascii_lowercase();
    let is_web = ["http", "https"].contains(&name.as_str());
    let is_known = SCHEME_NAMES.iter().any(|(known, _)| *known == name);
    let is_mistyped = match rest.strip_prefix('/') {
        Some(_) => is_known && trimmed_text.len() < text.len(),
        None => is_web,
    };
    let after_slashes = rest.trim_start_matches('/');
    is_mistyped.then(|| format!("{scheme}://{after_slashes}"))
}
