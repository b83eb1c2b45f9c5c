//! The environment variables that configure stores. They are checked before they are used: the libraries that send
//! requests would panic for a credential with a line end, or for an endpoint that is not an address.

use object_store::aws::AmazonS3ConfigKey;
use object_store::azure::AzureConfigKey;
use object_store::client::{HttpRequest, HttpRequestBody};
use object_store::gcp::GoogleConfigKey;

use super::connection_string::{self, CONNECTION_STRING};
use super::{StoreError, TIMEOUT_VARIABLE, UrlScheme};

/// What a variable contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// The address of a server.
    Address,
    /// A path of the server that provides credentials.
    AddressPath,
    /// A word that becomes part of an address, such as a region.
    Word,
    /// The path of a file.
    File,
    /// The text of a JSON document.
    Json,
    /// The connection string of a storage account.
    ConnectionString,
    /// A credential or a setting.
    Text,
}

/// Checks the variables that the store of this scheme reads. The error names the first invalid one.
pub(super) fn check_environment(scheme: UrlScheme) -> Result<(), StoreError> {
    for (name, value) in std::env::vars_os() {
        let Some(name) = name.to_str() else {
            continue;
        };
        let problem = match value.to_str() {
            Some(value) => variable_problem(scheme, name, value),
            None => content(scheme, name)
                .is_some_and(|content| content != Content::File)
                .then_some("it is not UTF-8"),
        };
        if let Some(problem) = problem {
            return Err(StoreError::Environment {
                variable: name.to_owned(),
                problem,
            });
        }
    }
    Ok(())
}

/// The names in lower case, and the values, of the variables that the store of this scheme reads. An empty variable
/// counts as unset.
pub(super) fn store_variables(scheme: UrlScheme) -> Vec<(String, String)> {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.to_str()?, value.to_str()?);
        let content = content(scheme, name)?;
        let value = match content {
            Content::Address => lower_case_scheme(value),
            _ => value.to_owned(),
        };
        Some((name.to_ascii_lowercase(), value)).filter(|(_, value)| !value.is_empty())
    });
    let mut variables: Vec<_> = variables.collect();
    // The order of the environment is not defined, and two names may set the same key.
    variables.sort();
    with_connection_string(variables)
}

/// Replaces a connection string by its settings. The account that other variables name takes precedence.
fn with_connection_string(mut variables: Vec<(String, String)>) -> Vec<(String, String)> {
    let is_string = |(name, _): &(String, String)| CONNECTION_STRING.eq_ignore_ascii_case(name);
    let Some(at) = variables.iter().position(is_string) else {
        return variables;
    };
    let (_, text) = variables.remove(at);
    let names_account =
        |(name, _): &(String, String)| matches!(name.parse(), Ok(AzureConfigKey::AccountName));
    if variables.iter().any(names_account) {
        return variables;
    }
    let settings = connection_string::settings(&text).unwrap_or_default();
    let mut settings: Vec<_> = settings
        .into_iter()
        .map(|(name, value)| (name.to_owned(), lower_case_scheme(&value)))
        .collect();
    settings.append(&mut variables);
    settings
}

/// What a variable contains; `None` if the store of this scheme does not read it.
fn content(scheme: UrlScheme, name: &str) -> Option<Content> {
    let key = name.to_ascii_lowercase();
    match scheme {
        UrlScheme::S3 if name.starts_with("AWS_") => {
            use AmazonS3ConfigKey as Key;
            Some(match key.parse().ok()? {
                Key::Endpoint
                | Key::S3Endpoint
                | Key::StsEndpoint
                | Key::MetadataEndpoint
                | Key::ContainerCredentialsFullUri => Content::Address,
                Key::ContainerCredentialsRelativeUri => Content::AddressPath,
                Key::Region | Key::DefaultRegion => Content::Word,
                Key::WebIdentityTokenFile | Key::ContainerAuthorizationTokenFile => Content::File,
                _ => Content::Text,
            })
        }
        UrlScheme::Gcs if name == "SERVICE_ACCOUNT" => Some(Content::File),
        UrlScheme::Gcs if name.starts_with("GOOGLE_") => {
            use GoogleConfigKey as Key;
            Some(match key.parse().ok()? {
                Key::BaseUrl => Content::Address,
                Key::ServiceAccount | Key::ApplicationCredentials => Content::File,
                Key::ServiceAccountKey => Content::Json,
                _ => Content::Text,
            })
        }
        UrlScheme::Azure if ["AZURITE_BLOB_STORAGE_URL", "IDENTITY_ENDPOINT"].contains(&name) => {
            Some(Content::Address)
        }
        UrlScheme::Azure if name == CONNECTION_STRING => Some(Content::ConnectionString),
        UrlScheme::Azure if name.starts_with("AZURE_") => {
            use AzureConfigKey as Key;
            Some(match key.parse().ok()? {
                Key::Endpoint
                | Key::MsiEndpoint
                | Key::AuthorityHost
                | Key::FabricTokenServiceUrl => Content::Address,
                Key::AccountName | Key::AuthorityId | Key::FabricWorkloadHost => Content::Word,
                Key::FederatedTokenFile => Content::File,
                _ => Content::Text,
            })
        }
        _ => None,
    }
}

/// Describes what is wrong with a variable; `None` if it is valid. The text does not contain the value, which may be a
/// secret.
fn variable_problem(scheme: UrlScheme, name: &str, value: &str) -> Option<&'static str> {
    if value.is_empty() {
        return None;
    }
    if name == TIMEOUT_VARIABLE {
        let is_number = value.parse::<u32>().is_ok();
        return (!is_number).then_some("it is not a number of seconds");
    }
    match content(scheme, name)? {
        // A private key inside a JSON document has line ends.
        Content::Json if value.trim_start().starts_with('{') => None,
        _ if value.chars().any(char::is_control) => {
            Some("it has a line end or another control character, as after echo without -n")
        }
        Content::File => None,
        _ if value.trim() != value => Some("it has a blank at its start or end: remove it"),
        Content::Address if has_user(value) => {
            Some("it has a user or a password, which no request of a store has: leave it out")
        }
        Content::Address if !is_address(&lower_case_scheme(value)) => {
            Some("it is not an address such as https://HOST: unset it to use the store's own")
        }
        Content::AddressPath
            if !value.starts_with('/') || !is_address(&format!("http://host{value}")) =>
        {
            Some("it is not the path of an address, such as /v2/credentials/ID")
        }
        Content::Word if !value.chars().all(is_word_character) => {
            Some("it may only have letters, digits, '-', '.' and '_', such as us-east-1")
        }
        Content::ConnectionString => match connection_string::settings(value) {
            Err(problem) => Some(problem),
            Ok(settings) => settings
                .iter()
                .any(|(name, value)| name.ends_with("endpoint") && !is_address(value))
                .then_some("its BlobEndpoint is not an address"),
        },
        _ if !value.is_ascii() => {
            Some("it has a character that is not ASCII, which no request can have")
        }
        _ => None,
    }
}

fn is_word_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || ['-', '.', '_'].contains(&c)
}

fn has_user(address: &str) -> bool {
    let rest = address.split("://").nth(1);
    rest.is_some_and(|rest| rest.split('/').next().unwrap_or_default().contains('@'))
}

/// Whether requests can be sent to this address. `object_store` parses addresses in two ways, so this does both.
fn is_address(text: &str) -> bool {
    let mut request = HttpRequest::new(HttpRequestBody::empty());
    let is_uri = text.parse().map(|uri| *request.uri_mut() = uri).is_ok();
    let url = reqwest::Url::parse(text);
    let has_host = url.is_ok_and(|url| {
        ["http", "https"].contains(&url.scheme())
            && url.host_str().is_some_and(|host| !host.is_empty())
    });
    text.is_ascii() && is_uri && has_host
}

/// The address with its scheme in lower case: `HTTP://host` becomes `http://host`.
fn lower_case_scheme(address: &str) -> String {
    match address.split_once("://") {
        Some((scheme, rest)) => format!("{}://{rest}", scheme.to_ascii_lowercase()),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_no_request_can_be_made_with_are_refused() {
        use UrlScheme::{Azure, Gcs, Http, S3};
        for (scheme, name, value, is_refused) in [
            (S3, "AWS_SESSION_TOKEN", "tok\n", true),
            (S3, "AWS_SESSION_TOKEN", "tok", false),
            (S3, "AWS_SESSION_TOKEN", "tök", true),
            (S3, "AWS_ENDPOINT_URL", "127.0.0.1:5901", true),
            (S3, "AWS_ENDPOINT_URL_S3", "http://127.0.0.1:5901", false),
            (S3, "AWS_ENDPOINT_URL", "http://user:password@host", true),
            (Http, "PIPELINE_STORE_TIMEOUT", "abc", true),
            (S3, "PIPELINE_STORE_TIMEOUT", "-1", true),
            (S3, "PIPELINE_STORE_TIMEOUT", "60", false),
            (S3, "HOME", "a\n", false),
            // Each of these ended with a panic, or with a wait of a minute.
            (S3, "AWS_REGION", "us-east-1 ", true),
            (S3, "AWS_REGION", "us east-1", true),
            (S3, "AWS_REGION", "us-east-1\"", true),
            (S3, "AWS_DEFAULT_REGION", "us-easté", true),
            (S3, "AWS_REGION", "${AWS_REGION}", true),
            (S3, "AWS_REGION", "us-east-1", false),
            (S3, "AWS_ENDPOINT", "127.0.0.1:6201", true),
            (S3, "AWS_ENDPOINT_URL", "http://127.0.0.1:62 01", true),
            (S3, "AWS_ENDPOINT_URL", "http://[::1", true),
            (S3, "AWS_ENDPOINT_URL", "http://127.0.0.1:99999", true),
            (S3, "AWS_ENDPOINT_URL", "http://é.x", true),
            (S3, "AWS_ENDPOINT_URL", "http://", true),
            (S3, "AWS_METADATA_ENDPOINT", "garbage", true),
            (S3, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "x y", true),
            (S3, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/x", false),
            (Azure, "AZURE_AUTHORITY_HOST", "garbage", true),
            (Azure, "AZURE_TENANT_ID", "t t", true),
            (Azure, CONNECTION_STRING, "AccountKey=a2V5", true),
            (
                Azure,
                CONNECTION_STRING,
                "AccountName=a;BlobEndpoint=https://a b",
                true,
            ),
            (
                Azure,
                CONNECTION_STRING,
                "AccountName=a;AccountKey=a2V5",
                false,
            ),
            (S3, CONNECTION_STRING, "AccountKey=a2V5", false),
            (Azure, "AZURITE_BLOB_STORAGE_URL", "garbage", true),
            (Gcs, "GOOGLE_BASE_URL", "garbage", true),
            (Gcs, "GOOGLE_SERVICE_ACCOUNT_KEY", "{\n\"k\": 1}", false),
            (Gcs, "GOOGLE_SERVICE_ACCOUNT", "/a é/key.json", false),
            // Capitals are no mistake, an empty variable is unset, and other variables are not this store's.
            (S3, "AWS_ENDPOINT_URL", "HTTP://host", false),
            (S3, "AWS_ENDPOINT_URL", "", false),
            (S3, "AWS_ENDPOINT", "", false),
            (S3, "AWS_REGION", "", false),
            (S3, "PIPELINE_STORE_TIMEOUT", "", false),
            (S3, "AWS_FOO", "a\nb", false),
            (S3, "GOOGLE_BASE_URL", "garbage", false),
            (Http, "AWS_REGION", "us east-1", false),
        ] {
            assert_eq!(
                variable_problem(scheme, name, value).is_some(),
                is_refused,
                "{name}={value:?}"
            );
        }
    }
}
