# The binary in a small image: docker build -t pipeline . && docker run --rm -v "$PWD:/data" pipeline \
#   grade /data/millions.csv.gz -o /data/graded.parquet
# With object stores: docker build -t pipeline --build-arg FEATURES=cloud .
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
# The binary names its dependencies and their versions, for `cargo audit bin` and image scanners.
RUN cargo install --debug --locked cargo-auditable@0.7.7
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY crates crates
COPY python python
COPY src src
COPY benches benches
COPY tests tests
ARG FEATURES=
RUN cargo auditable build --release --locked --bin pipeline --features "$FEATURES"

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --no-create-home pipeline
COPY --from=build /src/target/release/pipeline /usr/local/bin/pipeline
USER pipeline
WORKDIR /data
ENTRYPOINT ["pipeline"]
