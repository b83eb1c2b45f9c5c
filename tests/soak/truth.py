"""The expected results for puzzles: a simple solver, and the records that the soak test uses."""

BOXES = [[27 * (box // 3) + 3 * (box % 3) + 9 * (i // 3) + i % 3 for i in range(9)] for box in range(9)]
HOUSES = [[9 * i + j for j in range(9)] for i in range(9)]
HOUSES += [[9 * j + i for j in range(9)] for i in range(9)] + BOXES
PEERS = [
    sorted({cell for house in HOUSES if at in house for cell in house} - {at}) for at in range(81)
]


def has_conflict(puzzle):
    return any(
        puzzle[at] != "." and any(puzzle[at] == puzzle[peer] for peer in PEERS[at])
        for at in range(81)
    )


def solutions(puzzle, most=2):
    """Up to `most` solutions as texts, found by trying the cell with the fewest candidates."""
    found = []
    cells = [0 if cell == "." else 1 << int(cell) for cell in puzzle]

    def free(at):
        taken = 0
        for peer in PEERS[at]:
            taken |= cells[peer]
        return 0x3FE & ~taken

    def search():
        best, digits, fewest = None, 0, 10
        for at in range(81):
            if cells[at] == 0:
                options = free(at)
                count = options.bit_count()
                if count < fewest:
                    best, digits, fewest = at, options, count
                    if count <= 1:
                        break
        if best is None:
            found.append("".join(str(cell.bit_length() - 1) for cell in cells))
            return
        while digits and len(found) < most:
            digit = digits & -digits
            digits ^= digit
            cells[best] = digit
            search()
            cells[best] = 0

    if not has_conflict(puzzle):
        search()
    return found


class Puzzle:
    """A valid puzzle, and the expected results of solving it."""

    def __init__(self, text):
        self.text = text
        self.clues = 81 - text.count(".")
        found = solutions(text)
        self.status = ["none", "unique", "multiple"][len(found)]
        self.solution = found[0] if len(found) == 1 else None
        self.any_solution = found[0] if found else None


def pool(rng, generated):
    """Puzzles with one solution, with several, and with none."""
    puzzles = [Puzzle(text) for text in generated]
    for text in generated:
        clues = [at for at in range(81) if text[at] != "."]
        kind = rng.randrange(6)
        if kind == 0:
            # Without two of its clues, a minimal puzzle has several solutions.
            fewer = list(text)
            for at in rng.sample(clues, 2):
                fewer[at] = "."
            puzzles.append(Puzzle("".join(fewer)))
        elif kind == 1:
            solution = solutions(text, 1)[0]
            wrong = list(text)
            empty = rng.choice([at for at in range(81) if text[at] == "."])
            digits = [d for d in "123456789" if d != solution[empty]]
            digits = [d for d in digits if all(text[peer] != d for peer in PEERS[empty])]
            if digits:
                wrong[empty] = rng.choice(digits)
                puzzles.append(Puzzle("".join(wrong)))
    return puzzles


def bad_text(rng, puzzle):
    """A text that is not a puzzle, and the id of its expected error."""
    kind = rng.choice(["wrong_length", "bad_character", "mixed_blanks", "conflict"])
    text = list(puzzle.text)
    empty = [at for at in range(81) if text[at] == "."]
    if kind == "wrong_length":
        short = "".join(text[: rng.choice([1, 40, 80])])
        # A number alone on the first line of a list is the count of the puzzles, and not a record.
        return "." if short.isdigit() else short, kind
    if kind == "bad_character":
        text[rng.choice(empty)] = rng.choice("a!@")
    elif kind == "mixed_blanks":
        text[rng.choice(empty)] = "0"
    else:
        at = rng.choice([at for at in range(81) if text[at] != "."])
        text[next(peer for peer in PEERS[at] if text[peer] == ".")] = text[at]
    return "".join(text), kind
