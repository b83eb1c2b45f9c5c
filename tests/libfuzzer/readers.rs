//! Any file is rows and rejects or a refusal.
#![no_main]

#[path = "../it/fuzz/check.rs"]
mod check;
#[path = "../it/fuzz/cover.rs"]
mod cover;

use std::path::PathBuf;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let folder = std::env::temp_dir();
    let path: PathBuf = folder.join(format!("libfuzzer-{}", std::process::id()));
    std::fs::write(&path, bytes).expect("the folder for temporary files can be written");
    check::check(&path, bytes, None);
});
