"""Writes many objects at the same time, and checks that their parts keep to the memory limit.

    python3 tests/stores/upload_memory.py target/debug/pipeline ENDPOINT

The endpoint is that of moto's server, which `tests/stores/cloud.py` starts. Each command also writes a local folder. The
difference of the two peaks is the memory of the uploads, whatever a build of this program takes.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import urllib.request

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SIGNED = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
# The number of folders, and the bytes of the rows of each. Without a limit, a part of each object is in memory.
FOLDERS, FOLDER_BYTES = 40, 4 << 20
# The memory beyond that of a local output: that of uploads under a tight limit, and what the requests need.
MOST_BYTES = 40 << 20


def peak(binary, endpoint, place, arguments):
    """Runs a command, and returns the peak of its memory in bytes."""
    environment = {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "PIPELINE_THREADS": "2",
    }
    with open(place / "log", "w") as log:
        process = subprocess.Popen([binary, *arguments], env=environment, cwd=place, stdout=log, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (arguments, process.returncode, (place / "log").read_text())
    return usage.ru_maxrss * 1024


def tree(binary, endpoint, place, folder):
    """The rows of a folder, in order of their numbers."""
    environment = {"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
    command = [binary, "convert", folder, "-o", "-", "--format", "csv", "--keep", "id,grp"]
    rows = subprocess.run(command, env=environment, cwd=place, capture_output=True, text=True, check=True).stdout
    return sorted(rows.splitlines())


def main():
    binary, endpoint = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    bucket = f"memory{os.getpid()}"
    request = urllib.request.Request(f"{endpoint}/{bucket}/", headers={"Authorization": SIGNED}, method="PUT")
    urllib.request.urlopen(request, timeout=60).close()
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        row_bytes = 8 << 10
        with open(place / "in.csv", "w") as table:
            table.write("puzzle,id,grp,note\n")
            rng = random.Random(1)
            note = "".join(rng.choices("abcdefgh", k=row_bytes))
            for row in range(FOLDERS * FOLDER_BYTES // row_bytes):
                table.write(f"{PUZZLE},{row},g{row % FOLDERS},{note}\n")
        by_folder = ["convert", "in.csv", "--partition-by", "grp", "--format", "csv"]
        by_part = ["split", "in.csv", "--folds", str(FOLDERS), "--format", "csv"]
        for name, command, limit in (("partitions", by_folder, "64MiB"), ("folds", by_part, "96MiB")):
            outputs = (f"{name}-local/", f"s3://{bucket}/{name}/")
            peaks = [
                peak(binary, endpoint, place, [*command, "-o", output, "--memory-limit", limit]) for output in outputs
            ]
            local, stored = (bytes_ >> 20 for bytes_ in peaks)
            print(f"{name}: {local} MiB into a local folder, {stored} MiB into a store", flush=True)
            assert peaks[1] < peaks[0] + MOST_BYTES, peaks
            rows = [tree(binary, endpoint, place, output) for output in outputs]
            assert rows[0] == rows[1] and len(rows[0]) == FOLDERS * FOLDER_BYTES // row_bytes + 1


main()
