#!/usr/bin/env python3
"""Writes random puzzles in random notations, symbols, formats and sizes, and checks that each is read back or rejected.

usage: notations.py PIPELINE [RECORDS] [SEED]

A file has records in one notation with one symbol for empty cells. A record that is read as another puzzle is a failure;
so is a notation of which everything is rejected. The last lines are the counts.
"""
import collections
import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PIPELINE = str(Path(sys.argv[1]).resolve())
RECORDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
RECORDS_OF_FILE = 40

# Symbols for empty cells, where a cell is a token and where it is a character.
TOKENS = ["0", "0", ".", "_", "-1", "None", "nan", "NaN", "null", "", "NA", "?", "x", "*"]
CHARACTERS = [".", "0", "_", "*", "x", "-", "?", "·", "□", "⬜"]


def rows(cells, order, between):
    return [between.join(cells[at:at + order]) for at in range(0, len(cells), order)]


def flat(cells, order, rng):
    left, right = rng.choice(["[]", "()", "[]", "{}"])
    return left + rng.choice([",", ", "]).join(cells) + right


def nested(cells, order, rng):
    between = rng.choice(["], [", "],\n [", "],["])
    return "[[" + between.join(rows(cells, order, ", ")) + "]]"


def numpy_flat(cells, order, rng):
    lines = []
    width = rng.choice([order, 37])
    for at in range(0, len(cells), width):
        lines.append(" ".join(cells[at:at + width]))
    return "[" + "\n ".join(lines) + "]"


def numpy_nested(cells, order, rng):
    return "[[" + "]\n [".join(rows(cells, order, " ")) + "]]"


def arrays(cells, order, rng):
    inner = rng.choice(["array", "np.array", "list"])
    brackets = [f"{inner}([{row}])" for row in rows(cells, order, ", ")]
    return "[" + rng.choice([", ", "\n "]).join(brackets) + "]"


def dtype(cells, order, rng):
    return "array([[" + "],\n       [".join(rows(cells, order, ", ")) + "]], dtype=int8)"


def objects(cells, order, rng):
    name = rng.choice(["row", "r", "Row "])
    pairs = [f'"{name}{at + 1}": [{row}]' for at, row in enumerate(rows(cells, order, ", "))]
    return "{" + ", ".join(pairs) + "}"


def fields(cells, order, rng):
    return rng.choice([",", ";", "\t", ", "]).join(cells)


def spaced(cells, order, rng):
    return rng.choice([" ", "  "]).join(cells)


def board_of_fields(cells, order, rng):
    return "\n".join(rows(cells, order, rng.choice([",", ";", "\t"])))


# Cells are tokens. `words`: empty cells may be words; `nothing`: they may be left out.
TOKEN_NOTATIONS = {
    "flat": (flat, "words nothing"),
    "nested": (nested, "words nothing"),
    "numpy_flat": (numpy_flat, "words"),
    "numpy_nested": (numpy_nested, "words"),
    "arrays": (arrays, "words nothing"),
    "dtype": (dtype, "words"),
    "objects": (objects, "words nothing"),
    "fields": (fields, "words nothing"),
    "spaced": (spaced, "words"),
    "board_of_fields": (board_of_fields, "words nothing"),
}


def plain(cells, order, rng):
    return "".join(cells)


def joined(cells, order, rng):
    return rng.choice(["/", "|", ",", ", ", ";", " / ", "\\n"]).join(rows(cells, order, ""))


def quoted_rows(cells, order, rng):
    quote = rng.choice("'\"")
    return "[" + ", ".join(quote + row + quote for row in rows(cells, order, "")) + "]"


def lines(cells, order, rng):
    return "\n".join(rows(cells, order, rng.choice(["", " "])))


def widths(order):
    return {4: 2, 6: 3, 9: 3, 12: 4, 16: 4, 25: 5}[order]


def framed(cells, order, rng):
    width = widths(order)
    height = order // width
    text, rule = [], None
    for row, start in enumerate(range(0, len(cells), order)):
        boxes = [" ".join(cells[at:at + width]) for at in range(start, start + order, width)]
        line = "| " + " | ".join(boxes) + " |"
        rule = "+" + "+".join("-" * (2 * width + 1) for _ in boxes) + "+"
        if row % height == 0:
            text.append(rule)
        text.append(line)
    return "\n".join(text + [rule])


def ruled(cells, order, rng):
    width = widths(order)
    height = order // width
    text = []
    for row, start in enumerate(range(0, len(cells), order)):
        boxes = [" ".join(cells[at:at + width]) for at in range(start, start + order, width)]
        if row and row % height == 0:
            text.append("+".join("-" * (2 * width + (0 if at in (0, len(boxes) - 1) else 1)) for at in range(len(boxes))))
        text.append(" | ".join(boxes))
    return "\n".join(text)


def headed(cells, order, rng):
    label = rng.choice(["R{}", "Row {}:", "R{}:"])
    names = rng.choice([[f"C{at + 1}" for at in range(order)], None])
    text = ["    " + " ".join(names)] if names else []
    for row, line in enumerate(rows(cells, order, " ")):
        text.append(label.format(row + 1) + " " + line)
    return "\n".join(text)


def markdown(cells, order, rng):
    head = rng.choice([None, [f"C{at + 1}" for at in range(order)]])
    text = []
    if head:
        text = ["| | " + " | ".join(head) + " |", "|" + "---|" * (order + 1)]
        text += [f"| R{row + 1} | " + line + " |" for row, line in enumerate(rows(cells, order, " | "))]
    else:
        text = ["| " + line + " |" for line in rows(cells, order, " | ")]
        text.insert(1, "|" + "---|" * order)
    return "\n".join(text)


def protected(cells, order, rng):
    return rng.choice(['="{}"', "'{}", "{};", "\u200b{}", "{}\ufeff", "puzzle: {}"]).format("".join(cells))


def full_width(cells, order, rng):
    return "".join(chr(ord(cell) + 0xFEE0) if cell.isascii() and cell.isdigit() else cell for cell in cells)


def bold(cells, order, rng):
    return "".join(chr(0x1D7CE + int(cell)) if cell.isascii() and cell.isdigit() else cell for cell in cells)


# Cells are characters. The sizes for which each notation is written.
CHARACTER_NOTATIONS = {
    "plain": (plain, (4, 6, 9, 12, 16, 25)),
    "joined": (joined, (4, 6, 9, 12, 16, 25)),
    "quoted_rows": (quoted_rows, (4, 6, 9, 12, 16, 25)),
    "lines": (lines, (4, 6, 9, 12, 16, 25)),
    "framed": (framed, (4, 6, 9, 16)),
    "ruled": (ruled, (6, 9, 16)),
    "headed": (headed, (4, 6, 9)),
    "markdown": (markdown, (4, 6, 9)),
    "protected": (protected, (9, 16)),
    "full_width": (full_width, (9,)),
    "bold": (bold, (9,)),
}


# For each notation, the message and the start of the first file that was refused.
refusals = {}


def make_puzzles(folder):
    found = {}
    for order in (4, 6, 9, 12, 16, 25):
        count = 150 if order <= 9 else 25
        extra = [] if order <= 16 and order != 12 else ["--max-attempts", "50"]
        command = [PIPELINE, "generate", str(count), "--seed", str(SEED), "-o", "-", "--format", "csv", *extra]
        if order != 9:
            command += ["--size", str(order)]
        output = subprocess.run(command, capture_output=True, text=True, timeout=600)
        puzzles = [row["puzzle"] for row in csv.DictReader(output.stdout.splitlines())]
        if puzzles:
            found[order] = puzzles
    return found


def cells_of(puzzle, blank, as_numbers):
    cells = []
    for cell in puzzle:
        if cell == ".":
            cells.append(blank)
        else:
            cells.append(str(SYMBOLS.index(cell) + 1) if as_numbers else cell)
    return cells


def write_file(folder, name, texts, container):
    path = folder / f"{name}.{container}"
    if container == "csv":
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "puzzle"])
            writer.writerows(enumerate(texts))
    elif container == "ndjson":
        path.write_text("".join(json.dumps({"id": at, "puzzle": text}) + "\n" for at, text in enumerate(texts)), "utf-8")
    elif container == "txt":
        path.write_text("".join(text + "\n" for text in texts), "utf-8")
    else:
        path.write_text("\n\n".join(texts) + "\n", "utf-8")
    return path


def write_wide(folder, puzzles, order, blank, rng):
    names = rng.choice([
        [f"c{at}" for at in range(order * order)],
        [f"cell_{at + 1}" for at in range(order * order)],
        [f"r{at // order + 1}c{at % order + 1}" for at in range(order * order)],
        [str(at) for at in range(order * order)],
        None,
    ])
    has_id = rng.random() < 0.4
    with open(folder / "wide.csv", "w", newline="") as file:
        writer = csv.writer(file)
        if names:
            writer.writerow((["id"] if has_id else []) + names)
        for at, puzzle in enumerate(puzzles):
            writer.writerow(([f"p{at}"] if has_id else []) + cells_of(puzzle, blank, True))
    return folder / "wide.csv"


def check(path, puzzles, label, counts, failures):
    folder = path.parent
    out, rejects = folder / "out.ndjson", folder / "rejects.ndjson"
    for old in (out, rejects):
        old.unlink(missing_ok=True)
    command = [PIPELINE, "convert", str(path), "-o", str(out), "--rejects", str(rejects), "--max-rejects", "100%"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if run.returncode == 3:
        counts[label]["refused"] += len(puzzles)
        refusals.setdefault(label, (run.stderr[-300:], path.read_bytes()[:150]))
        return
    if run.returncode != 0:
        failures.append((label, run.returncode, run.stderr[:300], path.read_bytes()[:200]))
        return
    read = [json.loads(line)["puzzle"] for line in out.read_text("utf-8").splitlines()]
    rejected = [json.loads(line) for line in rejects.read_text("utf-8").splitlines()] if rejects.exists() else []
    lost = {reject["row"] for reject in rejected}
    if rejected:
        refusals.setdefault(label, (rejected[0]["message"], rejected[0]["raw"][:400]))
    expected = [puzzle for at, puzzle in enumerate(puzzles) if at not in lost]
    counts[label]["rejected"] += len(lost)
    counts[label]["right"] += sum(one == other for one, other in zip(read, expected))
    if read != expected:
        wrong = next((pair for pair in zip(read, expected) if pair[0] != pair[1]), (len(read), len(expected)))
        failures.append((label, "misread", wrong, path.read_bytes()[:300]))


def main():
    rng = random.Random(SEED)
    counts = collections.defaultdict(collections.Counter)
    failures = []
    written = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        puzzles = make_puzzles(folder)
        while written < RECORDS:
            kind = rng.random()
            order = rng.choice([order for order in (9, 9, 9, 4, 6, 12, 16, 25) if order in puzzles])
            chosen = [rng.choice(puzzles[order]) for _ in range(RECORDS_OF_FILE if order <= 9 else 8)]
            if kind < 0.1:
                order = rng.choice((4, 6, 9))
                chosen = [rng.choice(puzzles[order]) for _ in range(RECORDS_OF_FILE)]
                blank = rng.choice(["0", "", "nan", "-1", "."])
                label = f"wide {order}"
                path = write_wide(folder, chosen, order, blank, rng)
            elif kind < 0.55:
                notation, (function, may_be) = rng.choice(list(TOKEN_NOTATIONS.items()))
                tokens = TOKENS if "nothing" in may_be else [token for token in TOKENS if token]
                if notation in ("flat", "nested", "objects", "arrays") and rng.random() < 0.3:
                    tokens = ["''", "'.'", '""', '"0"']
                blank = rng.choice(tokens)
                floats = rng.random() < 0.2 and blank in ("0", "nan", "NaN", "-1")
                texts, style = [], rng.random()
                for puzzle in chosen:
                    cells = cells_of(puzzle, blank, True)
                    if floats:
                        cells = [cell + ".0" if cell.lstrip("-").isdigit() else cell for cell in cells]
                    # All records of a file are written in the same style.
                    texts.append(function(cells, order, random.Random(style)))
                container = rng.choice(["csv", "ndjson", "txt"])
                if texts[0].startswith("{") and container == "txt":
                    container = "csv"
                if container == "txt" and any("\n" in text for text in texts):
                    container = "board" if notation == "board_of_fields" else "csv"
                label = f"{notation} {order}"
                path = write_file(folder, "records", texts, container)
            else:
                notation, (function, orders) = rng.choice(list(CHARACTER_NOTATIONS.items()))
                order = rng.choice([order for order in orders if order in puzzles])
                chosen = [rng.choice(puzzles[order]) for _ in range(RECORDS_OF_FILE if order <= 9 else 8)]
                blank = rng.choice(CHARACTERS if order == 9 else [".", ".", "_", "*"])
                if notation in ("joined", "headed", "ruled", "framed", "markdown") and blank in "-_*":
                    blank = "."
                style = rng.random()
                texts = [function(cells_of(puzzle, blank, False), order, random.Random(style)) for puzzle in chosen]
                container = rng.choice(["csv", "ndjson", "txt"])
                if container == "txt" and any("\n" in text for text in texts):
                    container = "board"
                label = f"{notation} {order}"
                path = write_file(folder, "records", texts, container)
            written += len(chosen)
            check(path, chosen, label, counts, failures)
    print(f"seed {SEED}: {written} records")
    for label in sorted(counts):
        print(f"  {label:20} " + ", ".join(f"{count} {what}" for what, count in sorted(counts[label].items())))
    for label, refusal in refusals.items():
        print(f"refused or rejected: {label}", *refusal, sep="\n    ")
    for failure in failures[:12]:
        print("FAILED", *failure, sep="\n    ")
    silent = [label for label, count in counts.items() if not count["right"]]
    if silent:
        print("nothing is read of:", ", ".join(silent))
    total = sum((count for count in counts.values()), collections.Counter())
    print(f"{total['right']} right, {total['rejected']} rejected, {total['refused']} in refused files, {len(failures)} files misread")
    sys.exit(1 if failures or silent else 0)


main()
