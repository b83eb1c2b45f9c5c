"""Streams of rows, which can be displayed and converted to the tables of other libraries."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Iterator, Literal, Mapping, Sequence, TypeVar, overload

from sudoku_pipeline import _data, _native, _show, _write
from sudoku_pipeline._positions import ROW, Positions, warn
from sudoku_pipeline._arrays import array
from sudoku_pipeline._rows import GRIDS, Rows, arrays, framed
from sudoku_pipeline._errors import DataError, UsageError
from sudoku_pipeline._native import Batch, Rejects, Schema
from sudoku_pipeline._progress import Watch
from sudoku_pipeline.options import OutputFormat

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import polars
    import pyarrow


T = TypeVar("T")


class Stream(Rows):
    """Rows that are computed while they are read, on all cores, in order.

    They can be read once: by a loop over the batches, by a method such as :meth:`to_arrow`, or by a library with
    the Arrow interface. A second reader gets a :class:`ValueError`. Showing a stream computes its first rows, which
    can still be read afterwards.

    A stream belongs to the process that made it: in a forked child it raises :class:`UsageError`.
    """

    def __init__(
        self,
        stream: _native.Stream,
        *,
        progress: bool = False,
        total: int | None = None,
        command: str = "generate",
        options: Mapping[str, Any] | None = None,
        several_files: bool = False,
    ) -> None:
        self._stream = stream
        self._command = command
        self._positions = Positions(command, options or {}, several_files)
        self._watch = Watch(stream, total) if progress else None

    @property
    def schema(self) -> Schema:
        """The columns of the rows."""
        return self._stream.schema

    @property
    def rejects(self) -> Rejects:
        """The records that are not puzzles, as a stream with the columns of ``schema("rejects")``, once the rows
        have been read to their end. It can be read once."""
        return self._stream.rejects

    @property
    def counts(self) -> dict[str, Any]:
        """The counts of a stream that has been read to its end: rows, rows by status and by technique, and
        rejects by reason."""
        found: dict[str, Any] = json.loads(self._stream._counts())
        return found

    def to_arrow(self, *, rejects: Literal["null"] | None = None) -> pyarrow.Table:
        """The rows as a ``pyarrow.Table``. If records were rejected, a warning says so, and the table begins with the
        column ``row``: the position of each row in the input.

        :param rejects: ``"null"`` makes a row of nulls for each rejected record, so that the rows are those of the input
        """
        self._positions.check(rejects)
        return self._aligned(super().to_arrow(), rejects)

    def to_pandas(self, *, rejects: Literal["null"] | None = None) -> pandas.DataFrame:
        """The rows as a ``pandas.DataFrame``. If records were rejected, a warning says so, and the index has the position
        of each row in the input, unless the input has an index of its own, which is kept.

        :param rejects: ``"null"`` makes a row of nulls for each rejected record, so that the rows are those of the input
        """
        self._positions.check(rejects)
        table = super().to_arrow()
        if rejects == "null":
            return framed(self._aligned(table, rejects))
        made = framed(table)
        # A frame that was the input brings its index along as columns of the table.
        if len(made.columns) < table.num_columns:
            return made
        rejected = self._stream._reject_rows
        rows = self._positions.of_rows(len(made), rejected)
        if rows is None:
            return made
        warn(rejected, "index")
        return made.set_axis(rows, axis=0)

    def to_polars(self, *, rejects: Literal["null"] | None = None) -> polars.DataFrame:
        """The rows as a ``polars.DataFrame``. If records were rejected, a warning says so, and the frame begins with the
        column ``row``: the position of each row in the input.

        :param rejects: ``"null"`` makes a row of nulls for each rejected record, so that the rows are those of the input
        """
        import polars

        self._positions.check(rejects)
        frame = super().to_polars()
        rejected = self._stream._reject_rows
        if rejects == "null":
            gathered = self._positions.gather(frame.height, rejected)
            if gathered is None:
                return frame
            return frame.select(polars.all().gather(polars.Series(gathered, dtype=polars.UInt32)))
        rows = self._positions.of_rows(frame.height, rejected)
        if rows is not None and ROW not in frame.columns:
            warn(rejected, "column row")
            frame.insert_column(0, polars.Series(ROW, rows, dtype=polars.UInt64))
        return frame

    def _aligned(self, table: Any, rejects: str | None) -> Any:
        """The table with the positions of its rows, or with rows of nulls, if records were rejected."""
        import pyarrow

        rejected = self._stream._reject_rows
        if rejects == "null":
            gathered = self._positions.gather(table.num_rows, rejected)
            return table if gathered is None else table.take(pyarrow.array(gathered, pyarrow.int64()))
        rows = self._positions.of_rows(table.num_rows, rejected)
        if rows is None or ROW in table.column_names:
            return table
        warn(rejected, "column row")
        return table.add_column(0, ROW, pyarrow.array(rows, pyarrow.uint64()))

    @overload
    def to_numpy(self, column: str | None = ...) -> npt.NDArray[Any]: ...

    @overload
    def to_numpy(self, column: list[str] | tuple[str, ...]) -> dict[str, npt.NDArray[Any]]: ...

    def to_numpy(self, column: str | Sequence[str] | None = None) -> Any:
        """A column as an array. Of grids, digits: a row of ``uint8`` for each row, 0 for an empty cell; a row without a
        grid, such as the solution of a puzzle that has none, has only zeros. Of numbers or texts, an element for each row,
        which needs pyarrow.

        :param column: the name of a column, or several names, whose arrays are returned as a dictionary; by default the
            solutions of ``solve``, and the puzzles of the other functions
        :raises DataError: records were rejected, so that the rows are not those of the input; with
            ``rejects="rows"`` each of them is a row of zeros

        >>> import sudoku_pipeline as sp
        >>> sp.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").to_numpy().shape
        (1, 81)
        """
        column = self._usual_column() if column is None else column
        for name in [column] if isinstance(column, str) else column:
            if name not in self.schema.names:
                raise UsageError(f"there is no column {name}; the columns are {', '.join(self.schema.names)}")
        # The usual columns of grids are converted batch by batch, without all other columns in memory.
        streamed = column if isinstance(column, str) and column in GRIDS else None
        found: Any = self._read(lambda: self._stream._digits(streamed)) if streamed else self._collect()
        rejected = self._stream._rejected
        # With rejects="rows", there is a row for each record.
        if rejected and not self._positions.are_rows:
            raise DataError(
                f"{rejected} records were rejected, and the rows of the array would not be those of the input: "
                'give rejects="rows", with which each of them is a row of zeros, or select the good ones first'
            )
        return array(found) if streamed else arrays(found, column)

    def _usual_column(self) -> str:
        """The column of grids that is wanted if none is named."""
        order = ("solution", "puzzle") if self._command == "solve" else ("puzzle", "solution")
        return next((name for name in order if name in self.schema.names), order[0])

    def _collect(self) -> Any:
        return self._read(self._stream._collect)

    def _read(self, convert: Callable[[], T]) -> T:
        self._begin()
        try:
            return convert()
        finally:
            self._end()

    def __len__(self) -> int:
        raise TypeError("the rows of a stream are not counted before they are read: len(stream.to_arrow())")

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, column: object) -> Any:
        raise TypeError("a stream is read once, as a whole: to_numpy(column) is a column, and to_pylist() the rows")

    def __reduce__(self) -> Any:
        raise TypeError("a stream belongs to its process and cannot be pickled: pickle its table, stream.to_arrow()")

    def write(self, path: str | os.PathLike[str], *, format: OutputFormat | None = None, overwrite: bool = False) -> int:
        """Writes the rows to a file in the format of its extension: ``.parquet``, ``.csv``, ``.arrow``, ``.ndjson``,
        ``.txt`` and others, text also with ``.gz`` or ``.zst``. The file appears when it is complete.

        :param format: the format, if the extension does not say it; ``"hrm"`` writes a folder of arrays, as HRM and TRM read it;
            ``datasets.Dataset.from_file`` opens ``"arrow-stream"``, which is also the ending ``.arrows``, but not ``.arrow``
        :param overwrite: replace a file that exists
        :returns: the number of rows
        """
        if format is not None and _native.folder_format(format) is not None:
            from sudoku_pipeline._run import Folder

            folder = Folder()
            rows = os.path.join(folder.name, "rows.arrow")
            count = self._read(lambda: self._stream._write(rows, None, False))
            _write.folder_table(rows, path, format, overwrite, folder.name)
            return count
        return self._read(lambda: self._stream._write(os.fspath(path), format, overwrite))

    def close(self) -> None:
        """Ends the stream early: no further input is read."""
        self._stream.close()
        self._end()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        self._begin()
        return self._stream.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._stream.__arrow_c_schema__()

    def __iter__(self) -> Iterator[Batch]:
        # A second loop fails instead of finding no rows.
        iter(self._stream)
        return self

    def __next__(self) -> Batch:
        self._begin()
        try:
            return next(self._stream)
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: object, value: object, traceback: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return _show.as_text(self.schema, self._stream._preview(_show.ROWS))

    def _repr_html_(self) -> str:
        return _show.as_html(self.schema, self._stream._preview(_show.ROWS))

    def _begin(self) -> None:
        if self._watch is not None:
            self._watch.start()

    def _end(self) -> None:
        if self._watch is not None:
            self._watch.finish()


def run(command: str, arguments: Mapping[str, Any]) -> Stream:
    """Runs a command on the data. The arguments are those of the function with the same name."""
    data, progress = arguments["data"], arguments["progress"]
    options = {name: value for name, value in arguments.items() if name not in ("data", "progress")}
    prepared = _data.prepared(data, options.get("blank"))
    try:
        native = _native.run(command, prepared, options)
    except UsageError as error:
        # Conditions of filter and convert are about the columns of the data.
        raise UsageError(str(error).replace("; grade writes it", "; grade(data, where=...) has it")) from None
    total = _data.length(data) if progress else None
    several_files = isinstance(prepared, _data.Paths) and not prepared.is_one_file()
    return Stream(
        native, progress=progress, total=total, command=command, options=options, several_files=several_files
    )
