"""Keeps the rows of a result aligned with its input, from which records may have been rejected."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

from sudoku_pipeline import _errors as errors
from sudoku_pipeline._errors import DataError, RejectsWarning, UsageError

# The column with the position of a row in the input, counted from 0.
ROW = "row"
# The functions whose results are streams, with a row for each record that is a puzzle.
_STREAMS = ("grade", "solve", "convert")
# The functions whose results are tables, with a row for each record that is a puzzle.
_TABLES = ("evaluate", "trace")
# Options that leave out records of the input, so that its rows are not those of the input anyway.
_SELECTIONS = ("where", "sample", "shard")


class Positions:
    """The positions in the input of the rows of a result.

    They are not known if a command or an option leaves out records, since these rows are a selection, and for several
    files, whose records are numbered from 0 in each.
    """

    def __init__(self, command: str, options: Mapping[str, Any], several_files: bool) -> None:
        self._first = options.get("skip") or 0
        self.are_rows = options.get("rejects") == "rows"
        # Whether a row of the result is made of one record.
        self.are_of_records = command in _STREAMS + _TABLES
        # Whether the function has the option rejects="rows".
        self._has_rows = command not in _TABLES
        selection = next((name for name in _SELECTIONS if options.get(name) is not None), None)
        # Why the positions are not known; None if they are.
        self._unknown: str | None = None
        if not self.are_of_records:
            self._unknown = f"{command} has no such rows"
        elif selection is not None:
            self._unknown = f"{selection}= leaves out records: leave out one of the two"
        elif several_files:
            advice = 'give rejects="rows" to the function' if self._has_rows else "the columns source and row have the positions"
            self._unknown = f"the data may be several files: {advice}"

    def check(self, rejects: str | None) -> None:
        """Checks the argument ``rejects`` of a conversion, before the rows are read."""
        if rejects not in (None, "null"):
            raise UsageError(f'rejects={rejects!r}: must be "null"')
        if rejects == "null" and self._unknown is not None:
            raise UsageError(f'rejects="null" makes a row for each record, and {self._unknown}')

    def of_rows(self, rows: int, rejected: Sequence[int]) -> list[int] | None:
        """The position of each row. None if every record of the input has a row, or if positions are not known."""
        if self.are_rows or not rejected or self._unknown is not None:
            return None
        gaps = set(rejected)
        return [record for record in self.of_records(rows, len(gaps)) if record not in gaps]

    def gather(self, rows: int, rejected: Sequence[int]) -> list[int | None] | None:
        """For each record of the input its row, or None if it was rejected. None if every record has a row."""
        if self.are_rows or not rejected:
            return None
        gaps = set(rejected)
        at = iter(range(rows))
        return [None if record in gaps else next(at) for record in self.of_records(rows, len(gaps))]

    def of_records(self, rows: int, rejected: int) -> range:
        """The positions of the records of the rows and of the rejected ones."""
        return range(self._first, self._first + rows + rejected)

    def warn(self, rejected: Sequence[int], place: str) -> None:
        """Warns that records were rejected and have no rows. ``place`` has the positions of the rows."""
        number = len(rejected)
        more = ', and rejects="rows" of the function a row with its error' if self._has_rows else "; .rejects has their errors"
        errors.warn(
            f"{number:,} record{'s were' if number > 1 else ' was'} rejected, and the rows are not those of the input; "
            f'the {place} has their positions in it. rejects="null" makes a row of nulls for each{more}',
            RejectsWarning,
        )

    def refuse_array(self, rejected: int, columns: Sequence[str], has_row: Callable[[], bool] = lambda: False) -> None:
        """Refuses an array whose rows are not those of the input.

        :param columns: the names of the columns that become arrays
        :param has_row: whether the rows have the column with the positions
        """
        # The positions in the input say which rows these are.
        if not rejected or self.are_rows or (ROW in columns and not self._has_rows):
            return
        were = "s were" if rejected > 1 else " was"
        start = f"{rejected:,} record{were} rejected, and the rows of the array would not be those of the input: "
        if self._has_rows:
            raise DataError(start + 'give rejects="rows", with which each of them is a row of zeros, or select the good ones first')
        name = columns[0] if columns else "puzzle"
        ways = [] if self._unknown else [f'to_pandas(rejects="null")[{name!r}] has a null for each of them']
        ways += [f'to_numpy(["row", {name!r}]) has the positions of the others'] if has_row() else []
        raise DataError(start + "; ".join([*ways, ".rejects has the errors"]))


# Of rows that are not made of one record each.
UNKNOWN = Positions("this table", {}, False)
