//! The addresses of inputs and outputs: paths, `-` for standard input and output, and the URLs of
//! objects in stores.

use std::fmt;
use std::path::{Path, PathBuf};

use super::StoreError;
use super::authority::authority_problem;
use super::path_text::{path_from_text, path_text};
use super::scheme::{SCHEME_NAMES, UrlScheme, mistyped_web_address};
use super::scratch::scratch_name;
use super::secrets::{has_secret, sends_password_in_clear, without_secrets};

/// The address of an input or output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// Standard input or standard output: `-`.
    Standard,
    /// A path of this machine's file system.
    Local(PathBuf),
    /// An object in a store.
    Remote(Url),
}

/// The address of an object in a store, or of a file on a web server.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url {
    scheme: UrlScheme,
    text: String,
    /// The byte offset in `text` at which the bucket, container or host starts.
    authority_start: usize,
    /// The byte offset in `text` at which the key starts.
    key_start: usize,
}

impl Location {
    /// Parses `-`, a path, or an address such as `s3://bucket/key`.
    ///
    /// # Errors
    /// The scheme is not supported; the address has a secret, which would be shown or sent without
    /// encryption; this build has no support for stores; or an environment variable of the store is invalid.
    pub fn parse(text: &str) -> Result<Location, StoreError> {
        if text == "-" {
            return Ok(Location::Standard);
        }
        if let Some(address) = mistyped_web_address(text) {
            return Err(StoreError::UnknownAddress {
                address: without_secrets(&address).into_owned(),
            });
        }
        let Some((scheme, rest)) = text.split_once("://").filter(|(scheme, _)| {
            let starts_with_letter = scheme.starts_with(|first: char| first.is_ascii_alphabetic());
            starts_with_letter && scheme.chars().all(|c| c.is_ascii_alphanumeric())
        }) else {
            return Ok(Location::Local(path_from_text(text)));
        };
        let name = scheme.to_ascii_lowercase();
        if name == "file" && rest.starts_with('/') {
            return Ok(Location::Local(PathBuf::from(rest)));
        }
        let authority_start = text.len() - rest.len();
        let authority_end = match name.as_str() {
            "http" | "https" => rest.find(['/', '?', '#']),
            _ => rest.find('/'),
        };
        let authority_end = authority_end.unwrap_or(rest.len());
        let scheme = SCHEME_NAMES.iter().find(|(known, _)| *known == name);
        let Some((_, scheme)) = scheme.filter(|_| authority_end > 0) else {
            return Err(StoreError::UnknownAddress {
                address: without_secrets(text).into_owned(),
            });
        };
        if *scheme != UrlScheme::Http && has_secret(&name, rest) {
            return Err(StoreError::SecretInAddress {
                address: without_secrets(text).into_owned(),
            });
        }
        if name == "http" && sends_password_in_clear(rest) {
            return Err(StoreError::PasswordInClear {
                address: without_secrets(text).into_owned(),
            });
        }
        if let Some(problem) = authority_problem(*scheme, text, &rest[..authority_end]) {
            return Err(StoreError::InvalidAddress {
                address: without_secrets(text).into_owned(),
                problem,
            });
        }
        let url = Url {
            scheme: *scheme,
            text: text.to_owned(),
            authority_start,
            key_start: (authority_start + authority_end + 1).min(text.len()),
        };
        if cfg!(not(feature = "cloud")) {
            return Err(StoreError::WithoutCloud {
                address: url.to_string(),
            });
        }
        #[cfg(feature = "cloud")]
        super::environment::check_environment(*scheme)?;
        Ok(Location::Remote(url))
    }

    /// Parses a path in the same way as [`Location::parse`] parses a text. A path that is not UTF-8 is always local.
    pub fn from_path(path: &Path) -> Result<Location, StoreError> {
        match path.to_str() {
            Some(text) => Location::parse(text),
            None => Ok(Location::Local(path.to_owned())),
        }
    }

    /// Whether the location is an object in a store.
    pub fn is_remote(&self) -> bool {
        matches!(self, Location::Remote(_))
    }

    /// Whether this is a pattern for [`super::glob`], and not the name of one file. If a local file with exactly this
    /// name exists, it is not a pattern.
    pub fn is_pattern(&self) -> bool {
        let has_wildcard = |text: &str| text.contains(['*', '?', '[']);
        match self {
            Location::Standard => false,
            Location::Local(path) => {
                path.to_str().is_some_and(has_wildcard) && path.symlink_metadata().is_err()
            }
            Location::Remote(url) => url.scheme != UrlScheme::Http && has_wildcard(url.key()),
        }
    }

    /// Whether the address names a folder of a store: a bucket, or an address that ends with `/`.
    pub fn is_folder_of_store(&self) -> bool {
        let Location::Remote(url) = self else {
            return false;
        };
        url.scheme != UrlScheme::Http && (url.key().is_empty() || url.key().ends_with('/'))
    }

    /// The location of the file `name` in this folder. `/` separates the parts of `name`.
    pub fn join(&self, name: &str) -> Location {
        match self {
            Location::Standard => Location::Standard,
            Location::Local(path) => Location::Local(path.join(name)),
            Location::Remote(url) => Location::Remote(url.with_key(&match url.folder() {
                "" => name.to_owned(),
                folder => format!("{folder}/{name}"),
            })),
        }
    }

    /// Whether the other location is this one, or is inside this one at any depth.
    pub fn contains(&self, other: &Location) -> bool {
        match (self, other) {
            (Location::Local(folder), Location::Local(path)) => path.starts_with(folder),
            (Location::Remote(folder), Location::Remote(url)) => {
                let other_path = url.text[url.authority_start..].trim_end_matches('/');
                let folder_path = folder.text[folder.authority_start..].trim_end_matches('/');
                let path_in_folder = other_path.strip_prefix(folder_path);
                folder.scheme == url.scheme
                    && path_in_folder.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            (one, other) => one == other,
        }
    }

    /// The location as a path, which [`Location::from_path`] converts back.
    pub fn to_path(&self) -> PathBuf {
        match self {
            Location::Standard => PathBuf::from("-"),
            Location::Local(path) => path.clone(),
            Location::Remote(url) => PathBuf::from(&url.text),
        }
    }
}

impl Url {
    /// The kind of store, and the address without its scheme.
    pub(super) fn kind_and_address(&self) -> (UrlScheme, &str) {
        (self.scheme, &self.text[self.authority_start..])
    }
}

impl fmt::Display for Location {
    /// Writes the address as the user wrote it, but without passwords and signatures of web addresses, so that messages
    /// and tables can show it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Standard => f.write_str("-"),
            Location::Local(path) => f.write_str(&path_text(path)),
            Location::Remote(url) => url.fmt(f),
        }
    }
}

/// The name of an input or output as messages, tables and metadata show it: a path, or an address without secrets.
pub fn display_name(argument: &str) -> String {
    match Location::parse(argument) {
        Ok(Location::Local(path)) => path_text(&scratch_name(&path).unwrap_or(path)),
        Ok(location) => location.to_string(),
        Err(_) => without_secrets(argument).into_owned(),
    }
}

impl Url {
    /// The kind of store that the address names.
    pub fn scheme(&self) -> UrlScheme {
        self.scheme
    }

    /// The whole address, including its secrets.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The object's key: the text after the bucket and its `/`. Escapes are not decoded: `%20` stays `%20`.
    pub fn key(&self) -> &str {
        &self.text[self.key_start..]
    }

    /// Whether every segment of the key between two `/` is a usual name: not empty, not `.` or `..`, and without
    /// control characters. A `/` at the end of the key does not start a segment.
    pub fn has_plain_key(&self) -> bool {
        let key = self.key().strip_suffix('/').unwrap_or(self.key());
        let is_plain = |part: &str| {
            !["", ".", ".."].contains(&part) && !part.contains(|c: char| c.is_ascii_control())
        };
        key.is_empty() || key.split('/').all(is_plain)
    }

    /// The scheme and the bucket, without a `/` at the end.
    pub fn bucket(&self) -> &str {
        self.text[..self.key_start].trim_end_matches('/')
    }

    /// The key, without a `/` at its end: the name of the folder if this is the address of one.
    pub fn folder(&self) -> &str {
        self.key().trim_end_matches('/')
    }

    /// The address with this key in the same bucket.
    pub fn with_key(&self, key: &str) -> Url {
        let text = format!("{}/{key}", self.bucket());
        Url {
            scheme: self.scheme,
            authority_start: self.authority_start,
            key_start: text.len() - key.len(),
            text,
        }
    }

    /// The address of a hidden object beside this one, whose name is `.name.ending`.
    pub(crate) fn with_ending(&self, ending: &str) -> Url {
        let key = self.folder();
        let name_start = key.rfind('/').map_or(0, |at| at + 1);
        self.with_key(&format!(
            "{}.{}.{ending}",
            &key[..name_start],
            &key[name_start..]
        ))
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme {
            UrlScheme::Http => f.write_str(&without_secrets(&self.text)),
            // The address of a store cannot have secrets, and its key may contain any characters, so it is written
            // unchanged.
            _ => f.write_str(&self.text),
        }
    }
}

impl fmt::Debug for Url {
    /// Hides secrets like `Display`, because the text may contain them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_local_whatever_they_look_like() {
        for text in ["a.csv", "/a/b", "s3:/a", "://a", "a b://c", "s3/x://y", ""] {
            let local = Location::Local(PathBuf::from(text));
            assert_eq!(Location::parse(text).unwrap(), local);
        }
        assert_eq!(Location::parse("-").unwrap(), Location::Standard);
        let file = Location::parse("file:///tmp/a%20b").unwrap();
        assert_eq!(file, Location::Local("/tmp/a%20b".into()));
    }

    #[test]
    fn an_address_without_a_store_is_refused() {
        let mistyped = [" https://u:p@host/a", "https:/u:p@host/a", " s3://b/a"];
        let unknown = ["ftp://host/a", "s3://", "s3:///key", "file://host/a"];
        for text in mistyped.into_iter().chain(unknown) {
            let error = Location::parse(text).unwrap_err();
            assert!(
                matches!(error, StoreError::UnknownAddress { .. }),
                "{error}"
            );
            assert!(!error.to_string().contains("u:p"), "{error}");
        }
    }

    #[cfg(not(feature = "cloud"))]
    #[test]
    fn without_the_feature_the_message_says_how_to_get_it() {
        let error = Location::parse("https://u:p@host/a.csv?secret").unwrap_err();
        assert_eq!(
            error.to_string(),
            "https://host/a.csv: built without the feature cloud: in a checkout, cargo install --locked \
             --path . --features cloud; or read it with curl: curl -L ADDRESS | pipeline grade - -o OUTPUT"
        );
    }

    #[cfg(feature = "cloud")]
    fn url(text: &str) -> Url {
        match Location::parse(text).unwrap() {
            Location::Remote(url) => url,
            other => panic!("{other:?}"),
        }
    }

    #[cfg(feature = "cloud")]
    #[test]
    fn an_address_has_a_bucket_and_a_key() {
        for (text, scheme, bucket, key) in [
            (
                "s3://b/a/c d%20.csv",
                UrlScheme::S3,
                "s3://b",
                "a/c d%20.csv",
            ),
            ("S3a://b", UrlScheme::S3, "S3a://b", ""),
            ("gs://b/", UrlScheme::Gcs, "gs://b", ""),
            (
                "abfss://c@a.dfs.core.windows.net/x/",
                UrlScheme::Azure,
                "abfss://c@a.dfs.core.windows.net",
                "x/",
            ),
        ] {
            let url = url(text);
            assert_eq!(
                (url.scheme(), url.bucket(), url.key()),
                (scheme, bucket, key)
            );
            assert_eq!(url.as_str(), text);
        }
    }

    #[cfg(feature = "cloud")]
    #[test]
    fn names_in_a_folder_are_joined() {
        for (folder, joined) in [
            ("s3://b", "s3://b/x/y"),
            ("s3://b/", "s3://b/x/y"),
            ("s3://b/a", "s3://b/a/x/y"),
            ("s3://b/a/", "s3://b/a/x/y"),
        ] {
            let location = Location::parse(folder).unwrap().join("x/y");
            assert_eq!(location, Location::parse(joined).unwrap(), "{folder}");
            assert_eq!(Location::from_path(&location.to_path()).unwrap(), location);
        }
    }

    #[cfg(feature = "cloud")]
    #[test]
    fn a_folder_contains_the_paths_below_it() {
        let parsed = |text: &str| Location::parse(text).unwrap();
        for (folder, other, contains) in [
            ("s3://b/out/", "s3://b/out/a.csv", true),
            ("s3://b/out/", "s3a://b/out/x/a.csv", true),
            ("s3://b/out", "s3://b/out/", true),
            ("s3://b/", "s3://b/a.csv", true),
            ("s3://b/out/", "s3://b/output/a.csv", false),
            ("s3://b/out/", "s3://c/out/a.csv", false),
            ("s3://b/out/", "gs://b/out/a.csv", false),
            ("/b/out/", "/b/out/a.csv", true),
            ("/b/out/", "s3://b/out/a.csv", false),
        ] {
            assert_eq!(
                parsed(folder).contains(&parsed(other)),
                contains,
                "{folder} {other}"
            );
        }
    }

    #[cfg(feature = "cloud")]
    #[test]
    fn passwords_and_signatures_are_not_shown() {
        let shown = |text| Location::parse(text).unwrap().to_string();
        assert_eq!(
            shown("https://u:p@h/a/b.csv?X-Sig=1#f"),
            "https://h/a/b.csv"
        );
        assert_eq!(shown("s3://b/what?.csv"), "s3://b/what?.csv");
        assert!(!Location::parse("https://h/a?b=*").unwrap().is_pattern());
        assert!(Location::parse("s3://b/*.csv").unwrap().is_pattern());
    }
}
