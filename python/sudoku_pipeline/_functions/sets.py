# Made by python/signatures/make.py from sets.py.in: change those.
"""Functions over whole datasets: duplicates, parts, sets that share puzzles, isomorphs."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence

from sudoku_pipeline import _datasets
from sudoku_pipeline._table import Audit, Parts, Table
from sudoku_pipeline.options import ColumnType, HodokuVersion, InputFormat, Sameness, With


def dedup(
    data: Any,
    *,
    by: Sameness = "isomorph",
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
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Keeps the first puzzle of each class of equal ones. ``table.duplicates`` has the others, each with the row that it
    repeats.

    :param data: as for :func:`grade`
    :param by: which puzzles are equal: ``"exact"``, ``"isomorph"``, ``"solution"`` or ``"grid"``
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
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

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
    by: Sameness | Literal["row"] = "grid",
    stratify: str | Sequence[str] | None = None,
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
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Parts:
    """Splits a dataset into parts that have no puzzle in common.

    :param data: as for :func:`grade`
    :param into: the parts and their sizes, as in ``{"train": 0.9, "test": 0.1}``: shares, numbers of rows or ``"rest"``
    :param folds: instead of ``into``, this many parts of the same size
    :param by: the puzzles that are always in the same part: those with isomorphic solutions (``"grid"``), ``"isomorph"``,
        ``"solution"``, ``"exact"``, or ``"row"`` for none
    :param stratify: a column, or several, for balancing the parts: each part gets its share of the rows of every value
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
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

    >>> import sudoku_pipeline as sp
    >>> parts = sp.split(sp.generate(20, seed=1), {"train": 0.5, "test": 0.5}, seed=3)
    >>> sorted(parts), sum(len(part) for part in parts.values())
    (['test', 'train'], 20)
    """
    return _datasets.split(locals())


def audit(
    sets: Any,
    *,
    duplicates_by: Literal["isomorph", "exact", "none"] = "isomorph",
    shared_by: Literal["grid", "solution", "isomorph", "exact", "none"] = "grid",
    prefer: Literal["last", "first"] = "last",
    title: str | None = None,
    solution_limit: int | None = None,
    node_limit: int | None = None,
    with_: With = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: HodokuVersion | None = None,
    schema: Literal["input", "canonical"] = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
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
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Audit:
    """Finds invalid, repeated and shared rows in one or several datasets ("sets"). The result has the sets without these rows,
    the removed rows with the reasons, a dataset card, and a page with charts.

    :param sets: the sets by name, the test set last: ``{"train": train, "test": test}``; or the data of one set, which has the
        name ``"data"``
    :param duplicates_by: which rows of a set are duplicates, so that only the first is kept: ``"isomorph"``,
        ``"exact"`` or ``"none"``
    :param shared_by: which rows are shared between sets, so that only one set keeps them: ``"grid"``,
        ``"solution"``, ``"isomorph"``, ``"exact"`` or ``"none"``
    :param prefer: the set that keeps shared rows: ``"last"`` or ``"first"``
    :param title: the title of the dataset card and of the page
    :param solution_limit: count at most this many solutions of a puzzle
    :param node_limit: give up a puzzle after this many search nodes; its status is then ``gave_up``
    :param with_: additional columns, which take extra time to compute: see :func:`with_names`
    :param se_max: with ``with_="se"``, the highest rating to compute; the default is 9.0
    :param se_work: with ``with_="se"``, the work after which a rating is given up
    :param hodoku_version: with ``with_="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param schema: ``"input"`` for the names and the order of the input's columns, or ``"canonical"`` for the other columns
        first, then ``puzzle`` and ``solution``
    :param blank: the character for an empty cell in the result; or the number that stands for an empty cell in arrays
    :param fix_solutions: whether wrong solutions in the input are replaced by the correct ones, or removed if the puzzle does
        not have exactly one solution
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
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

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
    by: Sameness = "grid",
    max: int | float | str | None = None,
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
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Finds the puzzles of ``b`` that also occur in ``a``. The table has a row for each pair; ``table.counts`` has the
    number of rows of ``b`` that have a twin in ``a``.

    :param a: as for :func:`grade`
    :param b: as for :func:`grade`
    :param by: which puzzles are twins: those with isomorphic solutions (``"grid"``), ``"isomorph"``, ``"solution"``, ``"exact"``
    :param max: fail if more rows of ``b`` have a twin: a number, a share, or a percentage such as ``"0.5%"``
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
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

    >>> import sudoku_pipeline as sp
    >>> puzzles = sp.generate(5, seed=1).to_numpy("puzzle")
    >>> sp.overlap(puzzles, sp.isomorph(puzzles[:2], 7)).counts["twins"]
    2
    """
    return _datasets.overlap(locals())


def augment(
    data: Any,
    copies: int,
    *,
    with_original: bool = False,
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
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Makes isomorphs of every puzzle, with the transformation.

    :param data: as for :func:`grade`
    :param copies: the number of isomorphs of each puzzle
    :param with_original: also return each row unchanged, before its copies
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
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error
    :returns: a table with ``copies`` rows for each puzzle; the same ``seed`` gives the same rows

    >>> import sudoku_pipeline as sp
    >>> puzzles = sp.generate(5, seed=1).to_numpy("puzzle")
    >>> sp.augment(puzzles, 3, seed=1).to_numpy("puzzle").shape
    (15, 81)
    """
    return _datasets.table("augment", locals())
