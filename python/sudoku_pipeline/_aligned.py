"""Converts the rows of a result to tables whose rows can be found in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Sequence

from sudoku_pipeline._labels import Labels
from sudoku_pipeline._positions import ROW, Positions
from sudoku_pipeline._rows import Rows, framed

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class AlignedRows(Rows):
    """Rows that keep the labels of a frame that was the data, and the positions of records if others were rejected."""

    _positions: Positions
    # The labels of the data, if it was a frame or a series.
    _labels: Labels | None

    def _rejected_rows(self) -> Sequence[int]:
        """The positions of the rejected records, after the rows have been read."""
        raise NotImplementedError

    def _numbered(self) -> tuple[pyarrow.Table, Any]:
        """The rows, and the position of each in the frame that was the data; None if it was none."""
        raise NotImplementedError

    def to_arrow(self, *, rejects: Literal["null"] | None = None) -> pyarrow.Table:
        """The rows as a ``pyarrow.Table``. If records were rejected, a warning says so, and the table begins with the
        column ``row``: the position of each row in the input.

        :param rejects: ``"null"`` makes a row of nulls for each rejected record, so that the rows are those of the input
        """
        import pyarrow

        self._positions.check(rejects)
        table = super().to_arrow()
        rejected = self._rejected_rows()
        if rejects == "null":
            gathered = self._positions.gather(table.num_rows, rejected)
            return table if gathered is None else table.take(pyarrow.array(gathered, pyarrow.int64()))
        rows = self._positions.of_rows(table.num_rows, rejected)
        if rows is None or ROW in table.column_names:
            return table
        self._positions.warn(rejected, "column row")
        return table.add_column(0, ROW, pyarrow.array(rows, pyarrow.uint64()))

    def to_pandas(self, *, rejects: Literal["null"] | None = None) -> pandas.DataFrame:
        """The rows as a ``pandas.DataFrame``. Its index has the labels of the rows of a frame or series that was the data.
        Of other data, the index has the positions of the rows in it if records were rejected, and a warning says so.

        :param rejects: ``"null"`` makes a row of nulls for each rejected record, so that the rows are those of the input
        """
        import pyarrow

        self._positions.check(rejects)
        table, positions = self._numbered()
        rejected = self._rejected_rows()
        if rejects == "null":
            gathered = self._positions.gather(table.num_rows, rejected)
            if gathered is not None:
                if positions is not None:
                    positions = self._positions.of_records(table.num_rows, len(rejected))
                table = table.take(pyarrow.array(gathered, pyarrow.int64()))
        rows = None if rejects == "null" else self._positions.of_rows(table.num_rows, rejected)
        made: pandas.DataFrame
        if positions is not None and self._labels is not None:
            if rows is not None and self._labels.are_positions:
                self._positions.warn(rejected, "index")
            made = self._labels.label(table.to_pandas(), positions)
            return made
        made = framed(table)
        # A table with the index of a frame brings it along as columns.
        if rows is None or len(made.columns) < table.num_columns:
            return made
        self._positions.warn(rejected, "index")
        return made.set_axis(rows, axis=0)

    def to_polars(self, *, rejects: Literal["null"] | None = None) -> polars.DataFrame:
        """The rows as a ``polars.DataFrame``. If records were rejected, a warning says so, and the frame begins with the
        column ``row``: the position of each row in the input.

        :param rejects: ``"null"`` makes a row of nulls for each rejected record, so that the rows are those of the input
        """
        import polars

        self._positions.check(rejects)
        frame = super().to_polars()
        rejected = self._rejected_rows()
        if rejects == "null":
            gathered = self._positions.gather(frame.height, rejected)
            if gathered is None:
                return frame
            return frame.select(polars.all().gather(polars.Series(gathered, dtype=polars.UInt32)))
        rows = self._positions.of_rows(frame.height, rejected)
        if rows is not None and ROW not in frame.columns:
            self._positions.warn(rejected, "column row")
            frame.insert_column(0, polars.Series(ROW, rows, dtype=polars.UInt64))
        return frame
