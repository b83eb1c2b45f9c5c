//! Checks the environment variables that configure stores before they are used. Without this check, the libraries that
//! send requests would panic for a credential with a line end, or for an endpoint that is not an address.

use super::{StoreError, TIMEOUT_VARIABLE};

/// The prefixes of the environment variables that configure stores.
const VARIABLE_PREFIXES: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];

/// Checks all environment variables that configure stores. The error names the first invalid one.
pub(super) fn check_environment() -> Result<(), StoreError> {
    for (name, value) in std::env::vars_os() {
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else {
            continue;
        };
        if let Some(problem) = variable_problem(name, value) {
            return Err(StoreError::Environment {
                variable: name.to_owned(),
                problem,
            });
        }
    }
    Ok(())
}

/// Describes what is wrong with a variable; `None` if it is valid. The text does not contain the value, which may be a
/// secret.
fn variable_problem(name: &str, value: &str) -> Option<&'static str> {
    if name == TIMEOUT_VARIABLE {
        let is_number = value.is_empty() || value.parse::<u32>().is_ok();
        return (!is_number).then_some("it is not a number of seconds");
    }
    if !VARIABLE_PREFIXES
        .iter()
        .any(|prefix| name.starts_with(prefix))
    {
        return None;
    }
    let is_address = ["http://", "https://"].iter().any(|scheme| {
        let rest = value.strip_prefix(scheme);
        rest.is_some_and(|host| !host.is_empty())
    });
    let has_user = value
        .split("://")
        .nth(1)
        .is_some_and(|rest| rest.split('/').next().unwrap_or_default().contains('@'));
    // A private key inside a JSON document has line ends, so those are allowed there.
    let is_json = value.trim_start().starts_with('{');
    if name.contains("ENDPOINT") && name.contains("URL") && !is_address {
        Some("it is not an address such as https://HOST: unset it to use the store's own")
    } else if name.contains("ENDPOINT") && name.contains("URL") && has_user {
        Some("it has a user or a password, which no request of a store has: leave it out")
    } else if value.chars().any(char::is_control) && !is_json {
        Some("it has a line end or another control character, as after echo without -n")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_no_request_can_be_made_with_are_refused() {
        for (name, value, is_refused) in [
            ("AWS_SESSION_TOKEN", "tok\n", true),
            ("AWS_SESSION_TOKEN", "tok", false),
            ("AWS_ENDPOINT_URL", "127.0.0.1:5901", true),
            ("AWS_ENDPOINT_URL", "", true),
            ("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:5901", false),
            ("AWS_ENDPOINT_URL", "http://user:password@host", true),
            (
                "GOOGLE_SERVICE_ACCOUNT_KEY",
                "{\n\"private_key\": 1}",
                false,
            ),
            ("PIPELINE_STORE_TIMEOUT", "abc", true),
            ("PIPELINE_STORE_TIMEOUT", "-1", true),
            ("PIPELINE_STORE_TIMEOUT", "60", false),
            ("PIPELINE_STORE_TIMEOUT", "", false),
            ("HOME", "a\n", false),
        ] {
            assert_eq!(
                variable_problem(name, value).is_some(),
                is_refused,
                "{name}={value:?}"
            );
        }
    }
}
