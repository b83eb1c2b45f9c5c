#!/usr/bin/env python3
"""Measures generators of minimal puzzles: python3 generate.py COUNT PIPELINE [--before PIPELINE] [--peers PEERS]
[--qqwing QQWING]. In each round, all run in turns on one thread; the best of three rounds counts. Rates are puzzles
a second of user time, so that other work on the machine changes them little."""

import argparse
import os
import subprocess
import tempfile

ROUNDS = 3
# The level of the puzzles, and the factor by which fewer of them are generated, because they take longer.
TARGETS = {"any": ([], 1), "medium": (["--level", "medium"], 4), "hard": (["--level", "hard"], 10),
           "se 7..8": (["--se", "7..8"], 20)}
QQWING_SHARE = 20


def user_seconds(command, **variables):
    """The user time of a command that must succeed."""
    process = subprocess.Popen(command, env=os.environ | variables,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command}: exit code {process.returncode}")
    return usage.ru_utime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("pipeline")
    parser.add_argument("--before")
    parser.add_argument("--peers")
    parser.add_argument("--qqwing")
    options = parser.parse_args()
    folder = tempfile.mkdtemp()
    runs = []

    def pipeline(name, binary, target, kernel):
        arguments, share = TARGETS[target]
        count = max(1, options.count // share)
        command = [binary, "generate", str(count), "--seed", "1", "--threads", "1", *arguments,
                   "--overwrite", "-o", os.path.join(folder, "out.csv")]
        runs.append((f"{name} {kernel}, {target}", count, command, {"PIPELINE_KERNEL": kernel}))

    for target in TARGETS:
        if options.before:
            pipeline("before", options.before, target, "avx512")
        for kernel in ["avx512", "avx2", "portable"]:
            pipeline("pipeline", options.pipeline, target, kernel)
    if options.peers:
        runs.append(("sudoku crate", options.count, [options.peers, "generate", str(options.count)], {}))
    if options.qqwing:
        count = max(1, options.count // QQWING_SHARE)
        runs.append(("qqwing", count, [options.qqwing, "--generate", str(count), "--one-line"], {}))
    best = {}
    for _ in range(ROUNDS):
        for name, count, command, variables in runs:
            rate = count / max(user_seconds(command, **variables), 1e-3)
            best[name] = max(best.get(name, 0), rate)
    for name, rate in best.items():
        print(f"generate {name}: {rate:,.0f} a second")


main()
