# Made by python/signatures/make.py from series.py.in: change those.
"""The function that generates puzzles."""

from __future__ import annotations

import os
from typing import Any, Mapping, overload

from sudoku_pipeline import _generate
from sudoku_pipeline._stream import Stream
from sudoku_pipeline._table import Table
from sudoku_pipeline.options import HodokuVersion, Level, Symmetry, Technique


@overload
def generate(
    count: int | None = None,
    *,
    near: None = None,
    seed: int | None = None,
    skip: int = 0,
    technique: Technique | None = None,
    level: Level | None = None,
    se: str | float | tuple[float | None, float | None] | None = None,
    hodoku_level: Level | None = None,
    hodoku_score: str | int | tuple[int | None, int | None] | None = None,
    hodoku_version: HodokuVersion | None = None,
    mix: str | Mapping[Level, float | str] | Mapping[str, float | str] | None = None,
    from_: Any = None,
    pattern: str | os.PathLike[str] | None = None,
    swap: int | None = None,
    where: str | None = None,
    clues: int | None = None,
    size: int = 9,
    symmetry: Symmetry = "none",
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
    technique: Technique | None = None,
    level: Level | None = None,
    se: str | float | tuple[float | None, float | None] | None = None,
    hodoku_level: Level | None = None,
    hodoku_score: str | int | tuple[int | None, int | None] | None = None,
    hodoku_version: HodokuVersion | None = None,
    mix: str | Mapping[Level, float | str] | Mapping[str, float | str] | None = None,
    from_: Any = None,
    pattern: str | os.PathLike[str] | None = None,
    swap: int | None = None,
    where: str | None = None,
    clues: int | None = None,
    size: int = 9,
    symmetry: Symmetry = "none",
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
    technique: Technique | None = None,
    level: Level | None = None,
    se: str | float | tuple[float | None, float | None] | None = None,
    hodoku_level: Level | None = None,
    hodoku_score: str | int | tuple[int | None, int | None] | None = None,
    hodoku_version: HodokuVersion | None = None,
    mix: str | Mapping[Level, float | str] | Mapping[str, float | str] | None = None,
    from_: Any = None,
    pattern: str | os.PathLike[str] | None = None,
    swap: int | None = None,
    where: str | None = None,
    clues: int | None = None,
    size: int = 9,
    symmetry: Symmetry = "none",
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
    :param near: puzzles, as data or a path; all minimal puzzles that differ from them in ``swap`` clues are made, or
        ``count`` random ones. The result is then a :class:`Table`, and ``where`` selects its rows.
    :param seed: the seed of the series; by default a random one
    :param skip: the number of puzzles of the series to leave out first
    :param technique: only puzzles whose hardest technique is this
    :param level: only puzzles of this level
    :param se: only puzzles with this rating of Sudoku Explainer: a number, a pair, or a text such as ``"6.5..7.2"``
    :param hodoku_level: the level of HoDoKu; the table then has HoDoKu's ratings
    :param hodoku_score: the range of HoDoKu's score, as in ``(800, 1000)`` or ``"800..1000"``
    :param hodoku_version: the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param mix: shares of levels or of ranges of ratings, as in ``{"easy": 0.2, "hard": 0.8}``
    :param from_: full grids or puzzles, as data or a path; ``count`` puzzles are made from each grid, with the column
        ``grid_row`` and the other columns of the data
    :param pattern: the cells with clues, as 81 characters, or the name of a file of patterns; ``count`` puzzles are made from
        each pattern, with the column ``pattern_line``
    :param swap: with ``near``, the number of clues in which the puzzles differ
    :param where: with ``near``, an SQL condition over the columns of the result
    :param clues: the number of clues
    :param size: the number of rows: 4, 6, 9, 12, 16 or 25
    :param symmetry: the symmetry of the clues
    :param minimal: only minimal puzzles: removing any clue creates a second solution
    :param solutions: the number of solutions that each puzzle has
    :param max_attempts: the number of attempts for each puzzle, after which it is missing
    :param threads: the number of worker threads; the default is one per core
    :param progress: whether to show a bar on standard error

    >>> import pyarrow as pa
    >>> table = pa.table(generate(3, seed=1, level="easy"))
    >>> table.column_names[:4], table.num_rows
    (['puzzle', 'solution', 'technique', 'rank'], 3)
    """
    return _generate.generate(locals())
