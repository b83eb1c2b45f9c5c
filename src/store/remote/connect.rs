//! Connects to the store of an address. The configuration comes from the environment variables that
//! the store's own tools use.

use std::collections::HashMap;
use std::error::Error as _;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::list::PaginatedListStore;
use object_store::{BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, RetryConfig};
use reqwest::header::{AUTHORIZATION, HeaderMap};

use super::explain::explain;
use super::runtime::{request_timeout, runtime};
use super::service::{Signer, SigningConnector};
use super::write::add_store;
use crate::store::environment::store_variables;
use crate::store::{RequestFailure, Url, UrlScheme};

/// A store to which this process has connected. It keeps its connections and credentials.
#[derive(Clone)]
pub(super) struct ConnectedStore {
    pub(super) store: Arc<dyn ObjectStore>,
    /// The same store, which lists objects by any prefix of their keys; `None` for a web server.
    pub(super) lister: Option<Arc<dyn PaginatedListStore>>,
}

impl ConnectedStore {
    fn new(store: Arc<impl ObjectStore + PaginatedListStore>) -> ConnectedStore {
        ConnectedStore {
            lister: Some(Arc::clone(&store) as _),
            store,
        }
    }
}

/// The stores to which this process has connected, by bucket.
static CONNECTED_STORES: Mutex<Option<HashMap<String, ConnectedStore>>> = Mutex::new(None);

/// Connects to the store of an address.
pub(super) fn connect(url: &Url) -> Result<ConnectedStore, RequestFailure> {
    runtime()?;
    if url.scheme() == UrlScheme::Http {
        return build_store(url);
    }
    let mut stores = CONNECTED_STORES
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let stores = stores.get_or_insert_default();
    if let Some(store) = stores.get(url.bucket()) {
        return Ok(store.clone());
    }
    let store = build_store(url)?;
    stores.insert(url.bucket().to_owned(), store.clone());
    Ok(store)
}

fn build_store(url: &Url) -> Result<ConnectedStore, RequestFailure> {
    let bucket = format!("{}/", url.bucket());
    let connector = SigningConnector::default();
    let store: Result<ConnectedStore, _> = match url.scheme() {
        UrlScheme::S3 => {
            let mut builder = AmazonS3Builder::new();
            for (name, value) in store_variables(url.scheme()) {
                if let Ok(key) = name.parse() {
                    builder = builder.with_config(key, value);
                }
            }
            let value_of = |key| builder.get_config_value(&key);
            let endpoint = value_of(AmazonS3ConfigKey::S3Endpoint)
                .or_else(|| value_of(AmazonS3ConfigKey::Endpoint));
            if endpoint.is_none() && !has_s3_credentials(&builder) {
                return Err(no_s3_credentials());
            }
            for (key, value) in client_settings(endpoint) {
                builder = builder.with_config(AmazonS3ConfigKey::Client(key), value);
            }
            let builder = builder.with_url(bucket).with_retry(retry_config());
            let store = builder.with_http_connector(connector.clone()).build();
            store.map(|store| {
                connector.sign_with(Signer::S3(Arc::clone(store.credentials())));
                let store = Arc::new(store);
                add_store(&store);
                ConnectedStore::new(store)
            })
        }
        UrlScheme::Gcs => {
            let mut builder = GoogleCloudStorageBuilder::new();
            for (name, value) in store_variables(url.scheme()) {
                if let Ok(key) = name.parse() {
                    builder = builder.with_config(key, value);
                }
            }
            let endpoint = builder.get_config_value(&GoogleConfigKey::BaseUrl);
            for (key, value) in client_settings(endpoint) {
                builder = builder.with_config(GoogleConfigKey::Client(key), value);
            }
            let builder = builder.with_url(bucket).with_retry(retry_config());
            let builder = builder.with_http_connector(connector);
            let store = builder.build();
            store.map(|store| ConnectedStore::new(Arc::new(store)))
        }
        UrlScheme::Azure => {
            let mut builder = MicrosoftAzureBuilder::new();
            for (name, value) in store_variables(url.scheme()) {
                if let Ok(key) = name.parse() {
                    builder = builder.with_config(key, value);
                }
            }
            if lacks_part_of_client(&builder) {
                return Err(RequestFailure::new(
                    ErrorKind::InvalidInput,
                    "AZURE_CLIENT_SECRET is set, and AZURE_CLIENT_ID or AZURE_TENANT_ID is not: set all three",
                ));
            }
            let endpoint = builder.get_config_value(&AzureConfigKey::Endpoint);
            for (key, value) in client_settings(endpoint) {
                builder = builder.with_config(AzureConfigKey::Client(key), value);
            }
            let builder = builder.with_url(bucket).with_retry(retry_config());
            let store = builder.with_http_connector(connector.clone()).build();
            store.map(|store| {
                connector.sign_with(Signer::Azure(Arc::clone(store.credentials())));
                ConnectedStore::new(Arc::new(store))
            })
        }
        UrlScheme::Http => {
            let mut options = ClientOptions::new().with_allow_http(true);
            for (key, value) in client_settings(None) {
                options = options.with_config(key, value);
            }
            // A web server is treated as a store whose address is the whole URL including its query, and whose only
            // object has an empty path.
            let (address, headers) = split_password(url)?;
            options = options.with_default_headers(headers);
            let builder = HttpBuilder::new().with_url(address);
            let builder = builder
                .with_client_options(options)
                .with_retry(retry_config());
            let builder = builder.with_http_connector(connector);
            builder.build().map(|store| ConnectedStore {
                store: Arc::new(store),
                lister: None,
            })
        }
    };
    // Nothing has been requested yet, so that all errors are about the address and the variables.
    store.map_err(|error| RequestFailure::new(ErrorKind::InvalidInput, explain(&error).to_string()))
}

/// The address of a file on a web server without its user and password, and a header with the user and password.
fn split_password(url: &Url) -> Result<(String, HeaderMap), RequestFailure> {
    let mut headers = HeaderMap::new();
    let client_error = |error: reqwest::Error| {
        let message = match error.source() {
            Some(cause) => format!("the address cannot be used ({cause})"),
            None => "the address cannot be used".to_owned(),
        };
        RequestFailure::new(ErrorKind::InvalidInput, message)
    };
    let has_user = url.bucket().contains('@');
    if !has_user {
        return Ok((url.as_str().to_owned(), headers));
    }
    let client = reqwest::Client::builder().build().map_err(client_error)?;
    // `reqwest` converts the user and the password of the address to a header.
    let request = client.get(url.as_str()).build().map_err(client_error)?;
    if let Some(value) = request.headers().get(AUTHORIZATION) {
        let mut value = value.clone();
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok((request.url().to_string(), headers))
}

/// The settings that all stores share. The timeout is the limit for each block of an answer, not for the whole object:
/// a server that sends nothing times out, but a large object may be read slowly. It is a fraction of the time limit for
/// retries, so that a request on a hanging connection is repeated.
fn client_settings(endpoint: Option<String>) -> Vec<(ClientConfigKey, String)> {
    let seconds = request_timeout().as_secs();
    let mut settings = vec![
        (ClientConfigKey::Timeout, "3650 days".to_owned()),
        (
            ClientConfigKey::ReadTimeout,
            format!("{} seconds", seconds.div_ceil(4)),
        ),
        (
            ClientConfigKey::ConnectTimeout,
            format!("{} seconds", seconds.min(10)),
        ),
    ];
    // Plain HTTP is allowed only if the configured endpoint starts with `http://`.
    if endpoint.is_some_and(|endpoint| endpoint.starts_with("http://")) {
        settings.push((ClientConfigKey::AllowHttp, "true".to_owned()));
    }
    settings
}

/// How requests are retried: until a time limit is reached. The number of retries is not limited, because the pauses
/// are random and often short.
fn retry_config() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(200),
            max_backoff: Duration::from_secs(10),
            base: 3.0,
        },
        max_retries: 1000,
        retry_timeout: request_timeout(),
    }
}

/// Whether the environment has credentials for S3, or names a service that provides them. Without this check,
/// `object_store` would ask the machine's credential service, and time out after a minute if there is none.
fn has_s3_credentials(builder: &AmazonS3Builder) -> bool {
    let has_setting = |key| {
        builder
            .get_config_value(&key)
            .is_some_and(|value| value != "false")
    };
    let credential_settings = [
        AmazonS3ConfigKey::AccessKeyId,
        AmazonS3ConfigKey::SkipSignature,
        AmazonS3ConfigKey::MetadataEndpoint,
        AmazonS3ConfigKey::WebIdentityTokenFile,
        AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
        AmazonS3ConfigKey::ContainerCredentialsFullUri,
    ];
    let metadata_service = SocketAddr::from((Ipv4Addr::new(169, 254, 169, 254), 80));
    credential_settings.into_iter().any(has_setting)
        || TcpStream::connect_timeout(&metadata_service, Duration::from_secs(2)).is_ok()
}

/// Whether the environment has the secret of an Azure client, but not its other parts, nor other credentials.
/// `object_store` would ask the machine's credential service instead.
fn lacks_part_of_client(builder: &MicrosoftAzureBuilder) -> bool {
    use AzureConfigKey as Key;
    let has = |key: Key| builder.get_config_value(&key).is_some();
    let others = [Key::AccessKey, Key::SasKey, Key::Token];
    has(Key::ClientSecret)
        && !(has(Key::ClientId) && has(Key::AuthorityId))
        && !others.into_iter().any(has)
}

fn no_s3_credentials() -> RequestFailure {
    RequestFailure::new(
        std::io::ErrorKind::PermissionDenied,
        "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (aws configure \
         export-credentials --format env prints those of a profile), or AWS_SKIP_SIGNATURE=true for \
         a public bucket",
    )
}
