"""Solves, grades and generates Sudoku puzzles, one or millions of them.

A :class:`Puzzle` is one puzzle:

>>> import sudoku_pipeline as sp
>>> puzzle = sp.Puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
>>> puzzle.grade()
Grade(technique='naked_single', rank=2, level='easy', effort=56)

Every other function takes many: arrays of digits of NumPy or torch, in the shape ``(n, 81)`` or ``(n, 9, 9)``; tables,
frames and series of pyarrow, polars, pandas, DuckDB and Ray (anything with the Arrow interface); lists of texts, of
digits or of puzzles; paths of files and folders; and a text that is one puzzle. It returns a :class:`Stream`, which
turns into an array, a table or a frame:

>>> sp.solve(["." * 79 + "12"], solution_limit=2).to_numpy("puzzle")[0, -3:].tolist()
[0, 1, 2]

A stream has the Arrow interface too:

>>> import pyarrow as pa
>>> import sudoku_pipeline as sp
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> table = pa.table(sp.grade(pa.table({"id": [7], "puzzle": [puzzle]})))
>>> table.select(["id", "status", "technique", "level"]).to_pylist()
[{'id': 7, 'status': 'unique', 'technique': 'naked_single', 'level': 'easy'}]

The rows are computed while they are read: on all cores, in order, with memory that does not grow with
the input. Values are not copied on the way in or out, and other Python threads can run meanwhile.
"""

from __future__ import annotations

import atexit as _atexit
import json as _json
from typing import Any, Literal, cast, overload

from sudoku_pipeline import _data, _native
from sudoku_pipeline._errors import (
    Bug,
    DataError,
    DataWarning,
    LimitWarning,
    PipelineError,
    ReadError,
    RejectsWarning,
    UsageError,
)
from sudoku_pipeline._functions import (
    audit,
    augment,
    compare,
    convert,
    dedup,
    evaluate,
    filter,
    generate,
    grade,
    inspect,
    overlap,
    report,
    solve,
    split,
    stats,
    trace,
    validate,
)
from sudoku_pipeline._isomorph import isomorph
from sudoku_pipeline._limited import Count, Solutions
from sudoku_pipeline._moves import CheckedMoves, check_moves
from sudoku_pipeline._native import (
    Batch,
    Grade,
    MoveVerdict,
    Puzzle,
    Rating,
    Rejects,
    Schema,
    Step,
    __version__,
)
from sudoku_pipeline._page import Page
from sudoku_pipeline._stream import Stream
from sudoku_pipeline._table import Audit, Figures, Parts, Table
from sudoku_pipeline.options import HodokuVersion, Level, Technique, WithColumn

__all__ = [
    "Audit",
    "Batch",
    "Bug",
    "CheckedMoves",
    "Count",
    "DataError",
    "DataWarning",
    "Figures",
    "Grade",
    "LimitWarning",
    "MoveVerdict",
    "Page",
    "Parts",
    "PipelineError",
    "Puzzle",
    "Rating",
    "ReadError",
    "Rejects",
    "RejectsWarning",
    "Schema",
    "Solutions",
    "Step",
    "Stream",
    "Table",
    "UsageError",
    "__version__",
    "audit",
    "augment",
    "check_moves",
    "columns",
    "compare",
    "convert",
    "counts",
    "dedup",
    "evaluate",
    "explain",
    "filter",
    "generate",
    "grade",
    "inspect",
    "isomorph",
    "levels",
    "overlap",
    "report",
    "schema",
    "solve",
    "split",
    "stats",
    "techniques",
    "trace",
    "validate",
    "with_names",
]

# Producers of input can be written in Python, which other threads cannot run while the interpreter shuts
# down.
_atexit.register(_native.close_inputs)


@overload
def explain(
    puzzle: Any = None,
    *,
    technique: Technique | None = None,
    rating: Literal["se", "hodoku"] | None = None,
    hodoku_version: HodokuVersion | None = None,
    format: Literal["text"] = "text",
    brief: bool = False,
) -> str: ...


@overload
def explain(
    puzzle: Any = None,
    *,
    technique: Technique | None = None,
    rating: Literal["se", "hodoku"] | None = None,
    hodoku_version: HodokuVersion | None = None,
    format: Literal["html"],
    brief: bool = False,
) -> Page: ...


@overload
def explain(
    puzzle: Any = None,
    *,
    technique: Technique | None = None,
    rating: Literal["se", "hodoku"] | None = None,
    hodoku_version: HodokuVersion | None = None,
    format: Literal["json"],
    brief: bool = False,
) -> dict[str, Any]: ...


def explain(
    puzzle: Any = None,
    *,
    technique: str | None = None,
    rating: str | None = None,
    hodoku_version: str | None = None,
    format: str = "text",
    brief: bool = False,
) -> Any:
    """Shows the steps that solve a puzzle, or the manual page of a technique.

    :param puzzle: a text, a :class:`Puzzle`, or what makes one
    :param technique: the id of a technique, whose manual page is shown
    :param brief: whether to leave out the drawings of boards
    :param rating: the steps of a rating instead of the ladder's: ``"se"`` or ``"hodoku"``
    :param hodoku_version: with ``rating="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param format: ``"text"``; ``"html"`` for a page, which a notebook shows; or ``"json"`` for dictionaries and lists

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> explain(puzzle, format="json")["technique"]
    'naked_single'
    """
    texts = {"technique": technique, "rating": rating, "hodoku_version": hodoku_version, "format": format}
    for name, value in texts.items():
        if not isinstance(value, str) and (value is not None or name == "format"):
            raise TypeError(f"{name}: a text is needed, and not {type(value).__name__}")
    if puzzle is not None and not isinstance(puzzle, str):
        puzzle = str(Puzzle(puzzle))
    explained = _native.explain(puzzle, technique, rating, hodoku_version, format, bool(brief))
    if format == "json":
        return _json.loads(explained)
    return Page(explained) if format == "html" else explained


def schema(table: Literal["grade", "solve", "convert", "failures", "rejects"] = "grade", data: Any = None, **options: Any) -> Schema:
    """The schema of a table: of ``"grade"``, ``"solve"``, ``"convert"``, ``"failures"`` or ``"rejects"``.
    ``pyarrow.schema(...)`` and other functions with the Arrow interface accept it.

    :param data: a table, a frame or a schema with the Arrow interface. The schema is the one for this
        input, with the columns copied from it. No rows are read.
    :param options: options of the command, some of which change the columns

    >>> schema("grade", with_="canonical").names[:3]
    ['puzzle', 'status', 'solutions']
    """
    return _schema(table, data, options)[0]


def columns(table: Literal["grade", "solve", "convert", "failures", "rejects"] = "grade", data: Any = None, **options: Any) -> list[dict[str, str]]:
    """The name, type and documentation of the columns of :func:`schema`.

    >>> columns("rejects")[0]["name"]
    'source'
    """
    found, docs = _schema(table, data, options)
    rows = zip(found.names, found.types, docs)
    return [{"name": name, "type": kind, "doc": doc} for name, kind, doc in rows]


def counts(stream: Stream) -> dict[str, Any]:
    """The counts of a stream that has been read to its end: rows, rows by status and by technique, and
    rejects by reason.

    >>> stream = solve(["." * 81])
    >>> for batch in stream:
    ...     pass
    >>> counts(stream)["status"]
    {'multiple': 1}
    """
    return stream.counts


def with_names() -> list[WithColumn]:
    """The names that ``with_`` accepts.

    >>> "canonical" in with_names()
    True
    """
    return cast("list[WithColumn]", _native.ids("with"))


def techniques() -> list[Technique]:
    """The ids of the ladder's techniques, by rank.

    >>> techniques()[:2]
    ['full_house', 'naked_single']
    """
    return cast("list[Technique]", _native.ids("techniques"))


def levels() -> list[Level]:
    """The levels of grades, from the lowest.

    >>> levels()
    ['easy', 'medium', 'hard', 'unfair', 'extreme']
    """
    return cast("list[Level]", _native.ids("levels"))


_COMMANDS = {"grade": grade, "solve": solve, "convert": convert, "failures": validate}


def _schema(table: str, data: Any, options: dict[str, Any]) -> tuple[Schema, list[str]]:
    """The schema of a table, and the documentation of its columns."""
    tables = (*_COMMANDS, "rejects")
    if table not in tables:
        raise UsageError(f"table={table!r}: must be one of {', '.join(tables)}")
    return _native.schema(table, _data.prepared(data), _checked(_COMMANDS.get(table), options))


def _checked(function: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Checks that the function has these options, and returns them."""
    known = () if function is None else function.__kwdefaults__
    unknown = [name for name in options if name not in known]
    if unknown:
        raise TypeError(f"schema() got an unexpected keyword argument {unknown[0]!r}")
    return options
