"""What the functions take: which texts are puzzles, and which are paths."""

from __future__ import annotations

import os
from typing import Any

# The numbers of cells of the puzzles of each size, and of pencil marks.
_CELLS = (16, 36, 81, 144, 256, 625, 729)
_BLANKS = ".0*_-xX?"
_DIGITS = "123456789"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYabcdefghijklmnopqrstuvwxy"


class Paths:
    """Files, folders, patterns and addresses, which the tool's own readers read."""

    def __init__(self, paths: list[str]) -> None:
        self._sudoku_pipeline_paths = paths


def is_puzzle(text: str) -> bool:
    """Whether a text is a puzzle, and not a path.

    It is one if it has line breaks, or if its characters other than white space are as many as the cells of a
    puzzle of some size, all of them digits, blanks (``. 0 * _ - x ?``) or, from 144 cells on, letters; and if no
    file has this name.
    """
    if "\n" in text.strip():
        return True
    squeezed = "".join(text.split())
    if len(squeezed) not in _CELLS:
        return False
    known = _BLANKS + _DIGITS + (_LETTERS if len(squeezed) in (144, 256, 625) else "")
    return all(cell in known for cell in squeezed) and not os.path.exists(text)


def prepared(data: Any) -> Any:
    """The data as the extension module takes it: paths are told apart from puzzles."""
    if isinstance(data, os.PathLike):
        return Paths([os.fspath(data)])
    if isinstance(data, str):
        return [data] if is_puzzle(data) else Paths([data])
    if isinstance(data, (list, tuple)) and data and all(isinstance(item, os.PathLike) for item in data):
        return Paths([os.fspath(item) for item in data])
    filled = getattr(data, "filled", None)
    if filled is not None and hasattr(data, "mask") and hasattr(data, "__array_interface__"):
        # The masked cells of an array of NumPy are empty.
        return filled(0)
    return data


def length(data: Any) -> int | None:
    """The number of records, where it is known without reading them."""
    rows = getattr(data, "num_rows", None)
    if isinstance(rows, int):
        return rows
    shape = getattr(data, "shape", None)
    if isinstance(shape, tuple) and len(shape) in (2, 3) and isinstance(shape[0], int):
        return shape[0] if len(shape) == 3 or shape[0] != shape[1] else None
    if isinstance(data, (list, tuple)):
        return len(data)
    return None
