//! The connection string of an Azure storage account, which Azure's own tools read from the variable
//! `AZURE_STORAGE_CONNECTION_STRING`.

/// The variable with the connection string.
pub(super) const CONNECTION_STRING: &str = "AZURE_STORAGE_CONNECTION_STRING";

/// The settings in a connection string, by the names of the variables that have the same meaning.
///
/// # Errors
/// The text is not a connection string, or names no account.
pub(super) fn settings(text: &str) -> Result<Vec<(&'static str, String)>, &'static str> {
    let mut account = None;
    let mut endpoint = None;
    let mut suffix = None;
    let mut protocol = "https";
    let mut settings = Vec::new();
    for field in text.split(';').map(str::trim) {
        if field.is_empty() {
            continue;
        }
        let Some((name, value)) = field.split_once('=') else {
            return Err("it is not a connection string such as AccountName=…;AccountKey=…");
        };
        match name.trim().to_ascii_lowercase().as_str() {
            "accountname" => account = Some(value.to_owned()),
            "accountkey" => settings.push(("azure_storage_account_key", value.to_owned())),
            "sharedaccesssignature" => {
                let signature = value.trim_start_matches('?');
                settings.push(("azure_storage_sas_key", signature.to_owned()));
            }
            "blobendpoint" => endpoint = Some(value.trim_end_matches('/').to_owned()),
            "endpointsuffix" => suffix = Some(value),
            "defaultendpointsprotocol" => protocol = value,
            "usedevelopmentstorage" if value.eq_ignore_ascii_case("true") => {
                return Ok(vec![("azure_storage_use_emulator", "true".to_owned())]);
            }
            _ => {}
        }
    }
    if let (None, Some(suffix), Some(account)) = (&endpoint, suffix, &account) {
        endpoint = Some(format!("{protocol}://{account}.blob.{suffix}"));
    }
    if let Some(endpoint) = endpoint {
        let Some((_, host)) = endpoint.split_once("://") else {
            return Err(
                "its BlobEndpoint is not an address such as https://ACCOUNT.blob.core.windows.net",
            );
        };
        if host.contains('/') {
            return Err(
                "its BlobEndpoint has a path, as that of an emulator: set AZURE_STORAGE_USE_EMULATOR=true, \
                 AZURITE_BLOB_STORAGE_URL, AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY instead",
            );
        }
        // With a signature, the account may only be in the host.
        let first_label = host.split('.').next().unwrap_or_default();
        account = account.or_else(|| Some(first_label.to_owned()));
        settings.push(("azure_storage_endpoint", endpoint));
    }
    let account = account.filter(|account| !account.is_empty());
    settings.push((
        "azure_storage_account_name",
        account.ok_or("it has no AccountName")?,
    ));
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_string_becomes_settings() {
        let by_name = |text: &str| {
            let mut settings = settings(text)?;
            settings.sort();
            let texts = settings.iter().map(|(name, value)| {
                let name = name.strip_prefix("azure_storage_").unwrap_or(name);
                format!("{name} {value}")
            });
            Ok::<_, &str>(texts.collect::<Vec<_>>().join(", "))
        };
        let usual = "DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=a2V5==;EndpointSuffix=core.windows.net";
        assert_eq!(
            by_name(usual).unwrap(),
            "account_key a2V5==, account_name acc, endpoint https://acc.blob.core.windows.net"
        );
        assert_eq!(
            by_name("BlobEndpoint=https://acc.blob.core.windows.net/;SharedAccessSignature=?sv=1&sig=x%3D").unwrap(),
            "account_name acc, endpoint https://acc.blob.core.windows.net, sas_key sv=1&sig=x%3D"
        );
        assert_eq!(
            by_name("UseDevelopmentStorage=true").unwrap(),
            "use_emulator true"
        );
        for (text, problem) in [
            ("AccountKey=a2V5", "no AccountName"),
            ("AccountName=;AccountKey=a2V5", "no AccountName"),
            ("garbage", "not a connection string"),
            ("AccountName=a;BlobEndpoint=here", "not an address"),
            (
                "AccountName=a;BlobEndpoint=http://127.0.0.1:10000/a",
                "AZURITE_BLOB_STORAGE_URL",
            ),
        ] {
            assert!(by_name(text).unwrap_err().contains(problem), "{text}");
        }
    }
}
