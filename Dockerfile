# The binary with all features in a small image, without a shell and without root:
#   docker build -t pipeline . && docker run --rm -v "$PWD:/data" pipeline grade /data/millions.csv.gz -o /data/graded.parquet
# It is made by the recipe of the release archives. Its licences, SBOM and manual pages are in /usr/share/doc/pipeline.
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev python3 \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN .ci/dist && mkdir /out && tar -xzf target/dist/pipeline-*.tar.gz --strip-components 1 -C /out

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /out/pipeline /usr/local/bin/pipeline
COPY --from=build /out /usr/share/doc/pipeline
WORKDIR /data
ENTRYPOINT ["/usr/local/bin/pipeline"]
