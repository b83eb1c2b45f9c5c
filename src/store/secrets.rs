//! Recognises and removes secrets in addresses: users, passwords, and signatures. Messages and tables never show them.
//! The address of a store must not have secrets, because the column `source` would repeat them in every row.

use std::borrow::Cow;
use std::net::IpAddr;

use super::scheme::mistyped_web_address;

/// The names of query parameters that mark a signed address, in lower case.
const SIGNATURE_PARAMETERS: [&str; 8] = [
    "x-amz-signature=",
    "x-amz-credential=",
    "x-amz-security-token=",
    "x-goog-signature=",
    "x-goog-credential=",
    "awsaccesskeyid=",
    "signature=",
    "sig=",
];

/// Shortens the first web address in a text to its scheme, host and path, without user, password, query and
/// fragment. A text without an address is returned unchanged.
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    if let Some(address) = mistyped_web_address(text) {
        return Cow::Owned(without_secrets(&address).into_owned());
    }
    let Some((before, rest)) = text.split_once("://") else {
        return Cow::Borrowed(text);
    };
    let without_query = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) =
        without_query.split_at(without_query.find('/').unwrap_or(without_query.len()));
    let host = host.rsplit('@').next().unwrap_or_default();
    Cow::Owned(format!("{before}://{host}{path}"))
}

/// Whether the address of a store has a password or a signature. `rest` is the address after `://`. In an address of
/// Azure, the container stands in the place of the user: `abfss://CONTAINER@ACCOUNT…`.
pub(super) fn has_secret(scheme: &str, rest: &str) -> bool {
    let authority = rest.split('/').next().unwrap_or_default();
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    let is_container = |user: &str| scheme.starts_with("abfs") && !user.contains(':');
    if user.is_some_and(|user| !is_container(user)) {
        return true;
    }
    // In a pattern, a `?` is a wildcard. So a query counts only if it has a parameter that marks a signature.
    let Some((_, query)) = rest.split_once('?') else {
        return false;
    };
    let query = query.to_ascii_lowercase();
    let mut parameters = query.split('&');
    parameters.any(|parameter| {
        SIGNATURE_PARAMETERS
            .iter()
            .any(|name| parameter.starts_with(name))
    })
}

/// Whether an `http` address would send a user or password to another machine without encryption. `rest` is the address
/// after `http://`.
pub(super) fn sends_password_in_clear(rest: &str) -> bool {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((_, host)) = authority.rsplit_once('@') else {
        return false;
    };
    let host = match host.strip_prefix('[') {
        Some(ip) => ip.split(']').next(),
        None => host.split(':').next(),
    };
    let host = host.unwrap_or_default();
    let is_this_machine = host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    !is_this_machine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_as_scheme_host_and_path() {
        for (text, shown) in [
            ("https://u:p@h/a.csv?sig=1#f", "https://h/a.csv"),
            ("ftp://u:p@h/x", "ftp://h/x"),
            ("s3://KEY:SECRET@b/k?X-Amz-Signature=1", "s3://b/k"),
            ("http://u:p@h", "http://h"),
            ("(http://u:p@h:80/a?b", "(http://h:80/a"),
            ("https:/u:p@h/a?b", "https://h/a"),
            (" s3://u:p@h/a", "s3://h/a"),
            ("a.csv", "a.csv"),
        ] {
            assert_eq!(without_secrets(text), shown);
        }
    }

    #[test]
    fn a_password_is_sent_in_clear_to_this_machine_only() {
        for (rest, expected) in [
            ("u:p@host/a", true),
            ("u:p@127.0.0.1.evil.org/a", true),
            ("u:p@127.0.0.1:80/a", false),
            ("u@[::1]:80/a", false),
            ("u:p@localhost?a", false),
            ("host/a@b", false),
        ] {
            assert_eq!(sends_password_in_clear(rest), expected, "{rest}");
        }
    }

    #[test]
    fn passwords_and_signatures_are_recognised_and_patterns_are_not() {
        for (scheme, rest, expected) in [
            ("s3", "KEY:SECRET@bucket/x.csv", true),
            ("s3", "KEY@bucket/x.csv", true),
            ("s3", "b/k?X-Amz-Signature=1", true),
            ("az", "c/one.csv?sv=1&sig=SECRET", true),
            ("abfss", "c:secret@a.dfs.core.windows.net/x", true),
            ("abfss", "c@a.dfs.core.windows.net/x", false),
            ("s3", "b/part-?.csv", false),
            ("s3", "b/year=202?/a=b&c.csv", false),
            ("s3", "b/user@host.csv", false),
        ] {
            assert_eq!(has_secret(scheme, rest), expected, "{scheme}://{rest}");
        }
    }
}
