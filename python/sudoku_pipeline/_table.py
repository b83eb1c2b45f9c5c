"""The results of commands: tables, parts of a dataset, statistics."""

from __future__ import annotations

import html
import json
import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence, overload

from sudoku_pipeline import _labels, _native, _show, _write
from sudoku_pipeline._aligned import AlignedRows
from sudoku_pipeline._errors import UsageError
from sudoku_pipeline._native import Schema
from sudoku_pipeline._page import Page
from sudoku_pipeline._positions import ROW, UNKNOWN, Positions
from sudoku_pipeline._rows import Rows, arrays
from sudoku_pipeline.options import OutputFormat

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow


class Table(AlignedRows):
    """A table that a command has written. It can be read as often as it is wanted.

    ``table.counts`` has the figures of the run, and ``table.text`` what the command printed.
    """

    def __init__(
        self,
        path: str,
        folder: object,
        *,
        counts: Mapping[str, Any] | None = None,
        text: str | Callable[[], str] = "",
        others: Mapping[str, Table] | None = None,
        positions: Positions = UNKNOWN,
        is_numbered: bool = False,
        labels: _labels.Labels | None = None,
    ) -> None:
        self._path = path
        self._positions = positions
        # Whether the file can have the positions of the rows in a frame.
        self._is_numbered = is_numbered
        # The labels of the rows of this frame.
        self._labels = labels
        # The folder is removed when its last table is deleted.
        self._folder = folder
        self.counts: dict[str, Any] = dict(counts or {})
        self._text = text
        self._others = dict(others or {})

    @cached_property
    def _whole(self) -> _native.Table:
        """The table with the positions of the rows in a frame."""
        return _native.Table(self._path)

    @cached_property
    def _own_path(self) -> str:
        """The file without the positions of the rows in a frame."""
        return _labels.copy_without_positions(self._path) if self._is_numbered else self._path

    @cached_property
    def _table(self) -> _native.Table:
        return _native.Table(self._own_path) if self._is_numbered else self._whole

    @property
    def text(self) -> str:
        """What the command printed."""
        if not isinstance(self._text, str):
            # It is made when it is used for the first time.
            self._text = self._text()
        return self._text

    @property
    def schema(self) -> Schema:
        """The columns of the rows."""
        return self._table.schema

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return self._whole.num_rows

    @property
    def rejects(self) -> Table | None:
        """The records that are not puzzles; None if there are none."""
        return self._others.get("rejects")

    @property
    def duplicates(self) -> Table | None:
        """For ``dedup``: the rows that were left out, each with the row that it repeats."""
        return self._others.get("duplicates")

    @overload
    def to_numpy(self, column: str | None = ...) -> npt.NDArray[Any]: ...

    @overload
    def to_numpy(self, column: list[str] | tuple[str, ...]) -> dict[str, npt.NDArray[Any]]: ...

    def to_numpy(self, column: str | Sequence[str] | None = None) -> Any:
        """A column as an array: of grids, digits with a row of ``uint8`` for each row and 0 for an empty cell; of numbers or
        texts, an element for each row, which needs pyarrow. For several columns, a dictionary of arrays; by default the
        puzzles.

        :raises DataError: records of ``evaluate`` or ``trace`` were rejected, so that the rows are not those of the input;
            the arrays of ``["row", column]`` have the positions
        """
        column = "puzzle" if column is None else column
        if self._positions.are_of_records:
            names = [column] if isinstance(column, str) else column
            self._positions.refuse_array(self.counts.get("rejected", 0), names, lambda: ROW in self.schema.names)
        if self._is_numbered and _labels.COLUMN in ([column] if isinstance(column, str) else column):
            raise UsageError(f"there is no column {_labels.COLUMN}")
        return arrays(self._whole._collect(), column)

    def _collect(self) -> Any:
        rows = self._whole._collect()
        if not self._is_numbered:
            return rows
        import pyarrow

        return _labels.without_positions(pyarrow.table(rows))

    def _rejected_rows(self) -> Sequence[int]:
        if not self._positions.are_of_records or self.rejects is None:
            return ()
        found: list[int] = self.rejects.to_arrow().column(ROW).to_pylist()
        return found

    def _numbered(self) -> tuple[pyarrow.Table, Any]:
        if self._labels is None:
            return Rows.to_arrow(self), None
        import pyarrow

        table = pyarrow.table(self._whole._collect())
        if _labels.COLUMN not in table.column_names:
            return table, None
        return _labels.without_positions(table), table.column(_labels.COLUMN).to_numpy()

    def __reduce__(self) -> Any:
        with open(self._path, "rb") as file:
            content = file.read()
        more = {"positions": self._positions, "is_numbered": self._is_numbered, "labels": self._labels}
        return _unpickled, (content, self.counts, self.text, self._others, more)

    def write(self, path: str | os.PathLike[str], *, format: OutputFormat | None = None, overwrite: bool = False) -> int:
        """Writes the rows to a file in the format of its extension. Returns their number.

        :param format: the format, if the extension does not say it; ``"hrm"`` writes a folder of arrays, as HRM and TRM read it;
            ``datasets.Dataset.from_file`` opens ``"arrow-stream"``, which is also the ending ``.arrows``, but not ``.arrow``
        """
        if format is not None and _native.folder_format(format) is not None:
            _write.folder_table(self._own_path, path, format, overwrite, os.path.dirname(self._path))
            return self.num_rows
        return self._table._write(os.fspath(path), format, overwrite)

    def __len__(self) -> int:
        return self.num_rows

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        """A column as an array, as :meth:`to_numpy` returns it."""
        if not isinstance(column, str):
            raise TypeError("table[...] is a column by its name; the rows are those of to_pylist(), to_pandas() or to_polars()")
        return self.to_numpy(column)

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("the rows of a table are those of to_pylist(), to_pandas() or to_polars()")

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._table.__arrow_c_schema__()

    def __repr__(self) -> str:
        return _show.as_text(self.schema, self._table._preview(_show.ROWS), self._title())

    def _repr_html_(self) -> str:
        return _show.as_html(self.schema, self._table._preview(_show.ROWS), self._title())

    def _title(self) -> str:
        return f"Table with {self.num_rows:,} rows and {len(self.schema)} columns"


def _unpickled(
    content: bytes, counts: Mapping[str, Any], text: str, others: Mapping[str, Table], more: Mapping[str, Any]
) -> Table:
    """The table of a pickle, in a temporary file of this process."""
    from sudoku_pipeline._run import Folder

    folder = Folder()
    path = os.path.join(folder.name, "table.arrow")
    with open(path, "wb") as file:
        file.write(content)
    return Table(path, folder, counts=counts, text=text, others=others, **more)


# The builders of ``datasets.load_dataset`` for the formats of a table.
_BUILDERS = {"parquet": "parquet", "csv": "csv", "tsv": "csv", "ndjson": "json", "jsonl": "json"}


class Parts(Mapping[str, Table]):
    """The parts of a dataset, by name."""

    def __init__(self, parts: Mapping[str, Table], counts: Mapping[str, Any], rejects: Table | None) -> None:
        self._parts = dict(parts)
        self.counts: dict[str, Any] = dict(counts)
        self.rejects = rejects

    def __getitem__(self, name: str) -> Table:
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}: {len(part):,} rows" for name, part in self.items())
        return f"<Parts {parts}>"

    def write(self, folder: str | os.PathLike[str], *, format: str = "parquet", overwrite: bool = False) -> dict[str, int]:
        """Writes each part to a file in the folder, such as ``train.parquet``. Returns the number of rows of each.

        :param format: the ending of the files, such as ``"parquet"`` or ``"csv.gz"``; or ``"hrm"`` for a folder of arrays for
            each part, as HRM and TRM read it
        """
        return _write.parts(self._parts, folder, format, overwrite)


# The line of the card about the positions of rows in a frame.
_POSITIONS_IN_CARD = re.compile(rf"^\| {re.escape(_labels.COLUMN).replace('_', '.?_')} \|.*\n", re.MULTILINE)


class Audit(Parts):
    """The cleaned sets of an audit, by name. Its card and its page are made when they are used for the first time."""

    def __init__(
        self,
        sets: Mapping[str, Table],
        counts: Mapping[str, Any],
        *,
        rejected: list[dict[str, str]],
        removed: Table,
        texts: _native.AuditTexts | None,
        folder: str,
        text: Callable[[], str],
    ) -> None:
        super().__init__(sets, counts, None)
        self._texts = texts
        # The temporary folder of the sets, which the texts name.
        self._folder = folder
        # The records that are not valid puzzles.
        self.rejected = rejected
        self.removed = removed
        self._text: str | Callable[[], str] = text

    @property
    def text(self) -> str:
        """What the command printed."""
        if not isinstance(self._text, str):
            self._text = self._text()
        return self._text

    @cached_property
    def _made(self) -> tuple[str, str, str]:
        """The card, the charts and the page. Their commands name the folder of the sets ``audit/``."""
        card, charts, page = ("", "", "") if self._texts is None else self._texts.make()
        # The column with the positions in a frame is in no set.
        card = _POSITIONS_IN_CARD.sub("", card)
        return card.replace(self._folder, "audit"), charts, page.replace(self._folder, "audit")

    @property
    def card(self) -> str:
        """The dataset card, in Markdown."""
        return self._made[0]

    @property
    def page(self) -> Page:
        """The page with the charts."""
        return Page(self._made[2])

    def __getstate__(self) -> dict[str, Any]:
        self._made
        return {**self.__dict__, "_texts": None, "_text": self.text}

    def write(self, folder: str | os.PathLike[str], *, format: str = "parquet", overwrite: bool = False) -> dict[str, int]:
        """Writes a folder that ``datasets.load_dataset(folder)`` loads and that can be pushed to a hub: the cleaned sets, the
        removed rows as ``_removed``, the dataset card as ``README.md`` with its charts, and the page ``_report.html``.
        Returns the number of rows of each set.

        :param format: the ending of the files, as for :meth:`Parts.write`
        """
        root = os.fspath(folder)
        is_file = _native.folder_format(format) is None
        others = ["README.md", "_report.html", "_charts.svg"]
        _write.refuse_existing(root, others, overwrite)
        rows = super().write(folder, format=format, overwrite=overwrite)
        self.removed.write(os.path.join(root, f"_removed.{format if is_file else 'parquet'}"), overwrite=overwrite)
        # Commands in the texts name the sets as files of the folder `audit/`.
        base = os.path.basename(os.path.abspath(root))
        card, page = (re.sub(r"(?<![\w/.-])audit/", f"{base}/", str(text)) for text in (self.card, self.page))
        for name in self:
            own = f"{name}.{format}" if is_file else name
            card, page = (re.sub(rf"(?<![\w-]){re.escape(name)}\.arrow\b", own, text) for text in (card, page))
        builder = _BUILDERS.get(format.partition(".")[0])
        if builder is not None:
            card = card.replace('load_dataset("arrow", ', f'load_dataset("{builder}", ')
        _write.text(os.path.join(root, "README.md"), card)
        _write.text(os.path.join(root, "_report.html"), page)
        _write.text(os.path.join(root, "_charts.svg"), self._made[1])
        return rows

    def __repr__(self) -> str:
        return self.text or super().__repr__()

    def _repr_html_(self) -> str:
        return self.page._repr_html_()


class Figures(Mapping[str, Any]):
    """The figures of a command as a dictionary, which is displayed as tables."""

    def __init__(self, figures: Mapping[str, Any], text: str) -> None:
        self._figures = dict(figures)
        self.text = text

    def __getitem__(self, name: str) -> Any:
        return self._figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def to_json(self) -> str:
        """The figures as JSON, which ``sp.report`` and the command ``pipeline stats --merge`` accept."""
        return json.dumps(self._figures)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<pre style="font-family: monospace; line-height: 1.2">{html.escape(self.text)}</pre>'
