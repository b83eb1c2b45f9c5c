"""What the functions take: which texts are puzzles, and which are paths."""

from __future__ import annotations

import os
from typing import Any

from sudoku_pipeline._errors import UsageError

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


def prepared(data: Any, blank: Any = 0) -> Any:
    """The data as the extension module takes it: paths are told apart from puzzles."""
    if isinstance(data, os.PathLike):
        return Paths([os.fspath(data)])
    if isinstance(data, str):
        if not data:
            raise UsageError("an empty text is neither a puzzle nor a path")
        return [data] if is_puzzle(data) else Paths([data])
    if isinstance(data, (list, tuple)) and data and all(isinstance(item, os.PathLike) for item in data):
        return Paths([os.fspath(item) for item in data])
    if isinstance(data, dict):
        return _table(data)
    if isinstance(data, memoryview):
        return data.tolist()
    filled = getattr(data, "filled", None)
    if filled is not None and hasattr(data, "mask") and hasattr(data, "__array_interface__"):
        # The masked cells of an array of NumPy are empty.
        if blank in (None, 0) or isinstance(blank, str):
            return filled(0)
        return data.astype("int64").filled(blank)
    if type(data).__module__.startswith("polars"):
        return _of_polars(data)
    if type(data).__module__.startswith("pandas"):
        return _of_pandas(data)
    return _digits(data)


def _of_pandas(data: Any) -> Any:
    """A frame or a series of pandas. An index that counts from another number than 0, as that of a slice does, is not among
    the columns that pandas gives: it becomes one."""
    import pandas

    index = getattr(data, "index", None)
    if isinstance(data, pandas.DataFrame) and isinstance(index, pandas.RangeIndex) and (index.start, index.step) != (0, 1):
        data = data.set_axis(pandas.Index(index.to_numpy(), name=index.name), axis=0)
    return _digits(data)


def _of_polars(data: Any) -> Any:
    """A frame or a series of polars. Its columns without a type are not as Arrow has them: they become texts."""
    import polars

    if isinstance(data, polars.LazyFrame):
        data = data.collect()
    if isinstance(data, polars.DataFrame):
        return _digits(data.cast({polars.Null: polars.String}))
    is_null = isinstance(data, polars.Series) and data.dtype == polars.Null
    return data.cast(polars.String) if is_null else data


def _table(columns: dict[str, Any]) -> Any:
    """A table of columns by name."""
    try:
        import pyarrow
    except ImportError:
        raise TypeError('a dictionary of columns needs pyarrow; without it, give the puzzles: data["puzzle"]') from None
    return pyarrow.table(columns)


def _digits(frame: Any) -> Any:
    """The array of a frame that has a column of digits for each cell; any other data as it is."""
    shape = getattr(frame, "shape", None)
    if not hasattr(frame, "columns") or not hasattr(frame, "to_numpy") or not isinstance(shape, tuple):
        return frame
    if len(shape) != 2 or shape[1] not in _CELLS:
        return frame
    digits = frame.to_numpy()
    return digits if digits.dtype.kind in "iu" else frame


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
