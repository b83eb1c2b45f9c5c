# Made by python/signatures/make.py from analytics.py.in: change those.
"""Functions that describe tables and files."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence

from sudoku_pipeline import _datasets
from sudoku_pipeline._page import Page
from sudoku_pipeline._table import Figures
from sudoku_pipeline.options import ColumnType, InputFormat


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
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Figures:
    """Computes the statistics of tables: levels, techniques, clues, effort, duplicates, labels and any other column. The
    result is a dictionary that is displayed as tables.

    :param data: a table in memory, a stream, or paths; with ``merge`` paths of statistics as JSON
    :param merge: whether the data are paths of statistics, which are added up
    :param by: the columns that group the rows
    :param where: an SQL condition over the columns of the result: only the rows that fulfil it are returned, such as ``"rank
        >= 12"``
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
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

    >>> import sudoku_pipeline as sp
    >>> sp.stats(sp.grade(sp.generate(10, seed=1)))["rows"]
    10
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
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Page:
    """Draws a page with charts of tables, which a notebook shows.

    :param data: a table in memory, a stream, or paths; also the statistics of :func:`stats`
    :param against: another dataset, which the charts show beside this one
    :param title: the title of the page
    :param by: the columns that group the rows
    :param card: return the description of the dataset in Markdown instead of the page
    :param where: an SQL condition over the columns of the result: only the rows that fulfil it are returned, such as ``"rank
        >= 12"``
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
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

    >>> import sudoku_pipeline as sp
    >>> "</html>" in sp.report(sp.grade(sp.generate(10, seed=1)))
    True
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
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
) -> Figures:
    """Describes a file: its format, its columns and its first records.

    The result is a dictionary. For several files, it describes the first, and has the others under ``"others"``.

    :param data: a path, or data as for :func:`grade`
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
    """
    return _datasets.inspect(locals())
