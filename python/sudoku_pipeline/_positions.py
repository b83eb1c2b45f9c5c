"""Keeps the rows of a stream aligned with its input, from which records may have been rejected."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from sudoku_pipeline import _errors as errors
from sudoku_pipeline._errors import RejectsWarning, UsageError

# The column with the position of a row in the input, counted from 0.
ROW = "row"
# The commands with a row for each record that is a puzzle.
_COMMANDS = ("grade", "solve", "convert")
# Options that leave out records of the input, so that its rows are not those of the input anyway.
_SELECTIONS = ("where", "sample", "shard")


class Positions:
    """The positions in the input of the rows of a stream that has been read to its end.

    They are not known if a command or an option leaves out records, since these rows are a selection, and for several
    files, whose records are numbered from 0 in each.
    """

    def __init__(self, command: str, options: Mapping[str, Any], several_files: bool) -> None:
        self._first = options.get("skip") or 0
        self.are_rows = options.get("rejects") == "rows"
        selection = next((name for name in _SELECTIONS if options.get(name) is not None), None)
        # Why the positions are not known; None if they are.
        self._unknown: str | None = None
        if command not in _COMMANDS:
            self._unknown = f"{command} has no such rows"
        elif selection is not None:
            self._unknown = f"{selection}= leaves out records: leave out one of the two"
        elif several_files:
            self._unknown = 'the data may be several files: give rejects="rows" to the function'

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
        return [record for record in self._records(rows, gaps) if record not in gaps]

    def gather(self, rows: int, rejected: Sequence[int]) -> list[int | None] | None:
        """For each record of the input its row, or None if it was rejected. None if every record has a row."""
        if self.are_rows or not rejected:
            return None
        gaps = set(rejected)
        at = iter(range(rows))
        return [None if record in gaps else next(at) for record in self._records(rows, gaps)]

    def _records(self, rows: int, gaps: set[int]) -> range:
        return range(self._first, self._first + rows + len(gaps))


def warn(rejected: Sequence[int], place: str) -> None:
    """Warns that records were rejected and have no rows. ``place`` has the positions of the rows."""
    number = len(rejected)
    errors.warn(
        f"{number:,} record{'s were' if number > 1 else ' was'} rejected, and the rows are not those of the input; "
        f'the {place} has their positions in it. rejects="null" makes a row of nulls for each, and rejects="rows" of '
        "the function a row with its error",
        RejectsWarning,
    )
