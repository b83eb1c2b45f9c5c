#!/usr/bin/env python3
"""Faults in every file call of every command that writes, kills at any moment, and runs at the same time.

    python3 tests/commits/commits.py target/release/pipeline            # a small part of it, as CI does
    python3 tests/commits/commits.py target/release/pipeline --all --table faults.tsv
    python3 tests/commits/commits.py target/release/pipeline --kills 1000 --pairs 500 --seed 7

Each job is run once with strace, which counts its file calls, and then once for each call and each fault. After
each run the folder is compared with copies of the old and of the new set of files:

1. The final names hold the old set, or the new one, or a mixture without a marker (only after a kill).
2. A run that fails leaves the old set, byte for byte; without an old set it leaves nothing.
3. Files that are not the run's stay as they are.
4. Of runs at the same time one wins, and the others say which process is at work.
5. The same command again succeeds, with the bytes of an undisturbed run, and leaves nothing else.
6. The exit code is 0 if and only if the new set is there.

A job that is done adds its figures to the table; with the same table, the next run goes on with the other jobs.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

from jobs import IN_CI, jobs
from runs import Harness, faults
from together import GROUPS, at_the_same_time, kill_at_random, pairs


def finished(table):
    """The jobs that an earlier call has completed, according to the table."""
    if not table or not table.exists():
        return set()
    return {line.split("\t")[0] for line in table.read_text().splitlines()}


def record(harness, path, names=None):
    """Prints the numbers of runs and broken invariants for these jobs, and adds them to the table."""
    for (job, kind), (runs, broken) in sorted(harness.table.items()):
        if names is None or job in names:
            line = f"{job}\t{kind}\t{runs}\t{broken}"
            print(line.expandtabs(28), flush=True)
            if path:
                with path.open("a") as file:
                    file.write(line + "\n")


def walk(harness, pool, chosen, args):
    """Runs each job with each fault in each file call."""
    for job in chosen:
        began, wanted = time.time(), []
        for fault in faults(harness.count(job), args.all or args.fault):
            if (args.fault or "") in str(fault):
                wanted.append(fault)
        list(pool.map(lambda fault, job=job: harness.check(job, fault), wanted))
        print(f"{job.name}: {len(wanted)} runs in {time.time() - began:.0f} s", flush=True)
        record(harness, args.table, [job.name])


def together(harness, pool, args, rng):
    """Runs two and three commands at the same time, with each pair of options in turn."""
    every = pairs()
    seeds = [random.Random(rng.random()) for _ in range(args.pairs)]

    def one(number):
        pair, own = every[number % len(every)], seeds[number]
        flags = next(flags for arguments, flags in GROUPS if arguments is pair[0])
        third = own.choice(flags) if number // len(every) % 2 else None
        return at_the_same_time(harness, pair, third, own)

    results = list(pool.map(one, range(args.pairs)))
    met = sum(met for met, _, _ in results)
    alone = sum(met and winners == 1 for met, winners, _ in results)
    slowest = max(slowest for _, _, slowest in results)
    print(f"{args.pairs} groups of runs: in {met} one met another at work, in {alone} of these exactly one won; "
          f"the slowest of those that were refused took {slowest:.2f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline")
    parser.add_argument("--all", action="store_true", help="every job, and every fault")
    parser.add_argument("--job", help="only jobs whose names contain this")
    parser.add_argument("--fault", help="only faults that contain this, as in 'rename EIO'")
    parser.add_argument("--kills", type=int, default=0, help="kill so many runs at a random moment")
    parser.add_argument("--pairs", type=int, default=0, help="start two and three runs at once so many times")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=pathlib.Path, help="the figures of the jobs that are done, which are left out")
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
        done = finished(args.table)
        chosen = [job for job in jobs() if (args.job or "") in job.name and job.name not in done]
        random_only = (args.kills or args.pairs) and not args.all
        if not (args.all or args.job or random_only):
            chosen = [job for job in chosen if job.name in IN_CI]
        if not random_only or args.kills:
            list(pool.map(harness.prepare, chosen))
        if not random_only:
            walk(harness, pool, chosen, args)
        if args.kills:
            seeds = [random.Random(rng.random()) for _ in range(args.kills)]
            list(pool.map(lambda at: kill_at_random(harness, chosen[at % len(chosen)], seeds[at]), range(args.kills)))
        if args.pairs:
            together(harness, pool, args, rng)
        if random_only:
            record(harness, args.table)
        failures, runs = harness.failures, harness.runs
    print(f"{runs} runs in {time.time() - start:.0f} s, {len(failures)} invariants broken")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
