"""Puzzles in the notations in which people publish them."""

import numpy
import pytest

import sudoku_pipeline as sp

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DIGITS = [0 if cell == "." else int(cell) for cell in PUZZLE]
ARRAY = numpy.array(DIGITS).reshape(9, 9)


@pytest.mark.parametrize(
    "text",
    [
        str(ARRAY.tolist()),
        str(ARRAY),
        repr(ARRAY),
        str(DIGITS),
        str([None if digit == 0 else digit for digit in DIGITS]),
        str(ARRAY.astype(float)),
        str([PUZZLE[at : at + 9] for at in range(0, 81, 9)]),
        ",".join(map(str, DIGITS)),
        "/".join(PUZZLE[at : at + 9] for at in range(0, 81, 9)),
        "\n".join(f"R{at // 9 + 1} " + " ".join(PUZZLE[at : at + 9]) for at in range(0, 81, 9)),
        "puzzle = '" + PUZZLE + "'",
        PUZZLE.replace(".", "·"),
    ],
)
def test_a_puzzle_is_read_in_every_notation(text):
    assert str(sp.Puzzle(text)) == PUZZLE


def test_a_text_that_is_no_grid_is_an_error_that_says_why():
    with pytest.raises(sp.PipelineError, match="a list of 80 cells; a puzzle has 81"):
        sp.Puzzle(str(DIGITS[1:]))
    with pytest.raises(sp.PipelineError, match="the list was cut when it was written"):
        sp.Puzzle(str(numpy.array([DIGITS] * 100)))
