"""A thousand calls of each kind, good and bad, and the memory before and after.

    python python/benches/leaks.py [CALLS]
"""

import gc
import os
import pickle
import sys
import time

import numpy
import pyarrow as pa

import sudoku_pipeline as sp

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CELLS = numpy.array([[int(cell) for cell in EASY.replace(".", "0")]] * 20, numpy.uint8)
TABLE = pa.table({"puzzle": [EASY] * 100, "id": list(range(100))})


def failing():
    yield pa.record_batch({"puzzle": [EASY] * 100})
    raise ValueError("out of paper")


def refused(call):
    try:
        call()
    except (sp.PipelineError, OSError, ValueError, TypeError):
        return
    raise AssertionError("this is an error")


KINDS = {
    "one puzzle": lambda: one_puzzle(EASY),
    "array to array": lambda: sp.solve(CELLS).to_numpy(),
    "scattered array": lambda: sp.solve(CELLS[:, ::-1]).to_numpy(),
    "iterator": lambda: pa.table(sp.solve(iter([EASY] * 10))),
    "shown": lambda: sp.solve([EASY])._repr_html_(),
    "graded": lambda: pa.table(sp.grade(TABLE)),
    "left unread": lambda: next(sp.grade(TABLE)),
    "never read": lambda: sp.grade(TABLE),
    "wrong column": lambda: refused(lambda: sp.grade(TABLE, puzzle_column="none")),
    "wrong type": lambda: refused(lambda: sp.grade(TABLE, puzzle_column="id", keep="none")),
    "nulls": lambda: pa.table(sp.grade(pa.table({"puzzle": pa.nulls(100, pa.string())}), rejects="rows")),
    "empty stream": lambda: pa.table(sp.grade(TABLE.slice(0, 0))),
    "exception in the producer": lambda: refused(
        lambda: pa.table(sp.grade(pa.RecordBatchReader.from_batches(pa.schema({"puzzle": pa.string()}), failing())))
    ),
}


def one_puzzle(text):
    puzzle = sp.Puzzle(text)
    puzzle.solve(), puzzle.count(2), puzzle.grade(), puzzle.rating(), puzzle.hint(), puzzle.candidates, puzzle.canonical()
    numpy.asarray(puzzle), pickle.loads(pickle.dumps(puzzle)), puzzle.steps()[0]._repr_html_()


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name, call in KINDS.items():
        sizes = []
        for _ in range(4):
            for _ in range(calls // 4):
                call()
            gc.collect()
            time.sleep(0.1)
            sizes.append(resident())
        shown = ", ".join(f"{size:.1f}" for size in sizes)
        print(f"{name:28} {calls} calls  MiB after each quarter: {shown}  threads {len(os.listdir('/proc/self/task'))}")
        assert sizes[-1] - sizes[0] < 8, name


if __name__ == "__main__":
    main()
