//! Turns the errors of the crate `object_store` into messages for users.

use std::error::Error as _;
use std::io::ErrorKind;

use object_store::Error;

use crate::store::{RequestFailure, without_secrets};

/// The maximum length of a message, in characters.
const MOST_MESSAGE_CHARACTERS: usize = 400;

/// The hosts from which machines in a cloud get their credentials.
const CREDENTIAL_SERVICES: [&str; 3] = [
    "169.254.169.254",
    "169.254.170.2",
    "metadata.google.internal",
];

/// Describes an error in one line, without passwords and signatures.
pub(super) fn explain(error: &Error) -> RequestFailure {
    let text = cause_text(error);
    let (kind, message) = match error {
        _ if text.contains("NoSuchBucket") => {
            (ErrorKind::NotFound, "there is no such bucket".to_owned())
        }
        _ if text.contains("ContainerNotFound") => {
            (ErrorKind::NotFound, "there is no such container".to_owned())
        }
        Error::NotFound { .. } => (ErrorKind::NotFound, "there is no such object".to_owned()),
        Error::AlreadyExists { .. } => (ErrorKind::AlreadyExists, "it exists already".to_owned()),
        Error::Precondition { .. } => (ErrorKind::Other, CHANGED_WHILE_READ.to_owned()),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            let code = match xml_element(&text, "Code") {
                Some(code) => format!(" ({code})"),
                None => String::new(),
            };
            let message = format!("access denied{code}: check the credentials and their rights");
            (ErrorKind::PermissionDenied, message)
        }
        Error::NotSupported { .. } => (
            ErrorKind::Unsupported,
            "the server does not send parts of a file: download the file first".to_owned(),
        ),
        Error::InvalidPath { .. } => (
            ErrorKind::InvalidInput,
            format!("its key cannot be used ({text})"),
        ),
        _ if CREDENTIAL_SERVICES.iter().any(|host| text.contains(host)) => (
            ErrorKind::PermissionDenied,
            format!("no credentials in the environment, and none from the machine: {text}"),
        ),
        _ if text.contains("Account must be specified") => (
            ErrorKind::InvalidInput,
            "the storage account is not named: set AZURE_STORAGE_ACCOUNT_NAME".to_owned(),
        ),
        _ if text.contains("Missing SecretAccessKey") => (
            ErrorKind::InvalidInput,
            "AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not: set both".to_owned(),
        ),
        _ if text.contains("Missing AccessKeyId") => (
            ErrorKind::InvalidInput,
            "AWS_SECRET_ACCESS_KEY is set, and AWS_ACCESS_KEY_ID is not: set both".to_owned(),
        ),
        _ if text.contains("Invalid Access Key") => (
            ErrorKind::InvalidInput,
            "AZURE_STORAGE_ACCOUNT_KEY is not the key of an account, which is in Base64".to_owned(),
        ),
        _ if text.contains("SAS query pair") => (
            ErrorKind::InvalidInput,
            "AZURE_STORAGE_SAS_KEY is not a signature such as sv=…&sig=…".to_owned(),
        ),
        _ if text.contains("PRIVATE KEY") || text.contains("private_key") => (
            ErrorKind::InvalidInput,
            "GOOGLE_APPLICATION_CREDENTIALS and GOOGLE_SERVICE_ACCOUNT take the path of a file, not its \
             text: GOOGLE_SERVICE_ACCOUNT_KEY takes the text"
                .to_owned(),
        ),
        _ => (ErrorKind::Other, replace_xml(&text)),
    };
    RequestFailure::new(kind, message)
}

/// The message for an object that was replaced after it had been opened.
pub(super) const CHANGED_WHILE_READ: &str = "it changed while it was being read";

/// The messages of the outermost error and of its innermost cause, on one line.
fn cause_text(error: &Error) -> String {
    let mut cause = error.source();
    let first_message = match cause {
        Some(source) => source.to_string(),
        None => error.to_string(),
    };
    let mut last_message = None;
    while let Some(inner) = cause {
        last_message = Some(inner.to_string());
        cause = inner.source();
    }
    let mut text = to_one_line(&first_message);
    if let Some(last) = last_message
        .map(|last| to_one_line(&last))
        .filter(|last| !text.contains(last))
    {
        text += ": ";
        text += &last;
    }
    text
}

/// Replaces each run of white space with one space, and removes users, passwords and queries from web addresses.
fn to_one_line(text: &str) -> String {
    let words_without_secrets = text.split_whitespace().map(without_secrets);
    let line = words_without_secrets.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_MESSAGE_CHARACTERS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Replaces XML or HTML in the answer of a store. An XML error document becomes its message and code, and any other
/// markup is removed.
fn replace_xml(text: &str) -> String {
    let markup = [
        "<?xml",
        "<Error",
        "<!DOCTYPE",
        "<!doctype",
        "<html",
        "<HTML",
    ];
    let Some(start) = markup.iter().filter_map(|mark| text.find(mark)).min() else {
        return text.to_owned();
    };
    let (before, xml) = text.split_at(start);
    let code = xml_element(xml, "Code");
    // Azure appends the id of the request and the time to the message.
    let message = xml_element(xml, "Message");
    let message = message.map(|text| text.split(" RequestId:").next().unwrap_or_default());
    let description = match (message, code) {
        (Some(message), Some(code)) => format!("{message} ({code})"),
        (Some(text), None) | (None, Some(text)) => text.to_owned(),
        (None, None) => match xml_element(xml, "title") {
            Some(title) => format!("a web page called {title}"),
            None => "a web page".to_owned(),
        },
    };
    format!("{}: {description}", before.trim_end().trim_end_matches(':'))
}

/// The text inside the first XML element with this name.
fn xml_element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (inside, _) = rest.split_once("</")?;
    Some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_line_ends_are_left_out() {
        let error = Error::Generic {
            store: "S3",
            source: "Error performing GET https://u:p@h/k?X-Amz-Signature=1 in 2s\n - why?".into(),
        };
        let failure = explain(&error);
        assert_eq!(
            failure.to_string(),
            "Error performing GET https://h/k in 2s - why?"
        );
        let range = Error::Generic {
            store: "S3",
            source: "status 416 Range Not Satisfiable: <?xml version=\"1.0\"?>\n<Error><Code>InvalidRange\
                     </Code><Message>The range is not satisfiable</Message><RequestId>1</RequestId>"
                .into(),
        };
        assert_eq!(
            explain(&range).to_string(),
            "status 416 Range Not Satisfiable: The range is not satisfiable (InvalidRange)"
        );
        let denied = Error::PermissionDenied {
            path: "k".into(),
            source: "403: <Error><Code>InvalidAccessKeyId</Code><Message>x</Message>".into(),
        };
        let failure = explain(&denied);
        assert_eq!(failure.kind(), ErrorKind::PermissionDenied);
        assert!(
            failure.to_string().contains("(InvalidAccessKeyId)"),
            "{failure}"
        );
    }
}
