"""Functions for puzzles in polars expressions: ``import sudoku_pipeline.polars`` adds the namespace ``sudoku``.

>>> import polars as pl
>>> import sudoku_pipeline.polars
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> frame = pl.DataFrame({"puzzle": [puzzle, "short"]})
>>> graded = frame.with_columns(pl.col("puzzle").sudoku.grade(select=["status", "technique"]).alias("grade"))
>>> graded.unnest("grade").select("status", "technique", "error").rows()
[('unique', 'naked_single', None), ('rejected', None, 'wrong_length')]

An expression has a result for each row: a record that is not a puzzle has the status ``rejected``, and
``error`` says why. For whole frames ``pl.DataFrame(sudoku_pipeline.grade(frame))`` is faster, and returns
rejected records separately.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

import polars as pl
from polars.io.plugins import register_io_source

import sudoku_pipeline

__all__ = ["SudokuExpr", "scan"]


def scan(function: str, data: Any, **options: Any) -> pl.LazyFrame:
    """A lazy frame of the rows of a function, such as ``"grade"``. They are computed when the query runs, and only as
    many as it takes.

    :param data: paths or data that can be read more than once, since each query reads it again

    >>> scan("solve", ["." * 81], solution_limit=2).select("status").collect().rows()
    [('multiple',)]
    """
    names = ("grade", "solve", "convert", "validate")
    if function not in names:
        raise sudoku_pipeline.UsageError(f"function={function!r}: must be one of {', '.join(names)}")
    call = getattr(sudoku_pipeline, function)
    schema = pl.DataFrame(call(data, **{**options, "limit": 0})).schema

    def rows(
        columns: list[str] | None, predicate: pl.Expr | None, most: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        left = most
        with call(data, **options) as stream:
            for batch in stream:
                found = pl.DataFrame(batch)
                # polars limits the number of rows before its own filter, so the limit applies here.
                if left is not None:
                    found = found.head(left)
                    left -= found.height
                if predicate is not None:
                    found = found.filter(predicate)
                yield found if columns is None else found.select(columns)
                if left == 0:
                    break

    return register_io_source(rows, schema=schema)


@pl.api.register_expr_namespace("sudoku")
class SudokuExpr:
    """The namespace ``sudoku`` of expressions. The options are those of the package's functions."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def grade(self, **options: Any) -> pl.Expr:
        """The grade of each puzzle: a struct with the columns of :func:`sudoku_pipeline.grade`."""
        return self._struct(sudoku_pipeline.grade, options)

    def solve(self, **options: Any) -> pl.Expr:
        """The solution of each puzzle: a struct with the columns of :func:`sudoku_pipeline.solve`."""
        return self._struct(sudoku_pipeline.solve, options)

    def convert(self, **options: Any) -> pl.Expr:
        """Each puzzle in the same text format; null for a text that is not a puzzle."""
        convert = self._struct(sudoku_pipeline.convert, options)
        return convert.struct.field("puzzle")

    def canonical(self, **options: Any) -> pl.Expr:
        """The min-lex form of each puzzle, the same for all its isomorphs."""
        solve = self._struct(sudoku_pipeline.solve, {**options, "with_": ["canonical"]})
        return solve.struct.field("canonical")

    def _struct(self, function: Callable[..., Any], options: dict[str, Any]) -> pl.Expr:
        def rows(series: pl.Series) -> pl.Series:
            frame = pl.DataFrame(function(series, rejects="rows", **options))
            return frame.to_struct(series.name)

        # An empty column is processed now, so that wrong options are reported before the query runs.
        dtype = rows(pl.Series("puzzle", [], dtype=pl.String)).dtype
        return self._expr.map_batches(rows, return_dtype=dtype, is_elementwise=True)
