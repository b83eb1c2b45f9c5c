"""The functions of the package for Spark DataFrames."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Iterator

import pyarrow as pa

from sudoku_pipeline import _checked, _native
from sudoku_pipeline import convert as _convert
from sudoku_pipeline import grade as _grade
from sudoku_pipeline import solve as _solve

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# : The number of rows in an output batch. A stopped task ends after the current batch.
BATCH_ROWS = 4096

# : Options that are not available here, because they are about a whole stream or about threads.
NOT_OF_BATCHES = (
    "allow_empty",
    "limit",
    "max_rejects",
    "max_wrong",
    "progress",
    "sample",
    "seed",
    "skip",
    "source",
    "threads",
)


def grade(df: DataFrame, *, rejects: str = "rows", **options: Any) -> DataFrame:
    """Grades every puzzle of a DataFrame. The result has the columns of :func:`sudoku_pipeline.grade`.

    :param rejects: with ``"rows"``, records that are not puzzles become rows with the status
        ``rejected``; ``"table"`` leaves them out, and :func:`rejects` returns them
    :param options: the options of :func:`sudoku_pipeline.grade`. ``node_limit`` bounds the time that a
        task can spend on one puzzle, and has a default.
    """
    return _mapped(df, "grade", _of_batches(_grade, options), rejects)


def solve(df: DataFrame, *, rejects: str = "rows", **options: Any) -> DataFrame:
    """Solves every puzzle. The result has the columns of :func:`sudoku_pipeline.solve`."""
    return _mapped(df, "solve", _of_batches(_solve, options), rejects)


def convert(df: DataFrame, *, rejects: str = "rows", **options: Any) -> DataFrame:
    """Converts every puzzle to the same text format, with the columns of :func:`sudoku_pipeline.convert`."""
    return _mapped(df, "convert", _of_batches(_convert, options), rejects)


def rejects(df: DataFrame, **options: Any) -> DataFrame:
    """The records that are not puzzles, with their columns and ``error``, ``message`` and ``raw``.

    Puzzles are not solved to find them.
    """
    # The columns with grids are dropped by name.
    converted = convert(df, **{**options, "schema": "canonical"})
    bad = converted.where(converted["error"].isNotNull())
    return bad.drop("puzzle", "solution") if "solution" in bad.columns else bad.drop("puzzle")


def _of_batches(function: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Checks that the options are available for batches, and returns them."""
    for name in options:
        if name in NOT_OF_BATCHES:
            raise TypeError(f"{name}= has no meaning on Spark, where every batch is on its own")
    return _checked(function, options)


def _mapped(df: DataFrame, command: str, options: dict[str, Any], rejects: str) -> DataFrame:
    from pyspark.sql.pandas.types import from_arrow_schema

    options = {**options, "rejects": rejects}
    function = _native.Function(command, _arrow_schema(df), options)
    target = _for_spark(pa.schema(function.schema))
    names = target.names

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        function = None
        known = None
        for batch in batches:
            if function is None or batch.schema != known:
                # Spark sends string or large_string, depending on its configuration.
                known = batch.schema
                function = _native.Function(command, known, options)
            for start in range(0, batch.num_rows, BATCH_ROWS):
                rows = pa.record_batch(function(batch.slice(start, BATCH_ROWS)))
                schema = _for_spark(rows.schema)
                columns = [
                    column if column.type == field.type else column.cast(field.type)
                    for column, field in zip(rows.columns, schema)
                ]
                yield pa.RecordBatch.from_arrays(columns, names=names)

    return df.mapInArrow(work, from_arrow_schema(target))


def _arrow_schema(df: DataFrame) -> pa.Schema:
    """The Arrow schema with which Spark sends the rows to the executors."""
    from pyspark.sql.pandas.types import to_arrow_schema

    # Some versions of Spark need a time zone for timestamps. Any valid one works.
    wants_zone = "timezone" in inspect.signature(to_arrow_schema).parameters
    return to_arrow_schema(df.schema, **({"timezone": "UTC"} if wants_zone else {}))


def _for_spark(schema: pa.Schema) -> pa.Schema:
    """The schema with types that Spark supports. Unsigned integers become signed ones of the next larger size."""
    return pa.schema([field.with_type(_spark_type(field.type)) for field in schema])


def _spark_type(kind: pa.DataType) -> pa.DataType:
    signed = {
        pa.uint8(): pa.int16(),
        pa.uint16(): pa.int32(),
        pa.uint32(): pa.int64(),
        pa.uint64(): pa.int64(),
    }
    return signed.get(kind, kind)
