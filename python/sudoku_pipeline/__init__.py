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
import random as _random
from typing import Any, Mapping, Sequence

from sudoku_pipeline import _data, _native
from sudoku_pipeline._datasets import _near, audit, augment, compare, dedup, evaluate, inspect, overlap, report, split, stats, trace
from sudoku_pipeline._errors import Bug, DataError, PipelineError, ReadError, UsageError
from sudoku_pipeline._native import Batch, Grade, Puzzle, Rating, Rejects, Schema, Step, __version__
from sudoku_pipeline._page import Page
from sudoku_pipeline._stream import Stream
from sudoku_pipeline._table import Audit, Figures, Parts, Table

__all__ = [
    "Audit",
    "Batch",
    "Bug",
    "DataError",
    "Figures",
    "Grade",
    "Page",
    "Parts",
    "PipelineError",
    "Puzzle",
    "Rating",
    "ReadError",
    "Rejects",
    "Schema",
    "Step",
    "Stream",
    "Table",
    "UsageError",
    "__version__",
    "audit",
    "augment",
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

# Producers of input can be written in Python, and other threads cannot run Python while it shuts down.
_atexit.register(_native.close_inputs)

# The next four functions repeat the options that they share, so that help(), editors and type checkers show
# each function's options with their defaults. A TypedDict with Unpack would be shorter, but it has no
# defaults, and help() would only show **options. A test compares the options that have the same name.


def grade(
    data: Any,
    *,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    ladder: str = "full",
    max_rank: int | None = None,
    uniqueness: bool = False,
    with_: str | Sequence[str] = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: str | None = None,
    solution_limit: int = 2,
    node_limit: int | None = None,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    rejects: str = "table",
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    source: str | None = None,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Solves every puzzle and grades it by the hardest technique it needs.

    The options are those of ``pipeline grade``, with the same names and defaults. Only those that differ,
    or need an explanation, are listed here:

    :param data: arrays of digits, frames, tables, lists, a path, or puzzles: see the package's documentation
    :param puzzle_column: the column with the puzzles, if it has none of the usual names
    :param blank: the number of an empty cell in arrays and lists of digits
    :param keep: which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    :param with_: further columns, which cost extra time: see :func:`with_names`
    :param se_max: with ``with_="se"``, the highest rating to compute; the default is 9.0
    :param se_work: with ``with_="se"``, the work after which a rating is given up
    :param hodoku_version: with ``with_="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param rejects: where records that are not puzzles go: with ``"table"`` they are not among the rows,
        but in ``stream.rejects``; with ``"rows"`` there is a row for each record of the input, in order,
        and a rejected one has the ``status`` ``rejected``, and ``error``, ``message`` and ``raw``
    :param max_rejects: fail if more records are rejected: a number, or a percentage such as ``"0.5%"``;
        the default is half of the records, and always ten
    :param max_wrong: fail if more records came with a wrong solution: a number, or a percentage
    :param allow_empty: accept input in which no record is a puzzle
    :param source: a name for the input: with it the rows have the columns ``source`` and ``row``
    :param threads: the number of worker threads; the default is one for each core
    :param progress: show a bar while the stream is read

    >>> stream = grade(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "?"],
    ...                select=["technique", "rank"])
    >>> import pyarrow as pa
    >>> pa.table(stream).to_pylist()
    [{'technique': 'naked_single', 'rank': 2}]
    >>> pa.table(stream.rejects).select(["row", "error"]).to_pylist()
    [{'row': 1, 'error': 'wrong_length'}]
    """
    return _run("grade", data, locals())


def solve(
    data: Any,
    *,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    solver: str = "lanes",
    with_: str | Sequence[str] = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: str | None = None,
    solution_limit: int = 2,
    node_limit: int | None = None,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    rejects: str = "table",
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    source: str | None = None,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Solves every puzzle and counts its solutions. The options are those of :func:`grade`.

    :param solver: the solver, with a name that ``pipeline solve --solver`` accepts

    >>> import pyarrow as pa
    >>> rows = pa.table(solve(["." * 81], solution_limit=100)).to_pylist()
    >>> rows[0]["status"], rows[0]["solutions"], rows[0]["solutions_exact"]
    ('multiple', 100, False)
    """
    return _run("solve", data, locals())


def convert(
    data: Any,
    *,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    rejects: str = "table",
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Converts every puzzle to the same text format. The options are those of :func:`grade`, and

    :param schema: ``"input"`` for the names and the order of the input's columns, or ``"canonical"`` for the
        other columns first, then ``puzzle`` and ``solution``
    :param blank: the character of an empty cell in the result; or, as a number, that of an empty cell in arrays
    :param fix_solutions: replace solutions that came with the puzzles and are wrong; remove those of puzzles
        without exactly one solution

    >>> import pyarrow as pa
    >>> text = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    >>> pa.table(convert([text])).to_pylist()[0]["puzzle"][:18]
    '53..7....6..195...'
    """
    return _run("convert", data, locals())


def filter(data: Any, where: str, **options: Any) -> Stream:
    """Keeps the puzzles that fulfil an SQL condition over the columns: :func:`convert` with ``where``.

    >>> filter(["." * 81], "puzzle is null").to_arrow().num_rows
    0
    """
    return convert(data, where=where, **options)


def validate(
    data: Any,
    *,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    node_limit: int | None = None,
    max_rejects: int | str | None = None,
    source: str | None = None,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Returns a row for each invalid record, with its number and the reason. A record is valid if it is a
    puzzle with exactly one solution and, if a solution came with it, that one is right.

    >>> import pyarrow as pa
    >>> pa.table(validate(["." * 81, "no puzzle"])).select(["row", "why"]).to_pylist()
    [{'row': 0, 'why': 'multiple'}, {'row': 1, 'why': 'wrong_length'}]
    """
    return _run("validate", data, {**locals(), "allow_empty": True})


def generate(
    count: int | None = None,
    *,
    seed: int | None = None,
    skip: int = 0,
    technique: str | None = None,
    level: str | None = None,
    se: str | None = None,
    hodoku_level: str | None = None,
    hodoku_score: str | None = None,
    hodoku_version: str | None = None,
    mix: str | None = None,
    from_: str | None = None,
    pattern: str | None = None,
    near: Any = None,
    swap: int | None = None,
    where: str | None = None,
    clues: int | None = None,
    size: int = 9,
    symmetry: str = "none",
    minimal: bool = False,
    solutions: int = 1,
    max_attempts: int = 10_000,
    threads: int | None = None,
    progress: bool = False,
) -> Any:
    """Generates random puzzles, by default with exactly one solution. The options are those of
    ``pipeline generate``, and give the same puzzles: the n-th puzzle of a seed is always the same.

    With ``level``, ``technique``, ``se`` or ``mix`` the table has the grade, with ratings also the rating.

    :param count: the number of puzzles; without it, the stream goes on as long as it is read
    :param seed: the seed of the series; a random one if it is not given
    :param hodoku_level: the level of HoDoKu; the table has its rating
    :param hodoku_score: the range of HoDoKu's score, as in ``"800..1000"``
    :param mix: shares of levels or of ranges of ratings, as in ``"easy=0.2,hard=0.8"``
    :param from_: a file of full grids or puzzles: ``count`` puzzles are made of each grid, with the column
        ``grid_row`` and the file's other columns
    :param pattern: the cells with clues, as 81 characters, or the name of a file of patterns, of which
        ``count`` puzzles each are made, with the column ``pattern_line``
    :param near: puzzles, from which all minimal puzzles are made that differ in ``swap`` clues; or so many random ones
        of them. The result is a :class:`Table` then, and ``where`` chooses its rows.

    >>> import pyarrow as pa
    >>> table = pa.table(generate(3, seed=1, level="easy"))
    >>> table.column_names[:4], table.num_rows
    (['puzzle', 'solution', 'technique', 'rank'], 3)
    """
    if seed is None:
        seed = _random.SystemRandom().getrandbits(63)
    given = locals()
    if near is not None:
        return _near(given)
    if swap is not None or where is not None:
        raise UsageError("swap= and where= are about the puzzles of near=")
    options = {name: value for name, value in given.items() if name not in ("near", "swap", "where", "progress")}
    return Stream(_native.generate(count, _options(options, "count")), progress=progress, total=count)


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
    :param rating: the steps of a rating instead of the ladder's: ``"se"`` or ``"hodoku"``
    :param hodoku_version: with ``rating="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param format: ``"text"``; ``"html"`` for a page, which a notebook shows; or ``"json"`` for dictionaries and lists

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> explain(puzzle, format="json")["technique"]
    'naked_single'
    """
    if puzzle is not None and not isinstance(puzzle, str):
        puzzle = str(Puzzle(puzzle))
    explained = _native.explain(puzzle, technique, rating, hodoku_version, format, brief)
    if format == "json":
        return _json.loads(explained)
    return Page(explained) if format == "html" else explained


def schema(table: str = "grade", data: Any = None, **options: Any) -> Schema:
    """The schema of a table: of ``"grade"``, ``"solve"``, ``"convert"``, ``"failures"`` or ``"rejects"``.
    ``pyarrow.schema(...)`` and other functions with the Arrow interface accept it.

    :param data: a table, a frame or a schema with the Arrow interface. The schema is the one for this
        input, with the columns copied from it. No rows are read.
    :param options: options of the command, some of which change the columns

    >>> schema("grade", with_="canonical").names[:3]
    ['puzzle', 'status', 'solutions']
    """
    return _native.schema(table, _data.prepared(data), _checked(_COMMANDS.get(table), options))[0]


def columns(table: str = "grade", data: Any = None, **options: Any) -> list[dict[str, str]]:
    """Name, type and documentation of the columns of :func:`schema`.

    >>> columns("rejects")[0]["name"]
    'source'
    """
    found, docs = _native.schema(table, _data.prepared(data), _checked(_COMMANDS.get(table), options))
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


def with_names() -> list[str]:
    """The names that ``with_`` accepts.

    >>> "canonical" in with_names()
    True
    """
    return _native.ids("with")


def techniques() -> list[str]:
    """The ids of the ladder's techniques, by rank.

    >>> techniques()[:2]
    ['full_house', 'naked_single']
    """
    return _native.ids("techniques")


def levels() -> list[str]:
    """The levels of grades, from the lowest.

    >>> levels()
    ['easy', 'medium', 'hard', 'unfair', 'extreme']
    """
    return _native.ids("levels")


_COMMANDS = {"grade": grade, "solve": solve, "convert": convert, "failures": validate}


def _run(command: str, data: Any, given: dict[str, Any]) -> Stream:
    progress = given.pop("progress")
    total = _data.length(data) if progress else None
    native = _native.run(command, _data.prepared(data), _options(given, "data"))
    return Stream(native, progress=progress, total=total)


def _options(given: dict[str, Any], data: str) -> dict[str, Any]:
    """The options among the arguments of a function."""
    return {name: value for name, value in given.items() if name != data}


def _checked(function: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Checks that the function has these options, and returns them."""
    known = () if function is None else function.__kwdefaults__
    unknown = [name for name in options if name not in known]
    if unknown:
        raise TypeError(f"schema() got an unexpected keyword argument {unknown[0]!r}")
    return options
