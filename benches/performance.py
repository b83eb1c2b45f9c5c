#!/usr/bin/env python3
"""Prints the tables of docs/performance.md, as they stand there, from one run on this machine:

    python3 benches/performance.py [--tdoku PROGRAM] [NAME=FILE ...]     # about ten minutes on an idle machine

The lists in FILEs have a puzzle with one solution at the start of each line; the program makes the others. Each program of a
table takes turns with the others, and the best of all rounds counts. `cargo build --release` and `cargo build --release
--manifest-path benches/peers/Cargo.toml` come first; PROGRAM is made by `just bench-tdoku`.
"""

import argparse
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time

ROUNDS = 3
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PIPELINE = os.path.join(ROOT, "target/release/pipeline")
PEERS = os.path.join(ROOT, "benches/peers/target/release/peers")
KERNELS = ["avx512", "avx2", "portable", "scalar"]
NAMES = {"avx512": "AVX-512", "avx2": "AVX2", "sudoku-crate": "`sudoku` crate"}


def output(command, **variables):
    """The standard output of a command that must succeed."""
    done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def bench(name, *arguments, **variables):
    return output(["cargo", "bench", "--locked", "--quiet", "--bench", name, "--", *arguments], **variables)


def timed(command, **variables):
    """Wall seconds and seconds of user time of a command that must succeed."""
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | variables, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{message.decode()}")
    return time.monotonic() - start, usage.ru_utime


def best_of(commands, figure):
    """The least seconds (0: wall, 1: user) of each command; they take turns."""
    seconds = {}
    for _ in range(ROUNDS):
        for name, (command, variables) in commands.items():
            seconds.setdefault(name, []).append(timed(command, **variables)[figure])
    return {name: min(values) for name, values in seconds.items()}


def number(value):
    """A rate with three digits."""
    digits = max(0, len(str(int(value))) - 3)
    return f"{round(value, -digits):,.0f}"


def table(title, head, rows):
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|---|{'---:|' * (len(head) - 1)}", flush=True)
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |", flush=True)


def rates(text):
    """The lines `solve KERNEL FILE RATE …` of the benches: rates by kernel and file."""
    found = re.findall(r"^(?:solve|grade) (\S+) (\S+) (\d+)", text, re.MULTILINE)
    return {(kernel, file): float(rate) for kernel, file, rate in found}


def merged(best, more):
    for key, rate in more.items():
        best[key] = max(rate, best.get(key, 0))


def whole_runs(files):
    rows = []
    for name, file in files.items():
        text = bench("end_to_end", file)
        for command, ratio, rate in re.findall(r"^end_to_end (.+) \S+ ([\d.]+) of zcat, (\d+) rows/s", text, re.MULTILINE):
            rows.append([name, f"`{command}`", number(int(rate)), f"{ratio} × zcat"])
    table("Whole runs, .csv.gz to Parquet, all cores", ["puzzles", "command", "rows/s", "time"], rows)


def solver(lists, tdoku):
    files = list(lists.values())
    many, one, peers = {}, {}, {}
    for _ in range(ROUNDS):
        merged(many, rates(bench("solve", "--batch=4096", *files)))
        merged(one, rates(bench("solve", "--batch=1", *files)))
        merged(peers, rates(output([PEERS, *files])))
        if tdoku:
            merged(peers, rates(output([tdoku, *files])))
    kernels = [kernel for kernel in KERNELS if (kernel, files[0]) in many]
    others = [name for name in ["sudoku-crate", "tdoku"] if (name, files[0]) in peers]
    for what, ours in [("4,096 puzzles in a call", many), ("one puzzle in a call", one)]:
        rows = []
        for name, file in lists.items():
            fastest = max(peers[other, file] for other in others)
            cells = [f"{number(ours[kernel, file])} ({ours[kernel, file] / fastest:.1f} ×)" for kernel in kernels]
            rows.append([name, *cells, *(number(peers[other, file]) for other in others)])
        table(f"Solver, puzzles a second on one core, {what}",
              ["puzzles", *(NAMES.get(name, name) for name in kernels + others)], rows)


def ladder(lists):
    files = list(lists.values())
    basic, full = {}, {}
    for _ in range(2):
        merged(basic, rates(bench("grade", "--ladder=basic", *files)))
        merged(full, rates(bench("grade", *files)))
    kernels = [kernel for kernel in KERNELS if (kernel, files[0]) in full]
    rows = [[name, *(number(some[kernel, file]) for some in [basic, full] for kernel in kernels)]
            for name, file in lists.items()]
    names = [NAMES.get(kernel, kernel) for kernel in kernels]
    table("Ladder, puzzles graded a second on one core, without solving",
          ["puzzles", *(f"{name}, basic" for name in names), *(f"{name}, full" for name in names)], rows)


def generation(folder):
    targets = {"any": ([], 10_000), "`--level medium`": (["--level", "medium"], 2_500),
               "`--level hard`": (["--level", "hard"], 1_000), "`--se 7..8`": (["--se", "7..8"], 400)}
    kernels = [kernel for kernel in KERNELS[:3] if kernel != "avx512" or "avx512" in open("/proc/cpuinfo").read()]
    commands = {}
    for target, (arguments, count) in targets.items():
        for kernel in kernels:
            made = [PIPELINE, "generate", str(count), "--seed", "1", "--threads", "1", *arguments, "--overwrite",
                    "-o", f"{folder}/made.csv"]
            commands[target, kernel] = (made, {"PIPELINE_KERNEL": kernel})
    commands["`sudoku` crate", "portable"] = ([PEERS, "generate", "10000"], {})
    seconds = best_of(commands, 1)
    rows = [[target, *(number(count / seconds[target, kernel]) for kernel in kernels)]
            for target, (_, count) in targets.items()]
    rows.append(["`sudoku` crate, any", number(10_000 / seconds["`sudoku` crate", "portable"]), *("" for _ in kernels[1:])])
    table("Generator, minimal puzzles a second of user time on one core",
          ["target", *(NAMES.get(kernel, kernel) for kernel in kernels)], rows)


def ratings(lists, folder):
    bands, cells = [], {}
    for name, file in lists.items():
        found = re.findall(r"^rating \S+ (all|to [\d.]+|unrated): puzzles=(\d+) .*a_second=(\d+)", bench("rating", "--max=9.4", file),
                           re.MULTILINE)
        for band, puzzles, rate in found:
            bands += [band] if band not in bands else []
            cells[name, band] = f"{number(int(rate))} ({int(puzzles):,})"
    bands.sort(key=lambda band: (band == "unrated", band == "all", band))
    rows = [[band.replace("unrated", "above 9.4"), *(cells.get((name, band), "") for name in lists)] for band in bands]
    table("Sudoku Explainer's rating, puzzles a second on one core (and how many have this rating)", ["rating", *lists], rows)
    rows = []
    for name, file in lists.items():
        runs = {ask: ([PIPELINE, "grade", file, "--threads", "1", "--overwrite", "-o", f"{folder}/rated.parquet",
                       *(["--with", ask] if ask else [])], {}) for ask in ["", "hodoku", "te"]}
        seconds = best_of(runs, 1)
        puzzles = sum(1 for _ in open(file))
        rows.append([name, number(puzzles / seconds[""])] +
                    [number(puzzles / max(1e-3, seconds[ask] - seconds[""])) for ask in ["hodoku", "te"]])
    table("`grade`, puzzles a second of user time on one core; what the ratings add",
          ["puzzles", "`grade`", "`--with hodoku`", "`--with te`"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="*", metavar="NAME=FILE")
    parser.add_argument("--tdoku", help="the program of `just bench-tdoku`")
    parser.add_argument("--only", default="runs,solver,ladder,generation,ratings,formats", help="the tables")
    options = parser.parse_args()
    only = options.only.split(",")
    folder = tempfile.mkdtemp()

    def made(name, *arguments):
        output([PIPELINE, *arguments, "--overwrite", "-o", f"{folder}/{name}"])
        return f"{folder}/{name}"

    def first_cells(name, file):
        """The puzzles of a list, a line each, as all programs read them."""
        puzzles = [line[:81].replace("0", ".") for line in open(file) if re.match(r"[.\d]{81}", line)]
        with open(f"{folder}/{re.sub('[^a-z0-9]+', '-', name)}.txt", "w") as text:
            text.writelines(puzzle + "\n" for puzzle in puzzles)
        return text.name

    minimal = made("minimal.txt", "generate", "100000", "--seed", "19", "--format", "lines")
    lists = {"generated minimal, 100,000": first_cells("minimal-81", minimal)}
    lists |= {name: first_cells(name, file) for name, file in (entry.split("=", 1) for entry in options.lists)}
    rng = random.Random(19)
    with open(lists["generated minimal, 100,000"]) as puzzles, open(f"{folder}/several.txt", "w") as several:
        for puzzle in puzzles:
            at = rng.choice([at for at in range(81) if puzzle[at] != "."])
            several.write(puzzle[:at] + "." + puzzle[at + 1:])
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    print(f"{time.strftime('%Y-%m-%d')}, {model.group(1) if model else platform.processor()}, {os.cpu_count()} cores")
    if "runs" in only:
        singles = made("singles.csv.gz", "generate", "300000", "--level", "easy", "--seed", "2")
        runs = {"minimal": made("minimal.csv.gz", "generate", "200000", "--seed", "1"), "singles": singles}
        if "17-clue" in lists:
            runs["17-clue"] = made("17.csv.gz", "augment", lists["17-clue"], "--copies", "20")
        whole_runs(runs)
    if "solver" in only:
        solver(lists | {"several solutions, 100,000": several.name}, options.tdoku)
    if "ladder" in only:
        ladder(lists)
    if "generation" in only:
        generation(folder)
    if "ratings" in only:
        ratings(lists, folder)
    if "formats" in only:
        print(f"\nFormats, 200,000 rows, all cores\n\n{bench('formats')}")


if __name__ == "__main__":
    main()
