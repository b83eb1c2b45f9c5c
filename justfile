# Recipes for working on pipeline; `just` lists them.

_default:
    @just --list

# The release binary: target/release/pipeline
build:
    cargo build --release --locked

# The release binary for trying out changes of sudoku-core: a changed line of the core takes 25 to 55 s of processor time
# instead of 86, and puzzles take 3 to 13 % longer. Never measure with it.
quick:
    CARGO_INCREMENTAL=1 cargo build --release --locked --config profile.release.package.sudoku-core.codegen-units=256

# The same binary with the names and versions of its dependencies in it, for `cargo audit bin`
auditable:
    cargo auditable build --release --locked

# The archive of a release in target/dist, with its checksum: binary of all features, licences, SBOM, man pages,
# completions. TARGET for another glibc than this machine's: just dist dist x86_64-unknown-linux-gnu.2.17
dist PROFILE="dist" TARGET="":
    .ci/dist --profile {{PROFILE}} {{ if TARGET == "" { "" } else { "--target " + TARGET } }}

# The wheel of a release in target/wheels, for every Linux with glibc 2.17 or later, or for this system
wheels:
    .ci/wheels

# The documents as a site: target/book/index.html
book:
    .ci/tool mdbook
    python3 tests/links.py
    target/tools/bin/mdbook build docs

# The crates as the registry would get them: target/package
package:
    cargo package --workspace --locked

# The pictures of the README: the report of the sample, and the chart of speed
pictures: build
    python3 docs/pictures/make.py target/release/pipeline

# Licences, bans and sources of the dependencies (see deny.toml)
deny:
    cargo deny --all-features check bans licenses sources

# Changed files and conditions for so many seconds a test, and random jobs for so many minutes
fuzz SECONDS="60" SEED="1":
    FUZZ_SECONDS={{SECONDS}} FUZZ_SEED={{SEED}} cargo test --release --locked --test it fuzz -- --nocapture --test-threads 1

# az:// with Azurite (npm), gs:// with a server of the same protocol
emulators:
    cargo build --locked --features cloud
    python3 tests/stores/emulators.py target/debug/pipeline

# A fault in each file call of every command that writes: hours
faults: build
    python3 tests/commits/commits.py target/release/pipeline --all

soak MINUTES="30": build
    python3 tests/soak/soak.py target/release/pipeline --minutes {{MINUTES}}

# All tests, as the README runs them
test:
    cargo test --release --locked

# The Python package as a wheel in target/wheels, installed into target/python, and its tests
python:
    .ci/python

# The tests with object stores, against an S3 server that is started for them
test-cloud:
    python3 tests/stores/cloud.py

# Each request of jobs in an object store, broken in each way: an hour
store-faults:
    cargo build --locked --features cloud
    python3 tests/stores/faults.py target/debug/pipeline --all

# The tests of stats and report, and their figures beside DuckDB's
test-statistics:
    cargo test --locked -p sudoku-pipeline --features cloud --lib --test it -- analytics report
    target/readers/bin/python tests/sql/stats.py target/debug/pipeline
    target/readers/bin/python tests/sql/stats_tables.py target/debug/pipeline
    target/readers/bin/python tests/sql/manual.py target/debug/pipeline

# What has to be clean before a commit
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    cargo clippy --workspace --all-targets --locked --features cloud -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# Speed; each bench asserts its counts
bench *FILES:
    cargo bench --locked --bench solve -- {{FILES}}
    cargo bench --locked --bench grade -- {{FILES}}

# Sudoku Explainer's ratings by class, of text files with a puzzle at the start of each line
bench-ratings +FILES:
    cargo bench --locked --bench rating -- --max=12 {{FILES}}

# The solver and the `sudoku` crate on the same files, one thread, and the ratios
bench-peers +FILES:
    cargo build --release --locked --manifest-path benches/peers/Cargo.toml
    cargo bench --locked --bench solve --no-run
    @(cargo bench --locked --quiet --bench solve -- {{FILES}}; benches/peers/target/release/peers {{FILES}}) \
        | awk '{ print; names[$2]; files[$3]; rate[$2, $3] = $4 } \
            END { for (file in files) for (name in names) if (name != "sudoku-crate") \
                printf "ratio %s %s %.2f\n", name, file, rate[name, file] / rate["sudoku-crate", file] }'

# Minimal puzzles a second of user time: ours with each kernel, the `sudoku` crate, and with QQWING that program
bench-generators COUNT="20000" QQWING="": build
    cargo build --release --locked --manifest-path benches/peers/Cargo.toml
    python3 benches/peers/generate.py {{COUNT}} target/release/pipeline --peers benches/peers/target/release/peers \
        {{ if QQWING == "" { "" } else { "--qqwing " + QQWING } }}

# tdoku on the same files, built from its checkout: `just bench-tdoku ../tdoku FILE…`
bench-tdoku CHECKOUT +FILES:
    mkdir -p target
    c++ -std=c++14 -O3 -march=native -DNDEBUG -I{{CHECKOUT}}/include benches/peers/tdoku.cc \
        {{CHECKOUT}}/src/solver_dpll_triad_simd.cc {{CHECKOUT}}/src/util.cc -o target/tdoku
    target/tdoku {{FILES}}

# Wall time of whole runs over that of inflating the same .csv.gz file
bench-end-to-end FILE:
    cargo bench --locked --bench end_to_end -- {{FILE}}

# The library's documentation, opened
docs:
    cargo doc --workspace --no-deps --open

# The samples in data/ made anew (see data/SOURCES.md)
samples: build
    data/make.sh target/release/pipeline
