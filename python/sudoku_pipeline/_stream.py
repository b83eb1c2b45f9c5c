"""Streams of rows, which can be displayed and converted to the tables of other libraries."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence, TypeVar, overload

from sudoku_pipeline import _data, _labels, _native, _show, _write
from sudoku_pipeline._aligned import AlignedRows
from sudoku_pipeline._arrays import array
from sudoku_pipeline._errors import UsageError
from sudoku_pipeline._native import Batch, Rejects, Schema
from sudoku_pipeline._positions import Positions
from sudoku_pipeline._progress import Watch
from sudoku_pipeline._rows import GRIDS, Rows, arrays
from sudoku_pipeline.options import OutputFormat

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow


T = TypeVar("T")

# The functions whose rows keep the labels of a frame that is their data.
_WITH_LABELS = ("grade", "solve", "convert")


class Stream(AlignedRows):
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
        labels: _labels.Labels | None = None,
        with_positions: Callable[[], _native.Stream] | None = None,
    ) -> None:
        self._stream = stream
        self._command = command
        self._positions = Positions(command, options or {}, several_files)
        self._labels = labels
        # Starts the stream anew, with the positions of its rows; None if it is being read.
        self._with_positions = with_positions
        # The columns, if the stream has started anew and has one more.
        self._schema: Schema | None = None
        self._total = total
        self._watch = Watch(stream, total) if progress else None

    @property
    def schema(self) -> Schema:
        """The columns of the rows."""
        return self._stream.schema if self._schema is None else self._schema

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

    def _rejected_rows(self) -> Sequence[int]:
        return self._stream._reject_rows

    def _numbered(self) -> tuple[pyarrow.Table, Any]:
        if self._labels is None:
            return Rows.to_arrow(self), None
        # Only a frame has an index, so only now the rows are computed with their positions. Nothing has been read before.
        if self._with_positions is not None:
            stream = self._with_positions()
            self._schema = self._stream.schema
            self._stream.close()
            self._stream = stream
            if self._watch is not None:
                self._watch = Watch(stream, self._total)
        table = Rows.to_arrow(self)
        if _labels.COLUMN not in table.column_names:
            return table, None
        positions = table.column(_labels.COLUMN).to_numpy()
        return _labels.without_positions(table), positions

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
        self._positions.refuse_array(self._stream._rejected, [column] if isinstance(column, str) else column)
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
        self._with_positions = None
        self._stream.close()
        self._end()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        self._begin()
        return self._stream.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._stream.__arrow_c_schema__()

    def __iter__(self) -> Iterator[Batch]:
        # A second loop fails instead of finding no rows.
        self._with_positions = None
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
        return _show.as_text(self.schema, self._preview())

    def _repr_html_(self) -> str:
        return _show.as_html(self.schema, self._preview())

    def _preview(self) -> list[list[str | None]] | None:
        rows = self._stream._preview(_show.ROWS)
        if rows is None or self._schema is None:
            return rows
        positions = self._stream.schema.names.index(_labels.COLUMN)
        return [row[:positions] + row[positions + 1 :] for row in rows]

    def _begin(self) -> None:
        self._with_positions = None
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
    labels = _labels.Labels.of_data(data, options) if command in _WITH_LABELS else None
    if labels is not None:
        # The caller may change the frame before the rows are read.
        data = data.copy(deep=False)

    def with_positions() -> _native.Stream:
        numbered = _labels.numbered(data, options.get("blank"))
        return _native.run(command, numbered, _labels.with_positions(options, is_command_line=False))

    return Stream(
        native,
        progress=progress,
        total=total,
        command=command,
        options=options,
        several_files=several_files,
        labels=labels,
        with_positions=None if labels is None else with_positions,
    )
