"""Measures what a call of each function costs, for 1, 64, 4,096 and 200,000 rows, beside other packages.

    python python/benches/calls.py [--most ROWS]

Prints a table in Markdown: the median of several calls, with the conversion of the result. The column of py-sudoku is its
solver, if the package is installed, for as many rows as it solves in a few seconds.
"""

import argparse
import statistics
import time

import numpy as np

import sudoku_pipeline as sp

SIZES = (1, 64, 4096, 200_000)
SECONDS = 1.0

CALLS = {
    "Puzzle(row).solve() in a loop": lambda b, s: [sp.Puzzle(row).solve() for row in b],
    "isomorph": lambda b, s: sp.isomorph(b, np.arange(len(b))),
    "solve": lambda b, s: sp.solve(b).to_numpy(),
    "solve, threads=1": lambda b, s: sp.solve(b, threads=1).to_numpy(),
    "convert": lambda b, s: sp.convert(b).to_numpy("puzzle"),
    "grade": lambda b, s: sp.grade(b).to_numpy("rank"),
    "check_moves": lambda b, s: sp.check_moves(b, np.tile([0, 0, 5], (len(b), 1)), max_rank=15),
    "augment": lambda b, s: sp.augment(b, 1, seed=1),
    "dedup": lambda b, s: sp.dedup(b),
    "split": lambda b, s: sp.split(b, {"a": 0.5, "b": 0.5}),
    "overlap": lambda b, s: sp.overlap(b, b),
    "evaluate": lambda b, s: sp.evaluate(b, s),
    "trace": lambda b, s: sp.trace(b),
    "audit": lambda b, s: sp.audit({"a": b, "b": b}),
}


def py_sudoku(boards, _):
    from sudoku import Sudoku

    for board in boards:
        Sudoku(3, 3, board=board.reshape(9, 9).tolist()).solve()


def seconds(call, boards, solutions):
    """The median time of a call, over at least three calls or a second."""
    call(boards[:1], solutions[:1])
    times = []
    while len(times) < 3 or sum(times) < SECONDS:
        start = time.perf_counter()
        call(boards, solutions)
        times.append(time.perf_counter() - start)
        if sum(times) > 5:
            break
    return statistics.median(times)


def shown(value):
    unit, factor = next((u, f) for u, f in (("s", 1), ("ms", 1e3), ("µs", 1e6)) if value * f >= 1 or u == "µs")
    return f"{value * factor:.3g} {unit}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=SIZES[-1])
    sizes = [size for size in SIZES if size <= parser.parse_args().most]
    boards = sp.generate(sizes[-1], seed=1).to_numpy("puzzle")
    solutions = sp.solve(boards).to_numpy()
    print("| rows |" + "".join(f" {size:,} |" for size in sizes))
    print("|---|" + "---|" * len(sizes))
    for name, call in CALLS.items():
        row = (shown(seconds(call, boards[:size], solutions[:size])) for size in sizes)
        print(f"| {name} | " + " | ".join(row) + " |", flush=True)
    try:
        import sudoku  # noqa: F401
    except ImportError:
        return
    row = (shown(seconds(py_sudoku, boards[:size], solutions)) if size <= 64 else "–" for size in sizes)
    print("| py-sudoku | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
