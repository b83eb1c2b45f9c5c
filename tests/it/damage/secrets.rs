//! Tests secrets in addresses. They are refused in addresses of stores, and are never shown in messages and
//! tables.

use crate::util::{PUZZLE, TestDir, stderr};

/// Regression test: the key of `s3://KEY:SECRET@bucket/x.csv` was in every row of the column `source`, and
/// in messages and summaries.
#[test]
fn secrets_in_addresses_are_refused_and_not_shown() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for address in [
        "s3://KEYID:HIDDEN@bucket/x.csv",
        "az://container/x.csv?sv=1&sig=HIDDEN",
        "s3://bucket/x.csv?X-Amz-Signature=HIDDEN",
        "abfss://container:HIDDEN@account.dfs.core.windows.net/x.csv",
        "ftp://user:HIDDEN@host/x.csv",
        "postgres://user:HIDDEN@host/x.csv",
    ] {
        for arguments in [
            &[
                "convert",
                address,
                "-o",
                "out.csv",
                "--summary",
                "summary.json",
            ][..],
            &["grade", address, "-o", "out.csv", "--log-format", "json"],
            &["convert", "in.txt", "-o", address],
            &["convert", "in.txt", "-o", "out.csv", "--rejects", address],
            &["inspect", address],
            &["overlap", "in.txt", address],
        ] {
            let output = dir.run(arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            let message = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
            assert!(!message.contains("HIDDEN"), "{arguments:?}: {message}");
            if dir.exists("summary.json") {
                let summary = String::from_utf8(dir.read("summary.json")).unwrap();
                assert!(!summary.contains("HIDDEN"), "{summary}");
            }
        }
    }
}
