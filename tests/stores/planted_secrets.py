"""Plants secrets wherever users put them, makes requests fail, and searches all bytes that are written for them.

    python3 tests/stores/planted_secrets.py target/debug/pipeline          # a small part of it, as CI does
    python3 tests/stores/planted_secrets.py target/debug/pipeline --all    # each plant x each failure x each command

The binary needs the feature `cloud`. A secret counts as found if it is,
plain, percent-encoded or in base64, in standard output, in standard error (text and JSON, at the level `debug`) or in any
file that the run leaves: tables, manifests, journals, summary, metrics, report, page, card, pictures.
"""

import argparse
import base64
import concurrent.futures
import http.server
import itertools
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TABLE = ("puzzle,id\n" + "".join(f"{PUZZLE},{n}\n" for n in range(50)) + "no puzzle,51\n").encode()

# The server's behaviour, by the first part of the request path. Requests of `refused` and `nowhere` do not
# reach it.
FAILURES = [
    "good", "500", "403", "404", "400", "416", "reset", "cut", "long", "redirect", "page", "refused", "nowhere",
]  # fmt: skip


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        failure = self.path.lstrip("/").split("/")[0].split("?")[0]
        if failure == "reset":
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.close_connection = True
            return self.connection.close()
        if failure == "redirect":
            # Redirects to a signed address that contains the secrets of the request.
            query = self.path.partition("?")[2] or self.headers.get("Authorization", "")
            return self.send(302, b"", {"Location": f"/500/one.csv?X-Amz-Signature={query.split('/')[0]}"})
        if failure == "page":
            return self.send(200, b"<!DOCTYPE html><html><title>Sign in</title></html>", {})
        if failure.isdigit():
            # An error that quotes the request, as S3 servers do.
            told = f"{self.path} {self.headers}".replace("<", "").replace("&", "&amp;")
            body = f"<?xml version='1.0'?>\n<Error><Code>Failure{failure}</Code><Message>no</Message><Got>{told}</Got></Error>"
            return self.send(int(failure), body.encode(), {"Content-Type": "application/xml"})
        if "list-type=2" in self.path or "comp=list" in self.path:
            # An empty listing, valid for S3 and for Azure.
            listing = b"<ListBucketResult><Blobs></Blobs></ListBucketResult>"
            return self.send(200, listing, {})
        if self.command not in ("GET", "HEAD"):
            return self.send(200, b"", {"ETag": '"2"'})
        if not self.path.split("?")[0].endswith("one.csv"):
            return self.send(404, b"", {})
        stamps = {"ETag": '"1"', "Last-Modified": "Mon, 05 Jan 2026 00:00:00 GMT"}
        if failure == "cut":
            self.close_connection = True
            return self.send(200, TABLE[:1000], stamps, len(TABLE))
        if failure == "long":
            self.close_connection = True
            return self.send(200, TABLE, stamps, len(TABLE) + 100)
        self.send(200, TABLE, stamps)

    def send(self, status, body, headers, length=None):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

    def log_message(self, *_):
        pass


def plants(port, folder):
    """The places for secrets: a name, and a function that makes an address and variables from a failure and a
    secret."""

    def host(failure):
        return {"refused": "127.0.0.1:9", "nowhere": "127.0.0.1.invalid:80"}.get(failure, f"127.0.0.1:{port}")

    def web(text):
        # A host other than this machine is only used with https.
        def address(failure, secret):
            scheme = "https" if failure == "nowhere" else "http"
            return text.format(scheme=scheme, host=host(failure), failure=failure, secret=secret), {}

        return address

    def store(address, **variables):
        def plant_in_store(failure, secret):
            endpoint = f"http://{host(failure)}"
            usual = {
                "AWS_ENDPOINT_URL": endpoint,
                "AWS_ACCESS_KEY_ID": "AKID",
                "AWS_SECRET_ACCESS_KEY": "unplanted",
                "AZURE_STORAGE_ENDPOINT": endpoint,
                "AZURE_STORAGE_ACCOUNT_NAME": "account",
                "GOOGLE_BASE_URL": endpoint,
            }
            values = dict(host=host(failure), secret=secret, encoded=base64.b64encode(secret.encode()).decode())
            own = {name: value(secret) if callable(value) else value.format(**values) for name, value in variables.items()}
            return address.format(failure=failure, secret=secret), usual | own

        return plant_in_store

    def key_text(secret):
        return f'{{"type": "service_account", "client_email": "a@b", "private_key_id": "1", "private_key": "-----BEGIN PRIVATE KEY-----\\n{secret}"}}'

    def key_file(secret):
        path = folder / f"{secret}.key".replace(secret, str(abs(hash(secret))))
        path.write_text(key_text(secret))
        return str(path)

    s3, gs, az = "s3://{failure}/one.csv", "gs://{failure}/one.csv", "az://{failure}/one.csv"
    return {
        "password of a web address": web("{scheme}://user:{secret}@{host}/{failure}/one.csv"),
        "user of a web address": web("{scheme}://{secret}@{host}/{failure}/one.csv"),
        "signature of AWS": web("{scheme}://{host}/{failure}/one.csv?X-Amz-Signature={secret}&X-Amz-Date=1"),
        "signature of Google": web("{scheme}://{host}/{failure}/one.csv?X-Goog-Signature={secret}"),
        "signature of Azure": web("{scheme}://{host}/{failure}/one.csv?sv=1&sig={secret}"),
        "token of a web address": web("{scheme}://{host}/{failure}/one.csv?token={secret}#{secret}"),
        "address with a blank": web(" {scheme}://user:{secret}@{host}/{failure}/one.csv?sig={secret}"),
        "address with one slash": web("{scheme}:/user:{secret}@{host}/{failure}/one.csv?sig={secret}"),
        "unknown address": web("ftp://user:{secret}@{host}/{failure}/one.csv?sig={secret}"),
        "s3://KEY:SECRET@": store("s3://AKID:{secret}@{failure}/one.csv"),
        "signed s3://": store(s3 + "?X-Amz-Signature={secret}"),
        "signed az://": store(az + "?sv=1&sig={secret}"),
        "AWS_SECRET_ACCESS_KEY": store(s3, AWS_SECRET_ACCESS_KEY="{secret}"),
        "AWS_SECRET_ACCESS_KEY with a line end": store(s3, AWS_SECRET_ACCESS_KEY="{secret}\n"),
        "AWS_SESSION_TOKEN": store(s3, AWS_SESSION_TOKEN="{secret}"),
        "AWS_SESSION_TOKEN with a line end": store(s3, AWS_SESSION_TOKEN="{secret}\n"),
        "AWS_ENDPOINT_URL": store(s3, AWS_ENDPOINT_URL="http://user:{secret}@{host}"),
        "AWS_ENDPOINT_URL without a scheme": store(s3, AWS_ENDPOINT_URL="user:{secret}@{host}"),
        "AZURE_STORAGE_ACCOUNT_KEY": store(az, AZURE_STORAGE_ACCOUNT_KEY="{encoded}"),
        "AZURE_STORAGE_ACCOUNT_KEY, not base64": store(az, AZURE_STORAGE_ACCOUNT_KEY="{secret}!"),
        "AZURE_STORAGE_SAS_KEY": store(az, AZURE_STORAGE_SAS_KEY="sv=1&sig={secret}"),
        "AZURE_STORAGE_TOKEN": store(az, AZURE_STORAGE_TOKEN="{secret}"),
        "AZURE_STORAGE_CLIENT_SECRET": store(
            az,
            AZURE_STORAGE_CLIENT_ID="id",
            AZURE_STORAGE_CLIENT_SECRET="{secret}",
            AZURE_STORAGE_TENANT_ID="tenant",
            AZURE_STORAGE_AUTHORITY_HOST="http://{host}/400",
        ),
        "GOOGLE_APPLICATION_CREDENTIALS with the text of the key": store(gs, GOOGLE_APPLICATION_CREDENTIALS=key_text),
        "GOOGLE_SERVICE_ACCOUNT with the text of the key": store(gs, GOOGLE_SERVICE_ACCOUNT=key_text),
        "GOOGLE_SERVICE_ACCOUNT_KEY": store(gs, GOOGLE_SERVICE_ACCOUNT_KEY=key_text),
        "GOOGLE_SERVICE_ACCOUNT_KEY, cut": store(gs, GOOGLE_SERVICE_ACCOUNT_KEY=lambda secret: key_text(secret)[:-1]),
        "file of GOOGLE_SERVICE_ACCOUNT": store(gs, GOOGLE_SERVICE_ACCOUNT=key_file),
        "password of a proxy": store("s3://{failure}/one.csv", HTTP_PROXY="http://user:{secret}@{host}"),
    }  # fmt: skip


COMMANDS = {
    "grade": ["grade", "IN", "-o", "out.csv", "--rejects", "bad.csv", "--report", "report.json"],
    "grade parquet": ["grade", "IN", "-o", "out.parquet"],
    "folder": ["grade", "IN", "-o", "out/", "--resume"],
    "keep going": ["convert", "IN", "-o", "out/", "--max-damaged=100%", "--resume"],
    "twice": ["convert", "IN", "IN", "-o", "out.csv"],
    "folders and patterns": ["convert", "IN/", "IN*", "-o", "out.ndjson"],
    "inspect": ["inspect", "IN"],
    "overlap": ["overlap", "in.csv", "IN", "-o", "overlap.csv"],
    "other columns": ["convert", "in.csv", "other.parquet", "IN", "-o", "out.csv"],
    "validate": ["validate", "IN", "--summary", "-"],
    "page": ["report", "IN", "-o", "page.html", "--card", "card.md"],
    "statistics": ["stats", "IN", "-o", "statistics.json"],
    "output": ["convert", "in.csv", "-o", "IN"],
    "output folder": ["grade", "in.csv", "-o", "IN/", "--overwrite"],
    "rejects": ["convert", "in.csv", "-o", "out.csv", "--rejects", "IN"],
    "split": ["split", "IN", "-o", "split/", "--into", "a=0.5,b=0.5"],
    "title": ["generate", "--count", "1", "-o", "made.csv", "--summary", "IN"],
}
WITH_SUMMARY = {"grade", "grade parquet", "folder", "keep going", "twice", "folders and patterns", "output", "rejects", "split"}


def trial(pipeline, plant, failure, command, log, number):
    """Runs a command. Returns its exit code, and the places where the secret was found."""
    secret = f"HIDDEN{number:05}x"
    name, planted = plant
    address, variables = planted(failure, secret)
    arguments = [text.replace("IN", address) if "IN" in text else text for text in COMMANDS[command]]
    if command in WITH_SUMMARY:
        arguments += ["--summary", "summary.json", "--metrics", "metrics.prom"]
    if log:
        arguments += ["--log-format", log]
    arguments += ["--log-level", "debug"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PIPELINE_STORE_TIMEOUT": "1", "RUST_LOG": "trace", "RUST_BACKTRACE": "1"}
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "in.csv").write_bytes(TABLE)
        done = subprocess.run(
            [pipeline, *arguments], cwd=place, env=environment | variables, capture_output=True, timeout=120
        )
        written = {"standard output": done.stdout, "standard error": done.stderr}
        for path in place.rglob("*"):
            inside = path.relative_to(place)
            written[f"the name {inside}"] = os.fsencode(inside)
            if path.is_file():
                written[str(inside)] = path.read_bytes()
    needles = [secret.encode()]
    for before in ("", "user:", "AKID:", ":"):
        # The last characters are left out, because they depend on the text that follows.
        needles.append(base64.b64encode((before + secret).encode())[:-4])
    found = [where for where, text in written.items() if any(needle in text for needle in needles)]
    return done.returncode, found, written


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="each plant with each failure and each command")
    parser.add_argument("--workers", type=int, default=4 * (os.cpu_count() or 1))
    parser.add_argument("--show", action="store_true", help="print the text in which a secret was found")
    arguments = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    codes, shown, bytes_searched = {}, [], 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.workers) as pool:
        all_plants = list(plants(server.server_port, pathlib.Path(folder)).items())
        trials = list(itertools.product(all_plants, FAILURES, COMMANDS))
        if not arguments.all:
            # Each place and each failure are combined once, with the commands in turn.
            names = itertools.cycle(COMMANDS)
            trials = [(plant, failure, next(names)) for plant, failure in itertools.product(all_plants, FAILURES)]
        pipeline = arguments.pipeline.resolve()
        running = {
            pool.submit(trial, pipeline, plant, failure, command, ["", "json"][number % 2], number): (plant[0], failure, command)
            for number, (plant, failure, command) in enumerate(trials)
        }
        for future in concurrent.futures.as_completed(running):
            code, found, written = future.result()
            codes[code] = codes.get(code, 0) + 1
            bytes_searched += sum(map(len, written.values()))
            if found or code not in (0, 1, 2, 3, 4):
                shown.append((*running[future], code, found))
                if arguments.show:
                    for where in found or ["standard error"]:
                        print(running[future], where, written[where][:2000].decode(errors="replace"))
    counts = ", ".join(f"{count} with exit code {code}" for code, count in sorted(codes.items()))
    for plant, failure, command, code, found in sorted(shown):
        print(f"FOUND: {plant}; failure {failure}; command {command}; exit code {code}: {', '.join(found)}")
    print(
        f"{len(trials)} runs ({counts}): {len(all_plants)} plants, {len(FAILURES)} failures, {len(COMMANDS)} commands; "
        f"{bytes_searched:,} bytes searched; {len(shown)} runs with a secret or a crash"
    )
    # At least one run has to succeed; otherwise nothing was searched.
    sys.exit(bool(shown) or not codes.get(0))


main()
