"""Other Sudoku packages of the registry beside this one, in one run: microseconds for one puzzle, and for many.

    pip install py-sudoku rustoku hodoku-py pencilmark dokusan
    python python/benches/peers.py [PUZZLES]

The first table has the median over the same easy puzzles, one call a puzzle, of which the fastest of three counts. The second
has PUZZLES puzzles (default: 100,000), each package with the fastest way that it has; one that is not done after some seconds
is stopped, and the number of its puzzles is named. Each solution is compared.
"""

import importlib.metadata
import statistics
import sys
import time

import sudoku_pipeline as sp

ROUNDS = 3
# The most seconds for measuring one figure.
PATIENCE = 10


def digits(text):
    return text.replace(".", "0")


def ours():
    return {
        "solve": lambda text: str(sp.Puzzle(text).solve()),
        "count": lambda text: sp.Puzzle(text).count(2) == 1,
        "grade": lambda text: sp.Puzzle(text).grade().level,
        "hint": lambda text: sp.Puzzle(text).hint().words,
        "steps": lambda text: sp.Puzzle(text).steps(),
    }


def of_puzzles():
    """The same functions of sudoku_pipeline as ``ours``, called on puzzles that have been parsed before."""
    return {
        "solve": sp.Puzzle.solve,
        "count": lambda puzzle: puzzle.count(2) == 1,
        "grade": sp.Puzzle.grade,
        "hint": sp.Puzzle.hint,
        "steps": sp.Puzzle.steps,
    }


def py_sudoku():
    from sudoku import Sudoku

    def board(text):
        cells = [int(cell) or None for cell in digits(text)]
        return Sudoku(3, 3, board=[cells[at : at + 9] for at in range(0, 81, 9)])

    return {
        "solve": lambda text: "".join(str(cell) for row in board(text).solve().board for cell in row),
        "count": lambda text: not board(text).has_multiple_solutions(),
    }


def rustoku():
    import rustoku

    return {
        "solve": lambda text: rustoku.solve(digits(text)),
        "count": lambda text: rustoku.count_solutions(digits(text), 2) == 1,
        "steps": lambda text: rustoku.solve_steps(digits(text), "expert"),
    }


def hodoku():
    from hodoku import Generator, Solver

    solver, generator = Solver(), Generator()
    return {
        "solve": lambda text: solver.solve(text).solution,
        "count": lambda text: generator.validate(text) == "valid",
        "grade": lambda text: solver.rate(text).level,
        "hint": lambda text: str(solver.get_hint(text)),
        "steps": lambda text: solver.solve(text).steps,
    }


def pencilmark():
    import pencilmark

    return {
        "solve": lambda text: "".join(map(str, pencilmark.solve(text))),
        # It raises NotUnique. Without a limit, rating a hard puzzle can take minutes.
        "count": lambda text: bool(pencilmark.solve(text)),
        "grade": lambda text: pencilmark.rate(text, max_seconds=1)["band"],
        "steps": lambda text: pencilmark.rate(text, steps=True, max_seconds=1)["steps"],
    }


def dokusan():
    from dokusan import solvers, stats
    from dokusan.boards import BoxSize, Sudoku

    def board(text):
        return Sudoku.from_string(digits(text), box_size=BoxSize(3, 3))

    def hint(text):
        # The first steps only mark candidates.
        return next(step for step in solvers.steps(board(text)) if step.combination.values)

    return {
        "solve": lambda text: str(solvers.backtrack(board(text))),
        # It raises MultipleSolutions.
        "count": lambda text: stats.rank(board(text)) > 0,
        "grade": lambda text: stats.rank(board(text)),
        "hint": hint,
        "steps": lambda text: list(solvers.steps(board(text))),
    }


PACKAGES = {
    "sudoku-pipeline": ours,
    "rustoku": rustoku,
    "pencilmark": pencilmark,
    "hodoku-py": hodoku,
    "py-sudoku": py_sudoku,
    "dokusan": dokusan,
}
CALLS = ("solve", "count", "grade", "hint", "steps")


def median(call, texts):
    """Microseconds per call: the median over the puzzles, with the fastest of several calls for each puzzle."""
    times = []
    end = time.perf_counter() + PATIENCE
    for text in texts:
        fastest = float("inf")
        for _ in range(ROUNDS):
            start = time.perf_counter()
            call(text)
            fastest = min(fastest, time.perf_counter() - start)
        times.append(fastest * 1e6)
        if time.perf_counter() > end:
            break
    return statistics.median(times)


def figure(microseconds):
    return f"{microseconds:,.1f}" if microseconds < 100 else f"{microseconds:,.0f}"


def version(package):
    return importlib.metadata.version(package) if package != "sudoku-pipeline" else sp.__version__


def one_puzzle(found, texts, solutions):
    print(f"| µs for one easy puzzle | {' | '.join(CALLS)} |\n|---|{'--:|' * len(CALLS)}")
    for package, calls in found.items():
        cells = []
        for name in CALLS:
            call = calls.get(name)
            if call is None:
                cells.append("–")
                continue
            if name == "solve":
                assert call(texts[0]) == solutions[0], package
            call(texts[0])
            cells.append(figure(median(call, texts)))
        print(f"| {package} {version(package)} | {' | '.join(cells)} |", flush=True)
        if package == "sudoku-pipeline":
            puzzles = [sp.Puzzle(text) for text in texts]
            cells = [figure(median(call, puzzles)) for call in of_puzzles().values()]
            print(f"| … of an `sp.Puzzle` | {' | '.join(cells)} |", flush=True)


def loop(call):
    """Calls the function for each puzzle until time is up. Returns the number of puzzles."""

    def run(texts):
        end = time.perf_counter() + PATIENCE
        for done, text in enumerate(texts):
            if time.perf_counter() > end:
                return done
            call(text)
        return len(texts)

    return run


def many(found, count):
    import numpy

    boards = sp.generate(count, seed=2).to_numpy("puzzle")
    texts = sp.convert(boards, select="puzzle").to_arrow().column("puzzle").to_pylist()
    solved = sp.solve(boards).to_numpy("solution")
    assert (numpy.sort(solved, axis=1) == numpy.arange(1, 10).repeat(9)).all() and (solved[boards > 0] == boards[boards > 0]).all()
    ways = {
        ("sudoku-pipeline", "solve", "(n, 81) to (n, 81)"): lambda _: len(sp.solve(boards, select="solution").to_numpy()),
        ("sudoku-pipeline", "grade", "(n, 81) to a table"): lambda _: len(sp.grade(boards, select=["technique", "level"]).to_arrow()),
    }
    for package, calls in found.items():
        for name in ("solve", "grade"):
            if name in calls:
                ways[package, name, "a loop"] = loop(calls[name])
    if "pencilmark" in found:
        import pencilmark

        # Larger parts would not return before time is up.
        ways["pencilmark", "grade", "rate_many(jobs=2)"] = lambda texts: len(pencilmark.rate_many(texts[:10], jobs=2, max_seconds=1))
    print(f"\n| {count:,} puzzles | | | puzzles done | seconds | µs a puzzle |\n|---|---|---|--:|--:|--:|")
    for (package, name, way), run in ways.items():
        start = time.perf_counter()
        done = run(texts)
        seconds = time.perf_counter() - start
        print(f"| {package} | {name} | {way} | {done:,} | {seconds:.2f} | {figure(seconds / done * 1e6)} |", flush=True)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    found = {}
    for package, calls in PACKAGES.items():
        try:
            found[package] = calls()
        except ImportError:
            print(f"{package} is not installed")
    easy = sp.generate(200, seed=1, level="easy").to_arrow()
    texts, solutions = easy.column("puzzle").to_pylist(), easy.column("solution").to_pylist()
    one_puzzle(found, texts, solutions)
    many(found, count)


if __name__ == "__main__":
    main()
