"""Runs the recipes of docs/operations.md (cron, Airflow, Kubernetes) as they are written, with an outage in the middle.

    python3 tests/stores/recipes.py target/debug/pipeline http://127.0.0.1:5000    # the address of an S3 server, as in cloud.py

Only names of places are replaced: `/data`, the folder of the metrics, and the bucket. Each recipe is run three nights: with new
files, with one more file, and with nothing new. The store is reached through a proxy, which hangs up for some seconds while
the first night is under way; `PIPELINE_STORE_TIMEOUT` is shorter than that, as a minute is for an outage of an hour. What
Airflow and Kubernetes do with exit codes is done here by a few lines.
"""

import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import runpy
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import urllib.request

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OUTAGE = 6
ROOT = pathlib.Path(__file__).resolve().parents[2]
PIPELINE, ENDPOINT = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]


class Proxy:
    """Forwards bytes to the store. During an outage, it closes the connections."""

    def __init__(self, endpoint):
        host, port = endpoint.removeprefix("http://").split(":")
        self.store = (host, int(port))
        self.is_down = False
        self.passed = self.refused = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.connection, args=(client,), daemon=True).start()

    def connection(self, client):
        if self.is_down:
            self.refused += 1
            return client.close()
        self.passed += 1
        with client, socket.create_connection(self.store) as store:
            ends = [threading.Thread(target=self.copy, args=pair, daemon=True) for pair in ((client, store), (store, client))]
            [end.start() for end in ends]
            [end.join() for end in ends]

    def copy(self, source, target):
        try:
            while (block := source.recv(65536)) and not self.is_down:
                target.sendall(block)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def outage(self):
        self.is_down = True
        time.sleep(OUTAGE)
        self.is_down = False


def recipe(language):
    """The only code block of a language in the document."""
    text = (ROOT / "docs" / "operations.md").read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) == 1, (language, len(blocks))
    return blocks[0]


def request(method, path, body=b""):
    headers = {
        "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request",
        "Content-Type": "application/octet-stream",
    }
    asked = urllib.request.Request(ENDPOINT + path, body, headers, method=method)
    with urllib.request.urlopen(asked) as answer:
        return answer.read()


class Folder:
    """The folder /data of a recipe, on disk or in a bucket."""

    def __init__(self, place, bucket):
        self.place, self.bucket = place, bucket
        if bucket:
            request("PUT", f"/{bucket}")
        else:
            place.mkdir()

    def __str__(self):
        return f"s3://{self.bucket}" if self.bucket else str(self.place)

    def put(self, name, text):
        data = gzip.compress(text.encode()) if name.endswith(".gz") else text.encode()
        if self.bucket:
            return request("PUT", f"/{self.bucket}/{name}", data)
        (self.place / name).parent.mkdir(exist_ok=True)
        (self.place / name).write_bytes(data)

    def names(self, folder):
        if self.bucket:
            listing = request("GET", f"/{self.bucket}?list-type=2&prefix={folder}/").decode()
            return [key.removeprefix(f"{folder}/") for key in re.findall(r"<Key>([^<]*)", listing)]
        root = self.place / folder
        return [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]

    def get(self, name):
        return request("GET", f"/{self.bucket}/{name}") if self.bucket else (self.place / name).read_bytes()


def run_cron(line, environment, tries):
    """Runs a line of a crontab with sh, like cron. The run of the next night serves as the retry."""
    command = line.split(None, 5)[5]
    for _ in range(tries):
        code = subprocess.run(["/bin/sh", "-c", command], env=environment).returncode
        if code == 0:
            return
        log = pathlib.Path(re.search(r"2>> (.*)", command)[1]).read_text()
        assert code == 1, f"exit code {code}: a retry would not help: {log}"
    raise AssertionError("the retries did not help")


def run_airflow(code, environment):
    """Runs an Airflow file. Its tasks run immediately, and are retried like in Airflow."""

    class FailException(Exception):
        pass

    def task(**options):
        def decorated(function):
            def attempt(**arguments):
                for tries_left in range(options.get("retries", 0), -1, -1):
                    try:
                        return function(**arguments)
                    except FailException:
                        raise
                    except Exception:
                        if not tries_left:
                            raise
                        # Airflow would wait for minutes.
                        time.sleep(1)

            def expand(**lists):
                ((name, values),) = lists.items()
                with concurrent.futures.ThreadPoolExecutor(len(values)) as pool:
                    list(pool.map(lambda value: attempt(**{name: value}), values))

            attempt.expand = expand
            return attempt

        return decorated

    modules = {name: types.ModuleType(name) for name in ("airflow", "airflow.exceptions", "airflow.sdk")}
    modules["airflow.exceptions"].AirflowFailException = FailException
    modules["airflow.sdk"].dag = lambda **_: lambda function: function
    modules["airflow.sdk"].task = task
    sys.modules.update(modules)
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(code)
            file.flush()
            runpy.run_path(file.name)
    finally:
        os.environ.clear()
        os.environ.update(before)


def run_kubernetes(text, environment):
    """Runs an Indexed Job: each index until it succeeds, with a limited number of failures, and none that the
    policy forbids."""

    def field(name):
        return re.search(rf"\b{name}: *(.*)", text)[1].split("#")[0].strip()

    arguments = [argument.strip() for argument in field("args").strip("[]").split(",")]
    forbidden = [int(code) for code in re.search(r"values: \[([\d, ]*)\]", text)[1].split(",")]
    failures = []

    def pod(index):
        while True:
            own = [argument.replace("$(JOB_COMPLETION_INDEX)", str(index)) for argument in arguments]
            code = subprocess.run([PIPELINE, *own], env=environment, stderr=subprocess.DEVNULL).returncode
            if code == 0:
                return
            assert code not in forbidden, f"pod {index}: exit code {code} fails the job"
            failures.append(index)
            assert len(failures) <= int(field("backoffLimit")), "too many failures"

    with concurrent.futures.ThreadPoolExecutor(int(field("parallelism"))) as pool:
        list(pool.map(pod, range(int(field("completions")))))


def nights(name, folder, incoming, run, proxy):
    """Runs a recipe for three nights, the first with an outage. Checks that each input has exactly one part,
    with all its rows."""
    graded = "graded"
    for number in range(16):
        folder.put(f"{incoming}/f{number:02}.csv.gz" if incoming == "incoming" else f"{incoming}/f{number:02}.csv", table(number))
    outage = None
    if folder.bucket:
        # The outage begins after the run has started.
        def later():
            started = proxy.passed
            while proxy.passed < started + 8:
                time.sleep(0.01)
            proxy.outage()

        outage = threading.Thread(target=later)
        outage.start()
    kept = {}
    for night, inputs in enumerate([16, 17, 17]):
        if night == 1:
            folder.put(f"{incoming}/a.csv.gz" if incoming == "incoming" else f"{incoming}/a.csv", table(99))
        run()
        if night == 0 and outage:
            outage.join()
        names = folder.names(graded)
        parts = {part for part in names if part.startswith("part-")}
        markers = [part for part in names if part.startswith("_SUCCESS")]
        manifests = [json.loads(folder.get(f"{graded}/{part}")) for part in names if part.startswith("_manifest")]
        entries = [entry for manifest in manifests for entry in manifest["inputs"]]
        rows = sum(part["rows"] for entry in entries for part in entry["parts"])
        assert len({entry["source"] for entry in entries}) == len(entries) == inputs, (name, night, len(entries))
        assert parts == {part["path"] for entry in entries for part in entry["parts"]}, (name, night, parts)
        assert rows == 30 * inputs and len(markers) == len(manifests), (name, night, rows, markers)
        now = {part: folder.get(f"{graded}/{part}") for part in parts}
        assert kept.items() <= now.items(), (name, night)
        kept = now
    print(f"{name}: three nights, {len(kept)} parts, {rows} rows" + (f"; {proxy.refused} connections refused in an outage of {OUTAGE} s" if outage else ""))


def table(number):
    return "puzzle,id\n" + "".join(f"{PUZZLE},{number}-{row}\n" for row in range(30))


def main():
    proxy = Proxy(ENDPOINT)
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "bin").mkdir()
        (place / "bin" / "pipeline").symlink_to(PIPELINE)
        environment = {
            "PATH": f"{place / 'bin'}:{os.environ['PATH']}",
            "AWS_ENDPOINT_URL": proxy.address,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "PIPELINE_STORE_TIMEOUT": "2",
        }
        own = os.getpid()
        for where in ("disk", "store"):
            bucket = lambda name: f"{name}-{own}" if where == "store" else None
            folder = Folder(place / "cron", bucket("cron"))
            line = recipe("crontab").replace("/var/lib/node_exporter", str(place)).replace("/var/log", str(place))
            # `cd` needs a folder on disk. In a store, whole addresses are used.
            line = line.replace("/data", str(folder)) if where == "disk" else (
                line.replace("cd /data && ", "").replace("incoming/", f"{folder}/incoming/").replace("graded/", f"{folder}/graded/"))
            nights(f"cron, {where}", folder, "incoming", lambda: run_cron(line, environment, 8), proxy)
            assert "pipeline" in (place / "pipeline.prom").read_text()
            for entry in (place / "pipeline.jsonl").read_text().splitlines():
                json.loads(entry)
            folder = Folder(place / "airflow", bucket("airflow"))
            code = recipe("python").replace("/data", str(folder))
            nights(f"Airflow, {where}", folder, "incoming", lambda: run_airflow(code, environment), proxy)
        folder = Folder(place / "kubernetes", f"kubernetes-{own}")
        text = recipe("yaml").replace("s3://bucket", str(folder))
        nights("Kubernetes, store", folder, "raw", lambda: run_kubernetes(text, environment), proxy)


main()
