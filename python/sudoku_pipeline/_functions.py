# Made by python/signatures/make.py from functions.py.in: change those.
"""Functions for many puzzles. Functions for rows return streams, and functions for whole datasets run a command."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence, overload

from sudoku_pipeline import _datasets, _generate
from sudoku_pipeline._page import Page
from sudoku_pipeline._stream import Stream, run
from sudoku_pipeline._table import Audit, Figures, Parts, Table


def grade(
    data: Any,
    *,
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
    keep: str | Sequence[str] = "all",
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    rejects: str = "table",
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    source: str | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Solves every puzzle and grades it by the hardest technique it needs.

    The options are those of ``pipeline grade``, with the same names and defaults. Only those that differ,
    or need an explanation, are listed here:

    :param data: arrays of digits, frames, tables, lists, a path, or puzzles: see the package's documentation
    :param puzzle_column: the column with the puzzles, if it has no well-known name
    :param blank: the number that stands for an empty cell in arrays and lists of digits
    :param keep: which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    :param with_: additional columns, which take extra time to compute: see :func:`with_names`
    :param se_max: with ``with_="se"``, the highest rating to compute; the default is 9.0
    :param se_work: with ``with_="se"``, the work after which a rating is given up
    :param hodoku_version: with ``with_="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param rejects: the place of records that are not puzzles: with ``"table"`` they are in ``stream.rejects``;
        with ``"rows"`` there is a row for each record of the input, in order, and rejects have the ``status``
        ``rejected`` and values in ``error``, ``message`` and ``raw``
    :param max_rejects: fail if more records are rejected: a number, or a percentage such as ``"0.5%"``;
        the default is half of the records, but at least ten
    :param max_wrong: fail if more records have a wrong solution in the input: a number, or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param source: a name for the input; if it is given, the rows have the columns ``source`` and ``row``
    :param threads: the number of worker threads; the default is one per core
    :param progress: show a bar while the stream is read

    >>> import pyarrow as pa
    >>> stream = grade(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "?"],
    ...                select=["technique", "rank"])
    >>> pa.table(stream).to_pylist()
    [{'technique': 'naked_single', 'rank': 2}]
    >>> pa.table(stream.rejects).select(["row", "error"]).to_pylist()
    [{'row': 1, 'error': 'wrong_length'}]
    """
    return run("grade", locals())


def solve(
    data: Any,
    *,
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
    keep: str | Sequence[str] = "all",
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    rejects: str = "table",
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    source: str | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Solves every puzzle and counts its solutions. The options are those of :func:`grade`, and

    :param solver: the solver, with a name that ``pipeline solve --solver`` accepts

    >>> import pyarrow as pa
    >>> rows = pa.table(solve(["." * 81], solution_limit=100)).to_pylist()
    >>> rows[0]["status"], rows[0]["solutions"], rows[0]["solutions_exact"]
    ('multiple', 100, False)
    """
    return run("solve", locals())


def convert(
    data: Any,
    *,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    rejects: str = "table",
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Converts every puzzle to the same text format. The options are those of :func:`grade`, and

    :param schema: ``"input"`` for the names and the order of the input's columns, or ``"canonical"`` for the
        other columns first, then ``puzzle`` and ``solution``
    :param blank: the character for an empty cell in the result; or the number that stands for an empty cell in arrays
    :param fix_solutions: whether wrong solutions in the input are replaced by the correct ones, or removed if the
        puzzle does not have exactly one solution

    >>> import pyarrow as pa
    >>> text = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    >>> pa.table(convert([text])).to_pylist()[0]["puzzle"][:18]
    '53..7....6..195...'
    """
    return run("convert", locals())


def filter(
    data: Any,
    where: str,
    *,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    rejects: str = "table",
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Keeps the puzzles that fulfil an SQL condition over the columns: :func:`convert` with ``where``.

    >>> filter(["." * 81], "puzzle is null").to_arrow().num_rows
    0
    """
    return run("convert", locals())


def validate(
    data: Any,
    *,
    node_limit: int | None = None,
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    source: str | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Returns a row for each invalid record, with its number and the reason. A record is valid if it is a
    puzzle with exactly one solution, and a solution in the input is not wrong.

    >>> import pyarrow as pa
    >>> pa.table(validate(["." * 81, "no puzzle"])).select(["row", "why"]).to_pylist()
    [{'row': 0, 'why': 'multiple'}, {'row': 1, 'why': 'wrong_length'}]
    """
    return run("validate", {**locals(), "allow_empty": True})


@overload
def generate(
    count: int | None = None,
    *,
    near: None = None,
    seed: int | None = None,
    skip: int = 0,
    technique: str | None = None,
    level: str | None = None,
    se: str | float | tuple[float | None, float | None] | None = None,
    hodoku_level: str | None = None,
    hodoku_score: str | int | tuple[int | None, int | None] | None = None,
    hodoku_version: str | None = None,
    mix: str | Mapping[str, float] | None = None,
    from_: Any = None,
    pattern: str | os.PathLike[str] | None = None,
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
) -> Stream: ...


@overload
def generate(
    count: int | None = None,
    *,
    near: Any,
    seed: int | None = None,
    skip: int = 0,
    technique: str | None = None,
    level: str | None = None,
    se: str | float | tuple[float | None, float | None] | None = None,
    hodoku_level: str | None = None,
    hodoku_score: str | int | tuple[int | None, int | None] | None = None,
    hodoku_version: str | None = None,
    mix: str | Mapping[str, float] | None = None,
    from_: Any = None,
    pattern: str | os.PathLike[str] | None = None,
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
) -> Table: ...


def generate(
    count: int | None = None,
    *,
    near: Any = None,
    seed: int | None = None,
    skip: int = 0,
    technique: str | None = None,
    level: str | None = None,
    se: str | float | tuple[float | None, float | None] | None = None,
    hodoku_level: str | None = None,
    hodoku_score: str | int | tuple[int | None, int | None] | None = None,
    hodoku_version: str | None = None,
    mix: str | Mapping[str, float] | None = None,
    from_: Any = None,
    pattern: str | os.PathLike[str] | None = None,
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
) -> Stream | Table:
    """Generates random puzzles, by default with exactly one solution. The options are those of
    ``pipeline generate``, and give the same puzzles: the n-th puzzle of a seed is always the same.

    With ``level``, ``technique``, ``se`` or ``mix``, the table has the grades, and with ratings the ratings as well.

    :param count: the number of puzzles; without it, the stream has no end
    :param seed: the seed of the series; by default a random one
    :param hodoku_level: the level of HoDoKu; the table then has HoDoKu's ratings
    :param hodoku_score: the range of HoDoKu's score, as in ``"800..1000"``
    :param mix: shares of levels or of ranges of ratings, as in ``"easy=0.2,hard=0.8"``
    :param from_: full grids or puzzles, as data or a path; ``count`` puzzles are made from each grid, with the column
        ``grid_row`` and the other columns of the data
    :param pattern: the cells with clues, as 81 characters, or the name of a file of patterns; ``count`` puzzles are
        made from each pattern, with the column ``pattern_line``
    :param near: puzzles, as data or a path; all minimal puzzles that differ from them in ``swap`` clues are made, or
        ``count`` random ones. The result is then a :class:`Table`, and ``where`` selects its rows.

    >>> import pyarrow as pa
    >>> table = pa.table(generate(3, seed=1, level="easy"))
    >>> table.column_names[:4], table.num_rows
    (['puzzle', 'solution', 'technique', 'rank'], 3)
    """
    return _generate.generate(locals())


def dedup(
    data: Any,
    *,
    by: str = "isomorph",
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Keeps the first puzzle of each class of equal ones. ``table.duplicates`` has the others, each with the row that it
    repeats.

    :param by: which puzzles are equal: ``"exact"``, ``"isomorph"``, ``"solution"`` or ``"grid"``
    :param blank: the character for an empty cell in the result; or the number that stands for an empty cell in arrays

    >>> import sudoku_pipeline as sp
    >>> puzzle = sp.Puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> unique = sp.dedup([puzzle, puzzle.isomorph(1)])
    >>> len(unique), len(unique.duplicates)
    (1, 1)
    """
    return _datasets.table("dedup", locals(), duplicates="duplicates.arrow")


def split(
    data: Any,
    into: Mapping[str, float | int | str] | str | None = None,
    *,
    folds: int | None = None,
    by: str = "grid",
    stratify: str | None = None,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Parts:
    """Splits a dataset into parts that have no puzzle in common.

    :param into: the parts and their sizes, as in ``{"train": 0.9, "test": 0.1}``: shares, numbers of rows or ``"rest"``
    :param folds: instead of ``into``, this many parts of the same size
    :param by: the puzzles that are always in the same part
    :param stratify: a column for balancing the parts: each part gets its share of the rows of every value

    >>> import sudoku_pipeline as sp
    >>> parts = sp.split(sp.generate(20, seed=1), {"train": 0.5, "test": 0.5}, seed=3)
    >>> sorted(parts), sum(len(part) for part in parts.values())
    (['test', 'train'], 20)
    """
    return _datasets.split(locals())


def audit(
    sets: Mapping[str, Any],
    *,
    duplicates_by: str = "isomorph",
    shared_by: str = "grid",
    prefer: str = "last",
    title: str | None = None,
    solution_limit: int | None = None,
    node_limit: int | None = None,
    with_: str | Sequence[str] = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: str | None = None,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Audit:
    """Finds invalid, repeated and shared rows in several datasets ("sets"). The result has the sets without these rows,
    the removed rows with the reasons, a dataset card, and a page with charts.

    :param sets: the sets by name, the test set last: ``{"train": train, "test": test}``
    :param duplicates_by: which rows of a set are duplicates, so that only the first is kept: ``"isomorph"``,
        ``"exact"`` or ``"none"``
    :param shared_by: which rows are shared between sets, so that only one set keeps them: ``"grid"``,
        ``"solution"``, ``"isomorph"``, ``"exact"`` or ``"none"``
    :param prefer: the set that keeps shared rows: ``"last"`` or ``"first"``

    >>> import sudoku_pipeline as sp
    >>> puzzles = [row.as_py() for row in sp.generate(6, seed=1).to_arrow().column("puzzle")]
    >>> found = sp.audit({"train": puzzles, "test": [sp.Puzzle(puzzles[0]).isomorph(1)]})
    >>> len(found["train"]), len(found["test"]), len(found.removed)
    (5, 1, 1)
    """
    return _datasets.audit(locals())


def overlap(
    a: Any,
    b: Any,
    *,
    by: str = "grid",
    max: int | str | None = None,
    keep: str | Sequence[str] = "all",
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Finds the puzzles of ``b`` that also occur in ``a``. The table has a row for each pair; ``table.counts`` has the
    number of rows of ``b`` that have a twin in ``a``.

    :param max: fail if more rows of ``b`` have a twin: a number, or a percentage such as ``"0.5%"``
    """
    return _datasets.overlap(locals())


def augment(
    data: Any,
    copies: int,
    *,
    with_original: bool = False,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Makes isomorphs of every puzzle, with the transformation.

    :param copies: the number of isomorphs of each puzzle
    :param with_original: also return each row unchanged, before its copies
    """
    return _datasets.table("augment", locals())


def trace(
    data: Any,
    *,
    node_limit: int | None = None,
    template: Mapping[str, str] | None = None,
    format: str = "table",
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Any:
    """Returns the verified steps that solve each puzzle, as nested columns.

    :param template: texts with the placeholders ``{puzzle}``, ``{solution}`` and ``{steps}``: the result is a list of
        dictionaries with these texts, as in ``{"prompt": "Solve {puzzle}", "answer": "{steps}"}``
    :param format: ``"table"``; ``"chat"`` for a list of messages for training, a dictionary for each puzzle; or
        ``"steps-npy"`` for a NumPy array ``(n, 325)``, which :func:`evaluate` takes as ``steps``
    """
    return _datasets.trace(locals())


def compare(
    data: Any,
    *,
    solvers: str | Sequence[str] | None = None,
    label: str | None = None,
    guess_limit: int | None = None,
    solution_limit: int | None = None,
    repeat: int | None = None,
    parallel_runs: int | None = None,
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Compares the guesses and times of several solvers. The table has a row for each run; ``table.text`` has the summary.

    :param label: a column that groups the puzzles
    """
    return _datasets.table("compare", locals())


def evaluate(
    data: Any,
    predictions: Any = None,
    *,
    prediction_column: str | None = None,
    prediction_format: str | None = None,
    key: str | None = None,
    extract: bool = False,
    steps: Any = None,
    max_rank: int | None = None,
    moves: bool = False,
    against: Any = None,
    min_exact: int | str | None = None,
    solution_limit: int | None = None,
    node_limit: int | None = None,
    with_: str | Sequence[str] = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: str | None = None,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Judges the predictions of a model. The table has a row for each puzzle. ``table.counts["evaluation"]`` has the
    figures, and ``table.text`` shows them as tables.

    :param data: the puzzles
    :param predictions: the predictions row by row, as arrays, texts or a table; without it they are a column of ``data``
    :param extract: whether predictions are texts of a language model, in which the answer is searched; the columns
        ``answer_form`` and ``answer_rule`` say how it was found, and ``counts["evaluation"]["by_answer"]`` counts them
    :param steps: the predictions are sequences of moves, and each move is judged: the sequences themselves, row by row
        (texts, lists of texts such as ``"r1c3=4"``, arrays of 325 numbers, lists of boards or of :class:`Step`), or the
        name of a column with them
    :param max_rank: with ``steps``, the highest rank of a technique that can give a move
    :param moves: with ``steps``, whether to add the column ``judged_moves``, a list of the moves with their verdicts
    :param against: the predictions of another model

    >>> import sudoku_pipeline as sp
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> judged = sp.evaluate([puzzle], sp.solve(puzzle).to_numpy("solution"))
    >>> judged.counts["evaluation"]["exact"]
    1
    >>> sp.evaluate([puzzle], steps=["r5c5=5, r1c3=2"]).counts["evaluation"]["steps"]["false"]
    1
    """
    return _datasets.evaluate(locals())


def stats(
    data: Any,
    *,
    merge: bool = False,
    by: str | Sequence[str] = (),
    where: str | None = None,
    keep: str | Sequence[str] = "all",
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Figures:
    """Computes the statistics of tables: levels, techniques, clues, effort, duplicates, labels and any other column. The
    result is a dictionary that is displayed as tables.

    :param data: a table in memory, a stream, or paths; with ``merge`` paths of statistics as JSON
    :param by: the columns that group the rows
    """
    return _datasets.stats(locals())


def report(
    data: Any,
    *,
    against: Any = None,
    title: str | None = None,
    card: bool = False,
    by: str | Sequence[str] = (),
    where: str | None = None,
    keep: str | Sequence[str] = "all",
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
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Page:
    """Draws a page with charts of tables, which a notebook shows.

    :param data: a table in memory, a stream, or paths; also the statistics of :func:`stats`
    :param against: another dataset, which the charts show beside this one
    :param title: the title of the page
    :param card: return the description of the dataset in Markdown instead of the page
    """
    return _datasets.report(locals())


def inspect(
    data: Any,
    *,
    keep: str | Sequence[str] = "all",
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
) -> Figures:
    """Describes a file: its format, its columns and its first records.

    The result is a dictionary. For several files, it describes the first, and has the others under ``"others"``.
    """
    return _datasets.inspect(locals())
