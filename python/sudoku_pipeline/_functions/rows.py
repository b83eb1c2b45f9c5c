# Made by python/signatures/make.py from rows.py.in: change those.
"""Functions over rows, which return streams."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence

from sudoku_pipeline._stream import Stream, run
from sudoku_pipeline.options import ColumnType, HodokuVersion, InputFormat, Ladder, With


def grade(
    data: Any,
    *,
    ladder: Ladder = "full",
    max_rank: int | None = None,
    uniqueness: bool = False,
    with_: With = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: HodokuVersion | None = None,
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
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    rejects: Literal["table", "rows"] = "table",
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    source: str | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Solves every puzzle and grades it by the hardest technique it needs.

    The options are those of ``pipeline grade``, with the same names and defaults.

    :param data: arrays of digits ``(n, 81)``, frames, tables, lists, a path, or puzzles: see the package's documentation
    :param ladder: the techniques to grade with: ``"full"``, ``"basic"`` (up to jellyfish), ``"hodoku"`` (all, in HoDoKu's
        order), or a list of techniques
    :param max_rank: use no technique above this rank, and no search: a puzzle that is then not solved has the grade ``beyond``
    :param uniqueness: also grade with techniques that assume exactly one solution: adds ``technique_u``, ``rank_u`` and
        ``level_u``
    :param with_: additional columns, which take extra time to compute: see :func:`with_names`
    :param se_max: with ``with_="se"``, the highest rating to compute; the default is 9.0
    :param se_work: with ``with_="se"``, the work after which a rating is given up
    :param hodoku_version: with ``with_="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param solution_limit: count at most this many solutions of a puzzle
    :param node_limit: give up a puzzle after this many search nodes; its status is then ``gave_up``
    :param where: an SQL condition over the columns of the result: only the rows that fulfil it are returned, such as ``"rank
        >= 12"``
    :param select: the columns to return, in this order
    :param rename: new names of columns of the result, by their old names
    :param keep: which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    :param puzzle_column: the column with the puzzles; the default is found by well-known names
    :param solution_column: the column with the solutions; the default is found by well-known names
    :param alphabet: the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    :param blank: the number that stands for an empty cell in arrays and lists of digits
    :param input_format: the format of files; the default is recognised from their first bytes
    :param delimiter: the character between the fields of CSV files
    :param max_record_bytes: the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
    :param infer_types: whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
    :param types: the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
    :param token_offset: the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the
        digits follow it
    :param shard: the share of the input files to read, such as ``"0/4"``
    :param keep_going: read damaged files as far as possible
    :param skip: the number of records to leave out first
    :param limit: the number of records after which reading ends
    :param sample: the probability from 0 to 1 with which each record is taken
    :param seed: the seed of random choices
    :param rejects: the place of records that are not puzzles: with ``"table"`` they are in ``stream.rejects``; with ``"rows"``
        there is a row for each record of the input, in order, and rejects have the ``status`` ``rejected`` and values in
        ``error``, ``message`` and ``raw``
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param source: a name for the input; if it is given, the rows have the columns ``source`` and ``row``
    :param threads: the number of worker threads; the default is one per core
    :param progress: whether to show a bar on standard error
    :returns: a stream of rows with the columns of :func:`columns`, such as ``status``, ``technique``, ``rank``, ``level``

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
    with_: With = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: HodokuVersion | None = None,
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
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    rejects: Literal["table", "rows"] = "table",
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    source: str | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Solves every puzzle and counts its solutions.

    :param data: as for :func:`grade`
    :param solver: the solver: ``"lanes"``, ``"backtrack"``, ``"elimination"``, ``"templates"``, ``"filter"``, ``"dlx"``, or one of
        these with settings, such as ``"backtrack-pairs-fixed"``
    :param with_: additional columns, which take extra time to compute: see :func:`with_names`
    :param se_max: with ``with_="se"``, the highest rating to compute; the default is 9.0
    :param se_work: with ``with_="se"``, the work after which a rating is given up
    :param hodoku_version: with ``with_="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param solution_limit: count at most this many solutions of a puzzle
    :param node_limit: give up a puzzle after this many search nodes; its status is then ``gave_up``
    :param where: an SQL condition over the columns of the result: only the rows that fulfil it are returned, such as ``"rank
        >= 12"``
    :param select: the columns to return, in this order
    :param rename: new names of columns of the result, by their old names
    :param keep: which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    :param puzzle_column: the column with the puzzles; the default is found by well-known names
    :param solution_column: the column with the solutions; the default is found by well-known names
    :param alphabet: the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    :param blank: the number that stands for an empty cell in arrays and lists of digits
    :param input_format: the format of files; the default is recognised from their first bytes
    :param delimiter: the character between the fields of CSV files
    :param max_record_bytes: the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
    :param infer_types: whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
    :param types: the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
    :param token_offset: the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the
        digits follow it
    :param shard: the share of the input files to read, such as ``"0/4"``
    :param keep_going: read damaged files as far as possible
    :param skip: the number of records to leave out first
    :param limit: the number of records after which reading ends
    :param sample: the probability from 0 to 1 with which each record is taken
    :param seed: the seed of random choices
    :param rejects: the place of records that are not puzzles: with ``"table"`` they are in ``stream.rejects``; with ``"rows"``
        there is a row for each record of the input, in order, and rejects have the ``status`` ``rejected`` and values in
        ``error``, ``message`` and ``raw``
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param source: a name for the input; if it is given, the rows have the columns ``source`` and ``row``
    :param threads: the number of worker threads; the default is one per core
    :param progress: whether to show a bar on standard error
    :returns: a stream of rows with ``status``, ``solutions`` and ``solution``

    >>> import pyarrow as pa
    >>> rows = pa.table(solve(["." * 81], solution_limit=100)).to_pylist()
    >>> rows[0]["status"], rows[0]["solutions"], rows[0]["solutions_exact"]
    ('multiple', 100, False)
    """
    return run("solve", locals())


def convert(
    data: Any,
    *,
    schema: Literal["input", "canonical"] = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    rejects: Literal["table", "rows"] = "table",
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Converts every puzzle to the same text format.

    :param data: as for :func:`grade`
    :param schema: ``"input"`` for the names and the order of the input's columns, or ``"canonical"`` for the other columns
        first, then ``puzzle`` and ``solution``
    :param blank: the character for an empty cell in the result; or the number that stands for an empty cell in arrays
    :param fix_solutions: whether wrong solutions in the input are replaced by the correct ones, or removed if the puzzle does
        not have exactly one solution
    :param where: an SQL condition over the columns of the result: only the rows that fulfil it are returned, such as ``"rank
        >= 12"``
    :param select: the columns to return, in this order
    :param rename: new names of columns of the result, by their old names
    :param keep: which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    :param puzzle_column: the column with the puzzles; the default is found by well-known names
    :param solution_column: the column with the solutions; the default is found by well-known names
    :param alphabet: the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    :param input_format: the format of files; the default is recognised from their first bytes
    :param delimiter: the character between the fields of CSV files
    :param max_record_bytes: the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
    :param infer_types: whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
    :param types: the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
    :param token_offset: the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the
        digits follow it
    :param shard: the share of the input files to read, such as ``"0/4"``
    :param keep_going: read damaged files as far as possible
    :param skip: the number of records to leave out first
    :param limit: the number of records after which reading ends
    :param sample: the probability from 0 to 1 with which each record is taken
    :param seed: the seed of random choices
    :param rejects: the place of records that are not puzzles: with ``"table"`` they are in ``stream.rejects``; with ``"rows"``
        there is a row for each record of the input, in order, and rejects have the ``status`` ``rejected`` and values in
        ``error``, ``message`` and ``raw``
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param progress: whether to show a bar on standard error
    :returns: a stream of rows with the columns of the input

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
    schema: Literal["input", "canonical"] = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    rejects: Literal["table", "rows"] = "table",
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Keeps the puzzles that fulfil an SQL condition over their own columns: :func:`convert` with ``where``. For conditions on
    grades, such as ``"rank >= 12"``, use ``grade(data, where=...)``.

    :param data: as for :func:`grade`
    :param where: the condition, such as ``"rating > 3 and puzzle like '4%'"``
    :param schema: ``"input"`` for the names and the order of the input's columns, or ``"canonical"`` for the other columns
        first, then ``puzzle`` and ``solution``
    :param blank: the character for an empty cell in the result; or the number that stands for an empty cell in arrays
    :param fix_solutions: whether wrong solutions in the input are replaced by the correct ones, or removed if the puzzle does
        not have exactly one solution
    :param select: the columns to return, in this order
    :param rename: new names of columns of the result, by their old names
    :param keep: which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    :param puzzle_column: the column with the puzzles; the default is found by well-known names
    :param solution_column: the column with the solutions; the default is found by well-known names
    :param alphabet: the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    :param input_format: the format of files; the default is recognised from their first bytes
    :param delimiter: the character between the fields of CSV files
    :param max_record_bytes: the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
    :param infer_types: whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
    :param types: the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
    :param token_offset: the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the
        digits follow it
    :param shard: the share of the input files to read, such as ``"0/4"``
    :param keep_going: read damaged files as far as possible
    :param skip: the number of records to leave out first
    :param limit: the number of records after which reading ends
    :param sample: the probability from 0 to 1 with which each record is taken
    :param seed: the seed of random choices
    :param rejects: the place of records that are not puzzles: with ``"table"`` they are in ``stream.rejects``; with ``"rows"``
        there is a row for each record of the input, in order, and rejects have the ``status`` ``rejected`` and values in
        ``error``, ``message`` and ``raw``
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param progress: whether to show a bar on standard error
    :returns: a stream of rows with the columns of the input

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
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | float | str | None = None,
    source: str | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Stream:
    """Returns a row for each invalid record, with its number and the reason. A record is valid if it is a
    puzzle with exactly one solution, and a solution in the input is not wrong.

    :param data: as for :func:`grade`
    :param node_limit: give up a puzzle after this many search nodes; it is then not valid
    :param max_rejects: fail if more records are not valid: a number, a share or a percentage
    :param puzzle_column: the column with the puzzles; the default is found by well-known names
    :param solution_column: the column with the solutions; the default is found by well-known names
    :param alphabet: the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    :param blank: the number that stands for an empty cell in arrays and lists of digits
    :param input_format: the format of files; the default is recognised from their first bytes
    :param delimiter: the character between the fields of CSV files
    :param max_record_bytes: the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
    :param infer_types: whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
    :param types: the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
    :param token_offset: the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the
        digits follow it
    :param shard: the share of the input files to read, such as ``"0/4"``
    :param keep_going: read damaged files as far as possible
    :param skip: the number of records to leave out first
    :param limit: the number of records after which reading ends
    :param sample: the probability from 0 to 1 with which each record is taken
    :param seed: the seed of random choices
    :param source: a name for the input; if it is given, the rows have the columns ``source`` and ``row``
    :param threads: the number of worker threads; the default is one per core
    :param progress: whether to show a bar on standard error
    :returns: a stream with a row for each record that is not valid

    >>> import pyarrow as pa
    >>> pa.table(validate(["." * 81, "no puzzle"])).select(["row", "why"]).to_pylist()
    [{'row': 0, 'why': 'multiple'}, {'row': 1, 'why': 'wrong_length'}]
    """
    return run("validate", {**locals(), "allow_empty": True})
