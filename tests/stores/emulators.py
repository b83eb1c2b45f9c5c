"""Runs az://, gs:// and s3:// against servers of this machine, which the package registries have.

    python3 tests/stores/emulators.py target/debug/pipeline [--short]

- az://: Azurite, Microsoft's emulator (npm package `azurite`).
- gs://: no emulator that is in a registry takes the XML requests that object_store sends: fake-gcs-server refuses the PUT of an
  object ("invalid uploadType"). Google Cloud Storage's XML interface is that of S3 but for its headers, so moto's S3 server stands
  in, with a layer that translates the headers for authorization and for conditional puts.
- s3://: s3rver (npm package `s3rver`), beside moto, since each server forgives something else. It ignores the conditions of puts.

What cannot be installed is skipped, and said.
"""

import base64
import datetime
import email.utils
import hashlib
import hmac
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIPELINE = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

MOTO = """
import sys
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

moto = DomainDispatcherApplication(create_backend_app)
versions = iter(range(1, 1 << 62))

def translated(environ, start):
    environ["HTTP_AUTHORIZATION"] = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request"
    if environ.get("HTTP_X_GOOG_IF_GENERATION_MATCH") == "0":
        environ["HTTP_IF_NONE_MATCH"] = "*"
    def started(status, headers, *more):
        return start(status, [*headers, ("x-goog-generation", str(next(versions)))], *more)
    return moto(environ, started)

run_simple("127.0.0.1", int(sys.argv[1]), translated, threaded=True)
"""


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(port, server):
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if server.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.1)
    sys.exit("the server does not answer")


def npm_program(package, version, program):
    """Installs an npm package into target/. Returns the path of its program; None, and says so, if it cannot be installed."""
    folder = ROOT / "target" / package
    path = folder / "node_modules" / ".bin" / program
    if path.exists():
        return path
    if not shutil.which("npm"):
        return print(f"SKIPPED: {package}, because npm is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--silent", "--no-audit", "--no-fund", "--prefix", folder]
    try:
        subprocess.run(["npm", "install", *options, f"{package}@{version}"], cwd=folder, check=True, timeout=300)
    except subprocess.SubprocessError:
        return print(f"SKIPPED: {package}, because npm cannot install it")
    return path


def azurite(place):
    """Starts Azurite with a container. Returns the process, the address of the container and the variables."""
    program = npm_program("azurite", "3", "azurite-blob")
    if not program:
        return None
    port = free_port()
    options = ["--silent", "--disableTelemetry", "--skipApiVersionCheck", "--inMemoryPersistence", "--blobHost", "127.0.0.1"]
    server = subprocess.Popen([program, *options, "--blobPort", str(port)], cwd=place, stdout=subprocess.DEVNULL)
    wait_for(port, server)
    # The account that every Azurite has, with its key.
    account = "devstoreaccount1"
    key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
    headers = {"x-ms-date": email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc), usegmt=True), "x-ms-version": "2021-08-06"}
    lines = ["PUT", *[""] * 11, *(f"{name}:{value}" for name, value in headers.items()), f"/{account}/{account}/ctr", "restype:container"]
    signature = hmac.new(base64.b64decode(key), "\n".join(lines).encode(), hashlib.sha256).digest()
    headers["Authorization"] = f"SharedKey {account}:{base64.b64encode(signature).decode()}"
    address = f"http://127.0.0.1:{port}/{account}/ctr?restype=container"
    urllib.request.urlopen(urllib.request.Request(address, method="PUT", headers=headers)).close()
    return server, "az://ctr", {
        "AZURE_STORAGE_CONNECTION_STRING": "UseDevelopmentStorage=true",
        "AZURITE_BLOB_STORAGE_URL": f"http://127.0.0.1:{port}",
    }  # fmt: skip


def moto(place):
    """Starts moto's S3 server in place of Google Cloud Storage, with a bucket."""
    environment = ROOT / "target" / "moto"
    python = environment / "bin" / "python"
    if not (environment / "bin" / "moto_server").exists():
        venv.create(environment, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "moto[server]==5.*"], check=True)
    port = free_port()
    log = open(place / "moto.log", "w")
    server = subprocess.Popen([python, "-c", MOTO, str(port)], stdout=log, stderr=log)
    wait_for(port, server)
    address = f"http://127.0.0.1:{port}"
    urllib.request.urlopen(urllib.request.Request(f"{address}/bkt", method="PUT")).close()
    key = place / "key.json"
    key.write_text(f'{{"gcs_base_url": "{address}", "disable_oauth": true, "client_email": "", "private_key": "", "private_key_id": ""}}')
    return server, "gs://bkt", {"GOOGLE_SERVICE_ACCOUNT": str(key)}


def s3rver(place):
    """Starts s3rver with a bucket. Returns like `azurite`."""
    program = npm_program("s3rver", "3", "s3rver")
    if not program:
        return None
    port = free_port()
    options = ["--silent", "--address", "127.0.0.1", "--port", str(port), "--no-vhost-buckets", "--configure-bucket", "bkt"]
    server = subprocess.Popen([program, "--directory", place / "s3rver", *options], cwd=place, stdout=subprocess.DEVNULL)
    wait_for(port, server)
    return server, "s3://bkt", {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "S3RVER",
        "AWS_SECRET_ACCESS_KEY": "S3RVER",
        "AWS_REGION": "us-east-1",
    }  # fmt: skip


def check(place, bucket, variables, short):
    """Runs commands that read, write, replace and resume, and two at the same time. A short run ends after a folder was
    written. Returns the number of runs."""
    has_conditions = not bucket.startswith("s3://")
    environment = {"PATH": os.environ["PATH"], "PIPELINE_STORE_TIMEOUT": "10"} | variables
    runs = 0

    def start(*arguments):
        nonlocal runs
        runs += 1
        return subprocess.Popen([PIPELINE, *arguments], cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(code, *arguments):
        process = start(*arguments)
        try:
            out, said = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(arguments, "no end after two minutes") from None
        assert process.returncode == code, (arguments, process.returncode, said)
        return said or out

    def rows(inputs):
        return json.loads(run(0, "validate", f"{bucket}/{inputs}", "--quiet", "--summary", "-"))["rows_in"]

    table = "puzzle,id\n" + "".join(f"{PUZZLE},{row}\n" for row in range(100))
    for name in ("a", "b", "c d%20é"):
        (place / f"{name}.csv").write_text(table)
        said = run(0, "convert", f"{name}.csv", "-o", f"{bucket}/in/{name}.csv")
        assert ("would not be noticed" in said) != has_conditions, said
    # An existing object is only replaced with --overwrite.
    run(4, "convert", "a.csv", "-o", f"{bucket}/in/a.csv")
    run(0, "convert", "a.csv", "-o", f"{bucket}/in/a.csv", "--overwrite")
    for inputs, expected in [("in/", 300), ("in/*.csv", 300), ("in/[ab].csv", 200), ("in/c d%20é.csv", 100)]:
        assert rows(inputs) == expected, inputs
    assert "end its name with /" in run(2, "validate", f"{bucket}/in")
    assert "there is no such" in run(1, "validate", f"{bucket}/none.csv")
    # An upload with several parts, and Parquet that is read in ranges.
    rng = random.Random(1)
    (place / "big.csv").write_text("puzzle,id\n" + "".join(f"{PUZZLE},{rng.random()}\n" for _ in range(250_000)))
    run(0, "convert", "big.csv", "-o", f"{bucket}/big.csv")
    run(0, "convert", f"{bucket}/big.csv", "-o", "back.csv")
    assert (place / "back.csv").read_bytes() == (place / "big.csv").read_bytes()
    run(0, "convert", "big.csv", "-o", f"{bucket}/big.parquet")
    run(0, "convert", f"{bucket}/big.parquet", "-o", "parquet.csv")
    assert (place / "parquet.csv").read_bytes() == (place / "big.csv").read_bytes()
    # A folder is resumed, replaced, and refused.
    grade = ["grade", f"{bucket}/in/", "-o", f"{bucket}/out/"]
    run(0, *grade)
    if short:
        return runs
    run(4, *grade)
    assert "300 kept from" in run(0, *grade, "--resume")
    run(0, "convert", "a.csv", "-o", f"{bucket}/in/new.csv")
    assert "300 kept from" in run(0, *grade, "--resume")
    run(0, *grade, "--overwrite")
    assert rows("out/") == 400
    run(0, "split", f"{bucket}/in/", "-o", f"{bucket}/split/", "--into", "a=0.5,b=0.5")
    run(0, "split", f"{bucket}/in/", "-o", f"{bucket}/split/", "--into", "c=0.5,d=0.5", "--overwrite")
    if not has_conditions:
        return runs
    # Of two runs with the same output at the same time, at least one succeeds, and the other exits with 1 or
    # 4.
    for number in range(5):
        both = [start("grade", f"{bucket}/in/{name}", "-o", f"{bucket}/both{number}/") for name in ("", "a.csv")]
        codes = sorted(process.wait(timeout=300) for process in both)
        assert codes in ([0, 1], [0, 4]), codes
    return runs


def main():
    failed = False
    short = "--short" in sys.argv[2:]
    for begin in (azurite, moto, s3rver):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            started = begin(place)
            if not started:
                continue
            server, bucket, variables = started
            try:
                print(f"{bucket}: {check(place, bucket, variables, short)} runs, as expected")
            except AssertionError as error:
                failed = True
                print(f"FAILED: {bucket}: {error}")
            finally:
                server.terminate()
                server.wait()
    sys.exit(failed)


main()
