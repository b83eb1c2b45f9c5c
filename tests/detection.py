"""Writes random puzzles to files of random layouts, and checks that each is recognised and read.

    python3 tests/detection.py target/release/pipeline [FILES] [SEED]

The layouts: lines with either line end, and tables with the puzzle as the only, the first or the last column, with usual
names of the column; sizes 4 to 16; the documented blanks; numbers of records that look like the rows of a board; ids that
look like cells; endings that say nothing.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

SIZES = (4, 6, 9, 16)
BLANKS = ".0_-*?x"
# With these blanks, a grid of 16 × 16 has an alphabet that its cells do not determine.
UNCLEAR_BLANKS = "0x"
RECORDS = (1, 2, 3, 4, 6, 9, 12, 15, 16, 17, 36, 40)
IDS = ("xx", "a", "10", "x", " ", "...", "7")


def generated(pipeline, size, seed):
    command = [pipeline, "generate", "100", "--size", str(size), "--seed", str(seed), "-o", "-", "--format", "csv", "-q"]
    rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [row.split(",")[0] for row in rows[1:]]


def written(rng, puzzles):
    """The text of a file with these puzzles, and the name of its layout."""
    ids = [rng.choice(IDS) if rng.random() < 0.3 else str(at) for at in range(len(puzzles))]
    column = rng.choice(("puzzle", "quizzes", "board", "Sudoku"))
    layout = rng.choice(("lines", "lines with CRLF", "one column", "id first", "id last", "tabs"))
    if layout.startswith("lines"):
        end = "\r\n" if "CRLF" in layout else "\n"
        return "".join(puzzle + end for puzzle in puzzles), layout
    delimiter = "\t" if layout == "tabs" else ","
    rows = [("x1", column), *zip(ids, puzzles)]
    if layout == "one column":
        rows = [row[1:] for row in rows]
    if layout == "id last":
        rows = [row[::-1] for row in rows]
    return "".join(delimiter.join(row) + "\n" for row in rows), layout


def main():
    pipeline, files, seed = sys.argv[1], int((sys.argv[2:] or [600])[0]), int((sys.argv[3:] or [1])[0])
    print(f"seed {seed}")
    rng = random.Random(seed)
    puzzles_of_size = {size: generated(pipeline, size, seed) for size in SIZES}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            size = rng.choice(SIZES)
            blanks = [blank for blank in BLANKS if size < 16 or blank not in UNCLEAR_BLANKS]
            blank = rng.choice(blanks)
            puzzles = rng.sample(puzzles_of_size[size], rng.choice(RECORDS))
            text, layout = written(rng, [puzzle.replace(".", blank) for puzzle in puzzles])
            path = pathlib.Path(folder, "records" + rng.choice((".csv", ".txt", ".dat", "")))
            path.write_text(text, newline="")
            command = [pipeline, "convert", path, "-o", "-", "--format", "csv", "--keep", "none", "-q"]
            done = subprocess.run(command, capture_output=True, text=True)
            read = [row.split(",")[0] for row in done.stdout.splitlines()[1:]]
            path.unlink()
            if read != puzzles:
                failed += 1
                print(f"file {number}: {len(puzzles)} of {size} × {size}, blank {blank!r}, {layout}, {path.name}:")
                print(f"  exit code {done.returncode}, {len(read)} read: {done.stderr.strip()[:200]}")
    print(f"{files - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
