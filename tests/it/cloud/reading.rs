//! Tests reading from web servers and object stores: unusual keys, files of unknown length, and passwords. The tests
//! that need a store only run if `S3_TEST_ENDPOINT` is the address of an S3 server. `tests/stores/cloud.py` starts such
//! a server.

use crate::cloud::server::{Behaviour, Server};
use crate::cloud::{Bucket, command, run};
use crate::util::{PUZZLE, TestDir, gzip, stderr};

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("{PUZZLE} {n}\n")).collect()
}

fn rows(dir: &TestDir, input: &str) -> u64 {
    let (summary, _) = run(dir, &["validate", input, "--summary", "-"], 0);
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    summary["rows_in"].as_u64().unwrap()
}

/// Regression test: a file was refused with "Content-Length Header missing" if its server states no length.
#[test]
fn a_file_of_unknown_length_is_streamed() {
    let (dir, server) = (TestDir::new(), Server::start());
    let text = lines(40_000);
    for manner in [Behaviour::Chunked, Behaviour::Unsized] {
        let url = server.add("a.txt", manner, text.clone());
        assert_eq!(rows(&dir, &url), 40_000, "{manner:?}");
        let url = server.add("a.txt.gz", manner, gzip(text.as_bytes()));
        assert_eq!(rows(&dir, &url), 40_000, "{manner:?}");
    }
    // The output is a folder. Its manifest needs the size of the input, so the run requests the size. Then the run is
    // resumed.
    let url = server.add("b.txt", Behaviour::Chunked, text.clone());
    for kept in ["", "1 of them"] {
        let (_, message) = run(&dir, &["convert", &url, "-o", "out/", "--resume"], 0);
        assert!(
            kept.is_empty() || !message.contains(kept),
            "an unknown version is not kept: {message}"
        );
    }
    let url = server.add("cut.txt", Behaviour::ChunkedCut, text);
    let (_, message) = run(&dir, &["convert", &url, "-o", "cut.csv"], 1);
    assert!(
        message.contains("cut after") && message.contains("does not say how many"),
        "{message}"
    );
    assert!(!dir.exists("cut.csv"));
    let url = server.add("a.parquet", Behaviour::Chunked, "PAR1");
    let (_, message) = run(&dir, &["validate", &url], 3);
    assert!(message.contains("curl -o FILE"), "{message}");
}

/// Regression test: 58 of 100 rows were read from a partial answer, and the exit code was 0.
#[test]
fn a_partial_answer_is_not_read_as_the_whole_file() {
    let (dir, server) = (TestDir::new(), Server::start());
    let url = server.add("a.txt", Behaviour::FirstHalf, lines(100));
    let (_, message) = run(&dir, &["convert", &url, "-o", "out.csv"], 1);
    assert!(
        message.contains("the server sent only bytes 0-"),
        "{message}"
    );
    assert!(!dir.exists("out.csv"));
}

/// Regression test: the manifest had the version of the input at a later request, so a resumed run kept rows of an
/// older version.
#[test]
fn a_manifest_has_the_version_that_was_read() {
    let (dir, server) = (TestDir::new(), Server::start());
    let url = server.add("a.txt", Behaviour::Renewed, lines(7));
    run(&dir, &["convert", &url, "-o", "out/", "--resume"], 0);
    let manifest: serde_json::Value =
        serde_json::from_slice(&dir.read("out/_manifest.json")).unwrap();
    assert_eq!(server.requests("a.txt"), 1);
    assert_eq!(manifest["inputs"][0]["state"], "\"v1\"");
    // With two inputs, each is requested twice: to detect its format, and to read its records.
    let other_url = server.add("b.txt", Behaviour::Good, lines(7));
    let (_, message) = run(&dir, &["convert", &url, &other_url, "-o", "two/"], 1);
    assert!(message.contains("it changed while"), "{message}");
}

/// Regression test: `user:password@` in an address was silently ignored.
#[test]
fn the_password_of_a_web_address_is_sent_but_not_in_clear_to_others() {
    let (dir, server) = (TestDir::new(), Server::start());
    let url = server.add("a.txt", Behaviour::Private, lines(7));
    let url_with_user = |user: &str| url.replace("http://", &format!("http://{user}@"));
    assert_eq!(rows(&dir, &url_with_user("user:p%40ss")), 7);
    for wrong in [
        url.clone(),
        url_with_user("user:HIDDEN"),
        url_with_user("HIDDEN"),
    ] {
        let (_, message) = run(&dir, &["validate", &wrong], 1);
        assert!(
            message.contains("access denied") && !message.contains("HIDDEN"),
            "{message}"
        );
    }
    let (_, message) = run(
        &dir,
        &["validate", "http://user:HIDDEN@example.org/a.csv"],
        2,
    );
    assert!(
        message.contains("only sent by https") && !message.contains("HIDDEN"),
        "{message}"
    );
}

#[test]
fn a_web_page_in_place_of_a_dataset_is_named_in_the_error() {
    let (dir, server) = (TestDir::new(), Server::start());
    let page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>";
    let url = server.add("a.csv", Behaviour::Good, page);
    let (_, message) = run(&dir, &["validate", &url], 3);
    assert!(
        message.contains("a web page (HTML)") && message.contains("login"),
        "{message}"
    );
}

/// Regression test: all objects of a folder were unreadable if the folder had an empty object as its marker, or
/// one key that is not a valid path.
#[test]
fn folder_markers_and_invalid_keys_do_not_prevent_reading_a_folder() {
    let (Some(bucket), dir) = (Bucket::new("odd"), TestDir::new()) else {
        return;
    };
    let text = format!("{PUZZLE}\n");
    for key in [
        "in/a.csv",
        "in/b%5Bc%5D.csv",
        "in/bc.csv",
        "in//x.csv",
        "in/t%09b.csv",
        "in/d%7F.csv",
    ] {
        bucket.put(key, text.as_bytes());
    }
    for marker in ["in/", "in/sub/", "in/sub_$folder$"] {
        bucket.put(marker, b"");
    }
    bucket.put("in/sub/more.csv", text.as_bytes());
    bucket.put("in/../up.csv", text.as_bytes());
    bucket.put("in/../up.csv", text.as_bytes());
    for (input, expected) in [
        ("in/", 7),
        ("in/**", 7),
        ("in/*.csv", 5),
        ("in/b[c].csv", 1),
        ("in/b?c?.csv", 1),
        ("in//", 1),
        ("in//x.csv", 1),
        ("in/t\tb.csv", 1),
        ("in/sub/*", 1),
    ] {
        assert_eq!(rows(&dir, &bucket.url(input)), expected, "{input:?}");
    }
    let bucket_itself = bucket.url("");
    assert_eq!(rows(&dir, bucket_itself.trim_end_matches('/')), 7);
    let (_, message) = run(&dir, &["validate", &bucket.url("in")], 2);
    assert!(message.contains("end its name with /"), "{message}");
    let (_, message) = run(&dir, &["validate", &bucket.url("in/")], 0);
    assert!(
        message.contains("(../up.csv)"),
        "a key that cannot be read is named: {message}"
    );
    let (_, message) = run(&dir, &["validate", &bucket.url("in/../up.csv")], 2);
    assert!(message.contains("the segment . or .."), "{message}");
    let (_, message) = run(&dir, &["validate", "s3://there-is-none/in/"], 1);
    assert!(
        message.contains("there is no such bucket") && !message.contains('<'),
        "{message}"
    );
    let output = bucket.url("out//x.csv");
    let (_, message) = run(
        &dir,
        &["convert", &bucket.url("in/a.csv"), "-o", &output],
        2,
    );
    assert!(message.contains("is not written"), "{message}");

    // The parts of a folder have the names of their inputs, and a resumed run processes no input again.
    let arguments = [
        "convert",
        &bucket.url("in/"),
        "-o",
        &bucket.url("out/"),
        "--resume",
    ];
    run(&dir, &arguments, 0);
    bucket.put("out/sub/", b"");
    let (_, message) = run(&dir, &arguments, 0);
    assert!(message.contains("7 kept from"), "{message}");
    let part_names = bucket
        .names("out")
        .iter()
        .filter(|name| name.starts_with("part-"))
        .count();
    assert_eq!(part_names, 7);
}

/// Regression test: `br[a].csv` was read as a pattern, which gave the rows of `bra.csv`.
#[test]
fn a_key_with_brackets_is_read_by_its_name_if_there_is_such_an_object() {
    let (Some(bucket), dir) = (Bucket::new("brackets"), TestDir::new()) else {
        return;
    };
    bucket.put("in/br%5Ba%5D.csv", lines(1).as_bytes());
    bucket.put("in/bra.csv", lines(2).as_bytes());
    bucket.put("in/x%5B1.csv", lines(3).as_bytes());
    assert_eq!(rows(&dir, &bucket.url("in/br[a].csv")), 1);
    assert_eq!(rows(&dir, &bucket.url("in/br[ab].csv")), 2);
    assert_eq!(rows(&dir, &bucket.url("in/br[[]a].csv")), 1);
    assert_eq!(rows(&dir, &bucket.url("in/x[1.csv")), 3);
    let missing = bucket.url("in/y[1.csv");
    let (_, message) = run(&dir, &["validate", &missing], 2);
    assert!(message.contains(&missing), "{message}");
}

/// Regression test: each of these ended with a panic, or was repeated for a minute, or read another bucket.
#[test]
fn addresses_and_variables_that_cannot_be_used_are_usage_errors() {
    let dir = TestDir::new();
    let refused = |input: &str, variable: &str, value: &str| {
        let mut command = command(&dir, &["convert", input, "-o", "-", "--format", "csv"]);
        let output = command.env(variable, value).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{input} {variable}={value:?}"
        );
        stderr(&output)
    };
    for (input, variable, value) in [
        ("s3://spot/one.csv", "AWS_REGION", "us-east-1 "),
        ("s3://spot/one.csv", "AWS_REGION", "<region>"),
        ("s3://spot/one.csv", "AWS_ENDPOINT", "127.0.0.1:6201"),
        ("s3://spot/one.csv", "AWS_ENDPOINT_URL", "http://[::1"),
        ("s3://spot/one.csv", "AWS_METADATA_ENDPOINT", "garbage"),
        ("az://spot/one.csv", "AZURE_AUTHORITY_HOST", "garbage"),
        ("gs://spot/one.csv", "GOOGLE_BASE_URL", "garbage"),
    ] {
        let message = refused(input, variable, value);
        assert!(message.contains(variable), "{message}");
    }
    for address in [
        "s3://spot#x/one.csv",
        "s3://spot:80/one.csv",
        "s3://b b/one.csv",
        "s3://[b]/one.csv",
        "http://127.0.0.1:99999/x",
        "http://[::1/x",
    ] {
        let message = refused(address, "AWS_FOO", "a\nb");
        assert!(message.contains(&address[..9]), "{message}");
    }
    let s3_input = "s3://spot/one.csv";
    let message = refused(s3_input, "AWS_SECRET_ACCESS_KEY", "");
    assert!(
        message.contains("AWS_SECRET_ACCESS_KEY is not"),
        "{message}"
    );
    let message = refused(s3_input, "AWS_ACCESS_KEY_ID", "");
    assert!(message.contains("AWS_ACCESS_KEY_ID is not"), "{message}");
}

#[test]
fn credentials_of_azure_that_cannot_be_used_are_usage_errors() {
    let dir = TestDir::new();
    let account = ("AZURE_STORAGE_ACCOUNT_NAME", "a");
    let connection = "AZURE_STORAGE_CONNECTION_STRING";
    for (variables, expected) in [
        (vec![], "AZURE_STORAGE_ACCOUNT_NAME"),
        (
            vec![account, ("AZURE_STORAGE_ACCOUNT_KEY", "b b")],
            "AZURE_STORAGE_ACCOUNT_KEY",
        ),
        (
            vec![account, ("AZURE_STORAGE_SAS_TOKEN", "planted")],
            "AZURE_STORAGE_SAS_KEY",
        ),
        (
            vec![account, ("AZURE_CLIENT_SECRET", "planted")],
            "AZURE_TENANT_ID",
        ),
        (
            vec![(connection, "AccountKey=planted")],
            "it has no AccountName",
        ),
        (vec![(connection, "planted")], connection),
        (
            vec![(connection, "AccountName=a;AccountKey=planted!")],
            "AZURE_STORAGE_ACCOUNT_KEY",
        ),
    ] {
        let mut command = command(&dir, &["validate", "az://spot/one.csv"]);
        let output = command.envs(variables.clone()).output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{variables:?}: {message}");
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains("planted"), "{message}");
    }
}

/// The request is sent to the endpoint in the connection string.
#[test]
fn a_connection_string_of_azure_is_read() {
    let (dir, server) = (TestDir::new(), Server::start());
    let address = server.add("spot/one.csv", Behaviour::Good, lines(3));
    let endpoint = address.trim_end_matches("/spot/one.csv");
    let text = format!("AccountName=acc;AccountKey=a2V5;BlobEndpoint={endpoint}");
    let mut command = command(&dir, &["validate", "az://spot/one.csv"]);
    command.env("AZURE_STORAGE_CONNECTION_STRING", text);
    command.output().unwrap();
    assert_eq!(server.requests("spot/one.csv"), 1);
}

/// Regression test: a scheme in capitals, and empty variables, were refused.
#[test]
fn an_address_in_capitals_is_used_and_an_empty_variable_is_unset() {
    let (Some(bucket), dir) = (Bucket::new("capitals"), TestDir::new()) else {
        return;
    };
    bucket.put("a.csv", lines(3).as_bytes());
    let endpoint = std::env::var("S3_TEST_ENDPOINT").unwrap();
    let endpoint = endpoint.replace("http://", "HTTP://");
    let output = command(&dir, &["validate", &bucket.url("a.csv")])
        .env("AWS_ENDPOINT_URL", endpoint)
        .env("AWS_ENDPOINT_URL_S3", "")
        .env("AWS_ENDPOINT", "")
        .env("AWS_SESSION_TOKEN", "")
        .env("AWS_FOO", "a\nb")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
