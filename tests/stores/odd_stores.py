"""Runs commands against stores that behave as some do: through proxies that ignore conditions, ask to wait, or carry out
a request late.

    python3 tests/stores/odd_stores.py target/debug/pipeline ENDPOINT

The endpoint is that of moto's server, which `tests/stores/cloud.py` starts.
"""

import http.client
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree

from proxy import Proxy

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SIGNED = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
BUCKET = f"odd{os.getpid()}"


class IgnoringProxy(Proxy):
    """A store that ignores the condition that an object must not exist."""

    def _answer(self, client, server, head, body):
        request, headers = head
        headers = [(name, value) for name, value in headers if name.lower() != "if-none-match"]
        return super()._answer(client, server, (request, headers), body)


class BusyProxy(Proxy):
    """A store that answers some requests with 503 and asks to wait."""

    def busy(self, times, pause, is_for):
        self.times, self.pause, self.is_for, self.asked = times, pause, is_for, 0

    def _answer(self, client, server, head, body):
        (method, path, _), _ = head
        if self.is_for(method, path):
            self.asked += 1
            if self.asked <= self.times:
                text = b"<Error><Code>SlowDown</Code><Message>busy</Message></Error>"
                return self._send(client, method, 503, [("Retry-After", str(self.pause))], text)
        return super()._answer(client, server, head, body)


class LateProxy(Proxy):
    """A store that carries out one put late, although its client has gone, and never answers it."""

    def hold(self, name, until):
        """Holds the next put of this object until a request arrives for which `until(method, path)` holds, or until
        `let_go` is called."""
        self.name, self.until = name, until
        self.held, self.status = None, None
        self.is_held = threading.Event()

    def let_go(self):
        (method, path, _), headers, body = self.held
        server = http.client.HTTPConnection("127.0.0.1", self.upstream, timeout=300)
        server.request(method, path, body, dict(headers))
        self.status = server.getresponse().status
        server.close()

    def _answer(self, client, server, head, body):
        request, headers = head
        method, path, _ = request
        with self.lock:
            is_first = self.held is None and method == "PUT" and path.endswith(f"/{self.name}")
            if is_first:
                self.held = (request, headers, body)
        if is_first:
            self.is_held.set()
            time.sleep(60)
            return False
        if self.held and self.status is None and self.until(method, path):
            self.let_go()
        return super()._answer(client, server, head, body)


class Store:
    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.port = urllib.parse.urlparse(endpoint).port

    def request(self, method, key="", body=None):
        headers = {"Authorization": SIGNED, "Content-Type": "text/csv"}
        request = urllib.request.Request(f"{self.endpoint}/{BUCKET}/{key}", body, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def tree(self, prefix):
        listed = xml.etree.ElementTree.fromstring(self.request("GET", f"?list-type=2&prefix={prefix}"))
        keys = [found.text for found in listed.iter() if found.tag.endswith("}Key") or found.tag == "Key"]
        return {key.removeprefix(prefix): self.request("GET", key) for key in keys}


def environment(port, timeout):
    return {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
        "PIPELINE_STORE_TIMEOUT": str(timeout),
    }


def start(binary, port, command, timeout=30):
    return subprocess.Popen(
        [binary, *command], env=environment(port, timeout), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(binary, port, command, timeout=30):
    process = start(binary, port, command, timeout)
    _, said = process.communicate(timeout=300)
    return process.returncode, said


def conditions(binary, store):
    """A store that ignores conditions is noticed, and the warning names the output."""
    for port, is_said in [(IgnoringProxy(store.port).port, True), (store.port, False)]:
        for output in (f"s3://{BUCKET}/conditions{port}.csv", f"s3://{BUCKET}/conditions{port}/"):
            code, said = run(binary, port, ["convert", f"s3://{BUCKET}/in/a.csv", "-o", output])
            assert code == 0, said
            assert ("would not be noticed" in said) == is_said, said
            assert not is_said or f"{output}: the store ignores the condition" in said and ".lock" not in said, said


def pauses(binary, store):
    """A busy store is not asked again before the time that it states, and for no longer than the time limit."""
    proxy = BusyProxy(store.port)
    read = ["convert", f"s3://{BUCKET}/in/a.csv", "-o", "/dev/null", "--format", "csv"]
    write = ["convert", f"s3://{BUCKET}/in/a.csv", "-o", f"s3://{BUCKET}/busy.csv", "--overwrite"]
    for command, is_for in [
        (read, lambda method, path: method == "GET" and path.endswith("/in/a.csv")),
        (write, lambda method, path: method == "PUT" and path.endswith("/busy.csv")),
    ]:
        proxy.busy(2, 2, is_for)
        began = time.time()
        code, said = run(binary, proxy.port, command)
        seconds = time.time() - began
        assert code == 0 and proxy.asked == 3, (code, proxy.asked, said)
        assert 4 <= seconds < 15, seconds
        proxy.busy(1000, 100, is_for)
        began = time.time()
        code, said = run(binary, proxy.port, command, timeout=3)
        seconds = time.time() - began
        assert code == 1 and "503" in said, (code, said)
        assert 3 <= seconds < 20, seconds


def late_puts(binary, store):
    """A put that the store carries out after its run was killed does not block the same command."""
    jobs = {
        "dedup": (["--duplicates", "d.csv"], ["o.csv", "d.csv", "o.rejects.csv"]),
        "grade": ([], ["o.csv", "o.rejects.csv"]),
    }
    takes_claim = lambda method, path: method == "PUT" and path.endswith("/.o.csv.lock")
    writes_table = lambda method, path: method == "PUT" and path.endswith("/o.csv")
    looks_for_it = lambda method, path: method == "HEAD" and path.endswith("/o.csv")
    never = lambda method, path: False
    number = 0

    def in_folder(command, options, folder):
        options = [f"s3://{BUCKET}/{folder}{option}" if option.endswith(".csv") else option for option in options]
        return [command, f"s3://{BUCKET}/in/", "-o", f"s3://{BUCKET}/{folder}o.csv", *options]

    for command, (options, names) in jobs.items():
        code, said = run(binary, store.port, in_folder(command, options, f"{command}-good/"))
        assert code == 0, said
        good = store.tree(f"{command}-good/")
        assert sorted(good) == sorted(names), good.keys()
        for name in names:
            for until in (takes_claim, writes_table, looks_for_it, never, None):
                for sent in (signal.SIGKILL, signal.SIGTERM):
                    if sent == signal.SIGTERM and until not in (never, None, writes_table):
                        continue
                    number += 1
                    folder = f"late{number}/"
                    arguments = in_folder(command, options, folder)
                    proxy = LateProxy(store.port)
                    proxy.hold(name, until or never)
                    first = start(binary, proxy.port, arguments)
                    assert proxy.is_held.wait(60), "the put has not come"
                    time.sleep(0.05)
                    first.send_signal(sent)
                    _, said = first.communicate(timeout=60)
                    assert first.returncode == (-9 if sent == signal.SIGKILL else 143), (first.returncode, said)
                    if until is None:
                        # The put takes effect before the next run.
                        proxy.let_go()
                        # For another command, the table is one that exists.
                        if name == "o.csv" and sent == signal.SIGTERM:
                            code, said = run(binary, store.port, [*arguments, "--threads", "1"])
                            assert code == 4, (code, said)
                            continue
                    code, said = run(binary, proxy.port, arguments)
                    if until is never:
                        proxy.let_go()
                        assert proxy.status == 412, proxy.status
                    trial = (command, name, number, sent, code, said)
                    assert code == 0 and proxy.status is not None, trial
                    left = store.tree(folder)
                    assert left.keys() == good.keys(), (trial, left.keys())
                    assert all(left[key] == good[key] for key in good if key != "o.csv" or command != "grade"), trial
    print(f"{number} late puts")


def late_puts_in_folders(binary, store):
    """The same for the files of a folder. Those of the earlier run may have taken the names of the parts."""
    plain = lambda tree: sorted(re.sub(r"\.[0-9a-f]{8}\.", ".", name) for name in tree)
    number = 0
    for command, options in (("convert", []), ("split", ["--into", "a=0.5,b=0.5"])):
        in_folder = lambda folder: [command, f"s3://{BUCKET}/in/", "-o", f"s3://{BUCKET}/{folder}", *options]
        code, said = run(binary, store.port, in_folder(f"{command}-folder/"))
        assert code == 0, said
        good = store.tree(f"{command}-folder/")
        for name in sorted(good):
            writes_it = lambda method, path: method == "PUT" and path.endswith(f"/{name}")
            for until in (lambda method, path: method == "PUT" and path.endswith("/.lock"), writes_it, None):
                for sent in (signal.SIGKILL, signal.SIGTERM):
                    # A run that is stopped at its very end ends with 0.
                    if sent == signal.SIGTERM and (until is not None or name == "_SUCCESS"):
                        continue
                    number += 1
                    folder = f"late-folder{number}/"
                    proxy = LateProxy(store.port)
                    proxy.hold(name, until or (lambda method, path: False))
                    first = start(binary, proxy.port, in_folder(folder))
                    assert proxy.is_held.wait(60), "the put has not come"
                    time.sleep(0.05)
                    first.send_signal(sent)
                    first.communicate(timeout=60)
                    if until is None:
                        proxy.let_go()
                    code, said = run(binary, proxy.port, in_folder(folder))
                    left = store.tree(folder)
                    assert code == 0 and proxy.status is not None, (command, name, number, sent, said)
                    assert plain(left) == plain(good), (command, name, number, sent, sorted(left))
    print(f"{number} late puts in folders")


def main():
    binary, store = pathlib.Path(sys.argv[1]).resolve(), Store(sys.argv[2])
    store.request("PUT")
    rows = "".join(f"{PUZZLE},{row}\n" for row in range(20))
    store.request("PUT", "in/a.csv", f"puzzle,id\n{rows}nothing,21\n".encode())
    tests = {"conditions": conditions, "pauses": pauses, "late": late_puts, "folders": late_puts_in_folders}
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for name in sys.argv[3:] or tests:
            tests[name](binary, store)


main()
