"""Breaks each request of jobs in an object store, in each way, and checks what is left.

    python3 tests/stores/faults.py target/debug/pipeline          # a sample of a minute
    python3 tests/stores/faults.py target/debug/pipeline --all

The binary is built with the feature `cloud`; `tests/stores/cloud.py` makes the environment with moto's server. After
each run:
- The exit code is 0 with all rows, or 1: an outage is never bad data (3) and never an existing output (4).
- With `_SUCCESS`, all files of the manifest are there, and all rows of the old set or of the new one.
- The same command again, without a fault, ends with 0, and leaves the files of an undisturbed run and no others.
- No upload is left open without a word.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree

from proxy import FAULTS, Proxy

root = pathlib.Path(__file__).resolve().parents[2]
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DIGITS = "123456789"
# Moto shows the objects of a user only to that user. It does not check signatures.
SIGNED = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"


def puzzles(count, seed):
    """Puzzles with exactly one solution, made by exchanging digits."""
    shuffled, rng = [], random.Random(seed)
    for _ in range(count):
        digits = list(DIGITS)
        rng.shuffle(digits)
        shuffled.append(PUZZLE.translate(str.maketrans(DIGITS, "".join(digits))))
    return shuffled


class Store:
    """Access to the store without the proxy."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/faults"

    def request(self, method, key="", body=None, query=""):
        url = f"{self.url}/{urllib.parse.quote(key)}{query}"
        headers = {"Content-Type": "application/octet-stream", "Authorization": SIGNED}
        request = urllib.request.Request(url, data=body, method=method, headers=headers)
        for attempt in range(5):
            try:
                with urllib.request.urlopen(request, timeout=300) as answer:
                    return answer.read()
            except urllib.error.HTTPError as error:
                # Moto fails if its list of keys changes while it is iterated.
                if error.code != 500 or attempt == 4:
                    raise

    def put(self, key, body):
        self.request("PUT", key, body)

    def elements(self, query, element):
        tree = xml.etree.ElementTree.fromstring(self.request("GET", "", None, query))
        return [key.text for found in tree.iter() if found.tag.endswith(element) for key in found if key.tag.endswith("Key")]

    def tree(self, prefix):
        keys = self.elements(f"?list-type=2&prefix={urllib.parse.quote(prefix)}", "Contents")
        return {key[len(prefix):]: self.request("GET", key) for key in keys}

    def uploads(self, prefix):
        return [key for key in self.elements("?uploads", "Upload") if key.startswith(prefix)]


# The jobs: a command in which `{}` is the prefix of the trial, and the command that makes the old set.
def jobs(full):
    into_new = ["--into", "train=60%,test=40%"]
    found = {
        "one": (["convert", "s3://faults/in/a.csv", "-o", "s3://faults/{}o.csv"], None),
        "one over": (
            ["convert", "s3://faults/in/bad.csv", "-o", "s3://faults/{}o.csv", "--overwrite"],
            ["convert", "s3://faults/in/worse.csv", "-o", "s3://faults/{}o.csv"],
        ),
        "grade": (["grade", "s3://faults/in/bad.csv", "-o", "s3://faults/{}o.parquet"], None),
        "folder": (["convert", "s3://faults/in/", "-o", "s3://faults/{}out/"], None),
        "folder over": (
            ["convert", "s3://faults/in/", "-o", "s3://faults/{}out/", "--overwrite"],
            ["convert", "s3://faults/in/a.csv", "s3://faults/in/bad.csv", "s3://faults/other/d.csv", "-o", "s3://faults/{}out/"],
        ),
        "resume": (
            ["convert", "s3://faults/in/", "-o", "s3://faults/{}out/", "--resume"],
            ["convert", "s3://faults/in/a.csv", "-o", "s3://faults/{}out/"],
        ),
        "shard": (["convert", "s3://faults/in/", "-o", "s3://faults/{}out/", "--shard", "1/2"], None),
        "partition": (["grade", "s3://faults/in/", "-o", "s3://faults/{}out/", "--partition-by", "level"], None),
        "dedup": (
            ["dedup", "s3://faults/in/", "-o", "s3://faults/{}o.csv", "--duplicates", "s3://faults/{}twice.csv"],
            None,
        ),
        "dedup over": (
            ["dedup", "s3://faults/in/", "-o", "s3://faults/{}o.csv", "--duplicates", "s3://faults/{}twice.csv", "--overwrite"],
            ["dedup", "s3://faults/in/a.csv", "-o", "s3://faults/{}o.csv", "--duplicates", "s3://faults/{}twice.csv"],
        ),
        "split": (["split", "s3://faults/in/", "-o", "s3://faults/{}out/", *into_new], None),
        "split over": (
            ["split", "s3://faults/in/", "-o", "s3://faults/{}out/", *into_new, "--overwrite"],
            ["split", "s3://faults/in/", "-o", "s3://faults/{}out/", "--into", "train=50%,dev=50%"],
        ),
        "read folder": (["convert", "s3://faults/in/", "-o", "o.csv"], None),
        "read parquet": (["convert", "s3://faults/tables/t.parquet", "-o", "o.csv"], None),
    }
    if full:
        found["big"] = (["convert", "s3://faults/big/big.csv", "-o", "s3://faults/{}o.csv"], None)
        found["big over"] = (
            ["convert", "s3://faults/big/big.csv", "-o", "s3://faults/{}o.csv", "--overwrite"],
            ["convert", "s3://faults/in/a.csv", "-o", "s3://faults/{}o.csv"],
        )
    return found


def without_ids(tree, prefix):
    """The tree without ids of runs and other parts that differ between runs of the same command."""
    ids = {part for name in tree for part in name.split("/")[-1].split(".")[1:] if re.fullmatch("[0-9a-f]{8}", part)}

    def plain(text):
        for run in ids:
            text = text.replace(f".{run}.", ".")
        return text.replace(prefix, "")

    found = {}
    for name, body in sorted(tree.items(), key=lambda entry: len(entry[0])):
        if name.endswith(".json"):
            # The recorded version of an input may be wrong once, if the store lies.
            body = re.sub('"state": .*', "", plain(body.decode())).encode()
        # Both the old part and the new one exist.
        found[name if plain(name) in found else plain(name)] = body
    return found


class Trials:
    def __init__(self, binary, store_port, full):
        self.binary, self.store_port, self.full = binary, store_port, full
        self.store = Store(store_port)
        self.jobs = jobs(full)
        self.number = 0
        self.old, self.new = {}, {}

    def run(self, command, port, prefix, folder):
        is_healthy = port == self.store_port
        environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            # On a busy machine, answers take long.
            "PIPELINE_STORE_TIMEOUT": "60" if is_healthy else "3",
            "PIPELINE_THREADS": "2",
        }
        command = [self.binary, *(part.format(prefix) for part in command)]
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=600)
        return done.returncode, done.stderr

    def tree(self, prefix, folder):
        local = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir() if path.is_file()}
        return without_ids(self.store.tree(prefix) | local, prefix)

    def prepare(self):
        """Uploads the inputs, and stores the results of runs without faults."""
        store = self.store
        store.request("PUT")
        text = lambda rows: ("puzzle\n" + "\n".join(rows) + "\n").encode()
        store.put("in/a.csv", text(puzzles(40, 1)))
        store.put("in/bad.csv", text(puzzles(30, 2) + ["nothing"] + puzzles(5, 1)))
        store.put("in/worse.csv", text(puzzles(20, 3) + ["nothing", "more"]))
        store.put("other/d.csv", text(puzzles(10, 4)))
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "t.csv")
            rows.write_bytes(text(puzzles(9000, 5)))
            subprocess.run([self.binary, "convert", rows, "-o", f"{folder}/t.parquet"], check=True, capture_output=True)
            store.put("tables/t.parquet", pathlib.Path(folder, "t.parquet").read_bytes())
        if self.full:
            store.put("big/big.csv", text(puzzles(150_000, 6)))
        for name, (command, old) in self.jobs.items():
            prefix = f"first-{name.replace(' ', '-')}/"
            with tempfile.TemporaryDirectory() as folder:
                if old:
                    code, said = self.run(old, self.store_port, prefix, folder)
                    assert code == 0, said
                    self.old[name] = store.tree(prefix)
                code, said = self.run(command, self.store_port, prefix, folder)
                assert code == 0, said
                self.new[name] = self.tree(prefix, folder)

    def requests(self, proxy, name):
        """The number of requests that a job makes."""
        self.trial(proxy, name, None, 0)
        return proxy.count

    def trial(self, proxy, name, fault, at):
        """Runs a job with a fault. Returns the invariants that are broken afterwards."""
        self.number += 1
        command, old = self.jobs[name]
        prefix = f"trial-{os.getpid()}-{id(proxy)}-{proxy.port}-{self.number}/"
        wrong = []
        with tempfile.TemporaryDirectory() as folder:
            for key, body in self.old.get(name, {}).items():
                self.store.put(prefix + key, body)
            before = without_ids(self.old.get(name, {}), "first-" + name.replace(" ", "-") + "/")
            proxy.begin(fault, at)
            code, said = self.run(command, proxy.port, prefix, folder)
            count, hits, log = proxy.count, proxy.hits, proxy.log
            request = log[at - 1].replace(prefix, "…/") if 0 < at <= len(log) else ""
            if fault and (not hits or not can_be_noticed(name, fault, request)):
                return None
            found = self.tree(prefix, folder)
            allowed = (0, 1)
            if code not in allowed:
                wrong.append(f"exit code {code}")
            # After the set is complete, objects may stay that the store did not delete, if a message names
            # them or if they do no harm.
            kept = {key: body for key, body in found.items() if not is_status(key) and not is_said(key, said, fault)}
            if code == 0 and kept != self.new[name]:
                wrong.append(f"exit code 0 with {differences(kept, self.new[name])}")
            if code != 0:
                wrong += self.left(with_old(found, said, before), before, name, fault)
            uploads = self.store.uploads(prefix)
            if uploads and (code == 0 or "unfinished upload" not in said):
                wrong.append(f"{len(uploads)} uploads are open, without a word")
            if code != 0:
                again, more = self.run(command, self.store_port, prefix, folder)
                if again != 0:
                    wrong.append(f"again: exit code {again}: {more.strip()}")
                elif (found := self.tree(prefix, folder)) != self.new[name]:
                    wrong.append(f"again: {differences(found, self.new[name])}")
            proxy.count = count
        return code, request, [f"{problem} ({said.strip()[-300:]})" for problem in wrong]

    def rights(self, proxy):
        """Runs jobs without the permission to delete, and without the permission to list. Returns the problems."""
        deletes = lambda method, path: method == "DELETE" or "?delete" in path
        # Without the permission to list, S3 gives this answer for a missing object.
        heads = lambda method, path: method == "HEAD" and "/in/" not in path
        wrong = []
        for name, denied, expected in [
            ("one", deletes, 0),
            ("grade", heads, 0),
            ("folder", deletes, 0),
            ("split", deletes, 0),
            ("folder over", deletes, 1),
        ]:
            self.number += 1
            prefix = f"rights-{self.number}/"
            with tempfile.TemporaryDirectory() as folder:
                for key, body in self.old.get(name, {}).items():
                    self.store.put(prefix + key, body)
                proxy.begin("403+", 1, denied)
                code, said = self.run(self.jobs[name][0], proxy.port, prefix, folder)
                proxy.begin(None, 0)
                found = self.tree(prefix, folder)
            if code != expected:
                wrong.append(f"{name}: exit code {code}: {said}")
            elif code == 0 and {key for key in found if not is_status(key)} != self.new[name].keys():
                wrong.append(f"{name}: {sorted(found)}")
            elif code == 1 and "AccessDenied" not in said:
                wrong.append(f"{name}: {said}")
        return wrong

    def left(self, found, before, name, fault):
        """The problems after a failed run: the old set has to exist, or no set at all. If the store has stopped
        answering, each file may be old or new, because the effects of the last requests are unknown."""
        problems = []
        success = [key for key in found if "_SUCCESS" in key]
        for key in success:
            manifest = found.get(key.replace("_SUCCESS", "_manifest") + ".json")
            if manifest is None:
                problems.append("_SUCCESS without a manifest")
                continue
            manifest = json.loads(manifest)
            files = manifest.get("files") or [
                file for entry in manifest["inputs"] for file in entry["parts"] + [entry["rejects"] or {}]
            ]
            folder = key.rsplit("/", 1)[0]
            for file in filter(None, files):
                part = found.get(f"{folder}/{file['path']}")
                if part is None or len(part) != file["bytes"]:
                    problems.append(f"_SUCCESS, and {file['path']} is missing or another one")
        if "out/_SUCCESS" not in found and "o.csv" not in found and "o.parquet" not in found:
            return problems
        is_folder = "out/_SUCCESS" in found
        tables = lambda tree: {
            key: body
            for key, body in tree.items()
            if not key.split("/")[-1].startswith((".", "_SUCCESS", "_manifest")) and not is_status(key)
        }
        states = [tables(before), tables(self.new[name])]
        # The parts of an unfinished run are not listed in a manifest. In a run without shards, they are all
        # new.
        may_be_either = fault == "500-after+" and all(
            body in (states[0].get(key), states[1].get(key)) for key, body in tables(found).items()
        )
        if tables(found) not in states and not may_be_either and not (is_folder and all(tables(found).get(key) == body for key, body in states[0].items())):
            problems.append(f"neither the old set nor the new one: {sorted(tables(found))}")
        return problems


def is_status(key):
    name = key.split("/")[-1]
    # The claim of a shard is called .lock.1-of-2.
    return name.endswith(".lock") or name.startswith(".lock.") or "_journal" in key


def is_said(key, said, fault):
    """Whether the object is a copy of an old file that a warning names, or that the store reported as deleted."""
    return key.endswith(".old") and (f"/{key}: " in said or fault == "404")


def with_old(found, said, before):
    """Replaces files by their old versions if the store had stopped answering and the message names them: the
    copy of an old file, and each new file."""
    found = dict(found)
    for key in found.keys() - before.keys():
        if re.search(f"could not be undone: cannot write s3://[^ ]*/{re.escape(key)}: ", said):
            del found[key]
    for key in [key for key in found if key.endswith(".old")]:
        name = key.split("/")[-1]
        if "could not be undone" in said and "the old one is s3://" in said and f"/{name}" in said:
            found[key.removesuffix(name) + name[1:].removesuffix(".old")] = found.pop(key)
    return found


def can_be_noticed(name, fault, request):
    """Whether the program can notice that the store lies. Only the bytes of an input are compared with a listing."""
    method, path = request.split(" ", 1)
    if fault == "error-200":
        # S3 gives this answer only to these methods.
        return method in ("POST", "PUT")
    is_named = name in ("one", "one over", "grade", "read parquet", "big", "big over")
    is_input = any(part in path for part in ("/in/", "/tables/", "/other/", "/big/"))
    lies = ("empty", "short") if is_named else ()
    return not (is_input and fault in (*lies, "garbage"))


def differences(found, expected):
    missing, more = expected.keys() - found.keys(), found.keys() - expected.keys()
    other = [key for key in found.keys() & expected.keys() if found[key] != expected[key]]
    return f"missing {sorted(missing)}, too many {sorted(more)}, other bytes {sorted(other)}"


def table(problems, counted):
    """Prints the number of faults for each job and kind, and of those with problems."""
    names = list(dict.fromkeys(name for name, _ in counted))
    faults = [fault for fault in FAULTS if any((name, fault) in counted for name in names)]
    print("| job | " + " | ".join(faults) + " |")
    print("|---|" + "---:|" * len(faults))
    for name in names:
        cells = [f"{counted.get((name, fault), 0)}, {len(problems.get((name, fault), []))}" for fault in faults]
        print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--job")
    parser.add_argument("--fault")
    parser.add_argument("--at", type=int)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()

    from server import start

    server, port = start()
    try:
        trials = Trials(os.path.abspath(options.binary), port, options.all or (options.job or "").startswith("big"))
        trials.prepare()
        proxies = [Proxy(port) for _ in range(options.workers)]
        names = [name for name in trials.jobs if options.job in (None, name)]
        counts = {name: trials.requests(proxies[0], name) for name in names}
        print("requests:", ", ".join(f"{name} {count}" for name, count in counts.items()))
        work = [
            (name, fault, at)
            for name in names
            for fault in FAULTS
            if options.fault in (None, fault)
            for at in range(1, counts[name] + 1)
            if options.at in (None, at)
        ]
        if not options.all and not options.job:
            random.Random(options.seed).shuffle(work)
            # An outage without an end is slow: it takes the whole time for retries.
            work = [one for one in work if not one[1].endswith("+")][: options.trials]
        start_time, done, problems, exits, counted = time.time(), 0, {}, {}, {}
        if not options.job:
            for problem in trials.rights(proxies[0]):
                problems.setdefault("rights", []).append(problem)
                print(f"without a right: {problem}", flush=True)
        free = list(proxies)

        def one(work):
            proxy = free.pop()
            try:
                return work, trials.trial(proxy, *work)
            except (OSError, AssertionError, subprocess.TimeoutExpired) as error:
                return work, (None, "", [f"{error!r}"])
            finally:
                free.append(proxy)

        with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
            for (name, fault, at), result in pool.map(one, work):
                if result is None:
                    continue
                code, request, wrong = result
                done += 1
                counted[name, fault] = counted.get((name, fault), 0) + 1
                exits[code] = exits.get(code, 0) + 1
                for problem in wrong:
                    problems.setdefault((name, fault), []).append((at, request, problem))
                    print(f"{name}, {fault} at {at} ({request}): {problem}", flush=True)
        if options.all:
            table(problems, counted)
        bad = sum(len(found) for found in problems.values())
        minutes = (time.time() - start_time) / 60
        print(f"{done} faults in {minutes:.1f} minutes, seed {options.seed}; exit codes {exits}; {bad} problems")
        sys.exit(bool(bad))
    finally:
        server.terminate()
        server.wait()


main()
