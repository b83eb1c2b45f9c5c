"""The runs of tests/commits/commits.py: a job with a fault, and the invariants that are checked afterwards."""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time

from jobs import FOREIGN, TEXTS, inputs

CALLS = [
    "openat", "read", "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2",
    "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "ftruncate", "close", "flock",
    "fchmod", "copy_file_range", "getdents64", "statx", "clone3",
]
READING = ("read", "getdents64", "statx", "clone3", "openat", "close")
WRITING = [call for call in CALLS if call not in READING]
FAULTS = {
    "ENOSPC": ["write", "pwrite64", "fsync", "openat", "mkdir", "link", "linkat", "rename", "renameat2", "ftruncate"],
    "EIO": ["read", "write", "fsync", "rename", "renameat2", "unlink", "link", "linkat", "rmdir", "mkdir", "getdents64", "statx", "ftruncate"],
    "EDQUOT": ["write", "openat", "mkdir", "fsync", "link", "linkat"],
    "EINTR": ["openat", "read", "write", "fsync", "rename", "renameat2", "flock", "ftruncate"],
    "EAGAIN": ["clone3"],
}

# A fault in these calls leaves hidden files, which the next run removes.
REMOVING = ("unlink", "unlinkat", "rmdir", "openat", "getdents64", "statx", "flock")

# Writes only half of the n-th buffer to a regular file, so that the program has to write the rest with
# another call.
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


def tree(place):
    """All files with their bytes, without the real paths of inputs in manifests: equal runs have different places."""
    found = {}
    for folder, _, names in os.walk(place):
        for name in names:
            path = pathlib.Path(folder) / name
            try:
                found[str(path.relative_to(place))] = re.sub(rb'\s*"real_path": *"[^"]*",?', b"", path.read_bytes())
            except FileNotFoundError:
                pass
    return found


def is_hidden(name):
    """Whether the name is that of a temporary file or of a claim."""
    is_own = re.search(r"(^|/)\.(out|twice|bad|page|card|s|m|unfinished|lock)[^/]*", name)
    return is_own and name not in FOREIGN


def visible(found, job):
    """The visible files of a set, without the parts of texts that differ between runs."""
    return {name: job.normalise(data) if name == job.marker else data
            for name, data in found.items() if not is_hidden(name) and name not in TEXTS}


def without_failed_rejects(job, old):
    """The old set without the rejects of a failed run, which the next run may remove even if it fails."""
    after_failure = any("--max-rejects" in arguments for arguments in job.before)
    return {name: data for name, data in old.items() if not (after_failure and name.endswith("bad.csv"))}


def differences(found, wanted):
    missing = sorted(set(wanted) - set(found))
    more = sorted(set(found) - set(wanted))
    other = sorted(name for name in found if name in wanted and found[name] != wanted[name])
    return f"missing {missing}, too many {more}, other bytes {other}"


class Fault:
    def __init__(self, call, kind, at):
        self.call, self.kind, self.at = call, kind, at

    def __str__(self):
        return f"{self.call} {self.kind} {self.at}"


class Harness:
    def __init__(self, pipeline, scratch):
        self.pipeline, self.scratch = pathlib.Path(pipeline).resolve(), pathlib.Path(scratch)
        self.failures, self.runs, self.lock = [], 0, threading.Lock()
        # For each job and kind of fault, the number of runs and of broken invariants.
        self.table = collections.defaultdict(lambda: [0, 0])
        compiler = shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            raise SystemExit("this needs a C compiler")
        (self.scratch / "short.c").write_text(SHORT_WRITE)
        self.library = self.scratch / "short.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-o", self.library, self.scratch / "short.c", "-ldl"], check=True)

    def run(self, place, arguments, before=(), environment=None, expected=None):
        command = [*before, str(self.pipeline), *arguments]
        if arguments[0] != "compare":
            command += ["--threads", "1"]
        environment = {"PATH": os.environ["PATH"], **(environment or {})}
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=300)
        if expected is not None and done.returncode != expected:
            raise SystemExit(f"{' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
        return done

    def prepare(self, job):
        """Determines the files before the job, and those after a run without faults."""
        job.old = self.scratch / (job.name.replace(" ", "-") + ".old")
        job.old.mkdir()
        inputs(job.old)
        for arguments in job.before:
            self.run(job.old, arguments, expected=3 if "--max-rejects" in arguments else 0)
        job.new = self.scratch / (job.name.replace(" ", "-") + ".new")
        shutil.copytree(job.old, job.new)
        began = time.time()
        self.run(job.new, job.arguments, expected=job.code)
        job.seconds = time.time() - began
        job.old_tree, job.new_tree = tree(job.old), tree(job.new)
        left = [name for name in job.new_tree if is_hidden(name)]
        # A claim is kept together with the rejects of a failed run. The next run removes both.
        assert job.code or not left, f"{job.name}: an undisturbed run leaves {left}"

    def count(self, job):
        """For each thread, the number of each system call, and which of these calls are about files of the run.
        The calls that load the program are left out."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            place = pathlib.Path(folder) / "p"
            shutil.copytree(job.old, place)
            log = pathlib.Path(folder) / "log"
            self.run(place, job.arguments, ["strace", "-f", "-y", "-qq", "-s", "9", "-e", "trace=" + ",".join(CALLS), "-o", log])
            counts, wanted = collections.Counter(), collections.defaultdict(set)
            for line in log.read_text(errors="replace").splitlines():
                found = re.match(r"(\d+) +(\w+)\(", line)
                if not found:
                    continue
                counts[found.groups()] += 1
                is_other = re.search(r'["<]/(?!dev/shm|tmp)', line.replace(str(place), ""))
                if not is_other or found[2] == "clone3":
                    wanted[found[2]].add(counts[found.groups()])
        return {call: sorted(numbers) for call, numbers in wanted.items()}

    def check(self, job, fault):
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            place = pathlib.Path(folder) / "p"
            shutil.copytree(job.old, place)
            if fault.kind == "short":
                done = self.run(place, job.arguments, environment={"LD_PRELOAD": str(self.library), "SHORT_WRITE": str(fault.at)})
            else:
                what = "signal=KILL" if fault.kind == "KILL" else f"error={fault.kind}"
                inject = f"inject={fault.call}:{what}:when={fault.at}"
                # With a seccomp filter, the process stops only at this system call.
                strace = ["strace", "--seccomp-bpf", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={fault.call}", "-e", inject]
                done = self.run(place, job.arguments, strace)
            self.judge(job, place, done, fault, fault.kind)

    def judge(self, job, place, done, what, kind):
        """Checks the invariants, which tests/commits/commits.py numbers."""
        problems = []
        found = tree(place)
        now, old, new = visible(found, job), visible(job.old_tree, job), visible(job.new_tree, job)
        code = done.returncode
        is_signal = code in (130, 143)
        was_killed = kind in ("KILL", "signal") and code not in (0, 1, 2, 3, 4) and not is_signal
        if was_killed:
            if now not in (old, new) and job.marker in now:
                problems.append(f"1: a mixture with a marker: {differences(now, old)}")
        elif code == job.code:
            # A run with too many rejects keeps them, unless they cannot be written.
            if now != new and not (job.code and now == old):
                problems.append(f"6: exit {code}, but {differences(now, new)}")
        elif now == new and now != old and not is_signal:
            problems.append(f"6: exit {code}, but the new set is there: {done.stderr}")
        elif now not in (old, new, without_failed_rejects(job, old)):
            problems.append(f"2: exit {code}, but {differences(now, old)}: {done.stderr}")
        if code == 101 or "panicked" in done.stderr or "this is a bug" in done.stderr:
            problems.append(f"a bug: {done.stderr}")
        said = "".join(line for line in done.stderr.splitlines(True) if "could not be removed" not in line)
        if re.search(r"\.[A-Za-z0-9]{6}\.tmp|\.unfinished/|_old/", said.split("; the old one is")[0]):
            problems.append(f"the message has a temporary name: {done.stderr}")
        for name in FOREIGN:
            if found.get(name) != job.old_tree[name]:
                problems.append(f"3: {name} is gone")
        removes = isinstance(what, Fault) and what.call in REMOVING
        # The claim beside the rejects of a failed run is kept if this run has failed before it started.
        expected = {*job.new_tree, *job.old_tree}
        left = [name for name in found if is_hidden(name) and "/.unfinished" not in name and name not in expected]
        if left and not was_killed and not removes:
            problems.append(f"2: exit {code} leaves {left}")
        # The same command again refuses a complete set that must not be replaced.
        again = self.run(place, job.arguments)
        if not (again.returncode == 4 and now == new and not job.replaces):
            if again.returncode != job.code:
                problems.append(f"5: the same command again: exit {again.returncode}: {again.stderr}")
            after = tree(place)
            if visible(after, job) != new:
                problems.append(f"5: the same command again: {differences(visible(after, job), new)}")
            left = [name for name in after if is_hidden(name) and name not in job.new_tree]
            if left and not (was_killed and now == new):
                problems.append(f"5: the same command again leaves {left}")
        with self.lock:
            self.runs += 1
            row = self.table[job.name, kind]
            row[0] += 1
            row[1] += bool(problems)
            for problem in problems:
                self.failures.append(f"{job.name}, {what}: {problem}")
                print(self.failures[-1].strip()[:2000], flush=True)


def faults(calls, everything):
    """A kill at each call that writes. With ``everything``, also each other kind of fault."""
    for call, numbers in calls.items():
        if call in WRITING:
            yield from (Fault(call, "KILL", at) for at in numbers)
    if not everything:
        return
    for kind, of_kind in FAULTS.items():
        for call in of_kind:
            yield from (Fault(call, kind, at) for at in calls.get(call, ()))
    yield from (Fault("write", "short", at) for at in calls.get("write", ()))
