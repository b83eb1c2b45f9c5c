"""The runs of tests/commits/commits.py that run at the same time, and runs that a signal ends."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from jobs import PUZZLES
from runs import differences, is_hidden, tree


def start(harness, place, arguments):
    return subprocess.Popen([str(harness.pipeline), *arguments], cwd=place, env={"PATH": os.environ["PATH"]},
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def kill_at_random(harness, job, rng):
    """Sends a signal at a random moment of the run."""
    with tempfile.TemporaryDirectory(dir=harness.scratch) as folder:
        place = pathlib.Path(folder) / "p"
        shutil.copytree(job.old, place)
        threads = [] if job.arguments[0] == "compare" else ["--threads", "1"]
        child = start(harness, place, [*job.arguments, *threads])
        wait = rng.random() * job.seconds * 1.2
        time.sleep(wait)
        child.send_signal(rng.choice([signal.SIGKILL] * 3 + [signal.SIGTERM]))
        _, said = child.communicate()
        done = subprocess.CompletedProcess(child.args, child.returncode, "", said)
        harness.judge(job, place, done, f"a signal after {wait:.3f} s", "signal")


FOLDER = ["convert", "raw", "-o", "out/"]
FILE = ["convert", "raw", "-o", "out.csv"]
SPLIT = ["split", "raw", "-o", "out/", "--into", "a=0.5,b=0.5", "--seed", "1"]

# Groups of commands that run at the same time, and the files that exist before.
GROUPS = [
    (FOLDER, [[], ["--overwrite"], ["--resume"], ["--resume", "--prune"]]),
    (FILE, [[], ["--overwrite"]]),
    (SPLIT, [[], ["--overwrite"]]),
]


def pairs():
    """Each pair of options, without and with an old set."""
    found = []
    for arguments, flags in GROUPS:
        for first in flags:
            for second in flags:
                found += [(arguments, first, second, False), (arguments, first, second, True)]
    return found


def at_the_same_time(harness, pair, third, rng):
    """Starts two or three runs with the same output. One succeeds, and the others end with a message that names
    it. Returns whether they overlapped, and how long the refused run took."""
    arguments, first, second, is_old = pair
    chosen = [first, second] + ([third] if third is not None else [])
    with tempfile.TemporaryDirectory(dir=harness.scratch) as folder:
        place = pathlib.Path(folder) / "p"
        (place / "raw").mkdir(parents=True)
        for name in "abcd":
            (place / "raw" / f"{name}.csv").write_text("puzzle,level\n" + "".join(f"{puzzle},{at}\n" for at in range(500) for puzzle in PUZZLES))
            os.utime(place / "raw" / f"{name}.csv", (1_700_000_000, 1_700_000_000))
        whole = pathlib.Path(folder) / "whole"
        shutil.copytree(place, whole)
        harness.run(whole, arguments, expected=0)
        if is_old:
            harness.run(place, [*arguments[:1], "raw/a.csv", *arguments[2:]], expected=0)
        before = tree(place)
        children = []
        for flags in chosen:
            children.append((start(harness, place, [*arguments, *flags]), time.time()))
            time.sleep(rng.random() * 0.03)
        ended = {}
        while len(ended) < len(children):
            for at, (child, began) in enumerate(children):
                if at not in ended and child.poll() is not None:
                    ended[at] = time.time() - began
            time.sleep(0.002)
        said = [child.stderr.read() for child, _ in children]
        codes = [child.returncode for child, _ in children]
        processes = [child.pid for child, _ in children]
        problems, met, slowest = [], False, 0
        for at, (code, text) in enumerate(zip(codes, said)):
            holder = re.search(r"is being written by another run, process (\d+) on \S+", text)
            if code == 1 and holder and int(holder[1]) in processes and int(holder[1]) != processes[at]:
                met, slowest = True, max(slowest, ended[at])
            elif code not in (0, 4):
                problems.append(f"exit {code}: {text}")
            elif code == 4 and "exists already" not in text:
                problems.append(f"exit 4: {text}")
        winners = codes.count(0)
        can_win = not is_old or any(flags for flags in chosen)
        now = tree(place)
        if can_win and not winners:
            problems.append("nobody won: " + "; ".join(said))
        if met and winners > 1 and len(chosen) == 2:
            problems.append("both won, although they met")
        wanted = tree(whole) if winners else before
        if now != wanted:
            problems.append(differences(now, wanted))
        left = [name for name in now if is_hidden(name)]
        if left:
            problems.append(f"left: {left}")
        with harness.lock:
            harness.runs += 1
            row = harness.table[f"{len(chosen)} runs at once: {arguments[0]} -o {arguments[3]}", "together"]
            row[0] += 1
            row[1] += bool(problems)
            what = f"{arguments[0]} -o {arguments[3]} {chosen}{' over a set' if is_old else ''}"
            harness.failures += [f"{what}: {problem}" for problem in problems]
            for problem in problems:
                print(f"{what}: {problem}"[:2000], flush=True)
        return met, winners, slowest
