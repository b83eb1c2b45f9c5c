"""Plants faults of each kind in predictions, and compares `pipeline evaluate` with a judge of its own.

The puzzles are generated. Every tenth one loses all clues of two digits: it then has several solutions, among them
the given one and the same with the two digits exchanged. The kind of each prediction is known because it was
planted, and each column is computed a second time, from the rules of the documents alone.

Usage: evaluate_twin.py PIPELINE [COUNT] [SEED]
"""

import collections
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

KINDS = ["solution", "other_solution", "wrong", "incomplete", "clue_changed", "unparsable", "missing"]
PEERS = [
    {other for other in range(81) if other != cell and (
        other // 9 == cell // 9 or other % 9 == cell % 9
        or (other // 27 == cell // 27 and other % 9 // 3 == cell % 9 // 3))}
    for cell in range(81)
]


def planted(kind, puzzle, solution, is_ambiguous, pair, rng):
    """A prediction with a fault of this kind, and its actual kind, because some faults are not possible for
    every puzzle."""
    cells = list(solution)
    blanks = [at for at in range(81) if puzzle[at] == "."]
    clues = [at for at in range(81) if puzzle[at] != "."]
    other = lambda at: rng.choice([digit for digit in "123456789" if digit != cells[at]])
    if kind == "other_solution":
        if not is_ambiguous:
            return solution, "solution"
        exchange = {pair[0]: pair[1], pair[1]: pair[0]}
        return "".join(exchange.get(cell, cell) for cell in cells), kind
    if kind == "wrong":
        at = rng.choice(blanks)
        cells[at] = other(at)
    elif kind == "incomplete":
        blank = rng.choice(".0")
        for at in rng.sample(range(81), rng.randint(1, 20)):
            cells[at] = blank
    elif kind == "clue_changed":
        at = rng.choice(clues)
        cells[at] = other(at)
        if rng.random() < 0.3:
            cells[rng.choice(blanks)] = "."
    elif kind == "unparsable":
        how = rng.randrange(3)
        if how == 0:
            cells = cells[: rng.randint(1, 80)]
        elif how == 1:
            cells.append("1")
        else:
            cells[rng.randrange(81)] = "K"
    elif kind == "missing":
        cells = []
    return "".join(cells), kind


def judge(puzzle, solution, is_ambiguous, prediction):
    """The values of the output columns, computed by the rules in the documents."""
    blanks = puzzle.count(".")
    none = {"blanks": blanks, "blanks_right": None, "cells_right": None, "conflicts": None, "first_wrong": None}
    if prediction == "":
        return {"verdict": "missing", **none}
    if len(prediction) != 81 or set(prediction) - set("0123456789."):
        return {"verdict": "unparsable", **none}
    grid = prediction.replace("0", ".")
    conflicts = sum(
        grid[cell] != "." and any(grid[peer] == grid[cell] for peer in PEERS[cell]) for cell in range(81)
    )
    right = solution
    if any(clue != "." and own not in (".", clue) for clue, own in zip(puzzle, grid)):
        verdict = "clue_changed"
    elif "." in grid:
        verdict = "incomplete"
    elif conflicts:
        verdict = "wrong"
    elif grid == solution:
        verdict = "solution"
    else:
        assert is_ambiguous
        verdict, right = "other_solution", grid
    wrong = [cell for cell in range(81) if grid[cell] != right[cell]]
    return {
        "verdict": verdict,
        "blanks": blanks,
        "blanks_right": sum(puzzle[cell] == "." and grid[cell] == right[cell] for cell in range(81)),
        "cells_right": 81 - len(wrong),
        "conflicts": conflicts,
        "first_wrong": f"r{wrong[0] // 9 + 1}c{wrong[0] % 9 + 1}" if wrong else None,
    }


def main():
    pipeline = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
    print(f"seed {seed}, {count} predictions")
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        made = [pipeline, "generate", str(min(count, 2000)), "--seed", str(seed % 1000), "-o", "base.csv"]
        subprocess.run(made, cwd=place, check=True, stderr=subprocess.DEVNULL)
        with open(place / "base.csv", newline="") as file:
            base = [(row["puzzle"], row["solution"]) for row in csv.DictReader(file)]
        expected, kinds = [], collections.Counter()
        with open(place / "test.csv", "w") as test, open(place / "predictions.txt", "w") as predictions:
            test.write("puzzle,solution\n")
            for number in range(count):
                puzzle, solution = base[number % len(base)]
                is_ambiguous, pair = number % 10 == 0, rng.sample("123456789", 2)
                if is_ambiguous:
                    puzzle = "".join("." if cell in pair else cell for cell in puzzle)
                prediction, kind = planted(
                    KINDS[number // 10 % len(KINDS)], puzzle, solution, is_ambiguous, pair, rng
                )
                row = judge(puzzle, solution, is_ambiguous, prediction)
                assert row["verdict"] == kind, (puzzle, prediction, row, kind)
                expected.append(row)
                kinds[kind] += 1
                test.write(f"{puzzle},{solution}\n")
                predictions.write(prediction + "\n")
        start = time.time()
        command = [pipeline, "evaluate", "test.csv", "predictions.txt", "-o", "judged.csv", "--summary", "s.json"]
        subprocess.run(command, cwd=place, check=True, capture_output=True)
        seconds = time.time() - start
        with open(place / "judged.csv", newline="") as file:
            judged = list(csv.DictReader(file))
        assert len(judged) == count, len(judged)
        for number, (row, own) in enumerate(zip(judged, expected)):
            for name, value in own.items():
                text = "" if value is None else str(value)
                assert row[name] == text, (number, name, row[name], text, row)
            is_exact = own["verdict"] in ("solution", "other_solution")
            assert row["is_exact"] == str(is_exact).lower(), (number, row)
        totals = json.loads((place / "s.json").read_text())["evaluation"]
        text = json.dumps(totals)
        for kind, rows in kinds.items():
            assert f'"{kind}": {rows}' in text, (kind, rows, text[:400])
    shown = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS)
    print(f"{count} predictions: {shown}; all as planted and as judged here; {count / seconds:,.0f} rows/s")


main()
