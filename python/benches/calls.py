"""Measures what a call of each function costs, for 1, 64, 4,096 and 200,000 rows, beside other packages.

    python python/benches/calls.py [--most ROWS] [--processor]

Prints a table in Markdown: the least time of several calls, with the conversion of the result. The last lines are the solvers of
other packages that are installed, called for each row. A call that would take much longer than others has no figure. With
--processor it is the processor time of all threads, which other programs on the machine hardly change.
"""

import argparse
import time

import numpy as np

import sudoku_pipeline as sp

SIZES = (1, 64, 4096, 200_000)
SECONDS = 0.5

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


def py_sudoku():
    from sudoku import Sudoku

    return lambda board: Sudoku(3, 3, board=board.reshape(9, 9).tolist()).solve()


def rustoku():
    import rustoku

    return lambda board: rustoku.solve("".join(map(str, board.tolist())))


def hodoku():
    from hodoku import Solver

    solver = Solver()
    return lambda board: solver.solve("".join(map(str, board.tolist())))


def pencilmark():
    import pencilmark

    return lambda board: pencilmark.solve("".join(map(str, board.tolist())).replace("0", "."))


# The most rows of a call that writes every step.
MOST_ROWS = {"trace": 4096}

# The solvers of other packages, and the most rows that take them less than half a minute.
OTHERS = {"rustoku": (rustoku, 200_000), "pencilmark": (pencilmark, 4096), "hodoku-py": (hodoku, 64), "py-sudoku": (py_sudoku, 64)}


def seconds(call, boards, solutions, clock):
    """The least time of a call, over at least three calls or half a second: other work on the machine makes calls slower, never quicker."""
    call(boards[:1], solutions[:1])
    times = []
    while len(times) < 3 or sum(times) < SECONDS:
        start = clock()
        call(boards, solutions)
        times.append(clock() - start)
        if sum(times) > 5:
            break
    return min(times)


def shown(value):
    unit, factor = next((u, f) for u, f in (("s", 1), ("ms", 1e3), ("µs", 1e6)) if value * f >= 1 or u == "µs")
    return f"{value * factor:.3g} {unit}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--processor", action="store_true")
    options = parser.parse_args()
    clock = time.process_time if options.processor else time.perf_counter
    sizes = [size for size in SIZES if size <= options.most]
    boards = sp.generate(sizes[-1], seed=1).to_numpy("puzzle")
    solutions = sp.solve(boards).to_numpy()
    print("| rows |" + "".join(f" {size:,} |" for size in sizes))
    print("|---|" + "---|" * len(sizes))
    for name, call in CALLS.items():
        most = MOST_ROWS.get(name, SIZES[-1])
        row = (shown(seconds(call, boards[:size], solutions[:size], clock)) if size <= most else "–" for size in sizes)
        print(f"| {name} | " + " | ".join(row) + " |", flush=True)
    for name, (make, most) in OTHERS.items():
        try:
            solve = make()
        except ImportError:
            continue
        call = lambda boards, _: [solve(board) for board in boards]  # noqa: E731
        row = (shown(seconds(call, boards[:size], solutions, clock)) if size <= most else "–" for size in sizes)
        print(f"| {name}, each row | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
