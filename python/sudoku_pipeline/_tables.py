"""Makes tables of Arrow of rows that are dictionaries, of frames, and of several tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from sudoku_pipeline._errors import DataError, UsageError

# The rows of a batch of rows that are dictionaries.
BATCH = 4096
# The types of values, as pandas names them, that Arrow may not hold in one column.
_MIXED = ("mixed", "integer", "mixed-integer", "mixed-integer-float", "complex", "unknown-array")


def _batch(rows: Any) -> Any:
    """A table of rows that are dictionaries. It has the keys of all of them, in the order in which they come first."""
    import pyarrow

    other = next((row for row in rows if not isinstance(row, dict) and row is not None), None)
    if other is not None:
        raise TypeError(f"the rows are dictionaries, but one of them is of the type {type(other).__name__}")
    rows = [row or {} for row in rows]
    names = dict.fromkeys(name for row in rows for name in row)
    try:
        table = pyarrow.table({name: [row.get(name) for row in rows] for name in names})
    except pyarrow.ArrowException as error:
        raise DataError(f"the rows make no table: {error}") from error
    # A column without values has no type; later values may be texts.
    fields = [field.with_type(pyarrow.string()) if pyarrow.types.is_null(field.type) else field for field in table.schema]
    return table.cast(pyarrow.schema(fields))


def of_records(rows: Any) -> Any:
    """A table of rows that are dictionaries. A column has the type that holds the values of all rows."""
    import pyarrow

    tables = [_batch(rows[at : at + BATCH]) for at in range(0, len(rows), BATCH)]
    try:
        return pyarrow.concat_tables(tables, promote_options="permissive")
    except pyarrow.ArrowException:
        # Columns that were empty in some batch are texts there.
        return _batch(rows)


def of_iterator(rows: Iterator[Any]) -> Any:
    """A reader of rows that are dictionaries."""

    def tables() -> Iterator[Any]:
        while batch := list(itertools.islice(rows, BATCH)):
            yield _batch(batch)

    return reader(tables())


def reader(tables: Iterator[Any]) -> Any:
    """A reader of tables one after the other, which have the columns of the first."""
    import pyarrow

    first = next(tables, None)
    if first is None:
        return pyarrow.table({"puzzle": pyarrow.array([], pyarrow.string())})

    def batches() -> Iterator[Any]:
        for table in itertools.chain([first], tables):
            if table.schema != first.schema:
                table = _like(table, first.schema)
            yield from table.to_batches()

    return pyarrow.RecordBatchReader.from_batches(first.schema, batches())


def _like(table: Any, schema: Any) -> Any:
    """A table with the columns of a schema, which are null where the table lacks them."""
    import pyarrow

    late = [name for name in table.schema.names if name not in schema.names]
    if late:
        raise DataError(
            f"a later row has the column {late[0]!r}, which the first {BATCH:,} rows do not have: give a list of all rows"
        )
    columns = {
        field.name: table[field.name] if field.name in table.schema.names else pyarrow.nulls(table.num_rows, field.type)
        for field in schema
    }
    try:
        return pyarrow.table(columns).cast(schema)
    except pyarrow.ArrowException as error:
        raise DataError(f"a later row has another type than the first {BATCH:,} rows: {error}: give a list of all rows") from error


def is_table(item: Any) -> bool:
    """Whether an item of a list or an iterator is a table of Arrow, a batch of it, or a frame of pandas or polars."""
    module = type(item).__module__.partition(".")[0]
    return module in ("pyarrow", "pandas", "polars") and hasattr(item, "columns") and hasattr(item, "shape")


def of_table(item: Any) -> Any:
    """A table of Arrow of one that :func:`is_table` accepts."""
    import pyarrow

    if type(item).__module__.startswith("pandas"):
        return pyarrow.Table.from_pandas(with_plain_columns(item), preserve_index=False)
    if isinstance(item, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([item])
    return item if isinstance(item, pyarrow.Table) else item.to_arrow()


def with_plain_columns(data: Any) -> Any:
    """A frame or series of pandas in which the values of different types in one column are texts, of which those that are no
    puzzles are rejected, one by one."""
    columns = getattr(data, "columns", None)
    if columns is None:
        changed = _plain(data, data.name)
        return data if changed is None else changed
    if not columns.is_unique:
        twice = columns[columns.duplicated()][0]
        raise UsageError(f"two columns have the name {twice!r}")
    made = {name: _plain(data[name], name) for name, dtype in data.dtypes.items() if dtype.kind in "Oc"}
    changed = {name: column for name, column in made.items() if column is not None}
    if changed:
        data = data.copy(deep=False)
        for name, column in changed.items():
            data[name] = column
    return data


def _plain(column: Any, name: Any) -> Any:
    """The column with one type: as Arrow has it, or as texts; None if it has one."""
    import pandas
    import pyarrow

    if column.dtype.kind == "c":
        raise UsageError(f"the column {name!r} has complex numbers")
    if pandas.api.types.infer_dtype(column, skipna=True) not in _MIXED:
        return None
    try:
        made = pyarrow.array(column, from_pandas=True)
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
        return column.map(_text, na_action="ignore").astype(object)
    # It is not converted twice.
    return pandas.Series(pandas.arrays.ArrowExtensionArray(made), index=column.index, name=name)


def _text(value: Any) -> str:
    """A value as a text. The digits of a list, or an array, become one text."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    is_puzzle = type(value).__module__.startswith("sudoku_pipeline")
    if not isinstance(value, str) and not is_puzzle and hasattr(value, "__len__") and hasattr(value, "__iter__"):
        cells = getattr(value, "ravel", lambda: value)()
        return "".join(map(str, cells))
    return str(value)
