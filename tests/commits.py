#!/usr/bin/env python3
"""Faults in every file call of every command that writes, kills at any moment, and runs at the same time.

    python3 tests/commits.py target/debug/pipeline            # a small part of it, as CI does
    python3 tests/commits.py target/debug/pipeline --all      # everything: hours
    python3 tests/commits.py target/debug/pipeline --kills 1000 --pairs 500 --seed 7

Each job is run once with strace, which counts its file calls, and then once for each call and each fault. After
each run the folder is compared with copies of the old and of the new set of files:

1. The final names hold the old set, or the new one, or a mixture without a marker (only after a kill).
2. A run that fails leaves the old set, byte for byte; without an old set it leaves nothing.
3. Files that are not the run's stay as they are.
5. The same command again succeeds, with the bytes of an undisturbed run, and leaves nothing else.
6. The exit code is 0 if and only if the new set is there.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

CALLS = [
    "openat", "read", "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2",
    "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "ftruncate", "close", "flock",
    "fchmod", "copy_file_range", "getdents64", "statx", "clone3", "mmap",
]
WRITING = [call for call in CALLS if call not in ("read", "getdents64", "statx", "clone3", "mmap", "openat", "close")]
FAULTS = {
    "ENOSPC": ["write", "pwrite64", "fsync", "openat", "mkdir", "link", "linkat", "rename", "renameat2", "ftruncate"],
    "EIO": ["read", "write", "fsync", "rename", "renameat2", "unlink", "link", "linkat", "rmdir", "mkdir", "getdents64", "statx", "ftruncate"],
    "EDQUOT": ["write", "openat", "mkdir", "fsync", "link", "linkat"],
    "EINTR": ["openat", "read", "write", "fsync", "rename", "renameat2", "flock", "ftruncate"],
    "EAGAIN": ["clone3"],
}

# Writes half of the n-th buffer that goes to a regular file: the rest has to be written by another call.
SHORT_WRITE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static atomic_int count;
ssize_t write(int file, const void *bytes, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    struct stat found;
    const char *at = getenv("SHORT_WRITE");
    if (at && size > 1 && fstat(file, &found) == 0 && S_ISREG(found.st_mode) && ++count == atoi(at))
        size /= 2;
    return real(file, bytes, size);
}
"""

PUZZLES = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
]


class Job:
    """A command, what is there before it, and the name whose presence says that its set is complete."""

    def __init__(self, name, arguments, marker, before=None, texts=("s.json", "m.prom")):
        self.name, self.arguments, self.marker = name, arguments, marker
        self.before, self.texts = before, texts


def jobs():
    texts = ["--summary", "s.json", "--metrics", "m.prom"]
    one = ["convert", "raw/a.csv", "-o", "out.csv", "--rejects", "bad.csv", *texts]
    into = ["--into", "train=0.5,test=0.5", "--seed", "1"]
    other_into = ["--into", "train=0.3,dev=0.3,test=0.4", "--seed", "2"]
    dedup = ["dedup", "raw", "-o", "out.parquet", "--by", "exact", "--duplicates", "twice.csv", *texts]
    overlap = ["overlap", "raw/a.csv", "raw/b.csv", "-o", "out.csv", "--by", "exact", *texts]
    folder = ["convert", "raw", "-o", "out/", *texts]
    parts = ["convert", "raw", "-o", "out/", "--partition-by", "level", "--format", "csv", *texts]
    shard = ["convert", "raw", "-o", "out/", "--shard", "0/2", *texts]
    over = ["--overwrite"]

    def old(arguments):
        """The old set: of other inputs, so that all bytes differ."""
        return [argument.replace("raw", "old") for argument in arguments]

    yield Job("convert new", one, "out.csv")
    yield Job("convert over", one + over, "out.csv", old(one))
    yield Job("grade over", ["grade", "raw", "-o", "out.parquet", *texts] + over, "out.parquet",
              ["grade", "old", "-o", "out.parquet", *texts])
    yield Job("validate new", ["validate", "raw/b.csv", "-o", "out.csv"], "out.csv")
    yield Job("augment over", ["augment", "raw/b.csv", "-o", "out.csv", "--copies", "2", *over], "out.csv",
              ["augment", "old/b.csv", "-o", "out.csv", "--copies", "2"])
    yield Job("trace new", ["trace", "raw/b.csv", "-o", "out.ndjson"], "out.ndjson")
    yield Job("generate over", ["generate", "20", "--seed", "2", "-o", "out.csv", *over], "out.csv",
              ["generate", "20", "--seed", "1", "-o", "out.csv"])
    yield Job("dedup new", dedup, "out.parquet")
    yield Job("dedup over", dedup + over, "out.parquet", old(dedup))
    yield Job("overlap over", overlap + over, "out.csv", old(overlap))
    yield Job("split new", ["split", "raw", "-o", "out/", *into, *texts], "out/_SUCCESS")
    yield Job("split over", ["split", "raw", "-o", "out/", *into, *texts, *over], "out/_SUCCESS",
              ["split", "old", "-o", "out/", *other_into, *texts])
    yield Job("folder new", folder, "out/_SUCCESS")
    yield Job("folder over", folder + over, "out/_SUCCESS", old(folder))
    yield Job("folder resume", folder + ["--resume"], "out/_SUCCESS", ["convert", "raw/a.csv", "-o", "out/", *texts])
    yield Job("folder resume changed", folder + ["--resume"], "out/_SUCCESS",
              ["convert", "raw", "-o", "out/", "--select", "puzzle", *texts])
    yield Job("partitions new", parts, "out/_SUCCESS")
    yield Job("partitions over", parts + over, "out/_SUCCESS", old(parts))
    yield Job("partitions resume", parts + ["--resume"], "out/_SUCCESS", [*parts[:1], "raw/a.csv", *parts[2:]])
    yield Job("shard new", shard, "out/_SUCCESS.0-of-2")
    yield Job("shard over", shard + over, "out/_SUCCESS.0-of-2",
              ["convert", "raw", "-o", "out/", "--shard", "0/2", "--select", "puzzle", *texts])
    yield Job("shard resume", shard + ["--resume"], "out/_SUCCESS.0-of-2",
              ["convert", "raw", "-o", "out/", "--shard", "0/2", "--select", "puzzle", *texts])


IN_CI = {"convert over", "dedup new", "split over", "folder over", "folder resume", "partitions new", "shard over"}


def inputs(place):
    for name in ("raw", "old"):
        (place / name).mkdir()
        for file in ("a", "b", "c"):
            rows = [f"{puzzle},{'easy' if at % 2 else 'hard'}" for at, puzzle in enumerate(PUZZLES)]
            rows = rows[1:] if name == "old" else rows
            bad = "" if file == "b" else f"bad{name},easy\n"
            (place / name / f"{file}.csv").write_text("puzzle,level\n" + bad + "\n".join(rows * 3) + "\n")
            # A resumed run looks at the time.
            os.utime(place / name / f"{file}.csv", (1_700_000_000, 1_700_000_000))
    (place / "mine.txt").write_text("mine")
    (place / ".other.csv.a1B2c3.tmp").write_text("another's")
    (place / ".out.new").mkdir()
    (place / ".out.new" / "thesis.doc").write_text("precious")
    (place / ".out.rejects").mkdir()


def tree(place):
    """All files with their bytes, without what differs from run to run."""
    found = {}
    for folder, _, names in os.walk(place):
        for name in names:
            path = pathlib.Path(folder) / name
            within = str(path.relative_to(place))
            try:
                found[within] = path.read_bytes()
            except FileNotFoundError:
                pass
    return found


def is_hidden(name):
    return re.search(r"(^|/)\.(out|twice|bad|s|m|unfinished|lock)[^/]*", name) and ".out.new" not in name


def visible(found, job):
    return {name: data for name, data in found.items() if not is_hidden(name) and name not in job.texts}


class Fault:
    def __init__(self, call, kind, at):
        self.call, self.kind, self.at = call, kind, at

    def __str__(self):
        return f"{self.call} {self.kind} {self.at}"


class Harness:
    def __init__(self, pipeline, scratch):
        self.pipeline, self.scratch = pathlib.Path(pipeline).resolve(), pathlib.Path(scratch)
        self.failures, self.runs, self.lock = [], 0, threading.Lock()
        self.library = None
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler:
            (self.scratch / "short.c").write_text(SHORT_WRITE)
            self.library = self.scratch / "short.so"
            subprocess.run([compiler, "-shared", "-fPIC", "-o", self.library, self.scratch / "short.c", "-ldl"], check=True)

    def run(self, place, arguments, before=(), environment=None, check=False):
        command = [*before, str(self.pipeline), *arguments]
        if arguments[0] not in ("report", "stats", "compare"):
            command += ["--threads", "1"]
        environment = {"PATH": os.environ["PATH"], **(environment or {})}
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=120)
        if check and done.returncode:
            raise SystemExit(f"{arguments}: {done.stderr}")
        return done

    def prepare(self, job):
        """The state before the job, and that after an undisturbed run."""
        job.old = self.scratch / (job.name.replace(" ", "-") + ".old")
        job.old.mkdir()
        inputs(job.old)
        if job.before:
            self.run(job.old, job.before, check=True)
        job.new = self.scratch / (job.name.replace(" ", "-") + ".new")
        shutil.copytree(job.old, job.new)
        self.run(job.new, job.arguments, check=True)
        job.old_tree, job.new_tree = tree(job.old), tree(job.new)
        left = [name for name in job.new_tree if is_hidden(name)]
        assert not left, f"{job.name}: an undisturbed run leaves {left}"

    def count(self, job):
        """How often a thread makes each call, at most."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            place = pathlib.Path(folder) / "p"
            shutil.copytree(job.old, place)
            log = pathlib.Path(folder) / "log"
            self.run(place, job.arguments, ["strace", "-f", "-qq", "-e", "trace=" + ",".join(CALLS), "-o", log])
            counts = {}
            for line in log.read_text(errors="replace").splitlines():
                found = re.match(r"(\d+) +(\w+)\(", line)
                if found:
                    counts[found.groups()] = counts.get(found.groups(), 0) + 1
        most = {}
        for (_, call), count in counts.items():
            most[call] = max(most.get(call, 0), count)
        return most

    def check(self, job, fault):
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            place = pathlib.Path(folder) / "p"
            shutil.copytree(job.old, place)
            if fault.kind == "short":
                done = self.run(place, job.arguments, environment={"LD_PRELOAD": str(self.library), "SHORT_WRITE": str(fault.at)})
            else:
                what = "signal=KILL" if fault.kind == "KILL" else f"error={fault.kind}"
                inject = f"inject={fault.call}:{what}:when={fault.at}"
                done = self.run(place, job.arguments, ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={fault.call}", "-e", inject])
            self.judge(job, place, done, str(fault), fault.kind == "KILL")

    def judge(self, job, place, done, what, killed):
        problems = []
        found = tree(place)
        now, old, new = visible(found, job), visible(job.old_tree, job), visible(job.new_tree, job)
        killed = killed and done.returncode not in (0, 1, 2, 3, 4)
        if done.returncode == 0:
            if now != new:
                problems.append(f"exit 0, but {differences(now, new)}")
        elif killed:
            if now not in (old, new) and job.marker in now:
                problems.append(f"a mixture with a marker: {differences(now, old)}")
        elif now == new and now != old:
            problems.append(f"exit {done.returncode}, but the new set is there: {done.stderr}")
        elif now != old:
            problems.append(f"exit {done.returncode}, but {differences(now, old)}: {done.stderr}")
        if done.returncode == 101 or "panicked" in done.stderr or "this is a bug" in done.stderr:
            problems.append(f"a bug: {done.stderr}")
        for name in ("mine.txt", ".other.csv.a1B2c3.tmp", ".out.new/thesis.doc"):
            if found.get(name) != job.old_tree[name]:
                problems.append(f"{name} is gone")
        # A complete set that must not be replaced is refused by the same command again.
        again = self.run(place, job.arguments)
        if not (again.returncode == 4 and now == new and "--overwrite" not in job.arguments):
            if again.returncode:
                problems.append(f"the same command again: exit {again.returncode}: {again.stderr}")
            after = tree(place)
            if visible(after, job) != new:
                problems.append(f"the same command again: {differences(visible(after, job), new)}")
            left = [name for name in after if is_hidden(name)]
            if left and not (killed and now == new):
                problems.append(f"the same command again leaves {left}")
        with self.lock:
            self.runs += 1
            for problem in problems:
                self.failures.append(f"{job.name}, {what}: {problem}")
                print(self.failures[-1].strip()[:2000], flush=True)


def differences(found, wanted):
    missing = sorted(set(wanted) - set(found))
    more = sorted(set(found) - set(wanted))
    other = sorted(name for name in found if name in wanted and found[name] != wanted[name])
    return f"missing {missing}, too many {more}, other bytes {other}"


def faults(most, everything):
    for call, count in most.items():
        if call in WRITING:
            yield from (Fault(call, "KILL", at) for at in range(1, count + 1))
    if not everything:
        return
    for kind, calls in FAULTS.items():
        for call in calls:
            yield from (Fault(call, kind, at) for at in range(1, most.get(call, 0) + 1))
    yield from (Fault("write", "short", at) for at in range(1, most.get("write", 0) + 1))


def kill_at_random(harness, job, rng):
    with tempfile.TemporaryDirectory(dir=harness.scratch) as folder:
        place = pathlib.Path(folder) / "p"
        shutil.copytree(job.old, place)
        command = [str(harness.pipeline), *job.arguments]
        child = subprocess.Popen(command, cwd=place, env={"PATH": os.environ["PATH"]}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait = rng.random() * 0.15
        time.sleep(wait)
        child.send_signal(rng.choice([signal.SIGKILL] * 3 + [signal.SIGTERM]))
        _, said = child.communicate()
        done = subprocess.CompletedProcess(command, child.returncode, "", said)
        harness.judge(job, place, done, f"a signal after {wait:.3f} s", True)


def at_the_same_time(harness, arguments, rng, count):
    """Runs into one folder at once: one wins, the others end at once and say who is at work."""
    with tempfile.TemporaryDirectory(dir=harness.scratch) as folder:
        place = pathlib.Path(folder) / "p"
        place.mkdir()
        inputs(place)
        if arguments[2] != "new":
            harness.run(place, ["convert", "old", "-o", "out/"], check=True)
        flags = [{"new": [], "overwrite": ["--overwrite"], "resume": ["--resume"]}[flag] for flag in arguments[:count]]
        children = []
        for flag in flags:
            command = [str(harness.pipeline), "convert", "raw", "-o", "out/", *flag]
            children.append(subprocess.Popen(command, cwd=place, env={"PATH": os.environ["PATH"]}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
            time.sleep(rng.random() * 0.02)
        ended = [(child, child.communicate()[1]) for child in children]
        problems = []
        if all(child.returncode for child, _ in ended):
            problems.append("all failed: " + "; ".join(said for _, said in ended))
        for child, said in ended:
            if child.returncode == 1 and "is being written by another run, process" not in said:
                problems.append(f"exit 1: {said}")
            elif child.returncode not in (0, 1, 4):
                problems.append(f"exit {child.returncode}: {said}")
        expected = {name for name in tree(place) if name.startswith("out/") and "part-" in name and "_rejects" not in name}
        left = [name for name in tree(place) if is_hidden(name)]
        if "out/_SUCCESS" not in tree(place) or not expected:
            problems.append(f"no complete set: {sorted(expected)}")
        if left:
            problems.append(f"left: {left}")
        again = harness.run(place, ["validate", "out", "--allow-empty"])
        if again.returncode not in (0, 3):
            problems.append(again.stderr)
        with harness.lock:
            harness.runs += 1
            harness.failures += [f"{count} runs, {arguments[:count]}: {problem}" for problem in problems]
            for problem in problems:
                print(f"{count} runs, {arguments[:count]}: {problem}"[:2000], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline")
    parser.add_argument("--all", action="store_true", help="every job, and every fault")
    parser.add_argument("--job", help="only jobs whose names contain this")
    parser.add_argument("--fault", help="only faults that contain this, as in 'rename EIO'")
    parser.add_argument("--kills", type=int, default=0, help="kill so many runs at a random moment")
    parser.add_argument("--pairs", type=int, default=0, help="start two and three runs at once so many times")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    if not shutil.which("strace"):
        raise SystemExit("this needs strace: apt-get install strace")
    rng = random.Random(args.seed)
    print(f"seed {args.seed}")
    start = time.time()
    with tempfile.TemporaryDirectory(prefix="commits-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(args.workers) as pool:
        harness = Harness(args.pipeline, scratch)
        chosen = [job for job in jobs() if (args.job or "") in job.name]
        random_only = (args.kills or args.pairs) and not args.all
        if not (args.all or args.job or random_only):
            chosen = [job for job in chosen if job.name in IN_CI]
        for _ in pool.map(harness.prepare, chosen):
            pass
        if not random_only:
            for job, most in zip(chosen, pool.map(harness.count, chosen)):
                before, began = harness.runs, time.time()
                wanted = [fault for fault in faults(most, args.all or args.fault) if (args.fault or "") in str(fault)]
                list(pool.map(lambda fault, job=job: harness.check(job, fault), wanted))
                print(f"{job.name}: {harness.runs - before} runs in {time.time() - began:.0f} s", flush=True)
        for _ in range(args.kills):
            kill_at_random(harness, rng.choice(chosen), rng)
        pairs = [["new", "new", "new"], ["overwrite", "overwrite", "overwrite"], ["resume", "resume", "resume"],
                 ["overwrite", "resume", "overwrite"], ["new", "overwrite", "resume"], ["new", "resume", "overwrite"]]
        for number in range(args.pairs):
            at_the_same_time(harness, pairs[number % len(pairs)], rng, 2 + number // len(pairs) % 2)
        failures, runs = harness.failures, harness.runs
    print(f"{runs} runs in {time.time() - start:.0f} s, {len(failures)} invariants broken")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
