"""Prepares the data that functions accept. Decides which texts are puzzles and which are paths."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from typing import Any

from sudoku_pipeline import _grids, _tables
from sudoku_pipeline._errors import DataError, UsageError

# The number of cells for each size of puzzles, and the number of characters of pencil marks.
CELLS = (16, 36, 81, 144, 256, 625, 729)
# The characters that a text of a 9 x 9 puzzle may have too many or too few.
_NEARLY = 8
_BLANKS = ".0*_-xX?"
_DIGITS = "123456789"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYabcdefghijklmnopqrstuvwxy"


class Paths:
    """Files, folders, patterns and addresses, which the readers of the extension module open."""

    def __init__(self, paths: list[str]) -> None:
        self._sudoku_pipeline_paths = paths

    def is_one_file(self) -> bool:
        """Whether this is a single file, and no folder, pattern or address, which can be several."""
        return len(self._sudoku_pipeline_paths) == 1 and os.path.isfile(self._sudoku_pipeline_paths[0])


def is_puzzle(text: str) -> bool:
    """Whether a text is a puzzle, and not a path.

    It is one if it has line breaks, or if its characters other than white space are as many as the cells of a
    puzzle of some size, all of them digits, blanks (``. 0 * _ - x ?``) or, from 144 cells on, letters; and if no
    file has this name.
    """
    if "\n" in text.strip():
        return True
    squeezed = "".join(text.split())
    # A text with a few characters too few or too many for a puzzle is one that is rejected, and no path.
    if len(squeezed) not in CELLS and abs(len(squeezed) - 81) > _NEARLY:
        return False
    known = _BLANKS + _DIGITS + (_LETTERS if len(squeezed) in (144, 256, 625) else "")
    return all(cell in known for cell in squeezed) and not os.path.exists(text)


def prepared(data: Any, blank: Any = 0) -> Any:
    """Converts data to a form that the extension module accepts. Texts that are paths become :class:`Paths`."""
    if isinstance(data, os.PathLike):
        return Paths([os.fspath(data)])
    if isinstance(data, str):
        if not data:
            raise UsageError("an empty text is neither a puzzle nor a path")
        return [data] if is_puzzle(data) else Paths([data])
    if isinstance(data, (list, tuple)) and data:
        if all(isinstance(item, os.PathLike) for item in data) or _are_files(data):
            return Paths([os.fspath(item) for item in data])
        _refuse_pairs(data[0])
    if hasattr(data, "readline"):
        raise TypeError("data: a path is needed, and not an open file")
    if isinstance(data, dict):
        return _table(data, blank)
    if isinstance(data, Mapping):
        _refuse_parts(data)
    if type(data).__module__.partition(".")[0] == "datasets" and hasattr(data, "with_format"):
        return _of_hugging_face(data)
    if hasattr(data, "iter_batches") and type(data).__module__.startswith("ray."):
        return _tables.reader(iter(data.iter_batches(batch_format="pyarrow")))
    if hasattr(data, "to_delayed") and hasattr(data, "npartitions"):
        return _of_dask(data)
    if isinstance(data, tuple):
        _refuse_pair(data)
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], dict):
        return _tables.of_records(data)
    if isinstance(data, (list, tuple)) and data and _tables.is_table(data[0]):
        return _tables.reader(map(_tables.of_table, data))
    if isinstance(data, Iterator) and not hasattr(data, "__arrow_c_stream__"):
        return _of_iterator(data)
    if isinstance(data, memoryview):
        return data.tolist()
    filled = getattr(data, "filled", None)
    if filled is not None and hasattr(data, "mask") and hasattr(data, "__array_interface__"):
        # The masked cells of a NumPy array are empty cells.
        if blank in (None, 0) or isinstance(blank, str):
            return filled(0)
        return data.astype("int64").filled(blank)
    if _grids.is_array(data):
        found = _grids.plain(data, blank)
        return _table(found, blank) if isinstance(found, dict) else found
    if type(data).__module__.startswith("polars"):
        return _of_polars(data)
    if type(data).__module__.startswith("pandas"):
        return _of_pandas(data)
    if isinstance(data, (list, tuple)) and any(type(item) is float and item != item for item in data):
        # pandas has NaN for a missing text.
        return [None if type(item) is float and item != item else item for item in data]
    return _digits(data)


def _are_files(data: Any) -> bool:
    """Whether a list has the names of files, as ``glob`` returns them."""
    first = data[0]
    if not isinstance(first, str) or is_puzzle(first) or not os.path.exists(first):
        return False
    return all(isinstance(item, str) and os.path.exists(item) for item in data)


def _refuse_pairs(first: Any) -> None:
    """Refuses rows that are pairs of texts, of which the first item is given."""
    if isinstance(first, (tuple, list)) and len(first) == 2 and all(isinstance(text, str) and is_puzzle(text) for text in first):
        raise UsageError('the rows are pairs of texts: give columns, such as {"puzzle": puzzles, "solution": solutions}')


def _of_pandas(data: Any) -> Any:
    """A pandas frame or series. pandas leaves out an index that does not start at 0, such as that of a slice;
    here it becomes a column."""
    import pandas

    index = getattr(data, "index", None)
    if isinstance(data, pandas.DataFrame) and isinstance(index, pandas.RangeIndex) and (index.start, index.step) != (0, 1):
        data = data.set_axis(pandas.Index(index.to_numpy(), name=index.name), axis=0)
    return _digits(_tables.with_plain_columns(data))


def _of_polars(data: Any) -> Any:
    """A polars frame or series. Its columns without a type become texts, because Arrow does not accept them."""
    import polars

    if isinstance(data, polars.LazyFrame):
        data = data.collect()
    if isinstance(data, polars.DataFrame):
        return _digits(data.cast({polars.Null: polars.String}))
    is_null = isinstance(data, polars.Series) and data.dtype == polars.Null
    return data.cast(polars.String) if is_null else data


def _table(columns: dict[str, Any], blank: Any = 0) -> Any:
    """A table with these columns. A column can be an array with a row for each board."""
    if any(type(part).__module__.startswith("datasets.") for part in columns.values()):
        _refuse_parts(columns)
    try:
        import pyarrow
    except ImportError:
        raise TypeError('a dictionary of columns needs pyarrow; without it, give the puzzles: data["puzzle"]') from None
    try:
        return pyarrow.table({name: _grids.column(column, blank) for name, column in columns.items()})
    except pyarrow.ArrowException as error:
        raise DataError(f"the columns make no table: {error}") from error


def _refuse_parts(data: Mapping[str, Any]) -> None:
    """Refuses datasets by name, where one dataset is needed."""
    names = list(data)
    example = f", such as data[{names[0]!r}]" if names else ""
    raise UsageError(f"the data has the parts {', '.join(map(str, names))}: give one of them{example}")


def _refuse_pair(data: tuple[Any, ...]) -> None:
    """Refuses a pair of arrays of boards, which could be puzzles and solutions, or puzzles and more puzzles."""
    if len(data) == 2 and all(_grids.is_array(part) and len(part.shape) > 1 for part in data):
        if tuple(data[0].shape) == tuple(data[1].shape) and data[0].shape[0] != data[0].shape[1]:
            raise UsageError(
                'a pair of arrays can be puzzles with their solutions, {"puzzle": x, "solution": y}, or puzzles one after the '
                "other, numpy.concatenate((x, y)): give one of these"
            )


def _of_hugging_face(data: Any) -> Any:
    """The rows of a Dataset or IterableDataset of Hugging Face, whatever its format is."""
    return _tables.reader(data.with_format("arrow").iter(batch_size=_tables.BATCH))


def _of_dask(data: Any) -> Any:
    """The rows of a frame or series of Dask, which are computed one partition after the other."""
    import pyarrow

    def tables() -> Iterator[Any]:
        for at in range(data.npartitions):
            part = data.partitions[at].compute()
            frame = part.to_frame("puzzle" if part.name is None else part.name) if hasattr(part, "to_frame") else part
            yield pyarrow.Table.from_pandas(_of_pandas(frame), preserve_index=False)

    return _tables.reader(tables())


def column_names(ready: Any) -> list[str] | None:
    """The names of the columns of prepared data; None if it has only boards."""
    schema = getattr(ready, "schema", None)
    names = getattr(schema, "names", None) if schema is not None else getattr(ready, "columns", None)
    if callable(names):
        names = names()
    return None if names is None else [str(name) for name in names]


def _of_iterator(items: Iterator[Any]) -> Any:
    """An iterator. If its items are dictionaries, they are the rows of a table."""
    first = next(items, None)
    if first is None:
        return iter(())
    rows = itertools.chain([first], items)
    if isinstance(first, dict):
        return _tables.of_iterator(rows)
    if _tables.is_table(first):
        return _tables.reader(map(_tables.of_table, rows))
    _refuse_pairs(first)
    return rows


def _digits(frame: Any) -> Any:
    """If a frame has a column of digits for each cell, its array. Other data is returned unchanged."""
    shape = getattr(frame, "shape", None)
    if not hasattr(frame, "columns") or not hasattr(frame, "to_numpy") or not isinstance(shape, tuple):
        return frame
    if len(shape) != 2 or shape[1] not in CELLS:
        return frame
    digits = frame.to_numpy()
    return digits if digits.dtype.kind in "iu" else frame


def most_rows(data: Any) -> float:
    """A number that the records do not exceed; infinity if none is known before they are read."""
    rows = getattr(data, "num_rows", None)
    if isinstance(rows, int):
        return rows
    shape = getattr(data, "shape", None)
    if isinstance(shape, tuple) and shape and isinstance(shape[0], int):
        return shape[0]
    if isinstance(data, dict):
        return max(map(most_rows, data.values()), default=0)
    # An array in a list can be one of many boards.
    if isinstance(data, (list, tuple)) and not any(hasattr(item, "shape") for item in data[:1]):
        return len(data)
    return 1 if isinstance(data, str) and is_puzzle(data) else float("inf")


def length(data: Any) -> int | None:
    """The number of records; None if it is only known after reading them."""
    rows = getattr(data, "num_rows", None)
    if isinstance(rows, int):
        return rows
    shape = getattr(data, "shape", None)
    if isinstance(shape, tuple) and len(shape) in (2, 3) and isinstance(shape[0], int):
        return shape[0] if len(shape) == 3 or shape[0] != shape[1] else None
    if isinstance(data, (list, tuple)):
        return len(data)
    return None
