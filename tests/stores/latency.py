"""Reads many small objects through a proxy that delays each request, and checks the number of requests and their overlap.

    python3 tests/stores/latency.py target/debug/pipeline ENDPOINT [OBJECTS]

The endpoint is that of moto's server, which `tests/stores/cloud.py` starts. With a number of objects, the script only
measures: it prints the requests and the seconds of each command.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from proxy import Proxy

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# The delay of each request, in seconds.
DELAY = 0.05
SIGNED = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"


class SlowProxy(Proxy):
    """Delays each request, and counts the requests that are under way at the same time."""

    def begin(self, *arguments):
        super().begin(*arguments)
        self.now, self.most = 0, 0

    def _answer(self, client, server, head, body):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            time.sleep(DELAY)
            return super()._answer(client, server, head, body)
        finally:
            with self.lock:
                self.now -= 1


class Trial:
    def __init__(self, binary, endpoint, objects):
        self.binary, self.endpoint, self.objects = binary, endpoint, objects
        self.bucket = f"slow{os.getpid()}"
        self.proxy = SlowProxy(urllib.parse.urlparse(endpoint).port)
        self.request("PUT", "")
        row = lambda number: f"{PUZZLE},{number}\n"
        for number in range(objects):
            self.put(f"in/k{number:05}.csv", "puzzle,id\n" + row(number) * 50)
        # Other objects of the folder, which a pattern does not name.
        for number in range(20):
            self.put(f"in/other{number}.csv", "puzzle,id\n" + row(number))

    def request(self, method, key, body=None):
        headers = {"Authorization": SIGNED, "Content-Type": "text/csv"}
        request = urllib.request.Request(f"{self.endpoint}/{self.bucket}/{key}", body, headers, method=method)
        urllib.request.urlopen(request, timeout=60).close()

    def put(self, key, text):
        self.request("PUT", key, text.encode())

    def run(self, name, *arguments):
        """Runs a command. Returns its requests, the seconds that it took, and the most requests at the same time."""
        environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.proxy.port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
        }
        arguments = [argument.replace("BUCKET", f"s3://{self.bucket}") for argument in arguments]
        self.proxy.begin(None, 0)
        start = time.time()
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([self.binary, *arguments], env=environment, cwd=folder, capture_output=True, text=True, timeout=3600)
        seconds = time.time() - start
        assert done.returncode == 0, (arguments, done.returncode, done.stderr)
        log = list(self.proxy.log)
        counts = {}
        for line in log:
            method, path = line.split(" ", 1)
            kind = method + (" list" if "list-type" in path else " input" if "/in/" in path else " other")
            counts[kind] = counts.get(kind, 0) + 1
        print(f"{name}: {len(log)} requests {counts}, at most {self.proxy.most} at once, {seconds:.1f} s", flush=True)
        return log, seconds, self.proxy.most


    def rows(self, inputs):
        """The number of rows of inputs, without the proxy."""
        environment = {"AWS_ENDPOINT_URL": self.endpoint, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
        command = [self.binary, "validate", inputs.replace("BUCKET", f"s3://{self.bucket}"), "--quiet", "--summary", "-"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["rows_in"]


def measure(trial):
    trial.run("convert a pattern", "convert", "BUCKET/in/k*.csv", "-o", "x.csv")
    trial.run("grade a pattern", "grade", "BUCKET/in/k*.csv", "-o", "x.csv")
    trial.run("into a folder", "convert", "BUCKET/in/k*.csv", "-o", "BUCKET/out/")
    trial.run("resumed", "convert", "BUCKET/in/k*.csv", "-o", "BUCKET/out/", "--resume")


def inputs_of(log):
    """How often each input was requested."""
    counts = {}
    for line in log:
        method, path = line.split(" ", 1)
        if "/in/" in path and "list-type" not in path:
            name = path.rsplit("/", 1)[1]
            assert method == "GET", line
            counts[name] = counts.get(name, 0) + 1
    return counts


def check(trial):
    count = trial.objects
    names = {f"k{number:05}.csv" for number in range(count)}
    # A pattern lists the objects that start like it. Each object is requested once, and several at the same time.
    for arguments in (["BUCKET/in/k*.csv"], ["BUCKET/in/k*.csv", "--memory-limit", "64MiB"]):
        log, seconds, most = trial.run("convert", "convert", *arguments, "-o", "x.csv")
        lists = [line for line in log if "list-type" in line]
        assert len(lists) == 1 and lists[0].endswith("prefix=in%2Fk"), lists
        assert inputs_of(log) == dict.fromkeys(names, 1), inputs_of(log)
        assert 8 <= most <= 16, most
        assert seconds < count * DELAY, seconds
    assert trial.rows("BUCKET/in/k*.csv") == count * 50
    # More objects than memory has room for are requested a second time, also several at the same time.
    wide = "puzzle,note\n" + f"{PUZZLE},{'x' * 9000}\n" * 50
    for number in range(12):
        trial.put(f"wide/in/w{number:02}.csv", wide)
    log, _, most = trial.run("tight memory", "convert", "BUCKET/wide/in/", "-o", "x.csv", "--memory-limit", "64MiB")
    requested = inputs_of(log)
    assert len(requested) == 12 and set(requested.values()) == {1, 2}, requested
    assert 4 <= most <= 16, most
    # A resumed run does not request the inputs that it keeps.
    into_folder = ["convert", "BUCKET/in/k*.csv", "-o", "BUCKET/out/"]
    log, seconds, _ = trial.run("into a folder", *into_folder)
    # One request to read each object, one to write its part, and some for the folder.
    assert len(log) <= 2 * count + 30 and seconds < 2 * count * DELAY, (len(log), seconds)
    log, _, _ = trial.run("resumed", *into_folder, "--resume")
    assert inputs_of(log) == {}, inputs_of(log)
    trial.put("in/knew.csv", f"puzzle,id\n{PUZZLE},7\n")
    trial.put("in/k00003.csv", f"puzzle,id\n{PUZZLE},8\n")
    log, _, _ = trial.run("resumed with changes", *into_folder, "--resume")
    assert inputs_of(log) == {"knew.csv": 1, "k00003.csv": 1}, inputs_of(log)
    assert trial.rows("BUCKET/out/") == (count - 1) * 50 + 2
    # The same with a local folder. A new column of an input does not touch the parts of the others.
    with tempfile.TemporaryDirectory() as place:
        local = ["convert", "BUCKET/in/k*.csv", "-o", f"{place}/out/", "--format", "csv"]
        trial.run("into a local folder", *local)
        log, _, _ = trial.run("local, resumed", *local, "--resume")
        assert inputs_of(log) == {}, inputs_of(log)
        trial.put("in/knote.csv", f"puzzle,note\n{PUZZLE},hello\n")
        log, _, _ = trial.run("local, a new column", *local, "--resume")
        assert inputs_of(log) == {"knote.csv": 1}, inputs_of(log)
        parts = [path.read_text() for path in pathlib.Path(place, "out").glob("*.csv")]
        with_note = sum(part.startswith("puzzle,id,note\n") for part in parts)
        assert len(parts) == count + 2 and with_note == 1, with_note
    # Other options for reading recognise the inputs anew.
    log, _, _ = trial.run("other options", *into_folder, "--resume", "--keep", "none")
    assert inputs_of(log).keys() == names | {"knew.csv", "knote.csv"}, inputs_of(log)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    if len(sys.argv) > 3:
        measure(Trial(binary, sys.argv[2], int(sys.argv[3])))
    else:
        check(Trial(binary, sys.argv[2], 40))


main()
