# Recipes for working on pipeline; `just` lists them.

_default:
    @just --list

# The release binary: target/release/pipeline
build:
    cargo build --release --locked

# All tests, as the README runs them
test:
    cargo test --release --locked

# The tests with object stores, against an S3 server that is started for them
test-cloud:
    python3 tests/cloud.py

# What has to be clean before a commit
check:
    cargo fmt --all --check
    cargo clippy --all-targets --locked -- -D warnings
    cargo clippy --all-targets --locked --features cloud -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked

# Speed; each bench asserts its counts
bench *FILES:
    cargo bench --locked --bench solve -- {{FILES}}
    cargo bench --locked --bench grade -- {{FILES}}

# Wall time of whole runs over that of inflating the same .csv.gz file
bench-end-to-end FILE:
    cargo bench --locked --bench end_to_end -- {{FILE}}

# The library's documentation, opened
docs:
    cargo doc --no-deps --open

# The samples in data/ made anew (see data/SOURCES.md)
samples: build
    data/make.sh target/release/pipeline
