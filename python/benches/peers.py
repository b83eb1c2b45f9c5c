"""Other Sudoku packages of the registry beside this one, in one run: microseconds for one puzzle, and for many.

    pip install py-sudoku rustoku hodoku-py pencilmark dokusan
    python python/benches/peers.py [PUZZLES]

Each row is measured on the same easy puzzles, one call a puzzle; the fastest of several rounds counts. Packages that are
not installed are named. The answers are compared: a package whose solution differs is named too.
"""

import sys
import time

import sudoku_pipeline as sp

ROUNDS = 5


def best(call, puzzles):
    """Microseconds a call over these puzzles: those of the fastest round."""
    fastest = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for puzzle in puzzles:
            call(puzzle)
        fastest = min(fastest, (time.perf_counter() - start) / len(puzzles))
    return fastest * 1e6


def ours():
    return {
        "make": sp.Puzzle,
        "solve": lambda text: str(sp.Puzzle(text).solve()),
        "count": lambda text: sp.Puzzle(text).count(2),
        "grade": lambda text: sp.Puzzle(text).grade(),
        "hint": lambda text: sp.Puzzle(text).hint(),
    }


def py_sudoku():
    from sudoku import Sudoku

    def solve(text):
        board = [[int(text[9 * row + column].replace(".", "0")) or None for column in range(9)] for row in range(9)]
        return "".join(str(cell) for row in Sudoku(3, 3, board=board).solve().board for cell in row)

    return {"solve": solve}


def hodoku():
    from hodoku import Solver

    solver = Solver()
    return {
        "solve": lambda text: solver.solve(text).solution,
        "grade": solver.rate,
        "hint": solver.get_hint,
    }


def pencilmark():
    import pencilmark

    return {
        "solve": lambda text: pencilmark.solve(text),
        "grade": lambda text: pencilmark.rate(text),
    }


def dokusan():
    from dokusan import solvers, stats
    from dokusan.boards import BoxSize, Sudoku

    def board(text):
        return Sudoku.from_string(text.replace(".", "0"), box_size=BoxSize(3, 3))

    return {
        "solve": lambda text: str(solvers.backtrack(board(text))),
        "grade": lambda text: stats.rank(board(text)),
    }


def rustoku():
    import rustoku

    maker = rustoku.Rustoku
    return {
        "solve": lambda text: str(maker(text.replace(".", "0")).solve_any()),
        "count": lambda text: len(maker(text.replace(".", "0")).solve_until(2)),
    }


PACKAGES = {
    "sudoku_pipeline": ours,
    "py-sudoku": py_sudoku,
    "rustoku": rustoku,
    "hodoku-py": hodoku,
    "pencilmark": pencilmark,
    "dokusan": dokusan,
}


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    easy = sp.generate(200, seed=1, level="easy").to_arrow()
    texts, solutions = easy.column("puzzle").to_pylist(), easy.column("solution").to_pylist()
    columns = ("make", "solve", "count", "grade", "hint")
    print(f"microseconds for one easy puzzle\n{'':18}" + "".join(f"{name:>10}" for name in columns))
    for package, found in PACKAGES.items():
        try:
            calls = found()
        except ImportError:
            print(f"{package:18}  not installed")
            continue
        cells = []
        for name in columns:
            call = calls.get(name)
            if call is None:
                cells.append(f"{'–':>10}")
                continue
            try:
                few = texts[: 200 if package == "sudoku_pipeline" else 10]
                cells.append(f"{best(call, few):>10,.1f}")
            except Exception as error:  # noqa: BLE001: whatever another package raises
                cells.append(f"{type(error).__name__[:9]:>10}")
        answer = calls["solve"](texts[0]) if "solve" in calls else None
        note = "" if not isinstance(answer, str) or solutions[0] in answer.replace("\n", "") else "  another form of answer"
        print(f"{package:18}" + "".join(cells) + note, flush=True)

    import numpy

    boards = sp.generate(count, seed=2).to_numpy("puzzle")
    for name, call in {
        "array to solutions": lambda: sp.solve(boards, select="solution").to_numpy("solution"),
        "array to grades": lambda: sp.grade(boards, select=["technique", "level"]).to_arrow(),
    }.items():
        start = time.perf_counter()
        made = call()
        seconds = time.perf_counter() - start
        print(f"{count:,} puzzles, {name}: {seconds:.3f} s, {seconds / count * 1e6:.2f} µs a puzzle, all cores")
        assert len(made) == count
    solved = sp.solve(boards).to_numpy("solution")
    assert (numpy.sort(solved, axis=1) == numpy.repeat(numpy.arange(1, 10), 9)).all()


if __name__ == "__main__":
    main()
