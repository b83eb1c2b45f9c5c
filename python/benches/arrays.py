"""Arrays to arrays: the time beside the command's, and what is copied.

    python python/benches/arrays.py [PUZZLES]

The puzzles are an array of the shape (n, 81), uint8, and so are the solutions. The command reads the same array from a file,
and writes the solutions to one. The fastest of some runs counts, taken in turns. Memory is that of the process: its peak grows
by the result, and not by the input a second time.
"""

import os
import subprocess
import sys
import tempfile
import time

import numpy

import sudoku_pipeline as sp

ROUNDS = 7


def peak():
    """The largest memory that this process has used so far, in bytes."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))


def timed(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    boards = sp.generate(count, seed=2).to_numpy("puzzle")
    sp.solve(boards[:5000]).to_numpy()
    before = peak()
    stream = sp.solve(boards, select="solution")
    held = peak() - before
    solutions = stream.to_numpy()
    grown = peak() - before
    mebibytes = [round(number / 2**20, 1) for number in (boards.nbytes, held, grown)]
    print("MiB: the array {}, more when the stream is made {}, and when the solutions are there {}".format(*mebibytes))
    print(f"the solutions have the memory that they were written to: {not solutions.flags.owndata}")
    assert held < boards.nbytes // 4 + (4 << 20) and grown < 2 * boards.nbytes + (64 << 20)

    command = os.path.join(os.path.dirname(sys.executable), "pipeline")
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "boards.npy"), os.path.join(folder, "solved.parquet")
        numpy.save(source, boards)
        line = [command, "solve", source, "-o", target, "--select", "solution", "--overwrite", "--quiet"]
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(timed(lambda: sp.solve(boards, select="solution").to_numpy())[0])
            theirs.append(timed(lambda: subprocess.run(line, check=True))[0])
    for name, seconds in (("sp.solve(boards).to_numpy()", min(ours)), ("pipeline solve boards.npy -o solved.parquet", min(theirs))):
        print(f"{count:,} puzzles, {name}: {seconds:.3f} s, {seconds / count * 1e6:.2f} µs a puzzle")
    print(f"ratio {min(ours) / min(theirs):.2f}")


if __name__ == "__main__":
    main()
